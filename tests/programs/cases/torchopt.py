"""Optimizers that can be differentiated."""

from __future__ import annotations

from typing import Any

import torch
import torchopt
from inputs import filled, numbers
from torch import nn


def run() -> Any:
    """Gradients through three steps, and steps of each optimizer."""
    found: dict[str, Any] = {}
    x, y = numbers("x", 8, 3), numbers("y", 8, 1)
    for name, make in (
        ("adam", torchopt.MetaAdam),
        ("sgd", torchopt.MetaSGD),
        ("rmsprop", torchopt.MetaRMSProp),
    ):
        net = filled(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)))
        weight = torch.ones(8, 1, requires_grad=True)
        inner = make(net, lr=0.05)
        for _ in range(3):
            inner.step((weight * (net(x) - y).square()).mean())
        outer = (net(x) - y).square().mean()
        found[f"{name}.meta"] = torch.autograd.grad(outer, weight)[0]
        found[f"{name}.loss"] = outer
    net = filled(nn.Linear(3, 1))
    for kind in (
        torchopt.Adam,
        torchopt.AdamW,
        torchopt.SGD,
        torchopt.RMSProp,
        torchopt.Adagrad,
        torchopt.Adadelta,
        torchopt.RAdam,
        torchopt.Adamax,
    ):
        optimizer = kind(net.parameters(), lr=0.05)
        for _ in range(2):
            optimizer.zero_grad()
            (net(x) - y).square().mean().backward()
            optimizer.step()
        found[kind.__name__] = net.weight.detach().clone()
    return found
