"""Devices that the shaders run on, `mps` and `vulkan`: what their library answers Python.

The library registers these functions as operators of the device's own name, such as
`torch.ops.mps.synchronize`.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, NoReturn

import torch


@dataclass(frozen=True)
class ComputeDevice:
    """A kind of device.

    Attributes:
        name: as `torch.device` has it.
        missing: what to say where this process has no library of it.
    """

    name: str
    missing: str

    def is_built(self) -> bool:
        """Whether this process has its library."""
        return torch._C._device_count(self.name) is not None

    def device_count(self) -> int:
        """How many there are; 0 without the library."""
        return torch._C._device_count(self.name) or 0

    def is_available(self) -> bool:
        """Whether there is one."""
        return self.device_count() > 0

    def want(self, device: Any = None) -> None:
        """Raises RuntimeError without the library, ValueError for a device of another kind."""
        if not self.is_built():
            raise RuntimeError(self.missing)
        self.index(device)

    def _ask(self, function: str, *arguments: Any) -> Any:
        self.want()
        return getattr(getattr(torch.ops, self.name), function)(*arguments)

    def index(self, device: Any = None) -> int:
        """The number of a device; -1, the current one, for None or a name without a number.

        Raises:
            ValueError: the device is of another kind.
        """
        if device is None or isinstance(device, int):
            return -1 if device is None else device
        there = torch.device(device)
        if there.type != self.name:
            raise ValueError(f"expected a device of type '{self.name}', but got '{there}'")
        return -1 if there.index is None else there.index

    def current_device(self) -> int:
        """Index of the current device."""
        return int(self._ask("current_device"))

    def set_device(self, device: Any) -> None:
        """Makes a device current."""
        index = self.index(device)
        if index >= 0:
            self._ask("set_device", index)

    def device_name(self, device: Any = None) -> str:
        """What its maker calls it."""
        return str(self._ask("device_name", self.index(device)))

    def synchronize(self, device: Any = None) -> None:
        """Waits for all work of a device.

        Raises:
            IndexError: a kernel met an index that is out of bounds.
        """
        self._ask("synchronize", self.index(device))

    def is_idle(self, device: Any = None) -> bool:
        """Whether all work of a device is done."""
        return bool(self._ask("is_idle", self.index(device)))

    def empty_cache(self, device: Any = None) -> None:
        """Gives the driver memory back that no tensor uses; waits for all work first."""
        self._ask("empty_cache", self.index(device))

    def memory_stats(self, device: Any = None) -> OrderedDict[str, int]:
        """Bytes, by PyTorch's names."""
        allocated, peak, reserved, limit, _ = self._ask("memory_stats", self.index(device))
        return OrderedDict(
            {
                "allocated_bytes.all.current": allocated,
                "allocated_bytes.all.peak": peak,
                "reserved_bytes.all.current": reserved,
                "reserved_bytes.all.limit": limit,
            }
        )

    def memory_allocated(self, device: Any = None) -> int:
        """Bytes that tensors use."""
        return self.memory_stats(device)["allocated_bytes.all.current"]

    def max_memory_allocated(self, device: Any = None) -> int:
        """The most bytes that tensors used."""
        return self.memory_stats(device)["allocated_bytes.all.peak"]

    def memory_reserved(self, device: Any = None) -> int:
        """Bytes taken from the driver."""
        return self.memory_stats(device)["reserved_bytes.all.current"]

    def mem_get_info(self, device: Any = None) -> tuple[int, int]:
        """Bytes that may still be taken from the driver, and all that may be."""
        stats = self.memory_stats(device)
        limit = stats["reserved_bytes.all.limit"]
        return limit - stats["reserved_bytes.all.current"], limit

    def recommended_memory(self, device: Any = None) -> int:
        """Bytes that may be taken from the driver where no fraction was set."""
        return int(self._ask("memory_stats", self.index(device))[4])

    def set_memory_fraction(self, fraction: float, device: Any = None) -> None:
        """Limits the bytes taken from the driver to a share of `recommended_memory`; 0: no limit.

        Raises:
            TypeError: the fraction is no float.
            ValueError: it is not from 0 to 2.
        """
        if not isinstance(fraction, float):
            raise TypeError("Invalid type for fraction argument, must be `float`")
        if not 0 <= fraction <= 2:
            raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~2")
        self._ask("set_memory_fraction", self.index(device), fraction)

    def reset_peak_memory_stats(self, device: Any = None) -> None:
        """Starts counting the most anew."""
        self._ask("reset_peak_memory_stats", self.index(device))

    def reset_accumulated_memory_stats(self, device: Any = None) -> None:
        """Does nothing: `memory_stats` has no sums."""
        self.want(device)

    def __getattr__(self, name: str) -> NoReturn:
        """What torch.accelerator may ask of other devices."""
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotImplementedError(f"{name}: the {self.name} backend has none; torch.cuda has")


MPS = ComputeDevice(
    "mps",
    "torch.mps: this build is without the MPS backend, and torch.backends.mps.is_built() is False. "
    "On a Mac, build with it: ./bazelw build //torch:wheel --config=mps",
)
