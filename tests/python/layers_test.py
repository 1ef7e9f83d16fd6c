"""Layers against NumPy loops in double precision, their gradients against finite differences."""

from __future__ import annotations

import itertools
import math
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.autograd import gradcheck
from torch.nn import functional as F

RTOL = 1e-9


def random(*shape: int) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng().normal(size=shape))


def check(actual: torch.Tensor, expected: Any) -> None:
    np.testing.assert_allclose(actual.detach().numpy(), expected, rtol=RTOL, atol=1e-10)


def convolve(
    x: np.ndarray, w: np.ndarray, stride: int, padding: int, dilation: int, groups: int
) -> np.ndarray:
    """A two-dimensional convolution, one multiplication after the other."""
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    out_channels, inner, kh, kw = w.shape
    height = (x.shape[2] - dilation * (kh - 1) - 1) // stride + 1
    width = (x.shape[3] - dilation * (kw - 1) - 1) // stride + 1
    y = np.zeros((x.shape[0], out_channels, height, width))
    for n, o, i, j in np.ndindex(*y.shape):
        first = o // (out_channels // groups) * inner
        for c, a, b in np.ndindex(inner, kh, kw):
            pixel = x[n, first + c, i * stride + a * dilation, j * stride + b * dilation]
            y[n, o, i, j] += pixel * w[o, c, a, b]
    return y


@pytest.mark.parametrize(("stride", "padding", "dilation", "groups"), [
    (1, 0, 1, 1), (2, 1, 1, 1), (1, 2, 2, 2), (3, 1, 1, 2),
])  # fmt: skip
def test_conv2d(stride: int, padding: int, dilation: int, groups: int) -> None:
    x, w, b = random(2, 4, 6, 5), random(6, 4 // groups, 3, 2), random(6)
    expected = convolve(x.numpy(), w.numpy(), stride, padding, dilation, groups)
    actual = F.conv2d(x, w, b, stride, padding, dilation, groups)
    check(actual, expected + b.numpy()[:, None, None])


def test_conv_transpose_is_the_gradient_of_conv() -> None:
    x = random(2, 4, 7, 6).requires_grad_()
    w = random(6, 2, 3, 3)
    y = F.conv2d(x, w, stride=2, padding=1, groups=2)
    g = random(*y.shape)
    y.backward(g)
    assert x.grad is not None
    extra = (x.size(2) - ((y.size(2) - 1) * 2 + 1), x.size(3) - ((y.size(3) - 1) * 2 + 1))
    transposed = F.conv_transpose2d(g, w, None, 2, 1, extra, 2)
    check(transposed, x.grad.numpy())


def test_convolutions_in_one_and_three_dimensions() -> None:
    x, w = random(2, 3, 9), random(4, 3, 3)
    flat = F.conv2d(x.unsqueeze(2), w.unsqueeze(2), padding=(0, 1))
    check(F.conv1d(x, w, padding=1), flat.squeeze(2).numpy())
    x, w = random(1, 2, 1, 5, 4), random(3, 2, 1, 2, 2)
    check(F.conv3d(x, w).squeeze(2), F.conv2d(x.squeeze(2), w.squeeze(2)).numpy())
    assert F.conv2d(random(2, 6, 6), random(3, 2, 3, 3), padding="same").shape == (3, 6, 6)


WINDOWS = [(2, 2, 0, False), (3, 2, 1, False), (3, 2, 1, True), (2, 1, 0, False)]


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil"), WINDOWS)
def test_pooling(kernel: int, stride: int, padding: int, ceil: bool) -> None:
    x = random(2, 3, 7, 6)
    round_ = math.ceil if ceil else math.floor
    sizes = [round_((n + 2 * padding - kernel) / stride) + 1 for n in (7, 6)]
    sizes = [s - ((s - 1) * stride >= n + padding) for s, n in zip(sizes, (7, 6), strict=True)]
    largest, mean = np.zeros((2, 3, *sizes)), np.zeros((2, 3, *sizes))
    for n, c, i, j in np.ndindex(*largest.shape):
        rows, columns = (
            range(max(0, k * stride - padding), min(size, k * stride - padding + kernel))
            for k, size in ((i, 7), (j, 6))
        )
        seen = [x[n, c, a, b].item() for a, b in itertools.product(rows, columns)]
        largest[n, c, i, j], mean[n, c, i, j] = max(seen), sum(seen) / len(seen)
    check(F.max_pool2d(x, kernel, stride, padding, ceil_mode=ceil), largest)
    check(F.avg_pool2d(x, kernel, stride, padding, ceil, count_include_pad=False), mean)


def test_adaptive_and_other_pools() -> None:
    x = random(2, 3, 7, 6)
    mean = F.adaptive_avg_pool2d(x, (3, None))
    for i, (start, end) in enumerate([(0, 3), (2, 5), (4, 7)]):
        check(mean[:, :, i], x.numpy()[:, :, start:end].mean(2))
    check(F.adaptive_max_pool2d(x, 1).squeeze(), x.numpy().max((2, 3)))
    values, places = F.max_pool2d(x[..., :6, :], 2, return_indices=True)
    check(x[..., :6, :].flatten(2).gather(2, places.flatten(2)), values.flatten(2).numpy())
    back = F.max_unpool2d(values, places, 2)
    assert back.shape == (2, 3, 6, 6)
    assert F.max_unpool2d(values, places, 2, output_size=(2, 3, 7, 6)).shape == (2, 3, 7, 6)
    with pytest.raises(ValueError, match="dim 0 must be between 4 and 8"):
        F.max_unpool2d(values, places, 2, output_size=(9, 6))
    with pytest.raises(ValueError, match="containing 2 or 4 elements, but it has a length of '3'"):
        F.max_unpool2d(values, places, 2, output_size=(3, 6, 6))
    check(back.sum(), values.sum().numpy())
    check(
        F.lp_pool1d(x[0].abs(), 2, 3),
        np.sqrt((x[0].numpy()[..., :6] ** 2).reshape(3, 7, 2, 3).sum(-1)),
    )
    windows = np.abs(x[0].numpy()[..., :6].reshape(3, 7, 2, 3))
    check(F.lp_pool1d(x[0], math.inf, 3), windows.max(-1))
    check(F.lp_pool1d(x[0], -math.inf, 3), windows.min(-1))
    assert F.lp_pool2d(x.int(), math.inf, 3, ceil_mode=True).shape == (2, 3, 3, 2)
    volume = random(1, 2, 4, 6, 2)
    blocks = volume.numpy().reshape(1, 2, 2, 2, 3, 2, 1, 2)
    check(nn.LPPool3d(2, 2)(volume), np.sqrt((blocks**2).sum((3, 5, 7))))
    values, places = nn.MaxPool3d(2, return_indices=True)(volume)
    back = nn.MaxUnpool3d(2)(values, places)
    largest = blocks.max((3, 5, 7), keepdims=True)
    check(back, np.where(blocks == largest, blocks, 0).reshape(back.shape))


@pytest.mark.parametrize(
    ("mode", "name"), [("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")]
)
def test_padding(mode: str, name: Any) -> None:
    x = random(2, 3, 5, 4)
    expected = np.pad(x.numpy(), ((0, 0), (0, 0), (1, 2), (3, 0)), mode=name)
    check(F.pad(x, (3, 0, 1, 2), mode=mode), expected)
    check(
        F.pad(x, (1, -1), value=2.5),
        np.pad(x.numpy()[..., :3], ((0, 0),) * 3 + ((1, 0),), constant_values=2.5),
    )
    with pytest.raises(RuntimeError, match="Padding size should be less than"):
        F.pad(x, (9, 0, 0, 0), mode="reflect")


def test_normalisation() -> None:
    x = random(4, 6, 5)
    a = x.numpy()

    def normal(values: np.ndarray, axes: Any) -> np.ndarray:
        mean, var = values.mean(axes, keepdims=True), values.var(axes, keepdims=True)
        return (values - mean) / np.sqrt(var + 1e-5)

    batch = nn.BatchNorm1d(6, dtype=torch.float64)
    check(batch(x), normal(a, (0, 2)))
    check(batch.running_mean, 0.1 * a.mean((0, 2)))
    check(batch.running_var, 0.9 + 0.1 * a.var((0, 2), ddof=1))
    assert batch.num_batches_tracked.item() == 1
    batch.eval()
    scale = np.sqrt(batch.running_var.numpy() + 1e-5)[:, None]
    check(batch(x), (a - batch.running_mean.numpy()[:, None]) / scale)
    check(nn.InstanceNorm1d(6, dtype=torch.float64)(x), normal(a, 2))
    groups = normal(a.reshape(4, 2, 15), 2).reshape(a.shape)
    check(nn.GroupNorm(2, 6, dtype=torch.float64)(x), groups)
    check(nn.LayerNorm((6, 5), dtype=torch.float64)(x), normal(a, (1, 2)))
    check(
        nn.RMSNorm(5, eps=0.1, dtype=torch.float64)(x),
        a / np.sqrt((a**2).mean(-1, keepdims=True) + 0.1),
    )
    with pytest.raises(ValueError, match="Expected more than 1 value per channel when training"):
        nn.BatchNorm1d(3)(torch.ones(1, 3))
    with pytest.raises(ValueError, match=r"expected 4D input \(got 3D input\)"):
        nn.BatchNorm2d(3)(torch.ones(1, 3, 2))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


ACTIVATIONS: dict[str, tuple[nn.Module, Callable[[np.ndarray], np.ndarray]]] = {
    "ELU": (nn.ELU(0.7), lambda x: np.where(x > 0, x, 0.7 * np.expm1(np.minimum(x, 0)))),
    "CELU": (nn.CELU(0.7), lambda x: np.where(x > 0, x, 0.7 * np.expm1(np.minimum(x, 0) / 0.7))),
    "SELU": (
        nn.SELU(),
        lambda x: (
            1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0)))
        ),
    ),
    "ReLU6": (nn.ReLU6(), lambda x: np.clip(x, 0, 6)),
    "Hardswish": (nn.Hardswish(), lambda x: x * np.clip(x + 3, 0, 6) / 6),
    "Mish": (nn.Mish(), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "LogSigmoid": (nn.LogSigmoid(), lambda x: np.log(sigmoid(x))),
    "Softsign": (nn.Softsign(), lambda x: x / (1 + np.abs(x))),
    "Tanhshrink": (nn.Tanhshrink(), lambda x: x - np.tanh(x)),
    "Softshrink": (nn.Softshrink(), lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0)),
    "Hardshrink": (nn.Hardshrink(), lambda x: np.where(np.abs(x) > 0.5, x, 0)),
    "GLU": (nn.GLU(), lambda x: x[..., :2] * sigmoid(x[..., 2:])),
    "PReLU": (nn.PReLU(dtype=torch.float64), lambda x: np.where(x > 0, x, 0.25 * x)),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation(name: str) -> None:
    layer, reference = ACTIVATIONS[name]
    x = random(3, 4)
    check(layer(x), reference(x.numpy()))
    assert gradcheck(layer, (x.requires_grad_(),))


