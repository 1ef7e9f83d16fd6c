"""The operators that functions call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import _C

functions: Any = _C._VariableFunctions
nn: Any = _C._nn


def operator(name: str) -> Callable[..., Any]:
    """The operator of this name, of `torch` or of `torch._C._nn`.

    Args:
        name: of the operator, without "aten::".

    Raises:
        NotImplementedError: this build has none.
    """
    found = getattr(functions, name, None) or getattr(nn, name, None)
    if found is None:
        raise NotImplementedError(f"this build has no operator {name}")
    return found


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
