"""Gradients through steps of an optimizer."""

from __future__ import annotations

from typing import Any

import higher
import torch
from inputs import filled, numbers, trained
from torch import nn


def run() -> Any:
    """A loss after three steps of Adam, differentiated by the first weights."""
    net = filled(nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 1)))
    optimizer = torch.optim.Adam(net.parameters(), 0.1)
    with higher.innerloop_ctx(net, optimizer, copy_initial_weights=False) as (inner, steps):
        for index in range(3):
            steps.step(inner(numbers(f"x{index}", 5, 4)).square().mean())
        return trained(net, inner(numbers("t", 5, 4)).square().mean())
