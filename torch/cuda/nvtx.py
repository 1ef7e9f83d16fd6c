"""Ranges and marks that NVIDIA's profilers show beside a program's kernels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import _C

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]


def _call(name: str, *args: Any) -> Any:
    function = getattr(_C, name, None)
    if function is None:
        raise RuntimeError(
            "NVTX functions not installed. Are you sure you have a CUDA build? They are in one with the option: ./bazelw build //torch:wheel --config=cuda --nvtx"
        )
    return function(*args)


def range_push(msg: str) -> int:
    """Begins a range of this thread inside of those that have begun.

    Args:
        msg: its name in the profiler.

    Returns:
        Its depth, from 0.
    """
    return int(_call("_cuda_nvtxRangePush", msg))


def range_pop() -> int:
    """Ends the range that began last; returns its depth."""
    return int(_call("_cuda_nvtxRangePop"))


def range_start(msg: str) -> int:
    """Begins a range that another thread may end.

    Args:
        msg: its name in the profiler.

    Returns:
        Its id, for `range_end`.
    """
    return int(_call("_cuda_nvtxRangeStart", msg))


def range_end(range_id: int) -> None:
    """Ends a range.

    Args:
        range_id: what `range_start` returned.
    """
    _call("_cuda_nvtxRangeEnd", range_id)


def mark(msg: str) -> None:
    """Marks a moment.

    Args:
        msg: its name in the profiler.
    """
    _call("_cuda_nvtxMark", msg)


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """A block, or a decorated function, as a range.

    Args:
        msg: its name in the profiler, in the syntax of `str.format`.
        *args, **kwargs: what it is formatted with.
    """
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
