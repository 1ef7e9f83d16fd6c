"""CUDA devices, of which a build without CUDA has none: `torch.version.cuda` is None there."""

from __future__ import annotations

from typing import NoReturn

import torch

__all__ = [
    "current_device",
    "device_count",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "is_available",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "synchronize",
]


def is_available() -> bool:
    """Whether a tensor may be on a CUDA device."""
    return device_count() > 0


def device_count() -> int:
    """How many CUDA devices there are."""
    return 0


def is_initialized() -> bool:
    """Whether CUDA is in use."""
    return False


def get_arch_list() -> list[str]:
    """The architectures that this build's kernels are compiled for: `sm_90`, `compute_90`."""
    return []


def manual_seed(seed: int) -> None:
    """Seeds the current device's generator, once there is one."""


def manual_seed_all(seed: int) -> None:
    """Seeds every device's generator, once there is one."""


def _refuse() -> NoReturn:
    raise AssertionError("Torch not compiled with CUDA enabled")


def current_device() -> int:
    """The index of the current device. AssertionError in a build without CUDA."""
    _refuse()


def get_device_capability(device: torch.device | int | None = None) -> tuple[int, int]:
    """A device's compute capability, as (9, 0). AssertionError in a build without CUDA."""
    _refuse()


def get_device_name(device: torch.device | int | None = None) -> str:
    """A device's name. AssertionError in a build without CUDA."""
    _refuse()


def synchronize(device: torch.device | int | None = None) -> None:
    """Waits for a device. AssertionError in a build without CUDA."""
    _refuse()
