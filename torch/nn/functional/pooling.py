"""Pooling."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions, nn, per_dimension

_POOL = """
Args:
    kernel_size: the size of a window: one number, or one for each dimension.
    stride: the step from window to window; `kernel_size` if None.
    ceil_mode: whether a last window that is not full counts.

Shape:
    Output: as the input, with smaller images.
"""

_UNPOOL = """
Args:
    indices: the places, int64, of the shape of the input.
    kernel_size: the size of a window: one number, or one for each dimension.
    stride: the step from window to window; `kernel_size` if None.
    padding: what the pooling added at both ends.
    output_size: the shape of the result, where several are possible.

Shape:
    Output: as the input, with larger images.

Raises:
    RuntimeError: places outside of the result, or of another shape.
"""


# What the functions made below have in common.
_MADE = """
Args:
    input: (N, C, *size) or (C, *size), with as many sizes as the name says.
    kernel_size: the size of a window: one number, or one for each dimension.
    stride: the step from window to window; `kernel_size` if None.
    padding: minus infinity, added at both ends; at most half of the window.
    dilation: the distance of the elements of a window.
    ceil_mode: whether a last window that is not full counts.
    output_size: how many regions there are along each dimension: one number, or one for each; None
        keeps a size.
    return_indices: whether the places are returned too, int64, as numbers in the flattened image.

Raises:
    RuntimeError: an input of another shape, too much padding, or an output without elements.
    ValueError: an input with too few dimensions for `output_size`.
"""


def _named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function under the name that this module gives it, so that it can be pickled."""
    function.__name__ = function.__qualname__ = name
    return function


