"""Optimizers without a schedule."""

from __future__ import annotations

from typing import Any

import schedulefree
from inputs import filled, numbers
from torch import nn


def run() -> Any:
    """Four steps of each, and the averaged weights."""
    found: dict[str, Any] = {}
    for name in ["AdamWScheduleFree", "SGDScheduleFree", "RAdamScheduleFree"]:
        net = filled(nn.Linear(4, 3))
        optimizer = getattr(schedulefree, name)(net.parameters(), lr=0.01)
        optimizer.train()
        for _ in range(4):
            optimizer.zero_grad()
            net(numbers("x", 5, 4)).square().mean().backward()
            optimizer.step()
        optimizer.eval()
        found |= {f"{name}.{key}": value for key, value in net.named_parameters()}
    return found
