"""Operators for textures, in C++ and CUDA: `torch.ops.texture.rgb_to_lab` and `.sobel`."""

from __future__ import annotations

import torch

from texture import _C as _C  # Registers the operators.


def rgb_to_lab(rgb: torch.Tensor) -> torch.Tensor:
    """From sRGB in [0, 1] to CIELAB (D65, 2 degrees); both have the shape [3, H, W]."""
    result: torch.Tensor = torch.ops.texture.rgb_to_lab(rgb)
    return result


def sobel(image: torch.Tensor) -> torch.Tensor:
    """The size of the gradient of an image of shape [H, W], edges repeated."""
    result: torch.Tensor = torch.ops.texture.sobel(image)
    return result
