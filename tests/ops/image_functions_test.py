"""Convolution, pooling, padding and resampling against their definitions in NumPy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck

from tests.ops.arrays import RNG, Array, close, random, tensor

_nn: Any = torch._C._nn


def _differentiable(f: Callable[..., Any], *inputs: Any) -> None:
    assert gradcheck(f, inputs)


# ---- convolution ----


def _conv(x: Array, w: Array, stride: int, padding: int, dilation: int, groups: int) -> Array:
    dims = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0)] + [(padding, padding)] * dims)
    kernel = w.shape[2:]
    out = [(x.shape[2 + d] - dilation * (kernel[d] - 1) - 1) // stride + 1 for d in range(dims)]
    y = np.zeros([x.shape[0], w.shape[0], *out])
    per_in, per_out = w.shape[1], w.shape[0] // groups
    for g in range(groups):
        xs = x[:, g * per_in : (g + 1) * per_in]
        ws = w[g * per_out : (g + 1) * per_out]
        for place in itertools.product(*map(range, kernel)):
            window = tuple(
                slice(k * dilation, k * dilation + (n - 1) * stride + 1, stride)
                for k, n in zip(place, out, strict=True)
            )
            part = np.einsum(
                "nc...,oc->no...", xs[(slice(None), slice(None), *window)], ws[(..., *place)]
            )
            y[:, g * per_out : (g + 1) * per_out] += part
    return y


_CONV = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}
_CONV_T = {1: torch.conv_transpose1d, 2: torch.conv_transpose2d, 3: torch.conv_transpose3d}
_SIZES = {1: (37,), 2: (13, 18), 3: (6, 7, 9)}


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    ("stride", "padding", "dilation", "groups"),
    [(1, 0, 1, 1), (2, 1, 1, 1), (1, 2, 2, 2), (3, 1, 2, 4)],
)
def test_convolution(
    dims: int, dtype: Any, stride: int, padding: int, dilation: int, groups: int
) -> None:
    x = random(2, 4, *_SIZES[dims])
    w = random(8, 4 // groups, *[3] * dims)
    bias = random(8)
    y = _CONV[dims](
        tensor(x, dtype),
        tensor(w, dtype),
        tensor(bias, dtype),
        stride,
        padding,
        dilation,
        groups,
    )
    assert y.dtype is dtype
    expected = _conv(x, w, stride, padding, dilation, groups)
    close(y, expected + bias.reshape(-1, *[1] * dims))


def test_a_convolution_of_more_than_one_tile() -> None:
    # Columns of 32 * 9 elements for 5000 places do not fit one tile.
    x, w = random(1, 32, 70, 72), random(5, 32, 3, 3)
    close(
        torch.conv2d(tensor(x, torch.float32), tensor(w, torch.float32), padding=1),
        _conv(x, w, 1, 1, 1, 1),
    )


@pytest.mark.parametrize("kernel", [1, 5])
def test_depthwise_and_pointwise_convolution(kernel: int) -> None:
    x = random(2, 6, 17, 40)
    w = random(12, 1, kernel, kernel)
    y = torch.conv2d(tensor(x, torch.float32), tensor(w, torch.float32), None, 2, kernel // 2, 1, 6)
    close(y, _conv(x, w, 2, kernel // 2, 1, 6))
    w = random(7, 6, 1, 1)
    close(torch.conv2d(tensor(x, torch.float32), tensor(w, torch.float32)), _conv(x, w, 1, 0, 1, 1))


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_gradient_of_depthwise_weights(stride: int, dtype: Any) -> None:
    for kernel, dilation, width in [
        ((3, 3), 1, 40),
        ((1, 1), 1, 7),
        ((2, 5), 2, 33),
        ((4, 7), 1, 16),
    ]:
        x = tensor(random(2, 3, 12, width))
        w = tensor(random(6, 1, *kernel), grad=True)
        padding = (kernel[0] // 2, kernel[1] // 2)
        y = torch.conv2d(x, w, None, stride, padding, dilation, 3)
        grad = tensor(random(*y.shape))
        # The definition: columns of each channel times the gradients of its two outputs.
        columns = torch.nn.functional.unfold(
            x.reshape(6, 1, 12, width), kernel, dilation, padding, stride
        )
        rows = grad.reshape(2, 3, 2, -1).reshape(6, 2, -1)
        wanted = (rows @ columns.mT).reshape(2, 3, 2, -1).sum(0).reshape(6, 1, *kernel)
        given = w.detach().to(dtype).requires_grad_()
        torch.conv2d(x.to(dtype), given, None, stride, padding, dilation, 3).backward(
            grad.to(dtype)
        )
        close(given.grad, wanted.numpy())


@pytest.mark.parametrize("width", [5, 19, 35])
def test_infinite_inputs_reach_their_own_depthwise_weights_alone(width: int) -> None:
    x = tensor(random(1, 2, 6, width), torch.float32)
    x[..., -1] = torch.inf
    w = tensor(random(2, 1, 3, 3), torch.float32).requires_grad_()
    torch.conv2d(x, w, None, groups=2).sum().backward()
    assert w.grad is not None
    assert w.grad[..., :2].isfinite().all()
    assert w.grad[..., 2].isinf().all()


def test_a_narrow_convolution_is_rounded_once() -> None:
    x, w = (
        tensor(random(1, 8, 9, 9), torch.bfloat16),
        tensor(random(3, 8, 3, 3), torch.bfloat16),
    )
    expected = torch.conv2d(x.float(), w.float()).to(torch.bfloat16)
    assert torch.conv2d(x, w).equal(expected)


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolution_is_the_adjoint(dims: int, groups: int) -> None:
    x = random(2, 4, *_SIZES[dims])
    w = tensor(random(6, 4 // groups, *[3] * dims))
    y = _CONV[dims](tensor(x), w, None, 2, 1, 1, groups)
    z = tensor(random(*y.shape))
    sizes = _SIZES[dims]
    extra = [n - ((m - 1) * 2 - 2 + 3) for n, m in zip(sizes, y.shape[2:], strict=True)]
    back = _CONV_T[dims](z, w, None, 2, 1, extra, groups)
    assert back.shape == torch.Size(x.shape)
    assert (y * z).sum().item() == pytest.approx((tensor(x) * back).sum().item(), rel=1e-10)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("groups", [1, 2])
def test_gradients_of_convolution(transposed: bool, groups: int) -> None:
    x = tensor(random(2, 4, 5, 4), grad=True)
    w = tensor(random(4, 4 // groups, 3, 2), grad=True)
    bias = tensor(random(4), grad=True)

    def f(x: Any, w: Any, bias: Any) -> Any:
        if transposed:
            return torch.conv_transpose2d(x, w, bias, (2, 1), (1, 0), (1, 0), groups)
        return torch.conv2d(x, w, bias, (2, 1), (1, 0), (1, 2), groups)

    _differentiable(f, x, w, bias)


def test_padding_same() -> None:
    x, w = random(1, 2, 9, 8), random(3, 2, 4, 3)
    y = torch.conv2d(tensor(x), tensor(w), padding="same")
    assert y.shape == (1, 3, 9, 8)
    close(y, _conv(np.pad(x, [(0, 0), (0, 0), (1, 2), (1, 1)]), w, 1, 0, 1, 1))


def test_columns_of_an_image_are_those_of_convolution() -> None:
    x, w = random(2, 3, 7, 8), random(4, 3, 3, 2)
    columns = _nn.im2col(tensor(x), (3, 2), (2, 1), (1, 1), (1, 2))
    y = tensor(w.reshape(4, -1)) @ columns
    expected = torch.conv2d(tensor(x), tensor(w), None, (1, 2), (1, 1), (2, 1))
    close(y, np.array(expected.reshape(2, 4, -1).tolist()))
    z = tensor(random(*columns.shape))
    back = _nn.col2im(z, (7, 8), (3, 2), (2, 1), (1, 1), (1, 2))
    assert (columns * z).sum().item() == pytest.approx((tensor(x) * back).sum().item())


# ---- pooling ----


def _windows(x: Array, kernel: int, stride: int, padding: int, fill: float, dims: int) -> Array:
    lead = x.ndim - dims
    x = np.pad(x, [(0, 0)] * lead + [(padding, padding)] * dims, constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(
        x, [kernel] * dims, axis=tuple(range(lead, x.ndim))
    )
    steps = (slice(None),) * lead + (slice(None, None, stride),) * dims
    return view[steps]


_MAX = {1: torch.max_pool1d, 2: torch.max_pool2d, 3: torch.max_pool3d}
_AVG = {1: torch.avg_pool1d, 2: _nn.avg_pool2d, 3: _nn.avg_pool3d}


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize(("kernel", "stride", "padding"), [(2, 2, 0), (3, 2, 1), (3, 1, 1)])
def test_pooling(dims: int, kernel: int, stride: int, padding: int) -> None:
    x = random(2, 3, *_SIZES[dims])
    inner = tuple(range(-dims, 0))
    expected = _windows(x, kernel, stride, padding, -math.inf, dims).max(inner)
    close(_MAX[dims](tensor(x), kernel, stride, padding), expected)
    expected = _windows(x, kernel, stride, padding, 0, dims).mean(inner)
    close(_AVG[dims](tensor(x), kernel, stride, padding), expected)
    ones = _windows(np.ones_like(x), kernel, stride, padding, 0, dims).sum(inner)
    close(
        _AVG[dims](tensor(x), kernel, stride, padding, False, False),
        expected * kernel**dims / ones,
    )


def test_maxima_keep_nan_and_name_their_place() -> None:
    x = torch.tensor([[[1.0, math.nan, 3.0, 4.0]]])
    assert torch.max_pool1d(x, 2).isnan().tolist() == [[[True, False]]]
    values, places = torch.max_pool1d_with_indices(
        torch.tensor([[5.0, 1.0, 2.0, 9.0, 0.0]]), 2, 2, 0, 1, True
    )
    assert values.tolist() == [[5.0, 9.0, 0.0]]
    assert places.tolist() == [[0, 3, 4]]


def test_a_rounded_up_pooling_of_one_dimension_may_have_no_whole_window() -> None:
    # As in two dimensions: the only window reaches over the end.
    x = torch.tensor([[[5.0, 1.0]]])
    for step in (2, 3):
        assert torch.max_pool1d(x, 2, step, 0, step, True).tolist() == [[[5.0]]]
        wide = torch.max_pool2d(x[:, :, None], (1, 2), (1, step), 0, (1, step), True)
        assert wide.tolist() == [[[[5.0]]]]
    for stride, rounded_up in ((1, True), (2, False)):
        with pytest.raises(RuntimeError, match="Invalid computed output size: 0"):
            torch.max_pool1d(x, 2, stride, 0, 2, rounded_up)


@pytest.mark.parametrize("size", [1, 3, 5])
def test_adaptive_pooling(size: int) -> None:
    x = random(2, 3, 7)
    bounds = [(i * 7 // size, -(-(i + 1) * 7 // size)) for i in range(size)]
    mean = np.stack([x[..., a:b].mean(-1) for a, b in bounds], -1)
    best = np.stack([x[..., a:b].max(-1) for a, b in bounds], -1)
    close(torch.adaptive_avg_pool1d(tensor(x), size), mean)
    close(torch.adaptive_max_pool1d(tensor(x), size)[0], best)
    square = np.einsum("nca,ncb->ncab", x, x)
    close(
        _nn.adaptive_avg_pool2d(tensor(square), (size, size)),
        np.einsum("nca,ncb->ncab", mean, mean),
    )


@pytest.mark.parametrize(
    "f",
    [
        lambda x: torch.max_pool2d(x, 3, 2, 1),
        lambda x: _nn.avg_pool2d(x, 3, 2, 1, True, False),
        lambda x: _nn.adaptive_avg_pool2d(x, (2, 3)),
        lambda x: _nn.adaptive_max_pool2d(x, (2, 3))[0],
        lambda x: _nn.reflection_pad2d(x, (1, 2, 0, 3)),
        lambda x: _nn.replication_pad2d(x, (1, 2, -1, 3)),
        lambda x: torch.constant_pad_nd(x, (1, -2, 0, 3), 0.5),
        lambda x: _nn.pad(x, (1, 2, 2, 1), "circular"),
        lambda x: _nn.im2col(x, (2, 3), (1, 1), (1, 0), (2, 1)),
        lambda x: _nn.upsample_nearest2d(x, (7, 9), None),
        lambda x: _nn.upsample_bilinear2d(x, (7, 9), False, None),
        lambda x: _nn.upsample_bicubic2d(x, (7, 9), True, None),
    ],
)
def test_gradients_of_what_moves_images(f: Callable[[Any], Any]) -> None:
    _differentiable(f, tensor(random(1, 2, 5, 6), grad=True))


@pytest.mark.parametrize(
    ("mode", "numpy_mode"),
    [("constant", "constant"), ("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")],
)
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_padding(mode: str, numpy_mode: Any, dims: int) -> None:
    x = random(2, 3, *[4, 5, 6][:dims])
    pad = [1, 2, 3, 0, 2, 1][: 2 * dims]
    widths = [(0, 0), (0, 0)] + [(pad[2 * d], pad[2 * d + 1]) for d in reversed(range(dims))]
    close(_nn.pad(tensor(x), pad, mode), np.pad(x, widths, mode=numpy_mode))


def test_circular_padding_copies_what_negative_padding_left() -> None:
    x = torch.tensor([[[1.0, 2.0, 3.0]]])
    assert _nn.pad(x, (2, -1), "circular").tolist() == [[[1.0, 2.0, 1.0, 2.0]]]
    assert _nn.pad(x, (-1, -1), "circular").tolist() == [[[2.0]]]
    # There is nothing to copy for the rest, which was memory as it was found.
    for pad in ((2, -2), (-2, 2), (3, -1)):
        with pytest.raises(RuntimeError, match="wrapping around more than once"):
            _nn.pad(x, pad, "circular")


def test_pixel_shuffle_and_its_inverse() -> None:
    x = random(2, 12, 3, 4)
    expected = x.reshape(2, 3, 2, 2, 3, 4).transpose(0, 1, 4, 2, 5, 3).reshape(2, 3, 6, 8)
    y = torch.pixel_shuffle(tensor(x), 2)
    close(y, expected)
    close(torch.pixel_unshuffle(y, 2), x)
    close(
        torch.channel_shuffle(tensor(x), 3),
        x.reshape(2, 3, 4, 3, 4).swapaxes(1, 2).reshape(x.shape),
    )


def test_upsampling() -> None:
    x = random(1, 2, 4)
    close(_nn.upsample_nearest1d(tensor(x), [12], None), x.repeat(3, -1))
    places = np.clip((np.arange(10) + 0.5) * 0.4 - 0.5, 0, 3)
    expected = np.stack([np.interp(places, np.arange(4), row) for row in x[0]])[None]
    close(_nn.upsample_linear1d(tensor(x), None, False, [2.5]), expected)
    expected = np.stack([np.interp(np.linspace(0, 3, 7), np.arange(4), row) for row in x[0]])[None]
    close(_nn.upsample_linear1d(tensor(x), [7], True, None), expected)
    plane = np.einsum("a,b->ab", x[0, 0], x[0, 1])[None, None]
    line = [np.interp(np.linspace(0, 3, 7), np.arange(4), row) for row in x[0]]
    close(
        _nn.upsample_bilinear2d(tensor(plane), [7, 7], True, None),
        np.einsum("a,b->ab", *line)[None, None],
    )
    # Bicubic interpolation keeps the elements where it meets them, and constants everywhere.
    close(_nn.upsample_bicubic2d(tensor(plane), [7, 7], True, None)[..., ::2, ::2], plane)
    close(
        _nn.upsample_bicubic2d(tensor(np.full((1, 1, 3, 3), 2.5)), [8, 5], False, None),
        np.full((1, 1, 8, 5), 2.5),
    )


def _resampled(line: Array, after: int, mode: str) -> Array:
    """By the definition: each output is a weighed mean around its place."""
    before = len(line)
    step = before / after
    width = max(step, 1)
    result = np.zeros(after)
    for i in range(after):
        middle, total = (i + 0.5) * step, 0.0
        for j in range(before):
            x = abs(j + 0.5 - middle) / width
            if mode == "bilinear":
                weight = max(0, 1 - x)
            elif x < 1:
                weight = 1.5 * x**3 - 2.5 * x**2 + 1
            else:
                weight = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2 if x < 2 else 0
            total += weight
            result[i] += weight * line[j]
        result[i] /= total
    return result


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("size", [(5, 4), (9, 20), (1, 11)], ids=str)
def test_resampling_with_a_wide_filter(mode: str, size: tuple[int, int]) -> None:
    x = random(2, 1, 9, 11)
    interpolate = torch.nn.functional.interpolate
    expected = np.apply_along_axis(_resampled, 3, x, size[1], mode)
    expected = np.apply_along_axis(_resampled, 2, expected, size[0], mode)
    found = interpolate(tensor(x), size, mode=mode, antialias=True)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-9, atol=1e-12)
    image = tensor(x).requires_grad_()
    _differentiable(lambda x: interpolate(x, size, mode=mode, antialias=True), image)
    with pytest.raises(ValueError, match="restricted to bilinear and bicubic modes and requires a"):
        interpolate(tensor(x), size, mode="nearest", antialias=True)
    with pytest.raises(NotImplementedError, match="not implemented for 'Int'"):
        interpolate(tensor(x).int(), size, mode=mode, antialias=True)
    narrow = interpolate(tensor(x).bfloat16(), size, mode=mode, antialias=True)
    np.testing.assert_allclose(narrow.double().numpy(), expected, rtol=0.02, atol=0.05)
    meta = interpolate(torch.empty(2, 1, 9, 11, device="meta"), size, mode=mode, antialias=True)
    assert meta.shape == (2, 1, *size)


@pytest.mark.parametrize(
    ("mode", "shape", "size"),
    [
        ("linear", (2, 3, 7), (19,)),
        ("bilinear", (2, 3, 7, 5), (13, 11)),
        ("bilinear", (1, 2, 6, 40), (3, 70)),
        ("bilinear", (1, 16, 5, 4), (9, 1)),
        ("bicubic", (1, 2, 7, 9), (15, 20)),
        ("bicubic", (1, 1, 12, 3), (5, 2)),
        ("trilinear", (1, 2, 3, 4, 5), (5, 9, 7)),
        ("nearest", (1, 2, 4, 5), (9, 17)),
    ],
    ids=str,
)
def test_gradients_of_resampling_are_its_transpose(
    mode: str, shape: tuple[int, ...], size: tuple[int, ...]
) -> None:
    kwargs = {} if mode == "nearest" else {"align_corners": bool(RNG.integers(2))}
    interpolate = torch.nn.functional.interpolate
    count = math.prod(shape[2:])
    units = torch.eye(count, dtype=torch.float64).view(count, 1, *shape[2:])
    matrix = interpolate(units, size, mode=mode, **kwargs).reshape(count, -1)
    for dtype, limit in ((torch.float64, 1e-12), (torch.float32, 1e-4), (torch.bfloat16, 0.05)):
        x = torch.zeros(shape, dtype=dtype, requires_grad=True)
        slope = tensor(random(*shape[:2], *size)).to(dtype)
        interpolate(x, size, mode=mode, **kwargs).backward(slope)
        wanted = slope.double().flatten(2) @ matrix.T
        np.testing.assert_allclose(
            x.grad.double().flatten(2).numpy(), wanted.numpy(), rtol=limit, atol=limit
        )


def _keys(x: float, a: float) -> float:
    """Keys' cubic at a distance."""
    x = abs(x)
    if x < 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a if x < 2 else 0.0


