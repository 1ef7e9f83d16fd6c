"""Metal Performance Shaders, which compute on Apple's GPUs."""

from __future__ import annotations

import torch
from torch import _absent

__all__ = ["is_available", "is_built", "is_macos13_or_newer", "is_macos_or_newer"]


def is_built() -> bool:
    """Whether this process has the library of the MPS backend."""
    return torch._C._device_count("mps") is not None


def is_available() -> bool:
    """Whether it has, and this machine one of Apple's GPUs."""
    return bool(torch._C._device_count("mps"))


def is_macos_or_newer(major: int, minor: int) -> bool:
    """Whether the system is at least this macOS.

    Raises:
        RuntimeError: the build has no MPS backend, which is what knows.
    """
    raise RuntimeError("Cannot execute isOnMacOSorNewer() without MPS backend.")


def is_macos13_or_newer(minor: int = 0) -> bool:
    """Whether the system is at least macOS 13 of this minor version; raises as the above."""
    return is_macos_or_newer(13, minor)


__getattr__ = _absent.names_of(__name__, _absent.MPS, functions="get_core_count get_name")
