"""OpenMP, by which operators may use several cores."""

from __future__ import annotations

import torch


def is_available() -> bool:
    """Whether this build uses OpenMP."""
    return torch._C.has_openmp


__all__ = ["is_available"]
