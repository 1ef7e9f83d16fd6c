"""How losses name their reductions, by the path from which packages import it."""

from __future__ import annotations

from torch.nn.functional.loss import _legacy
from torch.nn.functional.loss import _number as get_enum


def legacy_get_string(size_average: bool | None, reduce: bool | None) -> str:
    """The reduction that two older arguments of losses stand for, after a warning.

    Args:
        size_average: whether a sum is divided by the number of elements; None for True.
        reduce: whether there is a sum; None for True.

    Returns:
        "mean", "sum" or "none".

    Example::

        >>> torch.nn._reduction.legacy_get_string(None, None)
        'mean'
    """
    return _legacy(size_average, reduce, "mean")


def legacy_get_enum(size_average: bool | None, reduce: bool | None) -> int:
    """The number of `legacy_get_string`, which operators take.

    Example::

        >>> torch.nn._reduction.legacy_get_enum(None, None)
        1
    """
    return get_enum(legacy_get_string(size_average, reduce))


__all__ = ["get_enum", "legacy_get_enum", "legacy_get_string"]
