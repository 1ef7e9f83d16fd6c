"""Sizes without a value. There are none: every size is a number."""

from __future__ import annotations

from typing import Any

from torch import _absent


def guard_or_false(a: Any) -> bool:
    """Whether `a` holds."""
    return bool(a)


guard_or_true = guard_size_oblivious = statically_known_true = guard_or_false


def free_unbacked_symbols(x: Any) -> set[Any]:
    """The sizes of `x` that have no value: none."""
    return set()


free_symbols = free_unbacked_symbols
__getattr__ = _absent.names_of(
    __name__, _absent.SYMBOLIC, classes="DimDynamic GuardOnDataDependentSymNode ShapeEnv"
)

__all__ = [
    "free_symbols",
    "free_unbacked_symbols",
    "guard_or_false",
    "guard_or_true",
    "guard_size_oblivious",
    "statically_known_true",
]
