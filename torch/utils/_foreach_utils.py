"""Lists of tensors, sorted by device and dtype, for optimizers that work on lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch._tensor import Tensor


def _get_foreach_kernels_supported_devices() -> list[str]:
    """The types of devices on which an optimizer takes lists of tensors unless told otherwise."""
    return ["cuda"]


def _get_fused_kernels_supported_devices() -> list[str]:
    """The types of devices with optimizers that step all parameters in one call."""
    return ["cuda", "cpu"]


def _device_has_foreach_support(device: torch.device) -> bool:
    return device.type in (*_get_foreach_kernels_supported_devices(), "cpu")


def _has_foreach_support(tensors: list[Tensor], device: torch.device) -> bool:
    return _device_has_foreach_support(device) and all(isinstance(t, Tensor) for t in tensors)


def _group_tensors_by_device_and_dtype(
    tensorlistlist: Sequence[Sequence[Any]], with_indices: bool = False
) -> dict[tuple[torch.device, torch.dtype], tuple[list[list[Any]], list[int]]]:
    """Splits several lists of one length by device and dtype of the tensors of the first.

    Returns:
        For each device and dtype the parts of all lists, and with `with_indices` the places that
        they had.

    Raises:
        RuntimeError: the lists have different lengths.
    """
    lengths = {len(values) for values in tensorlistlist if values}
    if len(lengths) > 1:
        raise RuntimeError(f"the lists must have one length, but got {sorted(lengths)}")
    groups: dict[tuple[torch.device, torch.dtype], tuple[list[list[Any]], list[int]]] = {}
    for place, first in enumerate(tensorlistlist[0]):
        key = (first.device, first.dtype)
        lists, places = groups.setdefault(key, ([[] for _ in tensorlistlist], []))
        for part, values in zip(lists, tensorlistlist, strict=True):
            if values:
                part.append(values[place])
        if with_indices:
            places.append(place)
    return groups
