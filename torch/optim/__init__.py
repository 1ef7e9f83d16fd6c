"""Optimisers."""

from __future__ import annotations

from torch import _absent
from torch.optim import lr_scheduler as lr_scheduler
from torch.optim import swa_utils as swa_utils
from torch.optim.adam import Adam, Adamax, AdamW, NAdam, RAdam
from torch.optim.adaptive import Adadelta, Adagrad, RMSprop, Rprop
from torch.optim.lbfgs import LBFGS
from torch.optim.optimizer import Optimizer
from torch.optim.sgd import ASGD, SGD

__getattr__ = _absent.explain(__name__)

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
    "swa_utils",
]
