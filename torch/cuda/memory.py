"""The memory of GPUs: what is in use, and what the allocator keeps; nothing where there is none."""

from __future__ import annotations

import warnings
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
    """Returns memory that the caching allocator keeps and no tensor uses to the driver.

    Other processes can use that memory then. Does nothing without a GPU.

    Example::

        >>> torch.cuda.empty_cache()
    """
    if device_count() > 0:
        call("_cuda_emptyCache")


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, int]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flat(f"{prefix}.{name}" if prefix else name, inner)
    else:
        yield prefix, value


@documented_by(_DEVICE)
def memory_stats(device: Device = None) -> OrderedDict[str, int]:
    """The counters of the caching allocator; empty without a GPU.

    Keys are `{counter}.{pool}.{value}`. Counters are `allocation`, `segment` and `active`, which
    count blocks, and `allocated_bytes`, `reserved_bytes`, `active_bytes` and `requested_bytes`.
    Pools are `all`, `large_pool` and `small_pool`; values are `current`, `peak`, and the sums
    `allocated` and `freed`. `num_alloc_retries` and `num_ooms` have no pool.

    Example::

        >>> stats = torch.cuda.memory_stats()
        >>> stats.get("allocated_bytes.all.current", 0) == torch.cuda.memory_allocated()
        True
    """
    if device_count() == 0:
        return OrderedDict()
    stats = call("_cuda_memoryStats", device_index(device))
    return OrderedDict(sorted(_flat("", stats)))


@documented_by(_DEVICE)
def memory_allocated(device: Device = None) -> int:
    """The bytes of GPU memory that tensors use now; 0 without a GPU.

    Example::

        >>> torch.cuda.memory_allocated() <= torch.cuda.memory_reserved()
        True
    """
    return memory_stats(device).get("allocated_bytes.all.current", 0)


@documented_by(_DEVICE)
def max_memory_allocated(device: Device = None) -> int:
    """The peak of `memory_allocated` since the start or `reset_peak_memory_stats`, in bytes.

    Example::

        >>> torch.cuda.max_memory_allocated() >= torch.cuda.memory_allocated()
        True
    """
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


@documented_by(_DEVICE)
def memory_reserved(device: Device = None) -> int:
    """The bytes that the caching allocator holds, used or not; 0 without a GPU.

    Example::

        >>> torch.cuda.memory_reserved() >= torch.cuda.memory_allocated()
        True
    """
    return memory_stats(device).get("reserved_bytes.all.current", 0)


@documented_by(_DEVICE)
def max_memory_reserved(device: Device = None) -> int:
    """The peak of `memory_reserved` since the start or `reset_peak_memory_stats`, in bytes.

    Example::

        >>> torch.cuda.max_memory_reserved() >= torch.cuda.memory_reserved()
        True
    """
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


@documented_by(_DEVICE)
def reset_peak_memory_stats(device: Device = None) -> None:
    """Sets the peaks, such as `max_memory_allocated`, to the present values.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     torch.cuda.reset_peak_memory_stats()
    """
    call("_cuda_resetPeakMemoryStats", device_index(device))


def _renamed(old: str, new: str) -> None:
    warnings.warn(
        f"`torch.cuda.{old}` has been renamed to `torch.cuda.{new}`", FutureWarning, stacklevel=3
    )


@documented_by(_DEVICE)
def memory_cached(device: Device = None) -> int:
    """The former name of `memory_reserved`, with a FutureWarning."""
    _renamed("memory_cached", "memory_reserved")
    return memory_reserved(device)


@documented_by(_DEVICE)
def max_memory_cached(device: Device = None) -> int:
    """The former name of `max_memory_reserved`, with a FutureWarning."""
    _renamed("max_memory_cached", "max_memory_reserved")
    return max_memory_reserved(device)


def _resets_all(name: str) -> None:
    warnings.warn(
        f"torch.cuda.{name} now calls torch.cuda.reset_peak_memory_stats, which resets /all/ peak "
        "memory stats.",
        FutureWarning,
        stacklevel=3,
    )


@documented_by(_DEVICE)
def reset_max_memory_allocated(device: Device = None) -> None:
    """A former name of `reset_peak_memory_stats`, with a FutureWarning."""
    _resets_all("reset_max_memory_allocated")
    reset_peak_memory_stats(device)


@documented_by(_DEVICE)
def reset_max_memory_cached(device: Device = None) -> None:
    """A former name of `reset_peak_memory_stats`, with a FutureWarning."""
    _resets_all("reset_max_memory_cached")
    reset_peak_memory_stats(device)


@documented_by(_DEVICE)
def reset_accumulated_memory_stats(device: Device = None) -> None:
    """Sets the sums `allocated` and `freed` of `memory_stats` to 0.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    call("_cuda_resetAccumulatedMemoryStats", device_index(device))


@documented_by(_DEVICE)
def mem_get_info(device: Device = None) -> tuple[int, int]:
    """The free and the total bytes of a GPU's memory, as the driver counts them for all processes.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     free, total = torch.cuda.mem_get_info()
        ...     assert free <= total
    """
    free, total = call("_cuda_getMemInfo", device_index(device))
    return free, total


__getattr__ = _absent.explain(__name__)