@pytest.mark.parametrize("layer", [nn.ELU, nn.SELU, nn.Hardswish, nn.Mish, nn.ReLU6])
def test_activation_in_place(layer: Callable[..., nn.Module]) -> None:
    x = random(5).requires_grad_()
    y = x * 1
    assert layer(inplace=True)(y) is y
    check(y, layer()(x).detach().numpy())
    y.sum().backward()
    kept = x.grad
    assert kept is not None
    x.grad = None
    layer()(x).sum().backward()
    assert x.grad is not None
    check(kept, x.grad.numpy())


def recur(
    mode: str, x: np.ndarray, wi: np.ndarray, wh: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One layer over time by the papers' formulas; `b` is the sum of both biases."""
    h = c = np.zeros((x.shape[1], wh.shape[1]))
    outputs = []
    for step in x:
        gates, again = step @ wi.T, h @ wh.T
        if mode == "LSTM":
            i, f, g, o = np.split(gates + again + b, 4, -1)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        elif mode == "GRU":
            (ri, zi, ni), (rh, zh, nh) = np.split(gates + b, 3, -1), np.split(again, 3, -1)
            z = sigmoid(zi + zh)
            h = (1 - z) * np.tanh(ni + sigmoid(ri + rh) * nh) + z * h
        else:
            h = np.tanh(gates + again + b)
        outputs.append(h)
    return np.stack(outputs), h, c


@pytest.mark.parametrize("mode", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"input_size": 0}, ValueError, "input_size must be greater than zero"),
        ({"hidden_size": -1}, ValueError, "hidden_size must be greater than zero"),
        ({"input_size": "3"}, TypeError, "input_size should be of type int, got: str"),
        ({"hidden_size": 2.5}, TypeError, "hidden_size should be of type int, got: float"),
        ({"dropout": True}, ValueError, "dropout should be a number in range"),
    ],
)
def test_sizes_of_recurrent_layers(
    mode: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        getattr(nn, mode)(**{"input_size": 3, "hidden_size": 4, **options})


@pytest.mark.parametrize("mode", ["RNN", "GRU"])
def test_projections_are_of_lstms(mode: str) -> None:
    with pytest.raises(ValueError, match="proj_size argument is only supported for LSTM"):
        getattr(nn, mode)(3, 4, proj_size=2)


@pytest.mark.parametrize("mode", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize(
    ("input", "state", "error", "message"),
    [
        ((5, 2, 3), (1, 4), RuntimeError, "For batched 3-D input, .*also be 3-D but got .?2-D"),
        ((5, 3), (1, 2, 4), RuntimeError, "For unbatched 2-D input, .*also be 2-D but got .?3-D"),
        ((0, 2, 3), None, RuntimeError, "Expected sequence length to be larger than 0"),
        ((3,), None, ValueError, "Expected input to be 2D or 3D, got 1D instead"),
        ((5, 2, 3), (1, 3, 4), RuntimeError, "Expected hidden.* size .1, 2, 4., got .1, 3, 4."),
    ],
)
def test_inputs_of_recurrent_layers(
    mode: str, input: Any, state: Any, error: type[Exception], message: str
) -> None:
    states = None if state is None else torch.zeros(state)
    with pytest.raises(error, match=message):
        getattr(nn, mode)(3, 4)(torch.zeros(input), (states, states) if mode == "LSTM" else states)


@pytest.mark.parametrize("mode", ["RNN", "LSTM", "GRU"])
def test_inputs_have_the_dtype_of_the_weights(mode: str) -> None:
    layer = getattr(nn, mode)(3, 4)
    with pytest.raises(ValueError, match="input dtype .torch.float64. does not match weight dtype"):
        layer(torch.zeros(5, 2, 3, dtype=torch.float64))
    with torch.autocast("cpu"):
        assert layer(torch.zeros(5, 2, 3, dtype=torch.bfloat16))[0].shape == (5, 2, 4)


@pytest.mark.parametrize("mode", ["RNNCell", "LSTMCell", "GRUCell"])
@pytest.mark.parametrize(
    ("input", "state", "message"),
    [
        ((2, 4), (2, 4), "input has inconsistent input_size: got 4 expected 3"),
        ((2, 3), (3, 4), "Input batch size 2 doesn't match hidden0 batch size 3"),
        ((2, 3), (2, 5), "hidden0 has inconsistent hidden_size: got 5, expected 4"),
        ((3,), (2, 4), "hidden0 has inconsistent hidden_size: got 2, expected 4"),
    ],
)
def test_inputs_of_recurrent_cells(mode: str, input: Any, state: Any, message: str) -> None:
    states = torch.zeros(state)
    cell = getattr(nn, mode)(3, 4)
    with pytest.raises(RuntimeError, match=message):
        cell(torch.zeros(input), (states, states) if mode == "LSTMCell" else states)


@pytest.mark.parametrize("mode", ["RNN", "LSTM", "GRU"])
def test_recurrent_layers(mode: str) -> None:
    layer = getattr(nn, mode)(3, 4, num_layers=2, bidirectional=True, dtype=torch.float64)
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            if name.startswith("bias_hh"):
                parameter.zero_()
    x = random(5, 2, 3)
    value, hidden, cells = x.numpy(), [], []
    for index in range(2):
        outputs = []
        for suffix, order in ((f"_l{index}", 1), (f"_l{index}_reverse", -1)):
            wi, wh, b = (
                getattr(layer, name + suffix).detach().numpy()
                for name in ("weight_ih", "weight_hh", "bias_ih")
            )
            output, h, c = recur(mode, value[::order], wi, wh, b)
            outputs.append(output[::order])
            hidden.append(h)
            cells.append(c)
        value = np.concatenate(outputs, -1)
    actual, state = layer(x)
    check(actual, value)
    check(state[0] if mode == "LSTM" else state, np.stack(hidden))
    if mode == "LSTM":
        check(state[1], np.stack(cells))
    layer.batch_first = True
    check(layer(x.transpose(0, 1))[0].transpose(0, 1), value)


@pytest.mark.parametrize("mode", ["RNN", "LSTM", "GRU"])
def test_cells_are_one_step(mode: str) -> None:
    layer = getattr(nn, mode)(3, 4, dtype=torch.float64)
    cell = getattr(nn, f"{mode}Cell")(3, 4, dtype=torch.float64)
    state = {name.removesuffix("_l0"): p for name, p in layer.state_dict().items()}
    cell.load_state_dict(state)
    x = random(2, 3)
    result = cell(x)
    check(result[0] if mode == "LSTM" else result, layer(x.unsqueeze(0))[0][0].detach().numpy())


def attend(q: np.ndarray, k: np.ndarray, v: np.ndarray, hide: np.ndarray) -> np.ndarray:
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(hide, -np.inf, scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


def test_scaled_dot_product_attention() -> None:
    q, k, v = random(2, 3, 4, 5), random(2, 3, 6, 5), random(2, 3, 6, 5)
    arrays = (q.numpy(), k.numpy(), v.numpy())
    future = ~np.tril(np.ones((4, 6), dtype=bool))
    check(F.scaled_dot_product_attention(q, k, v), attend(*arrays, np.zeros((4, 6), dtype=bool)))
    check(F.scaled_dot_product_attention(q, k, v, is_causal=True), attend(*arrays, future))
    mask = torch.from_numpy(~future)
    check(F.scaled_dot_product_attention(q, k, v, mask), attend(*arrays, future))


def test_multihead_attention() -> None:
    layer = nn.MultiheadAttention(6, 2, dtype=torch.float64)
    q, k = random(4, 3, 6), random(5, 3, 6)
    padding = torch.tensor([[False] * 4 + [True], [False] * 5, [True] + [False] * 4])
    heads = []
    for x, w, b in zip(
        (q, k, k), layer.in_proj_weight.chunk(3), layer.in_proj_bias.chunk(3), strict=True
    ):
        projected = (x @ w.t() + b).detach().numpy()
        heads.append(projected.reshape(*x.shape[:2], 2, 3).transpose(1, 2, 0, 3))
    mixed = attend(*heads, padding.numpy()[:, None, None])
    joined = mixed.transpose(2, 0, 1, 3).reshape(4, 3, 6)
    out = layer.out_proj
    expected = joined @ out.weight.detach().numpy().T + out.bias.detach().numpy()
    actual, weights = layer(q, k, k, key_padding_mask=padding)
    check(actual, expected)
    assert weights is not None
    check(weights.sum(-1), np.ones((3, 4)))
    assert weights[0, :, 4].abs().max().item() == 0
    check(layer(q, k, k, key_padding_mask=padding, need_weights=False)[0], expected)


def test_an_encoder_leaves_out_padding_where_pytorch_does() -> None:
    def encode(padding: list[list[int]], *, train: bool = False, **options: Any) -> torch.Tensor:
        torch.manual_seed(0)
        layer = nn.TransformerEncoderLayer(
            4, options.pop("heads", 2), 8, 0.0, batch_first=True, **options
        )
        encoder = nn.TransformerEncoder(layer, 2).train(train)
        mask = torch.tensor(padding, dtype=torch.bool)
        return encoder(torch.ones(2, 3, 4), src_key_padding_mask=mask)

    ends, starts = [[0, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 0, 0]]
    kept = encode(ends)
    with torch.no_grad():
        zeroed = encode(ends)
        assert (zeroed == 0).all(-1).int().tolist() == ends
        assert encode(ends, activation="gelu").eq(0).any()
        for other in (
            encode(starts),
            encode(ends, train=True),
            encode(ends, norm_first=True),
            encode(ends, heads=1),
            encode(ends, activation=torch.nn.functional.silu),
            encode(ends, bias=False),
        ):
            assert other.ne(0).all()
    assert kept.ne(0).all()
    torch.testing.assert_close(kept[zeroed != 0], zeroed[zeroed != 0])


@pytest.mark.parametrize("norm_first", [False, True])
def test_transformer(norm_first: bool) -> None:
    model = nn.Transformer(
        8, 2, 2, 2, 16, 0.0, norm_first=norm_first, batch_first=True, dtype=torch.float64
    )
    source, target = random(3, 5, 8), random(3, 4, 8)
    mask = model.generate_square_subsequent_mask(4, dtype=torch.float64)
    result = model(source, target, tgt_mask=mask)
    assert result.shape == target.shape
    changed = target.clone()
    changed[:, -1, 0] += 1
    # The past does not see the future.
    check(model(source, changed, tgt_mask=mask)[:, :-1], result[:, :-1].detach().numpy())
    assert not torch.allclose(model(source, changed, tgt_mask=mask)[:, -1], result[:, -1])
    with pytest.raises(RuntimeError, match="must be equal to d_model"):
        model(random(3, 5, 7), target)


LOSSES: dict[str, tuple[nn.Module, Callable[[np.ndarray, np.ndarray], float]]] = {
    "SmoothL1": (
        nn.SmoothL1Loss(beta=0.5),
        lambda x, y: np.mean(np.where(abs(x - y) < 0.5, (x - y) ** 2, abs(x - y) - 0.25)),
    ),
    "Huber": (
        nn.HuberLoss(delta=0.5),
        lambda x, y: np.mean(
            np.where(abs(x - y) < 0.5, (x - y) ** 2 / 2, 0.5 * (abs(x - y) - 0.25))
        ),
    ),
    "SoftMargin": (nn.SoftMarginLoss(), lambda x, y: np.mean(np.log1p(np.exp(-np.sign(y) * x)))),
    "Poisson": (nn.PoissonNLLLoss(), lambda x, y: np.mean(np.exp(x) - np.sign(y) * x)),
    "Hinge": (
        nn.HingeEmbeddingLoss(),
        lambda x, y: np.mean(np.where(y > 0, x, np.maximum(0, 1 - x))),
    ),
    "KLDiv": (
        nn.KLDivLoss(reduction="sum", log_target=True),
        lambda x, y: np.sum(np.exp(np.sign(y)) * (np.sign(y) - x)),
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_loss(name: str) -> None:
    loss, reference = LOSSES[name]
    x, y = random(4, 3), random(4, 3)
    target = y if name in ("SmoothL1", "Huber") else y.sign()
    check(loss(x, target), reference(x.numpy(), y.numpy()))
    assert gradcheck(lambda value: loss(value, target), (x.requires_grad_(),))


def test_losses_of_several_inputs() -> None:
    a, p, n = random(4, 3), random(4, 3), random(4, 3)

    def distance(x: torch.Tensor, y: torch.Tensor) -> np.ndarray:
        return np.sqrt(((x.numpy() - y.numpy() + 1e-6) ** 2).sum(1))

    triplet = np.maximum(0, distance(a, p) - distance(a, n) + 1).mean()
    check(nn.TripletMarginLoss()(a, p, n), triplet)
    y = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64)
    cosine = (a * p).sum(1).numpy() / (np.linalg.norm(a, axis=1) * np.linalg.norm(p, axis=1))
    expected = np.where(y.numpy() == 1, 1 - cosine, np.maximum(0, cosine - 0.1)).mean()
    check(nn.CosineEmbeddingLoss(0.1)(a, p, y), expected)
    ranking = np.maximum(0, -y.numpy() * (a - p).numpy()[:, 0] + 0.2).mean()
    check(nn.MarginRankingLoss(0.2)(a[:, 0], p[:, 0], y), ranking)
    classes = torch.tensor([0, 2, 1, 1])
    own = a.gather(1, classes[:, None])
    hinge = torch.clamp(1 - own + a, min=0).scatter(1, classes[:, None], 0.0).sum(1) / 3
    check(nn.MultiMarginLoss()(a, classes), hinge.mean().numpy())
    labels = torch.tensor([[2, 0, -1], [1, -1, 0], [0, 1, 2], [-1, 0, 1]])
    margins = []
    for row, wanted in zip(a.numpy(), ([2, 0], [1], [0, 1, 2], []), strict=True):
        others = [i for i in range(3) if i not in wanted]
        margins.append(sum(max(0, 1 - row[j] + row[i]) for j in wanted for i in others) / 3)
    check(nn.MultiLabelMarginLoss()(a, labels), np.mean(margins))
    with pytest.raises(RuntimeError, match=r"target size: \[2, 3\] for input of size: \[4, 3\]"):
        F.multilabel_margin_loss(a, labels[:2])
    with pytest.raises(RuntimeError, match=r"Expected non-empty vector .* but got: \[4, 0\]"):
        F.multilabel_margin_loss(a[:, :0], labels)
    var = p.abs() + 0.1
    gauss = 0.5 * (np.log(var) + (a - n).numpy() ** 2 / var.numpy())
    check(nn.GaussianNLLLoss()(a, n, var), gauss.mean())
    with pytest.raises(ValueError, match="is not a valid value for reduction"):
        F.smooth_l1_loss(a, p, reduction="most")


def test_tables() -> None:
    table = nn.Embedding(5, 3, padding_idx=-1)
    assert table.weight[4].abs().sum().item() == 0
    codes = torch.tensor([[0, 4], [4, 1]])
    table(codes).sum().backward()
    assert table.weight.grad is not None
    assert table.weight.grad[:, 0].tolist() == [1, 1, 0, 0, 0]
    short = nn.Embedding(5, 3, max_norm=0.5)
    assert short(codes).norm(dim=-1).max().item() <= 0.5 + 1e-6
    fixed = nn.Embedding.from_pretrained(torch.eye(3))
    assert fixed(torch.tensor([2])).tolist() == [[0, 0, 1]]
    assert not fixed.weight.requires_grad


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags(mode: str) -> None:
    bags = nn.EmbeddingBag(6, 3, mode=mode, padding_idx=5, dtype=torch.float64)
    members = [[0, 1], [], [2, 5, 3], [5]]
    flat = torch.tensor([i for bag in members for i in bag])
    actual = bags(flat, torch.tensor([0, 2, 2, 5]))
    weight = bags.weight.detach().numpy()
    for row, bag in zip(actual, members, strict=True):
        kept = weight[[i for i in bag if i != 5]]
        expected = getattr(kept, mode)(0) if len(kept) else np.zeros(3)
        check(row, expected)


def test_resizing() -> None:
    x = random(1, 8, 3, 4)
    shuffled = F.pixel_shuffle(x, 2)
    assert shuffled.shape == (1, 2, 6, 8)
    check(shuffled[0, 1, 3, 5], x[0, 4 + 2 + 1, 1, 2].numpy())
    check(F.pixel_unshuffle(shuffled, 2), x.numpy())
    check(F.interpolate(x, scale_factor=2), x.numpy().repeat(2, 2).repeat(2, 3))
    wide = F.interpolate(x, size=(3, 7), mode="bilinear", align_corners=True)
    check(wide[..., ::2], x.numpy())
    check(wide[..., 1::2], (x.numpy()[..., :-1] + x.numpy()[..., 1:]) / 2)
    columns = F.unfold(x, 2)
    weight = random(5, 8, 2, 2)
    check(weight.reshape(5, -1) @ columns[0], F.conv2d(x, weight).reshape(5, -1).numpy())
    ones = F.fold(F.unfold(torch.ones_like(x), 2), (3, 4), 2)
    assert ones[0, 0].tolist() == [[1, 2, 2, 1], [2, 4, 4, 2], [1, 2, 2, 1]]


def test_dropout_of_channels() -> None:
    x = torch.ones(8, 16, 3, 3)
    for layer, size in ((nn.Dropout2d(0.5), (2, 3)), (nn.FeatureAlphaDropout(0.5), (2, 3))):
        y = layer(x)
        spread = y.amax(size) - y.amin(size)
        assert spread.abs().max().item() == 0
        assert len(set(y[:, :, 0, 0].flatten().tolist())) == 2
        assert layer.eval()(x).equal(x)
    normal = torch.randn(20000)
    kept = nn.AlphaDropout(0.3)(normal)
    assert abs(kept.mean().item()) < 0.05
    assert abs(kept.std().item() - 1) < 0.05


def test_gradients_of_composed_layers() -> None:
    x = random(2, 4, 5, 5).requires_grad_()
    layers = [
        nn.Conv2d(4, 2, 3, padding=1, groups=2),
        nn.ConvTranspose2d(4, 2, 3, stride=2, groups=2),
        nn.MaxPool2d(2),
        nn.AvgPool2d(3, 2, 1),
        nn.AdaptiveAvgPool2d(2),
        nn.GroupNorm(2, 4),
        nn.BatchNorm2d(4),
        nn.Upsample(scale_factor=2, mode="bilinear"),
        nn.ReflectionPad2d(1),
    ]
    for layer in layers:
        layer.double()
        few = x[:1, :, :3, :3].detach().contiguous().requires_grad_()
        assert gradcheck(lambda value, layer=layer: layer(value), (few,)), layer


def test_printing() -> None:
    assert repr(nn.Conv2d(3, 4, 3, padding="same", bias=False)) == (
        "Conv2d(3, 4, kernel_size=(3, 3), stride=(1, 1), padding=same, bias=False)"
    )
    assert repr(nn.BatchNorm2d(3)) == (
        "BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)"
    )
    assert repr(nn.LSTM(3, 4, 2, bidirectional=True)) == (
        "LSTM(3, 4, num_layers=2, bidirectional=True)"
    )
    parameters = nn.ParameterList([torch.ones(2, 1)])
    assert "(0): Parameter containing: [torch.float32 of size 2x1]" in repr(parameters)


def test_wrong_sizes() -> None:
    with pytest.raises(RuntimeError, match="to have 3 channels, but got 2 channels instead"):
        nn.Conv2d(3, 4, 3)(torch.ones(1, 2, 5, 5))
    with pytest.raises(RuntimeError, match="Kernel size can't be greater than actual input size"):
        nn.Conv2d(3, 4, 3)(torch.ones(1, 3, 2, 2))
    with pytest.raises(ValueError, match="in_channels must be divisible by groups"):
        nn.Conv2d(3, 4, 3, groups=2)
    with pytest.raises(RuntimeError, match="pad should be at most half of effective kernel size"):
        nn.MaxPool2d(2, padding=2)(torch.ones(1, 1, 4, 4))
    with pytest.raises(RuntimeError, match="input.size.-1. must be equal to input_size"):
        nn.LSTM(3, 4)(torch.ones(5, 2, 4))
    with pytest.raises(AssertionError, match="embed_dim must be divisible by num_heads"):
        nn.MultiheadAttention(5, 2)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize(
    "name", ["max_pool{}d", "adaptive_max_pool{}d", "max_pool{}d_with_indices"]
)
def test_functions_of_pooling_can_be_pickled(name: str, dimensions: int) -> None:
    function = getattr(torch.nn.functional, name.format(dimensions))
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__name__ == name.format(dimensions)


@pytest.mark.parametrize("batch_first", [False, True])
def test_results_of_attention_have_positions_first_in_memory(batch_first: bool) -> None:
    """So that dropout after it draws the same numbers as PyTorch's."""
    layer = nn.MultiheadAttention(8, 2, batch_first=batch_first)
    x = torch.randn(5, 3, 8)
    for need_weights in (False, True):
        result, _ = layer(x, x, x, need_weights=need_weights)
        assert (result.transpose(0, 1) if batch_first else result).is_contiguous()


def test_parts_of_a_layer_can_be_replaced() -> None:
    class Plain(nn.TransformerEncoderLayer):
        def _sa_block(self, x: Any, *args: Any, **kwargs: Any) -> Any:
            return torch.zeros_like(x)

        def _ff_block(self, x: Any) -> Any:
            return 2 * x

    class Deaf(nn.TransformerDecoderLayer):
        def _mha_block(self, x: Any, mem: Any, *args: Any, **kwargs: Any) -> Any:
            return mem

    x = random(4, 2, 8)
    plain = Plain(8, 2, 16, norm_first=True, dtype=torch.float64)
    check(plain(x), (x + 2 * plain.norm2(x)).detach().numpy())
    deaf = Deaf(8, 2, 16, 0.0, norm_first=True, dtype=torch.float64)
    y = x + deaf._sa_block(deaf.norm1(x), None, None) + 5
    expected = y + deaf._ff_block(deaf.norm3(y))
    check(deaf(x, torch.full_like(x, 5)), expected.detach().numpy())


@pytest.mark.parametrize(
    ("layer", "shape", "message"),
    [
        (nn.Dropout2d(), (1, 2), "Received a 2-D input to dropout2d"),
        (nn.Dropout2d(), (1, 2, 2), "assuming that channel-wise 1D dropout behavior is desired"),
        (nn.Dropout3d(), (1, 2, 2), "Received a 3-D input to dropout3d"),
    ],
)
def test_dropout_of_channels_wants_dimensions(
    layer: nn.Module, shape: tuple[int, ...], message: str
) -> None:
    with pytest.warns(UserWarning, match=message):
        layer(torch.ones(shape))
    with pytest.raises(RuntimeError, match="Expected 2D or 3D input, but received a 4D input"):
        nn.Dropout1d()(torch.ones(1, 2, 2, 2))


def test_images_that_are_refused() -> None:
    image = torch.rand(1, 1, 3, 3)
    with pytest.warns(UserWarning, match="behavior has changed to align_corners=False since 1.3.0"):
        F.grid_sample(image, torch.zeros(1, 2, 2, 2))
    with pytest.raises(NotImplementedError, match=r"only supports 4D and 5D sizes.*\(1, 2, 3\)"):
        F.affine_grid(torch.ones(1, 2, 3), (1, 2, 3), align_corners=False)
    with pytest.raises(NotImplementedError, match="Got 4D input, but linear mode needs 3D input"):
        F.interpolate(image, size=4, mode="linear")
    with pytest.raises(ValueError, match="not meaningful with an explicit size"):
        F.interpolate(image, size=4, recompute_scale_factor=True)
    with pytest.raises(ValueError, match=r"positive output size. Got torch.Size\(\[1, 1, 0, 2\]\)"):
        F.affine_grid(torch.ones(1, 2, 3), (1, 1, 0, 2), align_corners=False)
    with pytest.raises(
        ValueError, match=r"Input and scale_factor must .* scale_factor of shape \[2\]"
    ):
        F.interpolate(image, scale_factor=[2])
    with pytest.raises(ValueError, match=r"Input and output must .* output size of \[4\]"):
        F.interpolate(image, size=[4])
    for size in ((4, 4.5), torch.tensor(4.0)):
        with pytest.raises(
            TypeError, match="expected size to be one of int .* got size with types"
        ):
            F.interpolate(image, size=size)


@pytest.mark.parametrize(("sizes", "dim"), [((2, 3, 4), 1), ((3, 4), 0)])
def test_instance_norm_of_another_number_of_channels(sizes: tuple[int, ...], dim: int) -> None:
    x = torch.randn(sizes)
    with pytest.raises(ValueError, match=rf"dim={dim} to match num_features \(4\), but got: 3"):
        nn.InstanceNorm1d(4, affine=True)(x)
    with pytest.warns(UserWarning, match=f"size at dim={dim} does not match num_features"):
        result = nn.InstanceNorm1d(4)(x)
    torch.testing.assert_close(result, nn.InstanceNorm1d(3)(x))


@pytest.mark.parametrize("sizes", [(1, 4), (1, 4, 1), (1, 4, 1, 1)])
def test_a_group_has_more_than_one_element(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="Expected more than 1 value per channel"):
        F.group_norm(torch.ones(sizes), 4)
    assert F.group_norm(torch.ones(sizes), 2).shape == sizes


def test_the_variance_of_a_loss_may_have_one_size_of_1() -> None:
    x, target = random(2, 3, 4), random(2, 3, 4)
    shapes: list[tuple[int, ...]] = [(1, 3, 4), (2, 1, 4), (2, 3, 1)]
    for shape in shapes:
        var = random(*shape).abs() + 0.5
        loss = F.gaussian_nll_loss(x, target, var, reduction="none")
        torch.testing.assert_close(loss, 0.5 * (var.log() + (x - target) ** 2 / var))
    for shape in [(1, 1, 4), (3, 4), (2, 3, 2)]:
        with pytest.raises(ValueError, match="var is of incorrect size"):
            F.gaussian_nll_loss(x, target, torch.ones(shape, dtype=torch.float64))


def test_gumbel_noise_is_made_of_exponential_numbers() -> None:
    logits, seed = torch.randn(4, 6), int(torch.randint(2**31, ()).item())
    torch.manual_seed(seed)
    noise = -torch.empty(4, 6).exponential_().log()
    torch.manual_seed(seed)
    soft = F.gumbel_softmax(logits, tau=0.5)
    torch.testing.assert_close(soft, ((logits + noise) / 0.5).softmax(-1))


@pytest.mark.parametrize("bias", [False, True])
def test_adaptive_softmax(bias: bool) -> None:
    """The classes' likelihoods add up to 1, and the output is that of each target."""
    layer = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 30, [5, 12], div_value=2.0, head_bias=bias)
    layer.double()
    x = torch.randn(40, 8, dtype=torch.float64, requires_grad=True)
    target = torch.randint(0, 30, (40,))
    output, loss = layer(x, target)
    every = layer.log_prob(x)
    torch.testing.assert_close(every.exp().sum(1), torch.ones(40, dtype=torch.float64))
    # Class 13 is of the second cluster: the head's last column, and its second there.
    head = layer.head(x).log_softmax(1)
    torch.testing.assert_close(every[:, 13], head[:, 6] + layer.tail[1](x).log_softmax(1)[:, 1])
    torch.testing.assert_close(output, every[torch.arange(40), target])
    torch.testing.assert_close(loss, -output.mean())
    assert torch.autograd.gradcheck(lambda y: layer(y, target).loss, (x,))
    assert torch.equal(layer.predict(x), every.argmax(1))
    torch.testing.assert_close(layer(x[3], target[3]).output, output[3])


def test_adaptive_softmax_says_what_is_wrong() -> None:
    for cutoffs in ([], [5, 5], [10, 5], [0], [20]):
        with pytest.raises(ValueError, match="cutoffs should be a sequence of"):
            torch.nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs)
    layer = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5])
    for shape, target, message in (
        ((3, 8), [0, 1], "same size in the batch dimension"),
        (
            (3, 8),
            [0, 1, 20],
            r"Target values should be in \[0, 19\], but values in range \[0, 20\]",
        ),
        ((3, 8), 3, "0D target tensor expects 1D input tensors"),
        ((3, 8), [[1]], "multi-target not supported"),
    ):
        with pytest.raises(RuntimeError, match=message):
            layer(torch.randn(shape), torch.tensor(target))


