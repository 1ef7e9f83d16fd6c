"""Operators of neural networks against NumPy in float64, on random inputs, and their gradients."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck

Array = np.ndarray[Any, Any]
_nn: Any = torch._C._nn
_RNG = np.random.default_rng()
_TOLERANCE = {torch.float32: 3e-5, torch.float64: 1e-11, torch.bfloat16: 3e-2, torch.float16: 4e-3}


def _random(*shape: int) -> Array:
    return _RNG.uniform(-2, 2, shape)


def _tensor(array: Array, dtype: Any = torch.float64, grad: bool = False) -> Any:
    return torch.tensor(array.tolist(), dtype=dtype, requires_grad=grad)


def _close(actual: Any, expected: Array) -> None:
    tolerance = _TOLERANCE[actual.dtype]
    got = np.array(actual.tolist(), dtype=np.float64).reshape(actual.shape)
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


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
    x = _random(2, 4, *_SIZES[dims])
    w = _random(8, 4 // groups, *[3] * dims)
    bias = _random(8)
    y = _CONV[dims](
        _tensor(x, dtype),
        _tensor(w, dtype),
        _tensor(bias, dtype),
        stride,
        padding,
        dilation,
        groups,
    )
    assert y.dtype is dtype
    expected = _conv(x, w, stride, padding, dilation, groups)
    _close(y, expected + bias.reshape(-1, *[1] * dims))


def test_a_convolution_of_more_than_one_tile() -> None:
    # Columns of 32 * 9 elements for 5000 places do not fit one tile.
    x, w = _random(1, 32, 70, 72), _random(5, 32, 3, 3)
    _close(
        torch.conv2d(_tensor(x, torch.float32), _tensor(w, torch.float32), padding=1),
        _conv(x, w, 1, 1, 1, 1),
    )


@pytest.mark.parametrize("kernel", [1, 5])
def test_depthwise_and_pointwise_convolution(kernel: int) -> None:
    x = _random(2, 6, 17, 40)
    w = _random(12, 1, kernel, kernel)
    y = torch.conv2d(
        _tensor(x, torch.float32), _tensor(w, torch.float32), None, 2, kernel // 2, 1, 6
    )
    _close(y, _conv(x, w, 2, kernel // 2, 1, 6))
    w = _random(7, 6, 1, 1)
    _close(
        torch.conv2d(_tensor(x, torch.float32), _tensor(w, torch.float32)), _conv(x, w, 1, 0, 1, 1)
    )


def test_a_narrow_convolution_is_rounded_once() -> None:
    x, w = (
        _tensor(_random(1, 8, 9, 9), torch.bfloat16),
        _tensor(_random(3, 8, 3, 3), torch.bfloat16),
    )
    expected = torch.conv2d(x.float(), w.float()).to(torch.bfloat16)
    assert torch.conv2d(x, w).equal(expected)


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolution_is_the_adjoint(dims: int, groups: int) -> None:
    x = _random(2, 4, *_SIZES[dims])
    w = _tensor(_random(6, 4 // groups, *[3] * dims))
    y = _CONV[dims](_tensor(x), w, None, 2, 1, 1, groups)
    z = _tensor(_random(*y.shape))
    sizes = _SIZES[dims]
    extra = [n - ((m - 1) * 2 - 2 + 3) for n, m in zip(sizes, y.shape[2:], strict=True)]
    back = _CONV_T[dims](z, w, None, 2, 1, extra, groups)
    assert back.shape == torch.Size(x.shape)
    assert (y * z).sum().item() == pytest.approx((_tensor(x) * back).sum().item(), rel=1e-10)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("groups", [1, 2])
def test_gradients_of_convolution(transposed: bool, groups: int) -> None:
    x = _tensor(_random(2, 4, 5, 4), grad=True)
    w = _tensor(_random(4, 4 // groups, 3, 2), grad=True)
    bias = _tensor(_random(4 // groups * groups if not transposed else 4), grad=True)

    def f(x: Any, w: Any, bias: Any) -> Any:
        if transposed:
            return torch.conv_transpose2d(x, w, bias, (2, 1), (1, 0), (1, 0), groups)
        return torch.conv2d(x, w, bias, (2, 1), (1, 0), (1, 2), groups)

    _differentiable(f, x, w, bias)


def test_padding_same() -> None:
    x, w = _random(1, 2, 9, 8), _random(3, 2, 4, 3)
    y = torch.conv2d(_tensor(x), _tensor(w), padding="same")
    assert y.shape == (1, 3, 9, 8)
    _close(y, _conv(np.pad(x, [(0, 0), (0, 0), (1, 2), (1, 1)]), w, 1, 0, 1, 1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: torch.conv2d(torch.ones(1, 3, 4, 4), torch.ones(2, 4, 3, 3)),
            r"expected input\[1, 3, 4, 4\] to have 4 channels, but got 3 channels instead",
        ),
        (
            lambda: torch.conv2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 3, 3)),
            r"Calculated padded input size per channel: \(2 x 2\). Kernel size: \(3 x 3\)",
        ),
        (
            lambda: torch.conv1d(torch.ones(3), torch.ones(1, 1, 1)),
            r"Expected 2D \(unbatched\) or 3D \(batched\) input to conv1d",
        ),
        (
            lambda: torch.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 3, 3), stride=0),
            "non-positive stride is not supported",
        ),
        (
            lambda: torch.conv2d(
                torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2), padding="same", stride=2
            ),
            "padding='same' is not supported for strided convolutions",
        ),
        (
            lambda: torch.max_pool2d(torch.ones(1, 4, 4), 2, padding=2),
            "pad should be at most half of effective kernel size",
        ),
        (lambda: torch.max_pool2d(torch.ones(1, 1, 1), 2), "Output size is too small"),
        (
            lambda: _nn.reflection_pad1d(torch.ones(1, 2), (2, 0)),
            "Padding size should be less than the corresponding input dimension",
        ),
        (lambda: _nn.pad(torch.ones(2), (1, 1, 1, 1)), "Padding length should be less than"),
        (lambda: _nn.glu(torch.ones(3)), "Halving dimension must be even"),
        (lambda: torch.group_norm(torch.ones(2, 3), 2), "divisible by num_groups"),
        (lambda: torch.pixel_shuffle(torch.ones(3, 2, 2), 2), "divisible by the square"),
        (
            lambda: _nn.upsample_nearest2d(torch.ones(1, 1, 2), [2, 2], None),
            "It is expected|output_size must",
        ),
        (
            lambda: _nn.scaled_dot_product_attention(
                torch.ones(2, 3), torch.ones(2, 3).double(), torch.ones(2, 3)
            ),
            "Expected query, key, and value to have the same dtype",
        ),
        (lambda: torch.prelu(torch.ones(1, 3), torch.ones(2)), "Mismatch of parameter numbers"),
    ],
)
def test_errors(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        call()


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
    x = _random(2, 3, *_SIZES[dims])
    inner = tuple(range(-dims, 0))
    expected = _windows(x, kernel, stride, padding, -math.inf, dims).max(inner)
    _close(_MAX[dims](_tensor(x), kernel, stride, padding), expected)
    expected = _windows(x, kernel, stride, padding, 0, dims).mean(inner)
    _close(_AVG[dims](_tensor(x), kernel, stride, padding), expected)
    ones = _windows(np.ones_like(x), kernel, stride, padding, 0, dims).sum(inner)
    _close(
        _AVG[dims](_tensor(x), kernel, stride, padding, False, False),
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


@pytest.mark.parametrize("size", [1, 3, 5])
def test_adaptive_pooling(size: int) -> None:
    x = _random(2, 3, 7)
    bounds = [(i * 7 // size, -(-(i + 1) * 7 // size)) for i in range(size)]
    mean = np.stack([x[..., a:b].mean(-1) for a, b in bounds], -1)
    best = np.stack([x[..., a:b].max(-1) for a, b in bounds], -1)
    _close(torch.adaptive_avg_pool1d(_tensor(x), size), mean)
    _close(torch.adaptive_max_pool1d(_tensor(x), size)[0], best)
    square = np.einsum("nca,ncb->ncab", x, x)
    _close(
        _nn.adaptive_avg_pool2d(_tensor(square), (size, size)),
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
    _differentiable(f, _tensor(_random(1, 2, 5, 6), grad=True))


@pytest.mark.parametrize(
    ("mode", "numpy_mode"),
    [("constant", "constant"), ("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")],
)
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_padding(mode: str, numpy_mode: Any, dims: int) -> None:
    x = _random(2, 3, *[4, 5, 6][:dims])
    pad = [1, 2, 3, 0, 2, 1][: 2 * dims]
    widths = [(0, 0), (0, 0)] + [(pad[2 * d], pad[2 * d + 1]) for d in reversed(range(dims))]
    _close(_nn.pad(_tensor(x), pad, mode), np.pad(x, widths, mode=numpy_mode))


# ---- normalisation ----


def _normal(x: Array, axes: tuple[int, ...], eps: float) -> Array:
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(x.var(axes, keepdims=True) + eps)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shape", [(6, 5), (3, 5, 40), (2, 5, 9, 11)])
def test_batch_norm(dtype: Any, shape: tuple[int, ...]) -> None:
    x, w, b = 5 + _random(*shape), _random(5), _random(5)
    mean, var = _random(5), np.abs(_random(5)) + 0.5
    axes = (0, *range(2, len(shape)))
    column = (1, 5) + (1,) * (len(shape) - 2)
    running_mean, running_var = _tensor(mean, dtype), _tensor(var, dtype)
    arguments = (_tensor(x, dtype), _tensor(w, dtype), _tensor(b, dtype), running_mean, running_var)
    y = torch.batch_norm(*arguments, False, 0.1, 1e-5, False)
    frozen = (x - mean.reshape(column)) / np.sqrt(var.reshape(column) + 1e-5)
    _close(y, frozen * w.reshape(column) + b.reshape(column))
    y = torch.batch_norm(*arguments, True, 0.1, 1e-5, False)
    _close(y, _normal(x, axes, 1e-5) * w.reshape(column) + b.reshape(column))
    _close(running_mean, 0.9 * mean + 0.1 * x.mean(axes))
    _close(running_var, 0.9 * var + 0.1 * x.var(axes, ddof=1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_other_normalisations(dtype: Any) -> None:
    x, w, b = 3 + _random(2, 6, 7, 5), _random(6), _random(6)
    column = (1, 6, 1, 1)
    affine = (_tensor(w, dtype), _tensor(b, dtype))
    grouped = _normal(x.reshape(2, 3, -1), (2,), 1e-5).reshape(x.shape)
    _close(
        torch.group_norm(_tensor(x, dtype), 3, *affine),
        grouped * w.reshape(column) + b.reshape(column),
    )
    y = torch.instance_norm(_tensor(x, dtype), *affine, None, None, True, 0.1, 1e-5, False)
    _close(y, _normal(x, (2, 3), 1e-5) * w.reshape(column) + b.reshape(column))
    gamma, beta = _random(7, 5), _random(7, 5)
    y = torch.layer_norm(_tensor(x, dtype), (7, 5), _tensor(gamma, dtype), _tensor(beta, dtype))
    _close(y, _normal(x, (2, 3), 1e-5) * gamma + beta)
    y = torch.rms_norm(_tensor(x, dtype), (5,), _tensor(gamma[0], dtype), 1e-3)
    _close(y, x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-3) * gamma[0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x, w, b: torch.batch_norm(x, w, b, None, None, True, 0.1, 1e-5, False),
        lambda x, w, b: torch.batch_norm(
            x, w, b, torch.zeros(4).double(), torch.ones(4).double(), False, 0.1, 1e-5, False
        ),
        lambda x, w, b: torch.group_norm(x, 2, w, b),
        lambda x, w, b: torch.instance_norm(x, w, b, None, None, True, 0.1, 1e-5, False),
    ],
)
def test_gradients_of_normalisation(f: Callable[..., Any]) -> None:
    arguments = (_random(3, 4, 3), _random(4), _random(4))
    _differentiable(f, *(_tensor(a, grad=True) for a in arguments))


def test_gradients_of_layer_and_rms_norm() -> None:
    x, w = _tensor(_random(3, 4, 37), grad=True), _tensor(_random(37), grad=True)
    b = _tensor(_random(37), grad=True)
    assert gradcheck(lambda x, w, b: torch.layer_norm(x, (37,), w, b), (x, w, b))
    _differentiable(
        lambda x, w: torch.rms_norm(x, (5,), w, 1e-3),
        _tensor(_random(3, 5), grad=True),
        _tensor(_random(5), grad=True),
    )


# ---- activation functions ----


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


_ACTIVATIONS: dict[str, tuple[Callable[[Any], Any], Callable[[Array], Array]]] = {
    "elu": (
        lambda x: _nn.elu(x, 1.5, 1.2, 0.7),
        lambda x: 1.2 * np.where(x > 0, x, 1.5 * np.expm1(0.7 * x)),
    ),
    "selu": (
        torch.selu,
        lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    ),
    "celu": (lambda x: torch.celu(x, 1.3), lambda x: np.where(x > 0, x, 1.3 * np.expm1(x / 1.3))),
    "hardtanh": (lambda x: _nn.hardtanh(x, -0.5, 1.25), lambda x: np.clip(x, -0.5, 1.25)),
    "relu6": (lambda x: _nn.relu6(4 * x), lambda x: np.clip(4 * x, 0, 6)),
    "hardswish": (lambda x: _nn.hardswish(3 * x), lambda x: 3 * x * np.clip(3 * x + 3, 0, 6) / 6),
    "hardsigmoid": (lambda x: _nn.hardsigmoid(3 * x), lambda x: np.clip(3 * x + 3, 0, 6) / 6),
    "softshrink": (
        lambda x: _nn.softshrink(x, 0.4),
        lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.4, 0),
    ),
    "hardshrink": (lambda x: torch.hardshrink(x, 0.4), lambda x: np.where(np.abs(x) > 0.4, x, 0)),
    "mish": (lambda x: _nn.mish(9 * x), lambda x: 9 * x * np.tanh(np.log1p(np.exp(9 * x)))),
    "glu": (lambda x: _nn.glu(x, 1), lambda x: x[:, :20] * _sigmoid(x[:, 20:])),
    "log_sigmoid": (_nn.log_sigmoid, lambda x: np.log(_sigmoid(x))),
    "rrelu": (lambda x: torch.rrelu(x, 0.1, 0.3), lambda x: np.where(x > 0, x, 0.2 * x)),
    "prelu": (
        lambda x: torch.prelu(x, torch.full((40,), 0.3, dtype=x.dtype)),
        lambda x: np.where(x > 0, x, 0.3 * x),
    ),
}


@pytest.mark.parametrize("name", _ACTIVATIONS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_activations(name: str, dtype: Any) -> None:
    ours, reference = _ACTIVATIONS[name]
    x = _tensor(_random(5, 40), dtype)
    expected = reference(np.array(x.tolist()))
    _close(ours(x), expected)
    _close(ours(x.t().contiguous().t()), expected)


@pytest.mark.parametrize("name", [name for name in _ACTIVATIONS if name != "rrelu"])
def test_gradients_of_activations(name: str) -> None:
    _differentiable(_ACTIVATIONS[name][0], _tensor(_random(1, 40), grad=True))


# ---- attention ----


def _attention(q: Array, k: Array, v: Array, mask: Array | None) -> Array:
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("queries", "keys"), [(5, 7), (130, 300), (300, 130)])
@pytest.mark.parametrize("kind", ["none", "causal", "bool", "float"])
def test_attention(dtype: Any, queries: int, keys: int, kind: str) -> None:
    q, k, v = _random(2, 3, queries, 16), _random(2, 3, keys, 16), _random(2, 3, keys, 16)
    tensors = [_tensor(a, dtype) for a in (q, k, v)]
    allowed = np.tri(queries, keys, dtype=bool)
    if kind == "bool":
        allowed = _RNG.random((2, 1, queries, keys)) < 0.5
        allowed[..., 0] = True
    mask: Array | None = np.where(allowed, 0.0, -np.inf)
    argument = None
    if kind == "none":
        mask = None
    elif kind == "bool":
        argument = torch.tensor(allowed.tolist())
    elif kind == "float":
        mask = _random(3, queries, keys)
        argument = _tensor(mask, dtype)
    y = _nn.scaled_dot_product_attention(*tensors, argument, 0.0, kind == "causal")
    _close(y, _attention(q, k, v, mask))


def test_attention_without_a_batch_with_dropout_and_with_shared_heads() -> None:
    q, k, v = _random(4, 8), _random(6, 8), _random(6, 5)
    _close(
        _nn.scaled_dot_product_attention(_tensor(q), _tensor(k), _tensor(v)),
        _attention(q, k, v, None),
    )
    q, k, v = _random(1, 6, 4, 8), _random(1, 2, 5, 8), _random(1, 2, 5, 8)
    y = _nn.scaled_dot_product_attention(_tensor(q), _tensor(k), _tensor(v), enable_gqa=True)
    _close(y, _attention(q, k.repeat(3, 1), v.repeat(3, 1), None))
    ones = torch.ones(1, 1, 64, 64)
    dropped = _nn.scaled_dot_product_attention(ones, ones, ones, None, 0.5)
    assert dropped.min().item() < 0.95 and dropped.mean().item() == pytest.approx(1, abs=0.1)


def test_a_query_that_sees_nothing_has_no_output() -> None:
    x = torch.ones(1, 1, 3, 4)
    mask = torch.tensor([[True, True, True], [False, False, False], [True, False, False]])
    assert _nn.scaled_dot_product_attention(x, x, x, mask)[0, 0, :, 0].tolist() == [1, 0, 1]
    assert _nn.scaled_dot_product_attention(x[0, 0], x[0, 0], x[0, 0], mask)[:, 0].tolist() == [
        1,
        0,
        1,
    ]


@pytest.mark.parametrize("causal", [False, True])
def test_gradients_of_attention(causal: bool) -> None:
    arguments = [_tensor(_random(1, 2, 4, 3), grad=True) for _ in range(3)]
    _differentiable(
        lambda q, k, v: _nn.scaled_dot_product_attention(q, k, v, None, 0.0, causal), *arguments
    )


# ---- losses ----


def _unit(x: Array) -> Array:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def test_losses() -> None:
    x, t = _random(6, 5), _random(6, 5)
    d = np.abs(x - t)
    sign = np.where(_RNG.random(6) < 0.5, 1.0, -1.0)
    a, b = _tensor(x), _tensor(t)
    _close(_nn.smooth_l1_loss(a, b, 0, 0.7), np.where(d < 0.7, d * d / 1.4, d - 0.35))
    _close(_nn.huber_loss(a, b, 2, 0.7), np.where(d < 0.7, d * d / 2, 0.7 * (d - 0.35)).sum())
    p = np.abs(t)
    p[0, 0] = 0
    expected = np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0) - p * x
    _close(torch.kl_div(a, _tensor(p), 0), expected)
    _close(torch.kl_div(a, b, 1, log_target=True), (np.exp(t) * (t - x)).mean())
    _close(_nn.soft_margin_loss(a, b), np.log1p(np.exp(-x * t)).mean())
    cosine = (_unit(x) * _unit(t)).sum(-1)
    _close(torch.cosine_similarity(a, b), cosine)
    _close(torch.pairwise_distance(a, b, 2, 0.0), np.linalg.norm(x - t, axis=-1))
    expected = np.where(sign > 0, 1 - cosine, np.maximum(cosine - 0.1, 0))
    _close(torch.cosine_embedding_loss(a, b, _tensor(sign), 0.1, 0), expected)
    rows = sign[:, None]
    expected = np.maximum(-rows * (x - t) + 0.2, 0)
    _close(torch.margin_ranking_loss(a, b, _tensor(rows), 0.2, 0), expected)
    expected = np.where(rows > 0, x, np.maximum(1 - x, 0)).mean()
    _close(torch.hinge_embedding_loss(a, _tensor(rows * np.ones_like(x))), expected)
    n = _random(6, 5)
    near, far = (np.linalg.norm(x - o + 1e-6, axis=-1) for o in (t, n))
    _close(torch.triplet_margin_loss(a, b, _tensor(n)), np.maximum(near - far + 1, 0).mean())
    expected = np.exp(x) - p * x
    _close(torch.poisson_nll_loss(a, _tensor(p), True, False, 1e-8, 0), expected)


def test_losses_of_classes_over_images() -> None:
    x, classes = _random(2, 4, 3, 5), _RNG.integers(0, 4, (2, 3, 5))
    picked = np.take_along_axis(x, classes[:, None], 1)[:, 0]
    _close(_nn.nll_loss2d(_tensor(x), torch.tensor(classes.tolist())), -picked.mean())
    scores, targets = _random(2, 4), [[3, 0, -1, 1], [2, -1, 0, 1]]
    total = []
    for row, wanted in zip(scores, ([3, 0], [2]), strict=True):
        others = [i for i in range(4) if i not in wanted]
        total.append(sum(max(0.0, 1 - row[j] + row[i]) for j in wanted for i in others) / 4)
    _close(_nn.multilabel_margin_loss(_tensor(scores), torch.tensor(targets)), np.mean(total))


# ---- the rest ----


def test_columns_of_an_image_are_those_of_convolution() -> None:
    x, w = _random(2, 3, 7, 8), _random(4, 3, 3, 2)
    columns = _nn.im2col(_tensor(x), (3, 2), (2, 1), (1, 1), (1, 2))
    y = _tensor(w.reshape(4, -1)) @ columns
    expected = torch.conv2d(_tensor(x), _tensor(w), None, (1, 2), (1, 1), (2, 1))
    _close(y, np.array(expected.reshape(2, 4, -1).tolist()))
    z = _tensor(_random(*columns.shape))
    back = _nn.col2im(z, (7, 8), (3, 2), (2, 1), (1, 1), (1, 2))
    assert (columns * z).sum().item() == pytest.approx((_tensor(x) * back).sum().item())


def test_pixel_shuffle_and_its_inverse() -> None:
    x = _random(2, 12, 3, 4)
    expected = x.reshape(2, 3, 2, 2, 3, 4).transpose(0, 1, 4, 2, 5, 3).reshape(2, 3, 6, 8)
    y = torch.pixel_shuffle(_tensor(x), 2)
    _close(y, expected)
    _close(torch.pixel_unshuffle(y, 2), x)
    _close(
        torch.channel_shuffle(_tensor(x), 3),
        x.reshape(2, 3, 4, 3, 4).swapaxes(1, 2).reshape(x.shape),
    )


def test_upsampling() -> None:
    x = _random(1, 2, 4)
    _close(_nn.upsample_nearest1d(_tensor(x), [12], None), x.repeat(3, -1))
    places = np.clip((np.arange(10) + 0.5) * 0.4 - 0.5, 0, 3)
    expected = np.stack([np.interp(places, np.arange(4), row) for row in x[0]])[None]
    _close(_nn.upsample_linear1d(_tensor(x), None, False, [2.5]), expected)
    expected = np.stack([np.interp(np.linspace(0, 3, 7), np.arange(4), row) for row in x[0]])[None]
    _close(_nn.upsample_linear1d(_tensor(x), [7], True, None), expected)
    plane = np.einsum("a,b->ab", x[0, 0], x[0, 1])[None, None]
    line = [np.interp(np.linspace(0, 3, 7), np.arange(4), row) for row in x[0]]
    _close(
        _nn.upsample_bilinear2d(_tensor(plane), [7, 7], True, None),
        np.einsum("a,b->ab", *line)[None, None],
    )
    # Bicubic interpolation keeps the elements where it meets them, and constants everywhere.
    _close(_nn.upsample_bicubic2d(_tensor(plane), [7, 7], True, None)[..., ::2, ::2], plane)
    _close(
        _nn.upsample_bicubic2d(_tensor(np.full((1, 1, 3, 3), 2.5)), [8, 5], False, None),
        np.full((1, 1, 8, 5), 2.5),
    )


def test_bilinear_form() -> None:
    x, y, w, b = _random(5, 3), _random(5, 4), _random(2, 3, 4), _random(2)
    expected = np.einsum("ni,oij,nj->no", x, w, y) + b
    _close(torch.bilinear(*map(_tensor, (x, y, w, b))), expected)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_bags_of_embeddings(mode: int) -> None:
    weight = _random(7, 3)
    indices, offsets = [1, 2, 4, 5, 4, 3], [0, 2, 2]
    output = torch.embedding_bag(
        _tensor(weight), torch.tensor(indices), torch.tensor(offsets), False, mode
    )[0]
    bags = [weight[[1, 2]], weight[[]], weight[[4, 5, 4, 3]]]
    reduce = [np.sum, np.mean, np.max][mode]
    _close(output, np.stack([reduce(b, 0) if len(b) else np.zeros(3) for b in bags]))


def test_dropout_of_channels() -> None:
    y = torch.feature_dropout(torch.ones(50, 20, 3, 3), 0.4, True)
    channels = y.flatten(2)
    assert channels.amin(-1).equal(channels.amax(-1))
    assert sorted(set(channels.flatten().tolist())) == pytest.approx([0, 1 / 0.6])
    x = torch.randn(100000)
    kept = torch.alpha_dropout(x, 0.3, True)
    assert kept.mean().item() == pytest.approx(0, abs=0.05)
    assert kept.std().item() == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("name", ["_softmax_backward_data", "_log_softmax_backward_data"])
def test_softmax_backward_refuses_two_dtypes(name: str) -> None:
    grad, backward = torch.ones(2, 3), getattr(torch, name)
    assert backward(grad, grad, 1, torch.float32).dtype == torch.float32
    for output, dtype in ((grad, torch.float16), (grad.double(), torch.float32)):
        with pytest.raises(RuntimeError, match="expected gradient, output and input of one dtype"):
            backward(grad, output, 1, dtype)
