"""Pruning of channels along their dependencies."""

from __future__ import annotations

from typing import Any

import torch
import torch_pruning as tp
from inputs import filled, numbers, trained
from torch import nn


class Block(nn.Module):
    """Channels that depend on each other."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.conv = nn.Conv2d(8, 8, 3, padding=1)
        self.wide = nn.Conv2d(8, 16, 1)
        self.head = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Four numbers of each image."""
        x = self.norm(self.stem(x)).relu()
        x = x + self.conv(x).relu()
        return self.head(self.wide(x).relu().mean((2, 3)))


def run() -> Any:
    """A step of the network that each criterion leaves."""
    found: dict[str, Any] = {}
    x = numbers("x", 2, 3, 8, 8)
    for importance in (
        tp.importance.MagnitudeImportance(p=2),
        tp.importance.TaylorImportance(),
        tp.importance.GroupMagnitudeImportance(),
    ):
        name = type(importance).__name__
        net = filled(Block())
        net(x).square().mean().backward()
        pruner = tp.pruner.MetaPruner(
            net, x, importance=importance, pruning_ratio=0.5, ignored_layers=[net.head]
        )
        pruner.step()
        operations, size = tp.utils.count_ops_and_params(net, x)
        found |= {f"{name}.{k}": v for k, v in trained(net, net(x).square().mean()).items()}
        found |= {
            f"{name}.operations": torch.tensor(operations),
            f"{name}.size": torch.tensor(size),
        }
    return found
