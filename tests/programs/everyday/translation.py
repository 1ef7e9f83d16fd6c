"""Translation with `nn.Transformer`: masks, padding, label smoothing, greedy decoding."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD, BEGIN, END = 0, 1, 2


class Positions(nn.Module):
    """Sines and cosines."""

    def __init__(self, width: int, length: int = 30) -> None:
        super().__init__()
        rate = torch.exp(-torch.arange(0, width, 2) * math.log(10000) / width)
        place = torch.arange(0, length).reshape(length, 1)
        table = torch.zeros((length, width))
        table[:, 0::2] = torch.sin(place * rate)
        table[:, 1::2] = torch.cos(place * rate)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("table", table.unsqueeze(-2))

    def forward(self, x: Any) -> Any:
        return self.dropout(x + self.table[: x.size(0), :])


class Translator(nn.Module):
    """Vaswani et al., "Attention Is All You Need" (2017)."""

    def __init__(self, words: int, width: int = 16) -> None:
        super().__init__()
        self.transformer = nn.Transformer(
            d_model=width, nhead=4, num_encoder_layers=2, num_decoder_layers=2, dim_feedforward=24,
            dropout=0.1,
        )  # fmt: skip
        self.generator = nn.Linear(width, words)
        self.embedding = nn.Embedding(words, width, padding_idx=PAD)
        self.positions = Positions(width)
        self.width = width

    def embed(self, x: Any) -> Any:
        """Scaled embeddings with positions."""
        return self.positions(self.embedding(x.long()) * math.sqrt(self.width))

    def forward(self, source: Any, target: Any) -> Any:
        mask = nn.Transformer.generate_square_subsequent_mask(target.size(0))
        source_padding = (source == PAD).transpose(0, 1)
        y = self.transformer(
            self.embed(source), self.embed(target), None, mask.isinf(), None,
            source_padding, (target == PAD).transpose(0, 1), source_padding,
        )  # fmt: skip
        return self.generator(y)


def run() -> Any:
    """Three steps and one translation."""
    numbers = torch.Generator().manual_seed(5)
    sources = [torch.randint(3, 12, (length,), generator=numbers) for length in (5, 7, 4, 6)]
    ends = (torch.tensor([BEGIN]), torch.tensor([END]))
    source = pad_sequence([torch.cat((ends[0], s, ends[1])) for s in sources], padding_value=PAD)
    target = pad_sequence([torch.cat((ends[0], s.flip(0), ends[1])) for s in sources])
    model = Translator(12)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda i: min((i + 1) ** -0.5, i + 1))
    losses = []
    for _ in range(3):
        logits = model(source, target[:-1])
        loss = criterion(logits.reshape(-1, logits.shape[-1]), target[1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        memory = model.transformer.encoder(model.embed(source[:, :1]))
        words = torch.full((1, 1), BEGIN)
        for _ in range(5):
            mask = nn.Transformer.generate_square_subsequent_mask(words.size(0)).isinf()
            y = model.transformer.decoder(model.embed(words), memory, mask)
            _, word = torch.max(model.generator(y.transpose(0, 1)[:, -1]), dim=1)
            words = torch.cat([words, torch.ones(1, 1).type_as(source).fill_(word.item())])
        scores = model(source, target[:-1])
    return {"losses": torch.tensor(losses), "words": words, "scores": scores, "memory": memory}
