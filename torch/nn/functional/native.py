"""What the functions of this package share: operators of `torch` and `torch._C._nn`, and sizes."""

from __future__ import annotations

from typing import Any

from torch import _C

functions: Any = _C._VariableFunctions
nn: Any = _C._nn


def per_dimension(value: Any, count: int) -> tuple[int, ...]:
    """A number for each dimension.

    Args:
        value: one int for all, a sequence of one, or one of `count` ints.
        count: how many dimensions there are; a longer sequence stays as it is.

    Example::

        >>> from torch.nn.functional.native import per_dimension
        >>> per_dimension(3, 2), per_dimension([1, 2], 2)
        ((3, 3), (1, 2))
    """
    if isinstance(value, int):
        return (value,) * count
    values = tuple(value)
    return values * count if len(values) == 1 else values
