"""Images: their size, and channels for resolution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn.functional.native import operator

# The operator of each mode, by the number of dimensions of an image.
_OPERATORS = {
    "nearest": {n: f"upsample_nearest{n}d" for n in (1, 2, 3)},
    "nearest-exact": {n: f"_upsample_nearest_exact{n}d" for n in (1, 2, 3)},
    "linear": {1: "upsample_linear1d"},
    "bilinear": {2: "upsample_bilinear2d"},
    "bicubic": {2: "upsample_bicubic2d"},
    "trilinear": {3: "upsample_trilinear3d"},
}


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(..., C r^2, H, W) to (..., C, H r, W r) (Shi et al., 2016)."""
    return operator("pixel_shuffle")(input, upscale_factor)


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(..., C, H r, W r) to (..., C r^2, H, W)."""
    return operator("pixel_unshuffle")(input, downscale_factor)


def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """The channels of the groups in turn."""
    return operator("channel_shuffle")(input, groups)


_GRID_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_GRID_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """The images (N, C, H, W) at the places (N, h, w, 2) of `grid`: x and y from -1 to 1.

    Volumes, (N, C, D, H, W) at (N, d, h, w, 3), work the same. With `align_corners` -1 and 1 are
    the middles of the outermost elements, else their edges.
    """
    if mode not in _GRID_MODES:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            f"but got: '{mode}'"
        )
    if padding_mode not in _GRID_PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            f"'reflection', but got: '{padding_mode}'"
        )
    return operator("grid_sampler")(
        input, grid, _GRID_MODES[mode], _GRID_PADDINGS[padding_mode], bool(align_corners)
    )


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """Places for `grid_sample` from affine maps: (N, 2, 3) for images, (N, 3, 4) for volumes."""
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    count = len(size) - 2
    if count not in (2, 3) or tuple(theta.shape[-2:]) != (count, count + 1) or theta.dim() != 3:
        raise ValueError(
            f"Expected a batch of {count}D affine matrices of shape Nx{count}x{count + 1} for size "
            f"{tuple(size)}. Got {tuple(theta.shape)}."
        )
    lines = []
    for length in size[2:]:
        line = torch.linspace(-1, 1, length, dtype=theta.dtype)
        lines.append(line if align_corners or length < 1 else line * ((length - 1) / length))
        if align_corners and length == 1:
            lines[-1] = torch.zeros(1, dtype=theta.dtype)
    places = torch.meshgrid(*lines, indexing="ij")[::-1]
    points = torch.stack([*places, torch.ones_like(places[0])], -1).reshape(-1, count + 1)
    return (points @ theta.transpose(1, 2)).reshape(size[0], *size[2:], count)


def _per_image(value: Any, count: int, input: Tensor) -> list[Any]:
    """A number for each dimension of the image."""
    values = [value] * count if isinstance(value, (int, float)) else list(value)
    if len(values) != count:
        raise ValueError(
            "Input and output must have the same number of spatial dimensions, but got input with "
            f"spatial dimensions of {list(input.shape[2:])} and output size of {value}. Please "
            "provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, "
            "...,oK) format."
        )
    return values


def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Images of another size: to `size`, or by `scale_factor`.

    Modes are "nearest", "nearest-exact", "area", "linear", "bilinear", "bicubic" and "trilinear".
    """
    if antialias:
        raise NotImplementedError("interpolate: antialias is not supported")
    count = input.dim() - 2
    aligned = mode in ("linear", "bilinear", "bicubic", "trilinear")
    if align_corners is not None and not aligned:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear "
            "| bicubic | trilinear"
        )
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    sizes = None if size is None else _per_image(size, count, input)
    scales = None if scale_factor is None else _per_image(scale_factor, count, input)
    if scales is not None and (recompute_scale_factor or mode == "area"):
        sizes = [math.floor(n * s) for n, s in zip(input.shape[2:], scales, strict=True)]
        scales = None
    if mode == "area":
        from torch.nn.functional import pooling

        return getattr(pooling, f"adaptive_avg_pool{count}d")(input, sizes)
    name = _OPERATORS.get(mode, {}).get(count)
    if name is None:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the "
            f"modes: {' | '.join(_OPERATORS)} | area (got {mode})"
        )
    corners = [bool(align_corners)] if aligned else []
    if scales is not None:
        scales = [float(scale) for scale in scales]
    return operator(name)(input, sizes, *corners, scales)


def upsample(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The older name of `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)
