"""The memory of GPUs: what is in use, and what the allocator keeps; nothing where there is none."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from torch.cuda._devices import device_count
from torch.cuda._runtime import Device, call, device_index


def empty_cache() -> None:
    """Gives memory that no tensor uses back to the driver."""
    if device_count() > 0:
        call("emptyCache")


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, int]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flat(f"{prefix}.{name}" if prefix else name, inner)
    else:
        yield prefix, value


def memory_stats(device: Device = None) -> OrderedDict[str, int]:
    """Counts of the allocator: `allocated_bytes.all.current`, `.peak`, `.allocated`, `.freed`...

    Of `allocation`, `segment`, `active` (numbers), `allocated_bytes`, `reserved_bytes`,
    `active_bytes` and `requested_bytes`, each for all, small and large blocks; `num_alloc_retries`
    and `num_ooms`. Empty without a GPU.
    """
    if device_count() == 0:
        return OrderedDict()
    stats = call("memoryStats", device_index(device))
    return OrderedDict(sorted(_flat("", stats)))


def memory_allocated(device: Device = None) -> int:
    """Bytes that tensors use."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device: Device = None) -> int:
    """The most bytes that tensors used, since the start or `reset_peak_memory_stats`."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device: Device = None) -> int:
    """Bytes that the allocator took from the driver."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device: Device = None) -> int:
    """The most bytes that it had taken."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


def reset_peak_memory_stats(device: Device = None) -> None:
    """Peaks count from now on."""
    call("resetPeakMemoryStats", device_index(device))


def reset_accumulated_memory_stats(device: Device = None) -> None:
    """Sums of what was allocated and freed count from now on."""
    call("resetAccumulatedMemoryStats", device_index(device))


def mem_get_info(device: Device = None) -> tuple[int, int]:
    """Free and total bytes of a GPU, as the driver counts them."""
    free, total = call("getMemInfo", device_index(device))
    return free, total
