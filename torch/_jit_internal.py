"""Decorators of TorchScript, by the path from which packages import them; see `torch.jit`."""

from __future__ import annotations

from typing import TypeVar

from torch.jit import export, ignore, is_scripting, unused

_T = TypeVar("_T")


def _copy_to_script_wrapper(fn: _T) -> _T:
    """Leaves a method of a module as it is."""
    return fn


_overload = _overload_method = _copy_to_script_wrapper

__all__ = ["export", "ignore", "is_scripting", "unused"]
