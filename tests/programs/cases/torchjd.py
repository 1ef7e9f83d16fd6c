"""Descent along aggregated Jacobians."""

from __future__ import annotations

from typing import Any

import torch
from inputs import filled, numbers
from torch import nn
from torchjd import autojac
from torchjd.aggregation import IMTLG, MGDA, Mean, PCGrad


def run() -> Any:
    """Gradients that three losses agree on."""
    found: dict[str, Any] = {}
    for aggregator in (MGDA(), PCGrad(), Mean(), IMTLG()):
        name = type(aggregator).__name__
        torch.manual_seed(0)
        net = filled(nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2)))
        out = net(numbers("x", 5, 4))
        losses = torch.stack(
            [(out[:, 0] - 1).square().mean(), (out[:, 1] + 1).square().mean(), out.sum().abs()]
        )
        autojac.backward(losses)
        autojac.jac_to_grad(net.parameters(), aggregator)
        found |= {f"{name}.{k}": p.grad for k, p in net.named_parameters()}
    return found
