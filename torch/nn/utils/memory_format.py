"""Convolutions whose weights have another memory format."""

from __future__ import annotations

from typing import Any, TypeVar

from torch.nn.modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d
from torch.nn.modules.module import Module

T = TypeVar("T", bound=Module)


def _convert(module: T, kinds: tuple[type[Module], ...], memory_format: Any) -> T:
    for part in module.modules():
        if isinstance(part, kinds):
            part.weight.data = part.weight.detach().clone(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module: T, memory_format: Any) -> T:
    """Gives the weights of all two-dimensional convolutions a format, in place; then so have their
    results."""
    return _convert(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module: T, memory_format: Any) -> T:
    """The same for three dimensions."""
    return _convert(module, (Conv3d, ConvTranspose3d), memory_format)