def _byte_windows(
    before: int, after: int, mode: str, corners: bool, factor: float | None, wide: bool
) -> tuple[list[tuple[int, list[int]]], int]:
    """Of each output: where it begins to read, and its weights times a power of 2."""
    if corners:
        step = (before - 1) / (after - 1) if after > 1 else 0.0
    else:
        step = 1 / factor if factor else before / after
    reach = 1 if mode == "bilinear" else 2
    middle = -0.5 if wide else -0.75

    def kernel(x: float) -> float:
        return max(1 - abs(x), 0.0) if mode == "bilinear" else _keys(x, middle)

    windows, greatest = [], 0.0
    for i in range(after):
        if wide:
            width, place = max(step, 1.0), step * (i + 0.5)
            first = max(int(place - reach * width + 0.5), 0)
            end = min(int(place + reach * width + 0.5), before)
            weights = [kernel((j + first - place + 0.5) * (1 / width)) for j in range(end - first)]
            total = 0.0
            for weight in weights:
                total += weight
            weights = [weight / total for weight in weights]
            greatest = max([greatest, *weights])
        else:
            place = step * i if corners else step * (i + 0.5) - 0.5
            if mode == "bilinear" and not corners:
                place = max(place, 0.0)
            low = min(math.floor(place), before - 1)
            part = min(max(place - low, 0.0), 1.0)
            first = max(low - reach + 1, 0)
            weights = [0.0] * (min(low + reach + 1, before) - first)
            for j in range(2 * reach):
                at = min(max(low - reach + 1 + j, 0), before - 1) - first
                weights[at] += kernel(j + 1 - reach - part)
                greatest = max(greatest, weights[at])
        windows.append((first, weights))
    shift = 0
    while shift < 22 and int(0.5 + greatest * (1 << (shift + 1))) < 1 << 15:
        shift += 1
    return [
        (first, [int(w * (1 << shift) + math.copysign(0.5, w)) for w in weights])
        for first, weights in windows
    ], shift


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("factors", [None, (0.37, 1.9)])
@pytest.mark.parametrize("channels", [3, 17])
def test_bytes_are_resampled_with_integer_weights(
    mode: str, wide: bool, corners: bool, factors: tuple[float, float] | None, channels: int
) -> None:
    x = np.random.default_rng().integers(0, 256, (2, channels, 13, 21), dtype=np.uint8)
    x[1] = np.where(x[1] > 127, 255, 0)  # Bicubic filters overshoot.
    size = (4, 39) if factors else (31, 5)
    expected = x.astype(np.int64)
    for axis in (3, 2):
        factor = factors[axis - 2] if factors else None
        windows, shift = _byte_windows(x.shape[axis], size[axis - 2], mode, corners, factor, wide)
        lines = np.moveaxis(expected, axis, -1)
        sums = [(lines[..., a : a + len(w)] * np.array(w)).sum(-1) for a, w in windows]
        lines = (np.stack(sums, -1) + (1 << (shift - 1))) >> shift
        expected = np.moveaxis(np.clip(lines, 0, 255), -1, axis)
    arguments: dict[str, Any] = {"mode": mode, "align_corners": corners, "antialias": wide}
    arguments |= {"scale_factor": factors} if factors else {"size": size}
    image = torch.from_numpy(x)
    for given in (image, image.contiguous(memory_format=torch.channels_last)):
        found = torch.nn.functional.interpolate(given, **arguments)
        assert found.dtype == torch.uint8
        assert (
            found.stride()
            == torch.empty_like(given)
            .new_empty(found.shape)
            .contiguous(
                memory_format=torch.channels_last if given is not image else torch.contiguous_format
            )
            .stride()
        )
        assert np.array_equal(found.numpy(), expected)
    same = torch.nn.functional.interpolate(image, (13, 21), mode=mode, antialias=wide)
    assert torch.equal(same, image) and same.data_ptr() != image.data_ptr()
