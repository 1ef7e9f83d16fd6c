"""The memory of GPUs: what is in use, and what the allocator keeps; nothing where there is none."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from torch import _absent
from torch._docstrings import documented_by
from torch.cuda._devices import device_count
from torch.cuda._runtime import Device, call, device_index

# What all functions of one GPU have in common.
_DEVICE = """
Args:
    device: the GPU, as a device, a number or a text; the current one if None.
"""


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


@documented_by(_DEVICE)
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


@documented_by(_DEVICE)
def memory_allocated(device: Device = None) -> int:
    """Bytes that tensors use, 0 without a GPU.

    Example::

        >>> torch.cuda.memory_allocated() <= torch.cuda.memory_reserved()
        True
    """
    return memory_stats(device).get("allocated_bytes.all.current", 0)


@documented_by(_DEVICE)
def max_memory_allocated(device: Device = None) -> int:
    """The most bytes that tensors used, since the start or `reset_peak_memory_stats`.

    Example::

        >>> torch.cuda.max_memory_allocated() >= torch.cuda.memory_allocated()
        True
    """
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


@documented_by(_DEVICE)
def memory_reserved(device: Device = None) -> int:
    """Bytes that the allocator took from the driver, 0 without a GPU.

    Example::

        >>> torch.cuda.memory_reserved() >= torch.cuda.memory_allocated()
        True
    """
    return memory_stats(device).get("reserved_bytes.all.current", 0)


@documented_by(_DEVICE)
def max_memory_reserved(device: Device = None) -> int:
    """The most bytes that the allocator had taken from the driver, since the start or
    `reset_peak_memory_stats`.

    Example::

        >>> torch.cuda.max_memory_reserved() >= torch.cuda.memory_reserved()
        True
    """
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


@documented_by(_DEVICE)
def reset_peak_memory_stats(device: Device = None) -> None:
    """Lets peaks, such as `max_memory_allocated`, count from now on."""
    call("resetPeakMemoryStats", device_index(device))


@documented_by(_DEVICE)
def reset_accumulated_memory_stats(device: Device = None) -> None:
    """Lets sums of what was allocated and freed count from now on."""
    call("resetAccumulatedMemoryStats", device_index(device))


@documented_by(_DEVICE)
def mem_get_info(device: Device = None) -> tuple[int, int]:
    """Free and total bytes of a GPU, as the driver counts them, with other processes' in them.

    Raises:
        AssertionError: a build without CUDA.
        RuntimeError: there is no GPU.
    """
    free, total = call("getMemInfo", device_index(device))
    return free, total


__getattr__ = _absent.explain(__name__)
