"""NVIDIA's cuDNN, which convolves on GPUs in builds with `--cudnn`.

`enabled`, `benchmark` (measure the algorithms of a new shape and keep the fastest), `deterministic`
(only algorithms that always give the same bits) and `allow_tf32` (ten bits of mantissa in products
of floats) may be read and set in any build.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import _C

__all__ = [
    "allow_tf32",
    "benchmark",
    "deterministic",
    "enabled",
    "flags",
    "is_available",
    "version",
]

# The switches of a build without CUDA, where nothing reads them.
_VALUES = {"enabled": True, "benchmark": False, "deterministic": False, "allow_tf32": True}

enabled: bool
benchmark: bool
deterministic: bool
allow_tf32: bool


def version() -> int | None:
    """The library's version, such as 92000 for 9.20.0; None in a build without it."""
    function = getattr(_C, "_cuda_getCudnnVersion", None)
    return None if function is None else function() or None


def is_available() -> bool:
    """Whether this build has cuDNN and this machine a GPU."""
    return version() is not None and torch.cuda.is_available()


def _get(name: str) -> bool:
    function = getattr(_C, "_cuda_getCudnnOption", None)
    return _VALUES[name] if function is None else bool(function(name))


def _set(name: str, value: bool) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"torch.backends.cudnn.{name} is True or False, not {value!r}")
    _VALUES[name] = value
    function = getattr(_C, "_cuda_setCudnnOption", None)
    if function is not None:
        function(name, value)


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    deterministic: bool = False,
    allow_tf32: bool = True,
) -> Iterator[None]:
    """The switches for one block; they are as before at its end.

    Args:
        enabled: whether cuDNN is used.
        benchmark: whether the algorithms of a new shape are measured.
        deterministic: whether only algorithms that always give the same bits are used.
        allow_tf32: whether products of floats may have ten bits of mantissa.

    Raises:
        TypeError: a value is no bool.

    Example::

        >>> with torch.backends.cudnn.flags(deterministic=True):
        ...     torch.backends.cudnn.deterministic
        True
    """
    before = {name: _get(name) for name in _VALUES}
    new = {
        "enabled": enabled,
        "benchmark": benchmark,
        "deterministic": deterministic,
        "allow_tf32": allow_tf32,
    }
    try:
        for name, value in new.items():
            _set(name, value)
        yield
    finally:
        for name, value in before.items():
            _set(name, value)


class _Module(types.ModuleType):
    """This module: its switches are those of the library."""

    def __getattr__(self, name: str) -> bool:
        if name in _VALUES:
            return _get(name)
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def __setattr__(self, name: str, value: object) -> None:
        if name in _VALUES:
            _set(name, value)  # type: ignore[arg-type]
        else:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Module
