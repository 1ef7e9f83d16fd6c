"""Optimizers of papers."""

from __future__ import annotations

from typing import Any

import torch_optimizer
from inputs import filled, numbers
from torch import nn

NAMES = (
    "AdaBound AdaMod DiffGrad Lamb NovoGrad QHAdam Yogi SWATS PID Ranger Apollo AggMo AdamP SGDW"
)


def run() -> Any:
    """Three steps of each."""
    found: dict[str, Any] = {}
    for name in NAMES.split():
        net = filled(nn.Linear(4, 3))
        optimizer = getattr(torch_optimizer, name)(net.parameters())
        for _ in range(3):
            optimizer.zero_grad()
            net(numbers("x", 5, 4)).square().mean().backward()
            optimizer.step()
        found |= {f"{name}.{key}": value for key, value in net.named_parameters()}
    return found
