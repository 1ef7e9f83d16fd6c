"""Neural networks."""

from __future__ import annotations

from torch import _absent
from torch.nn import functional as functional
from torch.nn import grad as grad
from torch.nn import init as init
from torch.nn import parallel as parallel
from torch.nn import utils as utils
from torch.nn.modules import *  # noqa: F403
from torch.nn.modules import __all__ as _modules
from torch.nn.parallel import DataParallel
from torch.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__getattr__ = _absent.explain(__name__)

__all__ = [
    "Buffer",
    "DataParallel",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "functional",
    "grad",
    "init",
    "parallel",
    "utils",
    *_modules,
]
