"""Tensors shared with other array libraries."""

from __future__ import annotations

from typing import Any

from torch import _C, from_dlpack
from torch._tensor import Tensor


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule on the memory of `tensor`; what takes it must do so once."""
    return _C._to_dlpack(tensor)


__all__ = ["from_dlpack", "to_dlpack"]
