"""Sizes without a value: classes have no objects, functions take Python's numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from torch import _absent

_T = TypeVar("_T")

if TYPE_CHECKING:
    SymBool: Any
    SymFloat: Any
    SymInt: Any
else:
    SymBool = _absent.absent_class("torch", "SymBool", _absent.SYMBOLIC)
    SymFloat = _absent.absent_class("torch", "SymFloat", _absent.SYMBOLIC)
    SymInt = _absent.absent_class("torch", "SymInt", _absent.SYMBOLIC)


def sym_float(a: Any) -> float:
    """A number as a float; PyTorch's sizes may be without a value, those here are numbers.

    Args:
        a: the number.
    """
    return float(a)


def sym_int(a: Any) -> int:
    """A number without its fraction.

    Args:
        a: the number.
    """
    return int(a)


def sym_ite(b: Any, t: _T, f: _T) -> _T:
    """One of two values.

    Args:
        b: the condition.
        t: the value if it holds.
        f: the value if it does not.
    """
    return t if b else f


def sym_max(a: Any, b: Any) -> Any:
    """The larger of two numbers: a float if one is a float.

    Args:
        a, b: the numbers.

    Example::

        >>> torch.sym_max(1, 0.5)
        1.0
    """
    return max(float(a), float(b)) if isinstance(a, float) or isinstance(b, float) else max(a, b)


def sym_min(a: Any, b: Any) -> Any:
    """The smaller of two numbers: a float if one is a float.

    Args:
        a, b: the numbers.

    Example::

        >>> torch.sym_min(1, 2.5)
        1.0
    """
    return min(float(a), float(b)) if isinstance(a, float) or isinstance(b, float) else min(a, b)


def sym_not(a: Any) -> bool:
    """The negation.

    Args:
        a: a truth value.
    """
    return not a


def sym_sqrt(a: Any) -> float:
    """The square root, as a float.

    Args:
        a: a number that is not negative.
    """
    return math.sqrt(a)


def sym_sum(args: Sequence[Any]) -> Any:
    """The sum.

    Args:
        args: the numbers.
    """
    return sum(args)


__all__ = [
    "SymBool",
    "SymFloat",
    "SymInt",
    "sym_float",
    "sym_int",
    "sym_ite",
    "sym_max",
    "sym_min",
    "sym_not",
    "sym_sqrt",
    "sym_sum",
]
