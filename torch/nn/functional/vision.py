"""Images: their size, and channels for resolution."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch._tensor import Tensor
from torch._torch_function import overridable
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
    return operator("pixel_shuffle")(input, upscale_factor)


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
    return operator("pixel_unshuffle")(input, downscale_factor)


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
    return operator("channel_shuffle")(input, groups)


_GRID_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_GRID_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def _warn_about_corners() -> None:
    warnings.warn(
        "Default grid_sample and affine_grid behavior has changed to align_corners=False since "
        "1.3.0. Please specify align_corners=True if the old behavior is desired. See the "
        "documentation of grid_sample for details.",
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
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            f"but got: '{mode}'"
        )
    if padding_mode not in _GRID_PADDINGS:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            f"'reflection', but got: '{padding_mode}'"
        )
    if align_corners is None:
        _warn_about_corners()
    return operator("grid_sampler")(
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
        ValueError: `theta` is not floating point, or `size` does not fit it.

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
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {tuple(size)}."
        )
    if tuple(theta.shape[-2:]) != (count, count + 1) or theta.dim() != 3:
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


def _triangle(x: Tensor) -> Tensor:
    return (1 - x.abs()).clamp_min(0)


def _cubic(x: Tensor) -> Tensor:
    """Keys' cubic of parameter -1/2."""
    x = x.abs()
    near = (1.5 * x - 2.5) * x * x + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return torch.where(x < 1, near, torch.where(x < 2, far, torch.zeros_like(x)))


# By mode: the filter, and how far from its middle it reaches.
_FILTERS = {"bilinear": (_triangle, 1), "bicubic": (_cubic, 2)}


def _resampling(
    before: int, after: int, scale: float | None, mode: str, align_corners: bool, like: Tensor
) -> Tensor:
    """The matrix, (after, before), that resamples a line."""
    if align_corners:
        step = (before - 1) / (after - 1) if after > 1 else 0.0
    else:
        step = 1 / scale if scale is not None and scale > 0 else before / after
    function, reach = _FILTERS[mode]
    width = max(step, 1.0)
    options: Any = {"dtype": torch.float64, "device": like.device}
    middle = (torch.arange(after, **options).unsqueeze(1) + 0.5) * step
    place = torch.arange(before, **options)
    first = (middle - reach * width + 0.5).trunc().clamp_min(0)
    end = (middle + reach * width + 0.5).trunc().clamp_max(before)
    weight = function((place + 0.5 - middle) / width)
    weight = torch.where((place >= first) & (place < end), weight, torch.zeros_like(weight))
    return weight / weight.sum(1, keepdim=True)


def _antialiased(
    input: Tensor,
    sizes: Sequence[int] | None,
    scales: Sequence[float] | None,
    mode: str,
    align_corners: bool,
) -> Tensor:
    """Images times a matrix for the columns and one for the rows."""
    if not input.is_floating_point():
        raise NotImplementedError(
            f"interpolate: antialias of {input.dtype}; convert to torch.float32, and back with "
            "round and clamp"
        )
    if sizes is None:
        assert scales is not None
        sizes = [math.floor(n * s) for n, s in zip(input.shape[2:], scales, strict=True)]
    if min(*sizes, *input.shape[2:]) <= 0:
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input {input.shape[2:]} and "
            f"output {tuple(sizes)}"
        )
    compute = input.dtype if input.dtype == torch.float64 else torch.float32
    result = input.to(compute)
    for dim in (3, 2):
        size, scale = sizes[dim - 2], None if scales is None else scales[dim - 2]
        matrix = _resampling(input.size(dim), size, scale, mode, align_corners, input).to(compute)
        result = result @ matrix.mT if dim == 3 else matrix @ result
    return result.to(input.dtype)


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

    Shape:
        Output: as the input with the new sizes.

    Raises:
        ValueError: neither or both of `size` and `scale_factor`, or options that the mode does not
            have.
        NotImplementedError: a mode for other dimensions, or `antialias` of integers.

    Example::

        >>> x = torch.tensor([[[0.0, 2.0]]])
        >>> torch.nn.functional.interpolate(x, size=3, mode="linear", align_corners=True)
        tensor([[[0., 1., 2.]]])
    """
    if antialias and not (mode in _FILTERS and input.dim() == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D "
            "tensor as input"
        )
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
    if name is None and mode in _OPERATORS and count in (1, 2, 3):
        (wanted,) = _OPERATORS[mode]
        raise NotImplementedError(
            f"Got {count + 2}D input, but {mode} mode needs {wanted + 2}D input"
        )
    if name is None:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D) for the "
            f"modes: {' | '.join(_OPERATORS)} | area (got {mode})"
        )
    corners = [bool(align_corners)] if aligned else []
    if scales is not None:
        scales = [float(scale) for scale in scales]
    if antialias:
        return _antialiased(input, sizes, scales, mode, bool(align_corners))
    return operator(name)(input, sizes, *corners, scales)


@overridable
def upsample(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """The older name of `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)
