"""Learning rates that change from step to step.

A scheduler writes `lr` into the groups of its optimizer, and `initial_lr` beside it. `step()` comes
after the optimizer's. The formulas are those of PyTorch's documentation.
"""

from __future__ import annotations

from torch._placement import place
from torch.optim.lr_scheduler.combined import ChainedScheduler, SequentialLR
from torch.optim.lr_scheduler.cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from torch.optim.lr_scheduler.formulas import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from torch.optim.lr_scheduler.plateau import ReduceLROnPlateau
from torch.optim.lr_scheduler.scheduler import LRScheduler

# The name that the base had before, from which programs still derive.
_LRScheduler = LRScheduler

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

place(__name__, globals(), __all__)
