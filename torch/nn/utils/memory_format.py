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
    """Gives the weights of all `Conv2d` and `ConvTranspose2d` of a module a memory format, in
    place.

    Their results then have it too.

    Args:
        module: the module.
        memory_format: such as `torch.channels_last`.

    Returns:
        The module.

    Example::

        >>> from torch.nn.utils.memory_format import convert_conv2d_weight_memory_format
        >>> layer = torch.nn.Conv2d(3, 8, 2)
        >>> layer = convert_conv2d_weight_memory_format(layer, torch.channels_last)
        >>> layer(torch.ones(1, 3, 4, 4)).is_contiguous(memory_format=torch.channels_last)
        True
    """
    return _convert(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module: T, memory_format: Any) -> T:
    """Gives the weights of all `Conv3d` and `ConvTranspose3d` of a module a memory format, in
    place.

    Args:
        module: the module.
        memory_format: such as `torch.channels_last_3d`.

    Returns:
        The module.
    """
    return _convert(module, (Conv3d, ConvTranspose3d), memory_format)
