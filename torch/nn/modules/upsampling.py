"""Images of another size."""

from __future__ import annotations

from typing import Any

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class Upsample(Module):
    """Images of another size; `torch.nn.functional.interpolate` says how.

    Args:
        size: the new size: a number, or one for each dimension.
        scale_factor: or the factors by which sizes grow.
        mode: "nearest", "linear", "bilinear", "bicubic" or "trilinear".
        align_corners: whether the middles of the corners stay where they are.
        recompute_scale_factor: whether the factors are computed anew from the rounded size.

    Shape:
        Input: (N, C, L), (N, C, H, W) or (N, C, D, H, W). Output: the same with the new sizes.

    Raises:
        ValueError: neither or both of `size` and `scale_factor`, or a mode for other dimensions.

    Example::

        >>> torch.nn.Upsample(scale_factor=2)(torch.tensor([[[1.0, 2.0]]]))
        tensor([[[1., 1., 2., 2.]]])
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        if isinstance(scale_factor, (tuple, list)):
            scale_factor = tuple(float(factor) for factor in scale_factor)
        elif scale_factor is not None:
            scale_factor = float(scale_factor)
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )

    def extra_repr(self) -> str:
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor!r}, mode={self.mode!r}"
        return f"size={self.size!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Images of another size, each element that of the nearest: `Upsample` with mode "nearest".

    Args:
        size: the new height and width, or one number for both.
        scale_factor: or the factors by which they grow.

    Shape:
        Input: (N, C, H, W). Output: the same with the new sizes.

    Example::

        >>> torch.nn.UpsamplingNearest2d(scale_factor=2)(torch.ones(1, 1, 2, 2)).shape
        torch.Size([1, 1, 4, 4])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Images of another size by bilinear interpolation, with the corners on the corners.

    Args:
        size: the new height and width, or one number for both.
        scale_factor: or the factors by which they grow.

    Shape:
        Input: (N, C, H, W). Output: the same with the new sizes.

    Example::

        >>> torch.nn.UpsamplingBilinear2d((1, 3))(torch.tensor([[[[0.0, 1.0]]]]))
        tensor([[[[0.0000, 0.5000, 1.0000]]]])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
