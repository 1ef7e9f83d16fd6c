"""Metal's traces. This release makes none; `torch.mps.Event` measures times."""

from __future__ import annotations

from torch import _absent


def is_metal_capture_enabled() -> bool:
    """False: nothing here makes a trace."""
    return False


def is_capturing_metal() -> bool:
    """False: nothing here makes a trace."""
    return False


__getattr__ = _absent.names_of(
    __name__, _absent.METAL_TRACES, functions="metal_capture profile start stop"
)

__all__ = ["is_capturing_metal", "is_metal_capture_enabled"]
