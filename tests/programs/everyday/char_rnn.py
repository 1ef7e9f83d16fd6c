"""A recurrent network that learns to continue a text, and writes some."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

TEXT = "the quick brown fox jumps over the lazy dog and runs away from the quick brown bear " * 4


class Model(nn.Module):
    """Letters in, logits of the next letter out."""

    def __init__(self, letters: int, hidden: int, kind: str) -> None:
        super().__init__()
        self.embedding = nn.Embedding(letters, 16)
        self.dropout = nn.Dropout(0.1)
        self.rnn = getattr(nn, kind)(16, hidden, num_layers=2, dropout=0.1, batch_first=True)
        self.decoder = nn.Linear(hidden, letters)

    def forward(self, x: Any, state: Any = None) -> Any:
        y, state = self.rnn(self.dropout(self.embedding(x)), state)
        return self.decoder(y), state


def detached(state: Any) -> Any:
    """The same state without history."""
    return tuple(s.detach() for s in state) if isinstance(state, tuple) else state.detach()


def run() -> Any:
    """Truncated backpropagation through time with an LSTM and a GRU, and samples of both."""
    letters = sorted(set(TEXT))
    data = torch.tensor([letters.index(c) for c in TEXT])
    found = {}
    for kind in ("LSTM", "GRU"):
        model = Model(len(letters), 24, kind)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        rows = data[: len(data) // 4 * 4].view(4, -1)
        state, losses = None, []
        for start in range(0, 60, 20):
            x, y = rows[:, start : start + 20], rows[:, start + 1 : start + 21]
            logits, state = model(x, state)
            state = detached(state)
            loss = functional.cross_entropy(logits.transpose(1, 2), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            losses += [loss.detach(), norm.detach()]
        model.eval()
        letter, state, said = data[:1].view(1, 1), None, []
        with torch.no_grad():
            for _ in range(12):
                logits, state = model(letter, state)
                letter = torch.multinomial((logits[:, -1] / 0.8).softmax(-1), 1)
                said.append(letter)
        found |= {f"{kind}.losses": torch.stack(losses), f"{kind}.said": torch.cat(said)}
    return found
