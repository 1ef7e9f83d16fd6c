"""Names of the backend for Intel's GPUs, which is not here."""

from __future__ import annotations

from torch import _absent


def is_available() -> bool:
    """Whether there is such a device: never."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether such a device computes with bfloat16: there is none."""
    return False


def is_initialized() -> bool:
    """Whether the backend has been woken up: never."""
    return False


def device_count() -> int:
    """How many there are: none."""
    return 0


def get_arch_list() -> list[str]:
    """What this build has code for: nothing."""
    return []


def empty_cache() -> None:
    """Gives no memory back, as there is none."""


def manual_seed(seed: int) -> None:
    """Seeds no generator; PyTorch accepts it without a device, too."""


manual_seed_all = manual_seed

__getattr__ = _absent.names_of(
    __name__,
    _absent.XPU,
    classes="Event Stream StreamContext XPUPluggableAllocator device device_of",
    functions="current_device current_stream get_device_capability get_device_name"
    " get_device_properties get_rng_state get_rng_state_all get_stream_from_external"
    " init initial_seed max_memory_allocated max_memory_reserved mem_get_info"
    " memory_allocated memory_reserved memory_stats memory_stats_as_nested_dict"
    " reset_accumulated_memory_stats reset_peak_memory_stats seed seed_all set_device"
    " set_rng_state set_rng_state_all set_stream stream synchronize",
)

__all__ = [
    "device_count",
    "empty_cache",
    "get_arch_list",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
]
