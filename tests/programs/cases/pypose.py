"""Poses as Lie groups."""

from __future__ import annotations

from typing import Any

import pypose as pp
import torch
from inputs import numbers
from torch import nn


class Inverse(nn.Module):
    """Poses that undo others."""

    def __init__(self) -> None:
        super().__init__()
        self.pose = pp.Parameter(pp.se3(0.3 * numbers("pose", 3, 6)).Exp())

    def forward(self, x: Any) -> torch.Tensor:
        """What is left of `x`."""
        return (self.pose @ x).Log().tensor()


def run() -> Any:
    """Three steps of Levenberg-Marquardt, and each group's functions."""
    found: dict[str, Any] = {}
    x = pp.se3(0.4 * numbers("x", 3, 6)).Exp()
    net = Inverse()
    optimizer = pp.optim.LM(net, strategy=pp.optim.strategy.Adaptive(damping=1e-4))
    losses = [optimizer.step(x) for _ in range(3)]
    found["losses"] = torch.stack([torch.as_tensor(loss) for loss in losses])
    found["pose"] = net.pose.tensor()
    for name, kind, size in [
        ("so3", pp.so3, 3),
        ("se3", pp.se3, 6),
        ("sim3", pp.sim3, 7),
        ("rxso3", pp.rxso3, 4),
    ]:
        a = kind(0.3 * numbers("a", 4, size)).requires_grad_()
        b = kind(0.3 * numbers("b", 4, size))
        group = a.Exp() @ b.Exp().Inv()
        group.Log().tensor().square().sum().backward()
        found |= {
            f"{name}.log": group.Log().tensor(),
            f"{name}.grad": a.grad,
            f"{name}.matrix": group.matrix(),
            f"{name}.act": group.Act(numbers("p", 4, 3)),
        }
    return found
