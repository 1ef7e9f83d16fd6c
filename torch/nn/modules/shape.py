"""Images of another size, and windows as columns."""

from __future__ import annotations

from typing import Any

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


class ChannelShuffle(Module):
    """The first channel of each group, then the second of each, and so on (Zhang et al. 2018,
    arXiv:1707.01083).

    Args:
        groups: how many groups there are; they divide the channels.

    Shape:
        Input and output: (N, C, ...).

    Example::

        >>> torch.nn.ChannelShuffle(2)(torch.arange(4.0).reshape(1, 4, 1)).flatten()
        tensor([0., 2., 1., 3.])
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"


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


class Unfold(Module):
    """The windows of images as columns.

    Args:
        kernel_size: the size of a window: one number, or two.
        dilation: the distance of the elements of a window.
        padding: zeros added at both ends.
        stride: the step from window to window.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: (N, C * prod(kernel_size), windows).

    Example::

        >>> torch.nn.Unfold(2)(torch.arange(6.0).reshape(1, 1, 2, 3))
        tensor([[[0., 1.],
                 [1., 2.],
                 [3., 4.],
                 [4., 5.]]])
    """

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, "
            f"stride={self.stride}"
        )


class Fold(Unfold):
    """The sum of columns back into images: the gradient of `Unfold`.

    Args:
        output_size: height and width of the images.
        kernel_size: the size of a window: one number, or two.
        dilation: the distance of the elements of a window.
        padding: zeros that were added at both ends.
        stride: the step from window to window.

    Shape:
        Input: (N, C * prod(kernel_size), windows). Output: (N, C, *output_size).

    Raises:
        RuntimeError: the columns are not as many as the windows.

    Example::

        >>> torch.nn.Fold((2, 3), 2)(torch.ones(1, 4, 2))
        tensor([[[[1., 2., 1.],
                  [1., 2., 1.]]]])
    """

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, {super().extra_repr()}"


class CosineSimilarity(Module):
    """x1 . x2 / (max(|x1|, eps) max(|x2|, eps)) along one dimension.

    Args:
        dim: the dimension.
        eps: the least norm.

    Shape:
        Inputs: of shapes that broadcast. Output: the same without `dim`.

    Example::

        >>> torch.nn.CosineSimilarity(dim=0)(torch.tensor([1.0, 0.0]), torch.tensor([1.0, 1.0]))
        tensor(0.7071)
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """||x1 - x2 + eps||_p along the last dimension.

    Args:
        p: the norm.
        eps: keeps the gradient finite where two are equal.
        keepdim: whether the last dimension stays, of size 1.

    Shape:
        Inputs: (N, D) or (D,). Output: (N,) or (), with a last size of 1 if `keepdim`.

    Example::

        >>> torch.nn.PairwiseDistance(p=1.0)(torch.zeros(1, 2), torch.tensor([[1.0, 2.0]]))
        tensor([3.0000])
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
