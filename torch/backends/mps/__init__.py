"""Metal Performance Shaders, which compute on Apple's GPUs."""

from __future__ import annotations

import platform

from torch import _absent
from torch._compute_device import MPS

__all__ = ["get_name", "is_available", "is_built", "is_macos13_or_newer", "is_macos_or_newer"]


def is_built() -> bool:
    """Whether this process has the library of the MPS backend."""
    return MPS.is_built()


def is_available() -> bool:
    """Whether it has, and this machine one of Apple's GPUs."""
    return MPS.is_available()


def is_macos_or_newer(major: int, minor: int) -> bool:
    """Whether the system is at least this macOS.

    Raises:
        RuntimeError: the build has no MPS backend.
    """
    if not is_built():
        raise RuntimeError("Cannot execute isOnMacOSorNewer() without MPS backend.")
    version = [int(part) for part in platform.mac_ver()[0].split(".")[:2]]
    return version >= [major, minor]


def is_macos13_or_newer(minor: int = 0) -> bool:
    """Whether the system is at least macOS 13.

    Args:
        minor: the least minor version.

    Raises:
        RuntimeError: the build has no MPS backend.
    """
    return is_macos_or_newer(13, minor)


def get_name() -> str:
    """What Apple calls the device: "Apple M1".

    Raises:
        RuntimeError: the build has no MPS backend.
    """
    return MPS.device_name()


__getattr__ = _absent.names_of(__name__, _absent.MPS, functions="get_core_count")
