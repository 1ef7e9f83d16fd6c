"""The accelerator of this build, whichever it is: NVIDIA's GPUs, or Apple's.

Vulkan is none, as in PyTorch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import _absent, cuda
from torch._compute_device import MPS
from torch._docstrings import documented_by

# What the functions have in common.
_DEVICE = """
Args:
    device: a device of the accelerator, by its index or as `torch.device`; the current one if None.

Raises:
    RuntimeError: this build has no accelerator, or the machine no such device.
"""

# In the order in which PyTorch looks for them.
_DEVICES: dict[str, Any] = {"cuda": cuda, "mps": MPS}


def is_available() -> bool:
    """Whether this build has an accelerator and the machine a device of it; never raises."""
    return device_count() > 0


def current_accelerator(check_available: bool = False) -> torch.device | None:
    """The kind of device, without an index; None where this build has none.

    Args:
      check_available: None too where the machine has no such device.
    """
    built = [name for name in _DEVICES if torch._C._device_count(name) is not None]
    if not built or (check_available and not _DEVICES[built[0]].is_available()):
        return None
    return torch.device(built[0])


def device_count() -> int:
    """Number of devices; 0 without an accelerator."""
    device = current_accelerator()
    return 0 if device is None else int(_DEVICES[device.type].device_count())


def _wanted() -> Any:
    """What the accelerator's device answers."""
    device = current_accelerator()
    if device is None:
        raise RuntimeError(
            "torch.accelerator: this build has none. Ask torch.accelerator.is_available() first, or build with CUDA: ./bazelw build //torch:wheel --config=cuda (on a Mac --config=mps)"
        )
    return _DEVICES[device.type]


def current_device_index() -> int:
    """Index of the current device."""
    return int(_wanted().current_device())


@documented_by(_DEVICE)
def set_device_index(device: Any) -> None:
    """Makes a device current for this thread."""
    _wanted().set_device(device)


@documented_by(_DEVICE)
def current_stream(device: Any = None) -> Any:
    """The stream on which work of a device is queued now.

    Returns:
        A `torch.Stream` of the device's kind.
    """
    return _wanted().current_stream(device)


@documented_by(_DEVICE)
def set_stream(stream: Any) -> None:
    """Makes a stream and its device current for this thread.

    Args:
        stream: a stream of the accelerator.
    """
    _wanted().set_stream(stream)


@documented_by(_DEVICE)
def synchronize(device: Any = None) -> None:
    """Blocks until all work that was queued on a device is done."""
    _wanted().synchronize(device)


def empty_cache() -> None:
    """Gives memory back that no tensor uses."""
    if current_accelerator() is not None:
        _wanted().empty_cache()


@documented_by(_DEVICE)
def get_device_capability(device: Any = None) -> dict[str, Any]:
    """What a device can do.

    Returns:
        A dict whose "supported_dtypes" are the dtypes for which it has kernels.
    """
    _wanted()
    dtypes = {value for value in vars(torch).values() if isinstance(value, torch.dtype)}
    return {"supported_dtypes": dtypes}


@documented_by(_DEVICE)
def memory_stats(device: Any = None) -> Any:
    """The counters of a device's allocator, by PyTorch's names; sizes are in bytes."""
    return _wanted().memory_stats(device)


@documented_by(_DEVICE)
def memory_allocated(device: Any = None) -> int:
    """The memory that tensors use on a device, in bytes."""
    return int(_wanted().memory_allocated(device))


@documented_by(_DEVICE)
def memory_reserved(device: Any = None) -> int:
    """The memory that the allocator holds on a device, in bytes: what tensors use, and what it
    keeps for later ones.
    """
    return int(_wanted().memory_reserved(device))


@documented_by(_DEVICE)
def max_memory_allocated(device: Any = None) -> int:
    """The most memory that tensors used since the peak was reset, in bytes."""
    return int(_wanted().max_memory_allocated(device))


@documented_by(_DEVICE)
def max_memory_reserved(device: Any = None) -> int:
    """The most memory that the allocator held since the peak was reset, in bytes."""
    return int(_wanted().max_memory_reserved(device))


@documented_by(_DEVICE)
def reset_peak_memory_stats(device: Any = None) -> None:
    """Sets the peaks to the present values."""
    _wanted().reset_peak_memory_stats(device)


@documented_by(_DEVICE)
def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Sets the sums of all allocations and frees to zero."""
    _wanted().reset_accumulated_memory_stats(device)


@documented_by(_DEVICE)
def get_memory_info(device: Any = None) -> tuple[int, int]:
    """The memory of a device, in bytes.

    Returns:
        What is free, and what there is in all.
    """
    free, total = _wanted().mem_get_info(device)
    return int(free), int(total)


class device_index:
    """Makes a device current inside a `with`.

    Args:
        device: its index; None changes nothing.

    Example::

        >>> with torch.accelerator.device_index(None):
        ...     x = torch.ones(2)
    """

    def __init__(self, device: int | None) -> None:
        self.idx = device
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx is not None:
            self.prev_idx = current_device_index()
            set_device_index(self.idx)

    def __exit__(self, *error: object) -> None:
        if self.idx is not None:
            set_device_index(self.prev_idx)


__getattr__ = _absent.explain(__name__)

__all__ = [
    "current_accelerator",
    "current_device_index",
    "current_stream",
    "device_count",
    "device_index",
    "empty_cache",
    "get_device_capability",
    "get_memory_info",
    "is_available",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "reset_accumulated_memory_stats",
    "reset_peak_memory_stats",
    "set_device_index",
    "set_stream",
    "synchronize",
]
