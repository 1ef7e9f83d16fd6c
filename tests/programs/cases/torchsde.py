"""A stochastic differential equation without noise, so that both draw the same path."""

from __future__ import annotations

from typing import Any

import torch
from inputs import filled, numbers, trained
from torch import nn
from torchsde import sdeint


class Equation(nn.Module):
    """A network as drift."""

    noise_type = "diagonal"
    sde_type = "ito"

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(2, 2)

    def f(self, t: Any, y: Any) -> Any:
        return torch.tanh(self.net(y))

    def g(self, t: Any, y: Any) -> Any:
        return torch.zeros_like(y)


def run() -> Any:
    """Gradients through the steps of Euler's scheme."""
    equation = filled(Equation())
    times = torch.linspace(0, 1, 4)
    path = sdeint(equation, numbers("y", 3, 2), times, method="euler", dt=0.1)
    return trained(equation, path.square().mean())
