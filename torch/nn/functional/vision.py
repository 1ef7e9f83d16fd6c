"""Images: their size, and channels for resolution."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions, nn

# The operator of each mode, by the number of dimensions of an image.
_OPERATORS = {
    "nearest": {
        1: nn.upsample_nearest1d,
        2: nn.upsample_nearest2d,
        3: nn.upsample_nearest3d,
    },
    "nearest-exact": {
        1: nn._upsample_nearest_exact1d,
        2: nn._upsample_nearest_exact2d,
        3: nn._upsample_nearest_exact3d,
    },
    "linear": {1: nn.upsample_linear1d},
    "bilinear": {2: nn.upsample_bilinear2d},
    "bicubic": {2: nn.upsample_bicubic2d},
    "trilinear": {3: nn.upsample_trilinear3d},
}

# The same with a filter that is as wide as an output pixel.
_ANTIALIASED = {
    "bilinear": nn._upsample_bilinear2d_aa,
    "bicubic": nn._upsample_bicubic2d_aa,
}


@overridable
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Moves blocks of r^2 channels to r x r pixels (Shi et al. 2016, arXiv:1609.05158).

    Args:
        input: (..., C r^2, H, W).
        upscale_factor: r.

    Shape:
        Output: (..., C, H r, W r).

    Raises:
        RuntimeError: r^2 does not divide the channels.

    Example::

        >>> torch.nn.functional.pixel_shuffle(torch.arange(4.0).reshape(1, 4, 1, 1), 2)
        tensor([[[[0., 1.],
                  [2., 3.]]]])
    """
    return functions.pixel_shuffle(input, upscale_factor)


