"""Sine waves continued by LSTM cells, trained with L-BFGS in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn, optim


class Sequence(nn.Module):
    """Two cells and a line."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm1, self.lstm2 = nn.LSTMCell(1, 11), nn.LSTMCell(11, 11)
        self.linear = nn.Linear(11, 1)

    def forward(self, x: Any, future: int = 0) -> Any:
        outputs = []
        h1 = torch.zeros(x.size(0), 11, dtype=torch.double)
        c1, h2, c2 = h1.clone(), torch.zeros_like(h1), h1.new_zeros(h1.shape)
        for one in x.split(1, dim=1):
            h1, c1 = self.lstm1(one, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        for _ in range(future):
            h1, c1 = self.lstm1(output, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        return torch.cat(outputs, dim=1)


def run() -> Any:
    """Two steps, each with a line search."""
    phases = np.random.default_rng(2).integers(-80, 80, (6, 1))
    data = np.sin((np.arange(40)[None] + phases) / 5.0).astype("float64")
    x, y = torch.from_numpy(data[1:, :-1]), torch.from_numpy(data[1:, 1:])
    torch.set_default_dtype(torch.float64)
    try:
        model = Sequence()
    finally:
        torch.set_default_dtype(torch.float32)
    criterion = nn.MSELoss()
    optimizer = optim.LBFGS(model.parameters(), lr=0.8, max_iter=6, line_search_fn="strong_wolfe")
    losses = []
    for _ in range(2):

        def closure() -> Any:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            losses.append(loss.item())
            return loss

        optimizer.step(closure)
    with torch.no_grad():
        future = model(x[:1], future=10)
    return {"losses": torch.tensor(losses), "future": future}
