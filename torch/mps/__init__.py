"""Names of the backend for Apple's GPUs, which is not here."""

from __future__ import annotations

from torch import _absent


def is_available() -> bool:
    """Whether there is such a device: never."""
    return False


def device_count() -> int:
    """How many there are: none."""
    return 0


__getattr__ = _absent.names_of(
    __name__,
    _absent.MPS,
    classes="Event Stream StreamContext",
    functions="compile_shader current_allocated_memory driver_allocated_memory empty_cache"
    " get_rng_state load_metallib manual_seed recommended_max_memory seed"
    " set_per_process_memory_fraction set_rng_state synchronize",
)

__all__ = ["device_count", "is_available"]
