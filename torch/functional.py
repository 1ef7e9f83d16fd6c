"""Functions of torch written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import _C
from torch._tensor import Tensor


def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Splits into views of the given size, the last one smaller, or of the given sizes."""
    return tensor.split(split_size_or_sections, dim)


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:
    """The p-norm over `dim`, or over everything."""
    order = 2.0 if p in ("fro", None) else p
    return _C._linalg.linalg_vector_norm(input, order, dim, keepdim, dtype=dtype)


def unique(input: Tensor, sorted: bool = True) -> Tensor:
    """The distinct elements of `input` as one sorted dimension."""
    flat = input.reshape(-1).sort()[0]
    if flat.numel() < 2:
        return flat
    changed = flat[1:] != flat[:-1]
    return _C._VariableFunctions.cat([flat[:1], flat[1:][changed]])
