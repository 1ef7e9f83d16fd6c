"""Averages of weights."""

from __future__ import annotations

from typing import Any

import torch
from ema_pytorch import EMA
from inputs import filled, numbers
from torch import nn


def run() -> Any:
    """Five steps of Adam, and what the average computes."""
    net = filled(nn.Linear(4, 3))
    average = EMA(net, beta=0.9, update_after_step=1, update_every=1)
    optimizer = torch.optim.Adam(net.parameters(), 0.1)
    for index in range(5):
        optimizer.zero_grad()
        net(numbers(f"x{index}", 5, 4)).square().mean().backward()
        optimizer.step()
        average.update()
    return {"average": average(numbers("x", 2, 4)), "last": net(numbers("x", 2, 4))}
