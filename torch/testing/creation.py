"""make_tensor: random tensors for tests."""

from __future__ import annotations

import math
from typing import Any

import torch


def _range(dtype: torch.dtype, low: float | None, high: float | None) -> tuple[float, float]:
    """From `low` up to and without `high`, within what the dtype holds."""
    if dtype is torch.bool:
        bounds, limits = (0.0, 2.0), (0.0, 2.0)
    elif dtype.is_floating_point or dtype.is_complex:
        info = torch.finfo(dtype)
        bounds, limits = (-9.0, 9.0), (info.min, info.max)
    else:
        whole = torch.iinfo(dtype)
        bounds = (0.0, 10.0) if whole.min == 0 else (-9.0, 10.0)
        limits = (whole.min, whole.max + 1)
    low = bounds[0] if low is None else low
    high = bounds[1] if high is None else high
    for name, value in (("low", low), ("high", high)):
        if math.isnan(value):
            raise ValueError(f"`{name}` cannot be NaN, but got {value}")
    if low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    return max(low, limits[0]), min(high, limits[1])


def make_tensor(
    *shape: Any,
    dtype: torch.dtype,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    """Random elements from `low` up to and without `high`.

    Without these: -9 to 9 for floating point and signed integers, 0 to 9 for unsigned ones.
    """
    size = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
    if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(
            f"`requires_grad=True` is not supported for boolean and integral dtypes, but got dtype={dtype}"
        )
    if noncontiguous and memory_format is not None:
        raise ValueError(
            f"The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got noncontiguous={noncontiguous} and memory_format={memory_format}"
        )
    first, last = _range(dtype, low, high)
    # Every second element of twice as many is not contiguous.
    full = (*size[:-1], 2 * size[-1]) if noncontiguous and math.prod(size) > 1 else size
    if dtype.is_complex:
        parts = torch.empty((*full, 2), dtype=dtype.to_real(), device=device)
        parts.uniform_(first, last)
        result = parts[..., 0] + 1j * parts[..., 1]
    elif dtype.is_floating_point:
        # Narrow types round up to `high` itself; this stays below.
        values = torch.empty(full, dtype=torch.promote_types(dtype, torch.float32), device=device)
        result = values.uniform_(first, last).to(dtype)
        if math.isfinite(last):
            result.masked_fill_(result >= last, first)
    else:
        result = torch.randint(math.ceil(first), math.ceil(last), full, device=device).to(dtype)
    if full is not size:
        result = result[..., ::2]
    elif memory_format is not None:
        result = result.contiguous(memory_format=memory_format)
    if exclude_zero:
        smallest = torch.finfo(dtype).tiny if dtype.is_floating_point or dtype.is_complex else 1
        result.masked_fill_(result == 0, smallest)
    return result.requires_grad_(requires_grad) if requires_grad else result


__all__ = ["make_tensor"]