@pytest.mark.parametrize("count", [2, 3])
def test_fractional_max_pool(count: int) -> None:
    sizes, kernel, windows = [9, 8, 7][:count], [2, 3, 2][:count], [5, 4, 3][:count]
    x = torch.randn(2, 3, *sizes, dtype=torch.float64, requires_grad=True)
    u = torch.rand(2, 3, count, dtype=torch.float64)
    pool = getattr(torch.nn, f"FractionalMaxPool{count}d")
    layer = pool(kernel, output_size=windows, return_indices=True, _random_samples=u)
    found, places = layer(x)
    assert found.shape == (2, 3, *windows)

    def start(n: int, c: int, d: int, i: int) -> int:
        if i == windows[d] - 1:
            return sizes[d] - kernel[d]
        alpha = (sizes[d] - kernel[d]) / (windows[d] - 1)
        sample = u[n, c, 1 - d if count == 2 else d].item()
        return int((i + sample) * alpha) - int(sample * alpha)

    for at in itertools.product(range(2), range(3), *map(range, windows)):
        n, c, *place = at
        firsts = [start(n, c, d, i) for d, i in enumerate(place)]
        window = x[(n, c, *(slice(f, f + k) for f, k in zip(firsts, kernel, strict=True)))]
        assert found[at] == window.max()
    assert torch.equal(x.flatten(2).gather(2, places.flatten(2)), found.flatten(2))
    assert torch.autograd.gradcheck(lambda y: layer(y)[0], (x,))
    random = pool(2, output_ratio=0.5)
    assert random(x[0]).shape == (3, *(n // 2 for n in sizes))
    assert not torch.equal(random(x), random(x))


def test_fractional_max_pool_says_what_is_wrong() -> None:
    x = torch.randn(2, 3, 8, 9)
    for wrong in ({}, {"output_size": 3, "output_ratio": 0.5}, {"output_ratio": 1.5}):
        with pytest.raises(ValueError, match="FractionalMaxPool2d requires|output_ratio"):
            torch.nn.FractionalMaxPool2d(2, **wrong)
    with pytest.raises(ValueError, match="requires specifying either an output_size"):
        torch.nn.functional.fractional_max_pool2d(x, 2)
    with pytest.raises(ValueError, match="requires output_ratio to either be a single Int or tup"):
        torch.nn.FractionalMaxPool2d(2, output_ratio=[0.5, 0.5, 0.6])(x)
    with pytest.raises(ValueError, match="Expected 3D or 4D tensor, got 2D"):
        torch.nn.functional.fractional_max_pool2d(x[0, 0], 2, 3)
    for kernel, size, message in (
        ((2,), 3, "kernel_size must either be a single Int or tuple of Ints"),
        ((), 3, "kernel_size must either be a single Int or tuple of Ints"),
        (2, (3, 3, 3), "output_size must either be a single Int or tuple of Ints"),
    ):
        with pytest.raises(RuntimeError, match=f"fractional_max_pool2d: {message}"):
            torch.nn.functional.fractional_max_pool2d(x, kernel, size)
    with pytest.raises(
        RuntimeError, match="size 3 at 7 places do not fit into a dimension of size 8"
    ):
        torch.nn.functional.fractional_max_pool2d(x, 3, (7, 2))
    with pytest.raises(RuntimeError, match=r"_random_samples of shape \(2, 3, 2\)"):
        torch.nn.functional.fractional_max_pool2d(x, 3, 3, _random_samples=torch.rand(2, 3))


@pytest.mark.parametrize(
    ("kernel", "stride", "message"),
    [
        ((2,), None, r"exactly two elements \(height, width\) in output_size, but got 1"),
        (2, (2, 2, 2), r"exactly two elements \(height, width\) in output_size, but got 3"),
    ],
)
def test_sizes_of_unpooling_have_as_many_elements(kernel: Any, stride: Any, message: str) -> None:
    x, places = torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 2, 2, dtype=torch.int64)
    with pytest.raises(RuntimeError, match=message):
        F.max_unpool2d(x, places, kernel, stride)
    with pytest.raises(RuntimeError, match=message):
        torch.nn.MaxUnpool2d(kernel, stride)(x, places)
    with pytest.raises(RuntimeError, match="exactly three elements"):
        F.max_unpool3d(x[None], places[None], (2,))


def test_convolution_along_time() -> None:
    x, weight, bias = random(7, 2, 3).requires_grad_(), random(2, 3, 4), random(4)
    found = F.conv_tbc(x, weight, bias, 1)
    padded = np.pad(x.detach().numpy(), [(1, 1), (0, 0), (0, 0)])
    expected = bias.numpy() + sum(padded[k : k + 8] @ weight[k].numpy() for k in range(2))
    check(found, expected)
    assert gradcheck(lambda y: torch.conv_tbc(y, weight, bias), (x,))
    for args, message in (
        ((x[0], weight, bias), "Input must have 3 dims"),
        ((x, weight[0], bias), "Weight tensor must have 3 dims"),
        ((x, weight, weight), "Bias must be 1-D"),
        ((x, weight[:, :2], bias), "not == dim 1 in the weight tensor"),
        ((x, weight, bias[:3]), "Bias size must equal dim 2"),
    ):
        with pytest.raises(RuntimeError, match=message):
            torch.conv_tbc(*args)


def test_reductions_by_the_path_that_packages_import() -> None:
    from torch.nn import _reduction

    assert [_reduction.get_enum(name) for name in ("none", "mean", "sum")] == [0, 1, 2]
    with pytest.raises(ValueError, match="avg is not a valid value for reduction"):
        _reduction.get_enum("avg")
    assert _reduction.legacy_get_enum(None, None) == 1
    with pytest.warns(UserWarning, match="reduction='sum'"):
        assert _reduction.legacy_get_string(False, None) == "sum"
    with pytest.warns(UserWarning, match="reduction='none'"):
        assert _reduction.legacy_get_enum(None, False) == 0


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: torch.nn.Unflatten(1, "ab"),
            TypeError,
            "unflattened_size must be a tuple of ints, but found type str",
        ),
        (
            lambda: torch.nn.Unflatten(1, (2, 0.5)),
            TypeError,
            "unflattened_size must be tuple of ints, but found element of type float at pos 1",
        ),
        (
            lambda: torch.nn.Bilinear(0, 1, 1),
            ValueError,
            "in1_features must be > 0, but got (in1_features=0)",
        ),
        (
            lambda: torch.nn.ConvTranspose1d(1, 1, 3)(torch.ones(1, 1, 4), output_size=(9,)),
            ValueError,
            "requested an output size of (9,), but valid sizes range from [6] to [6]",
        ),
        (
            lambda: torch.nn.init.kaiming_normal_(torch.ones(2, 2), mode="fan"),
            ValueError,
            "Mode fan not supported, please use one of ['fan_in', 'fan_out']",
        ),
        (
            lambda: torch.nn.LayerNorm([4, 3])(torch.ones(2, 3)),
            RuntimeError,
            "Given normalized_shape=[4, 3], expected input with shape [*, 4, 3], but got input of size[2, 3]",
        ),
        (
            lambda: torch.func.functional_call(
                torch.nn.Linear(1, 1), {"b": torch.ones(1)}, torch.ones(1), strict=True
            ),
            RuntimeError,
            "Error(s) in reparametrizing for Linear:\n\tUnexpected key(s): 'b'.\n\tMissing key(s): 'bias', 'weight'.",
        ),
    ],
)
def test_messages_are_pytorchs(
    call: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_empty_bags_have_a_gradient(mode: str) -> None:
    bags = nn.EmbeddingBag(4, 2, mode=mode)
    found = bags(torch.tensor([], dtype=torch.long), torch.tensor([0, 0]))
    assert found.tolist() == [[0.0, 0.0]] * 2
    found.sum().backward()
    assert bags.weight.grad is not None and not bags.weight.grad.any()


@pytest.mark.parametrize("index", [-1, 4])
def test_indices_of_bags(index: int) -> None:
    with pytest.raises(
        RuntimeError, match=f"Expected idx >= 0 && idx < num_embeddings but found idx to be {index}"
    ):
        nn.EmbeddingBag(4, 2)(torch.tensor([[0, index]]))


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_indices_behind_the_last_offset_are_in_no_bag(mode: str) -> None:
    weight = torch.randn(5, 3, requires_grad=True)
    indices = torch.tensor([0, 1, 2, 2, 4])
    options: dict[str, Any] = {"mode": mode, "include_last_offset": True}
    for padding_idx in (None, 2):
        for offsets in ([0], [0, 3], [0, 0, 2]):
            found, wanted = (
                nn.functional.embedding_bag(
                    part, weight, torch.tensor(offsets), padding_idx=padding_idx, **options
                )
                for part in (indices, indices[: offsets[-1]])
            )
            assert found.shape == (len(offsets) - 1, 3)
            torch.testing.assert_close(found, wanted)
    with pytest.raises(RuntimeError, match="number of embeddings, -5 through 4, but got 5"):
        nn.functional.embedding_bag(indices[None], weight, padding_idx=5)


def test_weights_of_bags_have_the_shape_of_the_input() -> None:
    bags = nn.EmbeddingBag(4, 2, mode="sum")
    for input, offsets, weights in (
        (torch.tensor([0, 1, 2]), torch.tensor([0]), torch.ones(2)),
        (torch.zeros(2, 2, dtype=torch.int64), None, torch.ones(4)),
    ):
        with pytest.raises(ValueError, match="then it must have the same shape as the input"):
            bags(input, offsets, weights)


def test_frozen_tables_may_hold_integers() -> None:
    table = nn.Embedding.from_pretrained(torch.tensor([[1, 2], [3, 4]]))
    assert table(torch.tensor([1])).tolist() == [[3, 4]] and not table.weight.requires_grad
    assert nn.Embedding.from_pretrained(torch.ones(2, 2), freeze=False).weight.requires_grad


def test_group_norm_of_wrong_sizes() -> None:
    x = torch.ones(2, 4, 3)
    for sizes, weight, message in (
        (
            (2, 4, 5),
            None,
            "Expected N * C * HxW to be the number of elements of input, but got N=2",
        ),
        ((2, 0, -1), None, "Expected N * C * HxW to be the number of elements of input"),
        ((2, 4, 3), torch.ones(3), "Expected weight and bias to have C=4 elements, but got 3"),
    ):
        with pytest.raises(RuntimeError, match=re.escape(message)):
            torch.native_group_norm(x, weight, None, *sizes, 2, 1e-5)