def _make_max_pool(
    count: int, pool: Callable[..., Any], pool_with_indices: Callable[..., Any]
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    @documented_by(_MADE)
    def with_indices(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        """The largest element of each window, and its place in the image."""
        step = [] if stride is None else stride
        return pool_with_indices(input, kernel_size, step, padding, dilation, ceil_mode)

    @documented_by(_MADE)
    def max_pool(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        """The largest element of each window, and if asked for its place in the image."""
        if return_indices:
            return with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
        step = [] if stride is None else stride
        return pool(input, kernel_size, step, padding, dilation, ceil_mode)

    return (
        _named(f"max_pool{count}d", max_pool),
        _named(f"max_pool{count}d_with_indices", with_indices),
    )


def _sizes(input: Tensor, output_size: Any, count: int) -> list[int]:
    """The output's sizes; None stands for the input's."""
    wanted = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * count
    if input.dim() <= len(wanted):
        raise ValueError(f"Input dimension should be at least {len(wanted) + 1}")
    given = input.shape[input.dim() - len(wanted) :]
    return [g if w is None else w for g, w in zip(given, wanted, strict=True)]


def _make_adaptive_avg_pool(count: int, pool: Callable[..., Any]) -> Callable[..., Tensor]:
    @documented_by(_MADE)
    def adaptive_avg_pool(input: Tensor, output_size: Any) -> Tensor:
        """The mean of each of `output_size` regions.

        With sizes I of the input and O of the output, region i is
        [floor(i I / O), ceil((i + 1) I / O)).
        """
        return pool(input, _sizes(input, output_size, count))

    return _named(f"adaptive_avg_pool{count}d", adaptive_avg_pool)


def _make_adaptive_max_pool(
    count: int, pool: Callable[..., Any]
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    @documented_by(_MADE)
    def with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        """The largest element of each of `output_size` regions, and its place in the image."""
        return pool(input, output_size if count == 1 else _sizes(input, output_size, count))

    @documented_by(_MADE)
    def adaptive_max_pool(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        """The largest element of each of `output_size` regions, and if asked for its place."""
        found = with_indices(input, output_size)
        return found if return_indices else found[0]

    return (
        _named(f"adaptive_max_pool{count}d", adaptive_max_pool),
        _named(f"adaptive_max_pool{count}d_with_indices", with_indices),
    )


max_pool1d, max_pool1d_with_indices = _make_max_pool(
    1, functions.max_pool1d, functions.max_pool1d_with_indices
)
max_pool2d, max_pool2d_with_indices = _make_max_pool(
    2, functions.max_pool2d, nn.max_pool2d_with_indices
)
max_pool3d, max_pool3d_with_indices = _make_max_pool(
    3, functions.max_pool3d, nn.max_pool3d_with_indices
)
avg_pool1d = functions.avg_pool1d
avg_pool2d = nn.avg_pool2d
avg_pool3d = nn.avg_pool3d
adaptive_avg_pool1d = functions.adaptive_avg_pool1d
adaptive_avg_pool2d = _make_adaptive_avg_pool(2, nn.adaptive_avg_pool2d)
adaptive_avg_pool3d = _make_adaptive_avg_pool(3, nn.adaptive_avg_pool3d)
adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _make_adaptive_max_pool(
    1, functions.adaptive_max_pool1d
)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _make_adaptive_max_pool(
    2, nn.adaptive_max_pool2d
)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _make_adaptive_max_pool(
    3, nn.adaptive_max_pool3d
)


_FRACTIONAL = """
Args:
    input: (N, C, *size) or (C, *size), with as many sizes as the name says.
    kernel_size: the size of a window: one number, or one for each dimension.
    output_size: how many windows there are along each dimension: one number, or one for each.
    output_ratio: instead of that, their number over the input's size, between 0 and 1.
    return_indices: whether the places are returned too, int64, as numbers in the flattened image.
    _random_samples: the random numbers, (N, C, dimensions), between 0 and 1; drawn unless given.

Raises:
    ValueError: neither an output size nor a ratio, or an input with too few dimensions.
    RuntimeError: windows that do not fit into the input, another count of sizes than of dimensions,
        or random numbers of another shape.
"""


def _first_of_windows(u: Tensor, size: int, kernel: int, windows: int) -> Tensor:
    """Where the windows along a dimension begin, (..., windows), for random numbers u, (...).

    Steps of a mean alpha = (size - kernel) / (windows - 1) are rounded so that their sum is exact:
    floor((i + u) alpha) - floor(u alpha), and the last window ends where the image does.
    """
    last = torch.full_like(u, size - kernel, dtype=torch.int64).unsqueeze(-1)
    if windows == 1:
        return last
    alpha = torch.tensor(size - kernel, dtype=u.dtype) / torch.tensor(windows - 1, dtype=u.dtype)
    alpha = alpha.to(u.device)
    i = torch.arange(windows - 1, dtype=u.dtype, device=u.device)
    u = u.unsqueeze(-1)
    first = ((i + u) * alpha).to(torch.int64) - (u * alpha).to(torch.int64)
    return torch.cat((first, last), -1)


def _numbers(name: str, what: str, value: Any, count: int) -> tuple[int, ...]:
    """One number for each dimension, out of one or out of as many."""
    if isinstance(value, (tuple, list)) and len(value) != count:
        three = "three " if count == 3 else ""
        raise RuntimeError(f"{name}: {what} must either be a single Int or tuple of {three}Ints")
    return per_dimension(value, count)


def _fractional_max_pool(
    count: int,
    input: Tensor,
    kernel_size: Any,
    output_size: Any,
    output_ratio: Any,
    samples: Tensor | None,
) -> tuple[Tensor, Tensor]:
    name = f"fractional_max_pool{count}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    if input.dim() not in (count + 1, count + 2):
        raise ValueError(
            f"{name}: Expected {count + 1}D or {count + 2}D tensor, got {input.dim()}D"
        )
    sizes = list(input.shape[-count:])
    kernel = _numbers(name, "kernel_size", kernel_size, count)
    if output_size is None:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,)
        ratios = tuple(ratios) * (count if len(ratios) == 1 else 1)
        if len(ratios) != count:
            raise ValueError(
                f"{name} requires output_ratio to either be a single Int or tuple of Ints."
            )
        wanted = tuple(int(n * ratio) for n, ratio in zip(sizes, ratios, strict=True))
    else:
        wanted = _numbers(name, "output_size", output_size, count)
    batched = input if input.dim() == count + 2 else input.unsqueeze(0)
    batch, channels = batched.shape[:2]
    if samples is None:
        samples = torch.rand(batch, channels, count, dtype=input.dtype, device=input.device)
    if tuple(samples.shape) != (batch, channels, count):
        raise RuntimeError(
            f"{name}: Expect _random_samples of shape ({batch}, {channels}, {count}), but got {tuple(samples.shape)}"
        )
    if input.is_cpu and samples.dtype == input.dtype:
        pool = nn.fractional_max_pool2d if count == 2 else nn.fractional_max_pool3d
        return pool(input, kernel, wanted, samples)
    # The place in the flattened image of each element of each window: dimension by dimension,
    # (batch, channels, *windows, *elements).
    places = torch.zeros((), dtype=torch.int64, device=input.device)
    for d, (size, window, windows) in enumerate(zip(sizes, kernel, wanted, strict=True)):
        if not 0 < window + windows - 1 <= size or windows < 1:
            raise RuntimeError(
                f"{name}: windows of size {window} at {windows} places do not fit into a dimension of size {size}"
            )
        # PyTorch's order: of two numbers the first is for the width.
        u = samples[:, :, 1 - d if count == 2 else d]
        first = _first_of_windows(u, size, window, windows)
        place = first.unsqueeze(-1) + torch.arange(window, device=input.device)
        shape = [1] * (2 * count)
        shape[d], shape[count + d] = windows, window
        places = places * size + place.view(batch, channels, *shape)
    flat = places.reshape(batch, channels, -1)
    elements = batched.flatten(2).gather(2, flat).view(batch, channels, *wanted, -1)
    values, at = elements.max(-1)
    indices = flat.view(*values.shape, -1).gather(-1, at.unsqueeze(-1)).squeeze(-1)
    if input.dim() == count + 1:
        return values.squeeze(0), indices.squeeze(0)
    return values, indices


def _make_fractional_max_pool(count: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    @overridable
    @documented_by(_FRACTIONAL)
    def with_indices(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Any:
        """The largest element of each of windows at random places, and its place in the image
        (Graham 2014, "Fractional max-pooling")."""
        return _fractional_max_pool(
            count, input, kernel_size, output_size, output_ratio, _random_samples
        )

    @overridable
    @documented_by(_FRACTIONAL)
    def pool(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Any:
        """The largest element of each of windows at random places, and if asked for its place
        (Graham 2014, "Fractional max-pooling")."""
        found = _fractional_max_pool(
            count, input, kernel_size, output_size, output_ratio, _random_samples
        )
        return found if return_indices else found[0]

    return (
        _named(f"fractional_max_pool{count}d", pool),
        _named(f"fractional_max_pool{count}d_with_indices", with_indices),
    )


fractional_max_pool2d, fractional_max_pool2d_with_indices = _make_fractional_max_pool(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _make_fractional_max_pool(3)


def _lp_pool(
    input: Tensor, p: float, count: int, kernel_size: Any, stride: Any, ceil_mode: bool
) -> Tensor:
    if math.isinf(p):
        largest = (max_pool1d, max_pool2d, max_pool3d)[count - 1]
        sign = math.copysign(1, p)
        return sign * largest(sign * input.abs(), kernel_size, stride, ceil_mode=ceil_mode)
    pool = (avg_pool1d, avg_pool2d, avg_pool3d)[count - 1]
    means = pool(input**p, kernel_size, [] if stride is None else stride, 0, ceil_mode)
    inside = math.prod(per_dimension(kernel_size, count))
    return (means.sign() * torch.relu(means.abs()) * inside) ** (1.0 / p)


@overridable
@documented_by(_POOL)
def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """(sum x^p)^(1/p) over each window; p = 1 is the sum, p = infinity the largest |x|.

    Args:
        input: x, (N, C, L) or (C, L).
        norm_type: p, not 0; minus infinity is the smallest |x|.

    Example::

        >>> torch.nn.functional.lp_pool1d(torch.ones(1, 3, 8), 2, 2).shape
        torch.Size([1, 3, 4])
    """
    return _lp_pool(input, norm_type, 1, kernel_size, stride, ceil_mode)


@overridable
@documented_by(_POOL)
def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """(sum x^p)^(1/p) over each window; p = 1 is the sum, p = infinity the largest |x|.

    Args:
        input: x, (N, C, H, W) or (C, H, W).
        norm_type: p, not 0; minus infinity is the smallest |x|.

    Example::

        >>> torch.nn.functional.lp_pool2d(torch.ones(1, 3, 8, 8), 2, 2).shape
        torch.Size([1, 3, 4, 4])
    """
    return _lp_pool(input, norm_type, 2, kernel_size, stride, ceil_mode)


@overridable
@documented_by(_POOL)
def lp_pool3d(
    input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """(sum x^p)^(1/p) over each window; p = 1 is the sum, p = infinity the largest |x|.

    Args:
        input: x, (N, C, D, H, W) or (C, D, H, W).
        norm_type: p, not 0; minus infinity is the smallest |x|.

    Example::

        >>> torch.nn.functional.lp_pool3d(torch.ones(1, 3, 8, 8, 8), 2, 2).shape
        torch.Size([1, 3, 4, 4, 4])
    """
    return _lp_pool(input, norm_type, 3, kernel_size, stride, ceil_mode)


def _unpooled_sizes(
    count: int, default: list[int], step: Sequence[int], wanted: Sequence[int] | None
) -> tuple[int, ...]:
    """The pooled dimensions of the output: `wanted`, if pooling gives back the input from it."""
    if wanted is None:
        return tuple(default)
    if len(wanted) not in (count, count + 2):
        raise ValueError(
            f"output_size should be a sequence containing {count} or {count + 2} elements, but it has a length of '{len(wanted)}'"
        )
    sizes = tuple(wanted)[-count:]
    for d, (size, middle, s) in enumerate(zip(sizes, default, step, strict=False)):
        if not middle - s < size < middle + s:
            raise ValueError(
                f'invalid output_size "{list(wanted)}" (dim {d} must be between {middle - s} and {middle + s})'
            )
    return sizes


def _max_unpool(
    count: int,
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    output_size: Sequence[int] | None,
) -> Tensor:
    for value in (kernel_size, stride, padding):
        if isinstance(value, Sequence) and len(value) != count:
            words = {1: "one element", 2: "two elements (height, width)"}.get(
                count, "three elements (depth, height, width)"
            )
            raise RuntimeError(
                f"There should be exactly {words} in output_size, but got {len(value)} elements."
            )
    kernel = per_dimension(kernel_size, count)
    step = kernel if stride is None else per_dimension(stride, count)
    edges = per_dimension(padding, count)
    default = [
        (n - 1) * s - 2 * p + k
        for n, k, s, p in zip(input.shape[-count:], kernel, step, edges, strict=False)
    ]
    sizes = _unpooled_sizes(count, default, step, output_size)
    if count == 3:
        return nn.max_unpool3d(input, indices, sizes, step, edges)
    if count == 2:
        return nn.max_unpool2d(input, indices, sizes)
    lines = nn.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), (*sizes, 1))
    return lines.squeeze(-1)


@overridable
@documented_by(_UNPOOL)
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """The values of `max_pool1d` at the places that they came from, and zeros elsewhere.

    Args:
        input: (N, C, L) or (C, L).

    Example::

        >>> x = torch.arange(8.0).reshape(1, 1, 8)
        >>> values, places = torch.nn.functional.max_pool1d(x, 2, return_indices=True)
        >>> torch.nn.functional.max_unpool1d(values, places, 2).shape
        torch.Size([1, 1, 8])
    """
    return _max_unpool(1, input, indices, kernel_size, stride, padding, output_size)


@overridable
@documented_by(_UNPOOL)
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """The values of `max_pool2d` at the places that they came from, and zeros elsewhere.

    Args:
        input: (N, C, H, W) or (C, H, W).

    Example::

        >>> x = torch.arange(64.0).reshape(1, 1, 8, 8)
        >>> values, places = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
        >>> torch.nn.functional.max_unpool2d(values, places, 2).shape
        torch.Size([1, 1, 8, 8])
    """
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


@overridable
@documented_by(_UNPOOL)
def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """The values of `max_pool3d` at the places that they came from, and zeros elsewhere.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).

    Example::

        >>> x = torch.arange(512.0).reshape(1, 1, 8, 8, 8)
        >>> values, places = torch.nn.functional.max_pool3d(x, 2, return_indices=True)
        >>> torch.nn.functional.max_unpool3d(values, places, 2).shape
        torch.Size([1, 1, 8, 8, 8])
    """
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)
