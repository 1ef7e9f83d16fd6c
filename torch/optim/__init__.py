"""Optimisers."""

from __future__ import annotations

from torch.optim.adam import Adam, AdamW
from torch.optim.optimizer import Optimizer
from torch.optim.sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer"]
