"""Gradients of each sample, clipped."""

from __future__ import annotations

from typing import Any

from inputs import filled, numbers
from opacus import GradSampleModule
from opacus.optimizers import DPOptimizer
from torch import nn, optim


def run() -> Any:
    """One step without noise."""
    net = filled(nn.Sequential(nn.Conv1d(2, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 2)))
    model = GradSampleModule(net)
    optimizer = DPOptimizer(
        optim.SGD(model.parameters(), lr=0.1),
        noise_multiplier=0.0,
        max_grad_norm=0.5,
        expected_batch_size=5,
    )
    model(numbers("x", 5, 2, 6)).square().mean().backward()
    samples = {f"{name}.samples": value.grad_sample for name, value in net.named_parameters()}
    optimizer.step()
    return samples | dict(net.named_parameters())
