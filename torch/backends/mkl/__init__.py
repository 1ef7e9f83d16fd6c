"""Intel's MKL, which this tree calls only where `--blas` names it."""

from __future__ import annotations

import torch


def is_available() -> bool:
    """Whether matrix products of this build are MKL's."""
    return "mkl" in torch.__config__.show().lower()


__all__ = ["is_available"]