@overridable
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Moves r x r pixels to blocks of r^2 channels: the inverse of `pixel_shuffle`.

    Args:
        input: (..., C, H r, W r).
        downscale_factor: r.

    Shape:
        Output: (..., C r^2, H, W).

    Raises:
        RuntimeError: r does not divide height and width.

    Example::

        >>> torch.nn.functional.pixel_unshuffle(torch.arange(4.0).reshape(1, 1, 2, 2), 2).flatten()
        tensor([0., 1., 2., 3.])
    """
    return functions.pixel_unshuffle(input, downscale_factor)


@overridable
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """The first channel of each group, then the second of each, and so on (Zhang et al. 2018,
    arXiv:1707.01083).

    Args:
        input: (N, C, ...).
        groups: how many groups there are; they divide the channels.

    Example::

        >>> torch.nn.functional.channel_shuffle(torch.arange(4.0).reshape(1, 4, 1), 2).flatten()
        tensor([0., 2., 1., 3.])
    """
    return functions.channel_shuffle(input, groups)


_GRID_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_GRID_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def _warn_about_corners() -> None:
    warnings.warn(
        "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.",
        stacklevel=4,
    )


@overridable
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """The values of images at the places of a grid (Jaderberg et al. 2015, arXiv:1506.02025).

    Args:
        input: (N, C, H, W), or (N, C, D, H, W).
        grid: (N, h, w, 2) with x and y, or (N, d, h, w, 3) with x, y and z, from -1 to 1 over the
            image.
        mode: "bilinear", "nearest", or "bicubic" for images.
        padding_mode: what is outside: "zeros", "border" (the edge) or "reflection".
        align_corners: whether -1 and 1 are the middles of the outermost elements, not their edges.

    Shape:
        Output: (N, C, h, w), or (N, C, d, h, w).

    Raises:
        ValueError: an unknown mode.
        RuntimeError: shapes that do not fit.

    Example::

        >>> image, middle = torch.arange(4.0).reshape(1, 1, 2, 2), torch.zeros(1, 1, 1, 2)
        >>> torch.nn.functional.grid_sample(image, middle, align_corners=False)
        tensor([[[[1.5000]]]])
    """
    if mode not in _GRID_MODES:
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in _GRID_PADDINGS:
        raise ValueError(
            f"nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '{padding_mode}'"
        )
    if align_corners is None:
        _warn_about_corners()
    return functions.grid_sampler(
        input, grid, _GRID_MODES[mode], _GRID_PADDINGS[padding_mode], bool(align_corners)
    )


@overridable
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """The places of `grid_sample` that affine maps give (Jaderberg et al. 2015, arXiv:1506.02025).

    Args:
        theta: (N, 2, 3) for images, (N, 3, 4) for volumes.
        size: the shape of the output of `grid_sample`: (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether -1 and 1 are the middles of the outermost elements, not their edges.

    Shape:
        Output: (N, H, W, 2) or (N, D, H, W, 3).

    Raises:
        ValueError: `theta` is not floating point, or `size` does not fit it or has a 0.

    Example::

        >>> identity = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> torch.nn.functional.affine_grid(identity, (1, 1, 1, 2), align_corners=False)
        tensor([[[[-0.5000,  0.0000],
                  [ 0.5000,  0.0000]]]])
    """
    if align_corners is None:
        _warn_about_corners()
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    count = len(size) - 2
    if count not in (2, 3):
        raise NotImplementedError(
            f"affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size {tuple(size)}."
        )
    if tuple(theta.shape[-2:]) != (count, count + 1) or theta.dim() != 3:
        raise ValueError(
            f"Expected a batch of {count}D affine matrices of shape Nx{count}x{count + 1} for size {tuple(size)}. Got {theta.shape}."
        )
    if align_corners and 1 in size[2:]:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an intended use case of affine_grid. See the documentation of affine_grid for details.",
            stacklevel=2,
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {torch.Size(size)}")
    lines = []
    for length in size[2:]:
        line = torch.linspace(-1, 1, length, dtype=theta.dtype, device=theta.device)
        lines.append(line if align_corners else line * ((length - 1) / length))
        if align_corners and length == 1:
            lines[-1] = torch.zeros(1, dtype=theta.dtype, device=theta.device)
    places = torch.meshgrid(*lines, indexing="ij")[::-1]
    points = torch.stack([*places, torch.ones_like(places[0])], -1).reshape(-1, count + 1)
    return (points @ theta.transpose(1, 2)).reshape(size[0], *size[2:], count)


def _sizes(size: Any, count: int, input: Tensor) -> list[int]:
    """A size for each dimension of the image."""
    sizes = list(size) if isinstance(size, (list, tuple)) else [size] * count
    if len(sizes) != count:
        raise ValueError(
            f"Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of {list(input.shape[2:])} and output size of {size}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
        )
    try:
        return [operator.index(value) for value in sizes]
    except TypeError:
        raise TypeError(
            f"expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with types {[type(value) for value in sizes]}"
        ) from None


def _factors(scale_factor: Any, count: int, input: Tensor) -> list[float]:
    """A factor for each dimension of the image."""
    factors = (
        list(scale_factor) if isinstance(scale_factor, (list, tuple)) else [scale_factor] * count
    )
    if len(factors) != count:
        raise ValueError(
            f"Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions of {list(input.shape[2:])} and scale_factor of shape {scale_factor}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
        )
    return [float(factor) for factor in factors]


@overridable
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Images of another size.

    Args:
        input: (N, C, L), (N, C, H, W) or (N, C, D, H, W).
        size: the new size: a number, or one for each dimension.
        scale_factor: or the factors by which sizes grow; the new ones are rounded down.
        mode: "nearest", "nearest-exact" and "area" for all, "linear" for lines, "bilinear" and
            "bicubic" for images, "trilinear" for volumes.
        align_corners: whether the middles of the corners stay where they are; not for "nearest" and
            "area".
        recompute_scale_factor: whether the factors are computed anew from the rounded size.
        antialias: for "bilinear" and "bicubic" images; where the image gets smaller, the filter is
            as wide as an output pixel, as Pillow's is.

    Images of `torch.uint8` are resampled, as by Pillow, with weights of 16 bits and rounded to
    bytes after each dimension, by "bilinear" and "bicubic" on the CPU.

    Shape:
        Output: as the input with the new sizes.

    Raises:
        ValueError: neither or both of `size` and `scale_factor`, a factor to compute anew that was
            not given, options that the mode does not have, or as many numbers as the image has not
            dimensions.
        TypeError: a size that is no integer.
        NotImplementedError: a mode for other dimensions or another dtype.

    Example::

        >>> x = torch.tensor([[[0.0, 2.0]]])
        >>> torch.nn.functional.interpolate(x, size=3, mode="linear", align_corners=True)
        tensor([[[0., 1., 2.]]])
    """
    if antialias and not (mode in _ANTIALIASED and input.dim() == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input"
        )
    count = input.dim() - 2
    aligned = mode in ("linear", "bilinear", "bicubic", "trilinear")
    if align_corners is not None and not aligned:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    sizes = None if size is None else _sizes(size, count, input)
    scales = None if scale_factor is None else _factors(scale_factor, count, input)
    if scales is not None and (recompute_scale_factor or mode == "area"):
        sizes = [math.floor(n * s) for n, s in zip(input.shape[2:], scales, strict=True)]
        scales = None
    if mode == "area":
        from torch.nn.functional import pooling

        return getattr(pooling, f"adaptive_avg_pool{count}d")(input, sizes)
    resample = _OPERATORS.get(mode, {}).get(count)
    if resample is None and mode in _OPERATORS and count in (1, 2, 3):
        (wanted,) = _OPERATORS[mode]
        raise NotImplementedError(
            f"Got {count + 2}D input, but {mode} mode needs {wanted + 2}D input"
        )
    if resample is None:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the modes: {' | '.join(_OPERATORS)} | area (got {mode})"
        )
    corners = [bool(align_corners)] if aligned else []
    if antialias:
        resample = _ANTIALIASED[mode]
    return resample(input, sizes, *corners, scales)


@overridable
def upsample(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The older name of `interpolate`, with its arguments, shapes and errors.

    Example::

        >>> torch.nn.functional.upsample(torch.tensor([[[1.0, 2.0]]]), scale_factor=2)
        tensor([[[1., 1., 2., 2.]]])
    """
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
) -> Tensor:
    """The older name of `interpolate` with mode "nearest".

    Example::

        >>> torch.nn.functional.upsample_nearest(torch.tensor([[[1.0, 2.0]]]), size=3)
        tensor([[[1., 1., 2.]]])
    """
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
) -> Tensor:
    """The older name of `interpolate` with mode "bilinear" and `align_corners=True`.

    Example::

        >>> torch.nn.functional.upsample_bilinear(torch.tensor([[[[1.0, 3.0]]]]), size=(1, 3))
        tensor([[[[1., 2., 3.]]]])
    """
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
