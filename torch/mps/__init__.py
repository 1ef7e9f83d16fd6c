"""Apple's GPUs, which the MPS backend computes on: `./bazelw build //torch:wheel --config=mps`.

Random numbers of an MPS tensor are those that the CPU's default generator draws, so that a seed
gives the same ones on both. `TORCH_MPS_MEMORY_MIB` limits the memory.

In a build without the backend, `is_available()` is False, `manual_seed` does nothing, and what asks
for a device raises RuntimeError.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import _absent
from torch._compute_device import MPS
from torch._tensor import Tensor
from torch.mps import profiler
from torch.mps.event import Event


def is_available() -> bool:
    """Whether this process has the backend, and the machine a device of it."""
    return device_count() > 0


def device_count() -> int:
    """How many devices there are; 0 without the backend."""
    return MPS.device_count()


def synchronize() -> None:
    """Waits for all work of the device.

    Raises:
        IndexError: a kernel met an index that is out of bounds.
        RuntimeError: there is no MPS backend.
    """
    MPS.synchronize()


def empty_cache() -> None:
    """Gives the driver memory back that no tensor uses; waits for all work first.

    Raises:
        RuntimeError: there is no MPS backend.
    """
    MPS.empty_cache()


def current_allocated_memory() -> int:
    """Bytes that tensors use.

    Raises:
        RuntimeError: there is no MPS backend.
    """
    return MPS.memory_allocated()


def driver_allocated_memory() -> int:
    """Bytes taken from the driver: those of tensors, and those kept for the next ones.

    Raises:
        RuntimeError: there is no MPS backend.
    """
    return MPS.memory_reserved()


def recommended_max_memory() -> int:
    """Bytes that may be taken from the driver: what Metal recommends, or `TORCH_MPS_MEMORY_MIB`.

    `set_per_process_memory_fraction` does not change it.

    Raises:
        RuntimeError: there is no MPS backend.
    """
    return MPS.recommended_memory()


def set_per_process_memory_fraction(fraction: float) -> None:
    """Limits the memory that tensors may take to a share of `recommended_max_memory`.

    Args:
        fraction: from 0 to 2; 0 stands for no limit.

    Raises:
        TypeError: the fraction is no float.
        ValueError: it is out of range.
        RuntimeError: there is no MPS backend.
    """
    MPS.set_memory_fraction(fraction)


def manual_seed(seed: int) -> None:
    """Seeds the generator that MPS tensors draw from, the CPU's; does nothing without the backend.

    Args:
        seed: an int64 or uint64.
    """
    if MPS.is_built():
        torch.default_generator.manual_seed(int(seed))


def seed() -> None:
    """Seeds that generator from the system's entropy.

    Raises:
        RuntimeError: there is no MPS backend.
    """
    MPS.want()
    torch.default_generator.seed()


def get_rng_state(device: Any = "mps") -> Tensor:
    """The state of that generator, a ByteTensor.

    Raises:
        RuntimeError: there is no MPS backend.
    """
    MPS.want(device)
    return torch.default_generator.get_state()


def set_rng_state(new_state: Tensor, device: Any = "mps") -> None:
    """Sets the state of that generator to one that `get_rng_state` gave.

    Raises:
        RuntimeError: there is no MPS backend.
    """
    MPS.want(device)
    torch.default_generator.set_state(new_state)


__getattr__ = _absent.names_of(
    __name__,
    _absent.MPS,
    classes="Stream StreamContext",
    functions="compile_shader load_metallib",
)

__all__ = [
    "Event",
    "current_allocated_memory",
    "device_count",
    "driver_allocated_memory",
    "empty_cache",
    "get_rng_state",
    "is_available",
    "manual_seed",
    "profiler",
    "recommended_max_memory",
    "seed",
    "set_per_process_memory_fraction",
    "set_rng_state",
    "synchronize",
]
