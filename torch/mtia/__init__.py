"""Names of the backend for MTIA devices, which is not here."""

from __future__ import annotations

from torch import _absent


def is_available() -> bool:
    """Whether there is such a device: never."""
    return False


def device_count() -> int:
    """How many there are: none."""
    return 0


def is_initialized() -> bool:
    """Whether the backend has been woken up: never."""
    return False


__getattr__ = _absent.names_of(
    __name__,
    _absent.MTIA,
    classes="Event Stream StreamContext",
    functions="current_device current_stream default_stream empty_cache get_device_capability"
    " manual_seed manual_seed_all max_memory_allocated memory_allocated memory_stats"
    " record_memory_history reset_peak_memory_stats set_device set_stream snapshot"
    " stream synchronize",
)

__all__ = ["device_count", "is_available", "is_initialized"]
