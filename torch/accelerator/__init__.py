"""The accelerator of this build, whichever it is: NVIDIA's GPUs, or Apple's.

Vulkan is none, as in PyTorch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import _absent, cuda
from torch._compute_device import MPS

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


def set_device_index(device: Any) -> None:
    """Makes a device current, by its index or `torch.device`."""
    _wanted().set_device(device)


def current_stream(device: Any = None) -> Any:
    """The current stream of a device."""
    return _wanted().current_stream(device)


def set_stream(stream: Any) -> None:
    """Makes a stream current."""
    _wanted().set_stream(stream)


def synchronize(device: Any = None) -> None:
    """Waits for all work of a device."""
    _wanted().synchronize(device)


def empty_cache() -> None:
    """Gives memory back that no tensor uses."""
    if current_accelerator() is not None:
        _wanted().empty_cache()


def get_device_capability(device: Any = None) -> dict[str, Any]:
    """What a device can do: the dtypes for which it has kernels."""
    _wanted()
    dtypes = {value for value in vars(torch).values() if isinstance(value, torch.dtype)}
    return {"supported_dtypes": dtypes}


def memory_stats(device: Any = None) -> Any:
    """Counters of the allocator, by name."""
    return _wanted().memory_stats(device)


def memory_allocated(device: Any = None) -> int:
    """Bytes that tensors use."""
    return int(_wanted().memory_allocated(device))


def memory_reserved(device: Any = None) -> int:
    """Bytes that the allocator holds."""
    return int(_wanted().memory_reserved(device))


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes that tensors used."""
    return int(_wanted().max_memory_allocated(device))


def max_memory_reserved(device: Any = None) -> int:
    """The most bytes that the allocator held."""
    return int(_wanted().max_memory_reserved(device))


def reset_peak_memory_stats(device: Any = None) -> None:
    """Starts counting the most anew."""
    _wanted().reset_peak_memory_stats(device)


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Starts counting the sums anew."""
    _wanted().reset_accumulated_memory_stats(device)


def get_memory_info(device: Any = None) -> tuple[int, int]:
    """Bytes of a device that are free, and all of them."""
    free, total = _wanted().mem_get_info(device)
    return int(free), int(total)


class device_index:
    """Makes a device current inside a `with`; None changes nothing."""

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
