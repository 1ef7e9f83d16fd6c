"""Structural similarity of images."""

from __future__ import annotations

from typing import Any

from inputs import numbers
from pytorch_msssim import MS_SSIM, SSIM, ms_ssim, ssim


def run() -> Any:
    """Similarities, and the gradient of a loss."""
    x, y = (numbers(name, 2, 3, 176, 176).sigmoid().requires_grad_() for name in "xy")
    found = {
        "ssim": ssim(x, y, data_range=1, size_average=False),
        "ms_ssim": ms_ssim(x, y, data_range=1),
    }
    loss = (
        2 - SSIM(data_range=1, channel=3)(x, y) - MS_SSIM(data_range=1, channel=3)(x, (x + y) / 2)
    )
    loss.backward()
    return found | {"loss": loss, "x.grad": x.grad, "y.grad": y.grad}
