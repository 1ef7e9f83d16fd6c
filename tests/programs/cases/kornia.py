"""Filters and geometry of pictures."""

from __future__ import annotations

from typing import Any

import kornia
from inputs import numbers


def run() -> Any:
    """With gradients."""
    x = numbers("x", 1, 3, 16, 16).requires_grad_()
    parts = {
        "blur": kornia.filters.gaussian_blur2d(x, (5, 5), (1.5, 1.5)),
        "edges": kornia.filters.sobel(x),
        "hsv": kornia.color.rgb_to_hsv(x.sigmoid()),
        "turned": kornia.geometry.transform.rotate(x, numbers("angle", 1) * 30),
        "likeness": kornia.losses.ssim_loss(x, x.flip(3), 5),
    }
    sum(part.square().sum() for part in parts.values()).backward()
    return parts | {"gradient": x.grad}
