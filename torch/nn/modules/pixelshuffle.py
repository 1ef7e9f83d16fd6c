"""Channels for pixels, and back."""

from __future__ import annotations

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class PixelShuffle(Module):
    """Moves blocks of r^2 channels to r x r pixels (Shi et al. 2016, arXiv:1609.05158).

    Args:
        upscale_factor: r.

    Shape:
        Input: (..., C r^2, H, W). Output: (..., C, H r, W r).

    Raises:
        RuntimeError: r^2 does not divide the channels.

    Example::

        >>> torch.nn.PixelShuffle(2)(torch.arange(4.0).reshape(1, 4, 1, 1))
        tensor([[[[0., 1.],
                  [2., 3.]]]])
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Moves r x r pixels to blocks of r^2 channels: the inverse of `PixelShuffle`.

    Args:
        downscale_factor: r.

    Shape:
        Input: (..., C, H r, W r). Output: (..., C r^2, H, W).

    Raises:
        RuntimeError: r does not divide height and width.

    Example::

        >>> torch.nn.PixelUnshuffle(2)(torch.arange(4.0).reshape(1, 1, 2, 2)).flatten()
        tensor([0., 1., 2., 3.])
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"
