"""A differential equation whose right side is a network."""

from __future__ import annotations

from typing import Any

import torch
from inputs import filled, numbers, trained
from torch import nn
from torchdiffeq import odeint, odeint_adjoint


class Field(nn.Module):
    """The right side."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, t: Any, y: Any) -> Any:
        return self.net(y)


def run() -> Any:
    """Two solvers, with gradients through the steps and by the adjoint."""
    field = filled(Field())
    start, times = numbers("y", 3, 2), torch.linspace(0, 1, 5)
    fixed = odeint(field, start, times, method="rk4")
    adaptive = odeint_adjoint(field, start, times, method="dopri5", rtol=1e-4, atol=1e-5)
    return trained(field, fixed.square().mean() + adaptive.square().mean())
