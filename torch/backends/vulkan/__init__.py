"""Vulkan, which computes on GPUs of any vendor, in builds with `--vulkan`."""

from __future__ import annotations

import torch

__all__ = ["is_available", "is_built"]


def is_built() -> bool:
    """Whether this process has the library of the Vulkan backend."""
    return torch._C._device_count("vulkan") is not None


def is_available() -> bool:
    """Whether it has, and this machine a driver with a device; `torch.is_vulkan_available` too."""
    return bool(torch._C._device_count("vulkan"))
