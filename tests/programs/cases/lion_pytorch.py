"""An optimiser."""

from __future__ import annotations

from typing import Any

from inputs import filled, numbers, trained
from lion_pytorch import Lion
from torch import nn


def run() -> Any:
    """One step."""
    net = filled(nn.Linear(4, 3))
    optimizer = Lion(net.parameters(), lr=0.01, weight_decay=0.1)
    return trained(net, net(numbers("x", 5, 4)).square().mean(), optimizer)
