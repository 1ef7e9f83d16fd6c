"""Invertible networks."""

from __future__ import annotations

from typing import Any

import FrEIA.framework as Ff
import FrEIA.modules as Fm
from inputs import filled, numbers, trained
from torch import nn


def net(a: int, b: int) -> nn.Module:
    """Makes what a block computes its factors with."""
    return nn.Sequential(nn.Linear(a, 16), nn.ReLU(), nn.Linear(16, b))


def run() -> Any:
    """A step on the likelihood with each block, and back."""
    found: dict[str, Any] = {}
    for block in (
        Fm.AllInOneBlock,
        Fm.GLOWCouplingBlock,
        Fm.RNVPCouplingBlock,
        Fm.GINCouplingBlock,
    ):
        flow = Ff.SequenceINN(6)
        for _ in range(3):
            flow.append(block, subnet_constructor=net)
        filled(flow)
        z, log = flow(numbers("x", 8, 6))
        back, _ = flow(z, rev=True)
        parts = trained(flow, (0.5 * z.square().sum(1) - log).mean())
        found |= {f"{block.__name__}.{k}": v for k, v in parts.items()}
        found |= {f"{block.__name__}.z": z, f"{block.__name__}.back": back}
    return found
