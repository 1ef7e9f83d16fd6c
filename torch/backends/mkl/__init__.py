"""Intel's MKL, which this tree calls only where `--blas` names it."""

from __future__ import annotations

import torch
from torch import _absent


def is_available() -> bool:
    """Whether matrix products of this build are MKL's."""
    return "mkl" in torch.__config__.show().lower()


__getattr__ = _absent.explain(__name__)

__all__ = ["is_available"]
