"""Normalisation, activations, attention, losses and embeddings against NumPy, and their errors."""

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


# ---- normalisation ----


def _normal(x: Array, axes: tuple[int, ...], eps: float) -> Array:
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(x.var(axes, keepdims=True) + eps)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shape", [(6, 5), (3, 5, 40), (2, 5, 9, 11)])
def test_batch_norm(dtype: Any, shape: tuple[int, ...]) -> None:
    x, w, b = 5 + random(*shape), random(5), random(5)
    mean, var = random(5), np.abs(random(5)) + 0.5
    axes = (0, *range(2, len(shape)))
    column = (1, 5) + (1,) * (len(shape) - 2)
    running_mean, running_var = tensor(mean, dtype), tensor(var, dtype)
    arguments = (tensor(x, dtype), tensor(w, dtype), tensor(b, dtype), running_mean, running_var)
    y = torch.batch_norm(*arguments, False, 0.1, 1e-5, False)
    frozen = (x - mean.reshape(column)) / np.sqrt(var.reshape(column) + 1e-5)
    close(y, frozen * w.reshape(column) + b.reshape(column))
    y = torch.batch_norm(*arguments, True, 0.1, 1e-5, False)
    close(y, _normal(x, axes, 1e-5) * w.reshape(column) + b.reshape(column))
    close(running_mean, 0.9 * mean + 0.1 * x.mean(axes))
    close(running_var, 0.9 * var + 0.1 * x.var(axes, ddof=1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_other_normalisations(dtype: Any) -> None:
    x, w, b = 3 + random(2, 6, 7, 5), random(6), random(6)
    column = (1, 6, 1, 1)
    affine = (tensor(w, dtype), tensor(b, dtype))
    grouped = _normal(x.reshape(2, 3, -1), (2,), 1e-5).reshape(x.shape)
    close(
        torch.group_norm(tensor(x, dtype), 3, *affine),
        grouped * w.reshape(column) + b.reshape(column),
    )
    y = torch.instance_norm(tensor(x, dtype), *affine, None, None, True, 0.1, 1e-5, False)
    close(y, _normal(x, (2, 3), 1e-5) * w.reshape(column) + b.reshape(column))
    gamma, beta = random(7, 5), random(7, 5)
    y = torch.layer_norm(tensor(x, dtype), (7, 5), tensor(gamma, dtype), tensor(beta, dtype))
    close(y, _normal(x, (2, 3), 1e-5) * gamma + beta)
    y = torch.rms_norm(tensor(x, dtype), (5,), tensor(gamma[0], dtype), 1e-3)
    close(y, x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-3) * gamma[0])


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
    arguments = (random(3, 4, 3), random(4), random(4))
    _differentiable(f, *(tensor(a, grad=True) for a in arguments))


def test_gradients_of_layer_and_rms_norm() -> None:
    x, w = tensor(random(3, 4, 37), grad=True), tensor(random(37), grad=True)
    b = tensor(random(37), grad=True)
    assert gradcheck(lambda x, w, b: torch.layer_norm(x, (37,), w, b), (x, w, b))
    _differentiable(
        lambda x, w: torch.rms_norm(x, (5,), w, 1e-3),
        tensor(random(3, 5), grad=True),
        tensor(random(5), grad=True),
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
    x = tensor(random(5, 40), dtype)
    expected = reference(np.array(x.tolist()))
    close(ours(x), expected)
    close(ours(x.t().contiguous().t()), expected)


@pytest.mark.parametrize("name", [name for name in _ACTIVATIONS if name != "rrelu"])
def test_gradients_of_activations(name: str) -> None:
    _differentiable(_ACTIVATIONS[name][0], tensor(random(1, 40), grad=True))


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
    q, k, v = random(2, 3, queries, 16), random(2, 3, keys, 16), random(2, 3, keys, 16)
    tensors = [tensor(a, dtype) for a in (q, k, v)]
    allowed = np.tri(queries, keys, dtype=bool)
    if kind == "bool":
        allowed = RNG.random((2, 1, queries, keys)) < 0.5
        allowed[..., 0] = True
    mask: Array | None = np.where(allowed, 0.0, -np.inf)
    argument = None
    if kind == "none":
        mask = None
    elif kind == "bool":
        argument = torch.tensor(allowed.tolist())
    elif kind == "float":
        mask = random(3, queries, keys)
        argument = tensor(mask, dtype)
    y = _nn.scaled_dot_product_attention(*tensors, argument, 0.0, kind == "causal")
    close(y, _attention(q, k, v, mask))


def test_attention_without_a_batch_with_dropout_and_with_shared_heads() -> None:
    q, k, v = random(4, 8), random(6, 8), random(6, 5)
    close(
        _nn.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v)),
        _attention(q, k, v, None),
    )
    q, k, v = random(1, 6, 4, 8), random(1, 2, 5, 8), random(1, 2, 5, 8)
    y = _nn.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v), enable_gqa=True)
    close(y, _attention(q, k.repeat(3, 1), v.repeat(3, 1), None))
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
    arguments = [tensor(random(1, 2, 4, 3), grad=True) for _ in range(3)]
    _differentiable(
        lambda q, k, v: _nn.scaled_dot_product_attention(q, k, v, None, 0.0, causal), *arguments
    )


# ---- losses ----


def _unit(x: Array) -> Array:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def test_losses() -> None:
    x, t = random(6, 5), random(6, 5)
    d = np.abs(x - t)
    sign = np.where(RNG.random(6) < 0.5, 1.0, -1.0)
    a, b = tensor(x), tensor(t)
    close(_nn.smooth_l1_loss(a, b, 0, 0.7), np.where(d < 0.7, d * d / 1.4, d - 0.35))
    close(_nn.huber_loss(a, b, 2, 0.7), np.where(d < 0.7, d * d / 2, 0.7 * (d - 0.35)).sum())
    p = np.abs(t)
    p[0, 0] = 0
    expected = np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0) - p * x
    close(torch.kl_div(a, tensor(p), 0), expected)
    close(torch.kl_div(a, b, 1, log_target=True), (np.exp(t) * (t - x)).mean())
    close(_nn.soft_margin_loss(a, b), np.log1p(np.exp(-x * t)).mean())
    cosine = (_unit(x) * _unit(t)).sum(-1)
    close(torch.cosine_similarity(a, b), cosine)
    close(torch.pairwise_distance(a, b, 2, 0.0), np.linalg.norm(x - t, axis=-1))
    expected = np.where(sign > 0, 1 - cosine, np.maximum(cosine - 0.1, 0))
    close(torch.cosine_embedding_loss(a, b, tensor(sign), 0.1, 0), expected)
    rows = sign[:, None]
    expected = np.maximum(-rows * (x - t) + 0.2, 0)
    close(torch.margin_ranking_loss(a, b, tensor(rows), 0.2, 0), expected)
    expected = np.where(rows > 0, x, np.maximum(1 - x, 0)).mean()
    close(torch.hinge_embedding_loss(a, tensor(rows * np.ones_like(x))), expected)
    n = random(6, 5)
    near, far = (np.linalg.norm(x - o + 1e-6, axis=-1) for o in (t, n))
    close(torch.triplet_margin_loss(a, b, tensor(n)), np.maximum(near - far + 1, 0).mean())
    expected = np.exp(x) - p * x
    close(torch.poisson_nll_loss(a, tensor(p), True, False, 1e-8, 0), expected)


@pytest.mark.parametrize(
    ("dims", "found"),
    [((2, 1, 2), "anchor 2D, positive 1D, and negative 2D"),
     ((1, 1, 2), "anchor 1D, positive 1D, and negative 2D")],
)  # fmt: skip
def test_triplets_of_different_dimensions(dims: tuple[int, ...], found: str) -> None:
    message = "expected to have the same number of dimensions, but got: " + found
    with pytest.raises(RuntimeError, match=message):
        torch.triplet_margin_loss(*(torch.ones((3,) * d) for d in dims))


def test_losses_of_classes_over_images() -> None:
    x, classes = random(2, 4, 3, 5), RNG.integers(0, 4, (2, 3, 5))
    picked = np.take_along_axis(x, classes[:, None], 1)[:, 0]
    close(_nn.nll_loss2d(tensor(x), torch.tensor(classes.tolist())), -picked.mean())
    scores, targets = random(2, 4), [[3, 0, -1, 1], [2, -1, 0, 1]]
    total = []
    for row, wanted in zip(scores, ([3, 0], [2]), strict=True):
        others = [i for i in range(4) if i not in wanted]
        total.append(sum(max(0.0, 1 - row[j] + row[i]) for j in wanted for i in others) / 4)
    close(_nn.multilabel_margin_loss(tensor(scores), torch.tensor(targets)), np.mean(total))


@pytest.mark.parametrize("reduction", [0, 1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_classes_of_images_with_weights_and_without_some(reduction: int, weighted: bool) -> None:
    for shape, order in itertools.product(
        [(2, 4, 3, 5), (1, 4, 1, 1), (3, 2, 7), (2, 3, 2, 2, 2)], (False, True)
    ):
        places = (shape[0], *shape[2:])
        scores = random(*shape)
        classes = RNG.integers(0, shape[1], places)
        counted = RNG.random(places) < 0.7
        counted.flat[0] = True
        weight = np.abs(random(shape[1])) + 0.1 if weighted else np.ones(shape[1])
        x = tensor(scores)
        if order:
            x = x.movedim(1, -1).contiguous().movedim(-1, 1)
        x = x.detach().requires_grad_()
        t = torch.from_numpy(np.where(counted, classes, -100))
        loss = _nn.nll_loss_nd(x, t, tensor(weight) if weighted else None, reduction)
        parts = weight[classes] * counted
        each = -np.take_along_axis(scores, classes[:, None], 1)[:, 0] * parts
        total = {0: each, 1: each.sum() / parts.sum(), 2: each.sum()}[reduction]
        close(loss, total)
        slope = random(*loss.shape)
        (grad,) = torch.autograd.grad(loss, x, tensor(slope))
        wanted = np.zeros(shape)
        factors = -parts * slope / (parts.sum() if reduction == 1 else 1)
        np.put_along_axis(wanted, classes[:, None], factors[:, None], 1)
        close(grad, wanted)
    assert torch.autograd.gradgradcheck(
        lambda y: _nn.nll_loss2d(y, torch.zeros(2, 2, 2, dtype=torch.int64), None, reduction) ** 2,
        torch.randn(2, 3, 2, 2, dtype=torch.float64, requires_grad=True),
    )


def test_classes_of_images_that_do_not_exist() -> None:
    x, t = torch.randn(2, 3, 2, 2), torch.zeros(2, 2, 2, dtype=torch.int64)
    t[1, 1, 0] = 3
    with pytest.raises(IndexError, match="Target 3 is out of bounds"):
        torch.nn.functional.nll_loss(x, t)
    with pytest.raises(RuntimeError, match="weight tensor should be defined either for all"):
        torch.nn.functional.nll_loss(x, t, torch.ones(2))
    empty = torch.nn.functional.nll_loss(x[:0], t[:0])
    assert empty.isnan()
    assert torch.nn.functional.nll_loss(x[:0], t[:0], reduction="sum").item() == 0


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_margins_of_one_class(power: int, weighted: bool) -> None:
    for rows, n in [(1, 1), (4, 3), (7, 40), (600, 33)]:
        x = random(rows, n)
        y = RNG.integers(0, n, rows)
        w = np.abs(random(n)) if weighted else np.ones(n)
        hinge = np.maximum(0.7 - np.take_along_axis(x, y[:, None], 1) + x, 0)
        np.put_along_axis(hinge, y[:, None], 0, 1)
        each = (hinge**power).sum(1) * w[y] / n
        t = torch.from_numpy(y)
        weight = tensor(w) if weighted else None
        for reduction, wanted in ((0, each), (1, each.mean()), (2, each.sum())):
            leaf = tensor(x).requires_grad_()
            loss = _nn.multi_margin_loss(leaf, t, power, 0.7, weight, reduction)
            close(loss, wanted)
            slope = random(*loss.shape)
            (grad,) = torch.autograd.grad(loss, leaf, tensor(slope))
            factor = np.broadcast_to(slope, rows) * w[y] / n / (rows if reduction == 1 else 1)
            expected = (hinge > 0 if power == 1 else 2 * hinge) * factor[:, None]
            np.put_along_axis(expected, y[:, None], -expected.sum(1, keepdims=True), 1)
            close(grad, expected)
        one = _nn.multi_margin_loss(tensor(x[0]), t[0], power, 0.7, weight, 0)
        close(one, each[0])
    with pytest.raises(RuntimeError, match="target out of range"):
        _nn.multi_margin_loss(torch.ones(2, 3), torch.tensor([0, 3]))
    with pytest.raises(RuntimeError, match=r"Expected target size \[2\], but got \[3\]"):
        _nn.multi_margin_loss(torch.ones(2, 3), torch.tensor([0, 1, 2]))
    with pytest.raises(RuntimeError, match="inconsistent weight size, expected 3"):
        _nn.multi_margin_loss(torch.ones(2, 3), torch.tensor([0, 1]), weight=torch.ones(2))


def test_margins_of_several_classes_leave_out_what_is_no_pair() -> None:
    x = tensor(random(3, 6)).requires_grad_()
    targets = torch.tensor([[4, 4, 2, -1, 0, 5], [-1, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]])
    loss = _nn.multilabel_margin_loss(x, targets, 0)
    rows = [[4, 4, 2], [], [0, 1, 2, 3, 4, 5]]
    for row, wanted in enumerate(rows):
        others = [i for i in range(6) if i not in wanted]
        margins = [(1 - x[row, j] + x[row, i]).clamp_min(0) for j in wanted for i in others]
        total = sum(margins, torch.zeros(())) / 6
        close(loss[row], total.item())
        if margins:
            slope, expected = (
                torch.autograd.grad(t, x, retain_graph=True)[0] for t in (loss[row], total)
            )
            close(slope, expected.numpy())
        else:
            assert not torch.autograd.grad(loss[row], x, retain_graph=True)[0].any()
    far = torch.tensor([[1.0, math.inf, 0.0]])
    assert _nn.multilabel_margin_loss(far, torch.tensor([[1, -1, -1]])).item() == 0
    # A target of -inf is infinitely far below the others, and pairs that do not count stay out.
    lowest = torch.tensor([[1.0, float("-inf"), 2.0, float("inf")]])
    assert _nn.multilabel_margin_loss(lowest[:, :3], torch.tensor([[1, -1, 0]])).item() == math.inf
    assert _nn.multilabel_margin_loss(lowest, torch.tensor([[3, -1, 0, 0]])).item() == 0
    assert _nn.multilabel_margin_loss(lowest, torch.tensor([[0, -1, 0, 0]])).item() == math.inf
    with pytest.raises(NotImplementedError, match="not implemented for 'Long'"):
        _nn.multilabel_margin_loss(torch.ones(1, 3).long(), torch.tensor([[1, -1, -1]]))


def test_bilinear_form() -> None:
    x, y, w, b = random(5, 3), random(5, 4), random(2, 3, 4), random(2)
    expected = np.einsum("ni,oij,nj->no", x, w, y) + b
    close(torch.bilinear(*map(tensor, (x, y, w, b))), expected)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_bags_of_embeddings(mode: int) -> None:
    weight = random(7, 3)
    indices, offsets = [1, 2, 4, 5, 4, 3], [0, 2, 2]
    output = torch.embedding_bag(
        tensor(weight), torch.tensor(indices), torch.tensor(offsets), False, mode
    )[0]
    bags = [weight[[1, 2]], weight[[]], weight[[4, 5, 4, 3]]]
    reduce = [np.sum, np.mean, np.max][mode]
    close(output, np.stack([reduce(b, 0) if len(b) else np.zeros(3) for b in bags]))


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_bags_of_embeddings_end_at_the_last_offset(mode: int) -> None:
    weight = random(7, 3)
    weight[5] = np.inf  # Of an index that counts in no bag.
    weight[6] = np.inf
    x = tensor(weight).requires_grad_()
    output = torch.embedding_bag(
        x,
        torch.tensor([1, 5, 2, 4, 6, 3]),
        torch.tensor([0, 2, 4]),
        mode=mode,
        include_last_offset=True,
        padding_idx=5,
        scale_grad_by_freq=False,
        sparse=False,
        per_sample_weights=None,
    )[0]
    reduce = [np.sum, np.mean, np.max][mode]
    close(output, np.stack([reduce(weight[[1]], 0), reduce(weight[[2, 4]], 0)]))
    output.sum().backward()
    assert x.grad is not None
    total = {0: 9.0, 1: 6.0, 2: 6.0}[mode]
    assert x.grad[[1, 2, 4]].sum().item() == pytest.approx(total)
    assert x.grad[[0, 3, 5, 6]].eq(0).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_bags_without_gradients_are_those_with(dtype: torch.dtype) -> None:
    for features in (1, 7, 16, 37):
        weight = torch.randn(9, features).to(dtype).requires_grad_()
        indices = torch.randint(9, (40,))
        factors = torch.randn(40).to(dtype)
        for mode in (0, 1):
            for offsets, include_last in (([0, 3, 3, 20], False), ([0, 3, 3, 20, 35], True)):
                for padding in (None, 4):
                    for given in (None, factors)[: 2 - mode]:
                        arguments = (
                            indices, torch.tensor(offsets), False, mode, False, given,
                            include_last, padding,
                        )  # fmt: skip
                        wanted = torch.embedding_bag(weight, *arguments)
                        with torch.no_grad():
                            found = torch.embedding_bag(weight, *arguments)
                        for f, w in zip(found, wanted, strict=True):
                            assert f.dtype == w.dtype
                            if w.is_floating_point():
                                # The order of the sums differs.
                                tolerance = 1e-2 if f.element_size() == 2 else 1e-5
                                assert torch.allclose(f, w, rtol=tolerance, atol=tolerance)
                            else:
                                assert f.equal(w)
    with torch.no_grad(), pytest.raises(RuntimeError, match="found idx to be 9"):
        torch.embedding_bag(weight, torch.tensor([0, 9]), torch.tensor([0]))


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
def test_the_gradient_of_softmax_has_the_type_of_what_it_is_given(name: str) -> None:
    grad, backward = torch.ones(2, 3), getattr(torch, name)
    # Only a GPU narrows it: from Float to the Half that softmax read.
    for dtype in (torch.float32, torch.bool, torch.float64, torch.int64):
        assert backward(grad, grad, 1, dtype).dtype == torch.float32
    assert backward(grad.double(), grad.double(), 1, torch.float16).dtype == torch.float64
    with pytest.raises(
        RuntimeError, match="expected scalar type Float but found Half in input_dty"
    ):
        backward(grad, grad, 1, torch.float16)
    with pytest.raises(RuntimeError, match="expected scalar type Float but found Double in output"):
        backward(grad, grad.double(), 1, torch.float32)


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
        (
            lambda: torch.max_pool2d(torch.ones(1, 6, 6), 3, padding=2, dilation=2),
            "pad should be smaller than or equal to half of kernel size, but got pad=2 and kernel",
        ),
        (lambda: torch.max_pool2d(torch.ones(1, 4, 4), 0), "stride should not be zero"),
        (
            lambda: torch.max_pool2d(torch.ones(1, 4, 4), 0, 1),
            "kernel size should be greater than zero, but got 0",
        ),
        (
            lambda: torch.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 0, 3)),
            r"kernel size should be greater than zero, but got weight of size \[1, 1, 0, 3\]",
        ),
        (
            lambda: torch.conv_transpose1d(
                torch.ones(1, 1, 4), torch.ones(1, 1, 3), stride=2, output_padding=2
            ),
            "output padding must be smaller than either stride or dilation, but got output_padding"
            "=2, stride=2 and dilation=1 in dimension 0",
        ),
        (
            lambda: torch.conv_transpose2d(
                torch.ones(1, 1, 1, 2), torch.ones(1, 1, 1, 1), padding=(0, 1)
            ),
            r"Given input size per channel: \(1 x 2\). Calculated output size per channel: "
            r"\(1 x 0\). Output size is too small",
        ),
        (
            lambda: torch.conv1d(torch.ones(1, 1, 0), torch.ones(1, 1, 1), padding=1),
            r"Only zero batch or zero channel inputs are supported, but got input shape: .1, 1, 0.",
        ),
        (
            lambda: torch.kl_div(torch.ones(2), torch.ones(2, dtype=torch.int64)),
            "kl_div: Integral inputs not supported",
        ),
        (
            lambda: _nn.soft_margin_loss(torch.ones(2), torch.ones(2, requires_grad=True)),
            "'soft_margin_loss' is not differentiable with respect to argument 'target'",
        ),
        (
            lambda: torch.max_pool2d(torch.ones(5, 3, 1), 2),
            r"input size: \(5x3x1\). Calculated output size: \(5x1x0\). Output size is too small",
        ),
        (
            lambda: torch.avg_pool1d(torch.ones(1, 3, 4), 9),
            r"input size: \(3x1x4\). Calculated output size: \(3x1x0\). Output size is too small",
        ),
        (lambda: torch.max_pool2d(torch.ones(1, 4, 4), 2, 0), "stride should not be zero"),
        (
            lambda: torch.adaptive_max_pool1d(torch.ones(1, 0, 4), 2),
            r"Expected input to have non-zero size .* with dimension 1 being empty",
        ),
        (
            lambda: _nn.adaptive_avg_pool2d(torch.ones(1, 2, 0, 4), 2),
            r"Expected input to have non-zero size .* with dimension 2 being empty",
        ),
        *(
            (
                lambda pool=pool, shape=shape: (
                    pool(torch.ones(shape, requires_grad=True), 0).sum().backward()
                ),
                "Expected grad_output to have non-zero size for non-batch dimensions",
            )
            for pool, shape in [
                (_nn.adaptive_avg_pool2d, (1, 2, 4, 4)),
                (_nn.adaptive_avg_pool3d, (1, 2, 4, 4, 4)),
                (lambda x, size: torch.adaptive_max_pool1d(x, size)[0], (1, 2, 4)),
                (lambda x, size: _nn.adaptive_max_pool3d(x, size)[0], (1, 2, 4, 4, 4)),
            ]
        ),
        (
            lambda: torch.adaptive_max_pool1d(torch.ones(1, 2, 4, dtype=torch.int64), 2),
            '"adaptive_max_pool2d" not implemented for',
        ),
        (
            lambda: torch.adaptive_avg_pool1d(torch.ones(1, 2, 4, dtype=torch.int64), 2),
            '"adaptive_avg_pool2d" not implemented for',
        ),
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


@pytest.mark.parametrize("shape", [(5, 0), (0, 3), (0, 0), (5, 0, 2)])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_cross_entropy_of_no_classes_or_no_rows(shape: tuple[int, ...], smoothing: float) -> None:
    x = torch.ones(shape)

    def loss(reduction: str) -> torch.Tensor:
        return torch.nn.functional.cross_entropy(
            x, x, reduction=reduction, label_smoothing=smoothing
        )

    assert loss("mean").isnan()
    assert loss("sum").item() == 0
    assert loss("none").shape == shape[:1] + shape[2:]
    assert not loss("none").any()


def test_memory_formats_of_pools() -> None:
    images = torch.randn(2, 3, 4, 4).to(memory_format=torch.channels_last)
    # PyTorch's strides, where sizes of 1 leave the format open too.
    assert _nn.adaptive_max_pool2d(images, 1)[0].stride() == (3, 1, 3, 3)
    assert _nn.adaptive_max_pool2d(images, 2)[1].stride() == (12, 1, 6, 3)
    assert torch.max_pool2d(images, 2).stride() == (12, 1, 6, 3)
    assert _nn.avg_pool2d(images, 2).stride() == (12, 1, 6, 3)
    volumes = torch.randn(2, 3, 4, 4, 4).to(memory_format=torch.channels_last_3d)
    assert _nn.max_pool3d_with_indices(volumes, 2)[0].stride() == (24, 1, 12, 6, 3)
    assert _nn.max_pool3d_with_indices(volumes[0], 2)[1].stride() == (1, 12, 6, 3)
    for pool in (_nn.avg_pool3d, _nn.adaptive_avg_pool3d):
        assert pool(volumes, 2).stride() == (24, 8, 4, 2, 1)
        assert torch.equal(pool(volumes, 2), pool(volumes.contiguous(), 2))
    for x in (volumes, volumes[0]):
        found = _nn.max_pool3d_with_indices(x, 2)
        for ours, plain in zip(found, _nn.max_pool3d_with_indices(x.contiguous(), 2), strict=True):
            assert torch.equal(ours, plain)


def test_pools_of_nothing() -> None:
    assert torch.adaptive_avg_pool1d(torch.ones(0, 4), 2).shape == (0, 2)
    assert torch.adaptive_max_pool1d(torch.ones(0, 4), 2)[0].shape == (0, 2)
    assert _nn.adaptive_avg_pool2d(torch.ones(1, 0, 4, 4), 2).shape == (1, 0, 2, 2)
    empty = torch.zeros(0, 3, 2, 2)
    assert _nn.max_unpool2d(empty, empty.long(), [4, 4]).shape == (0, 3, 4, 4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_gelu_of_what_is_not_finite(dtype: Any) -> None:
    x = torch.tensor([math.inf, -math.inf, math.nan, -1e4], dtype=dtype)
    found = _nn.gelu(x).tolist()
    assert found[0] == math.inf and math.isnan(found[1]) and math.isnan(found[2])
    assert found[3] == 0


@pytest.mark.parametrize("mode", [0, 2])
def test_a_sample_at_no_place_is_no_number(mode: int) -> None:
    image = torch.ones(1, 2, 3, 3, dtype=torch.float64)
    grid = torch.tensor([[[[math.nan, 0.0], [0.0, math.inf], [0.0, 0.0], [9.0, 9.0]]]]).double()
    found = torch.grid_sampler(image, grid, mode, 0, False)
    assert found[0, :, 0].isnan().tolist() == [[True, True, False, False]] * 2
    close(found[0, :, 0, 2:], np.array([[1.0, 0.0]] * 2))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_a_threshold_is_not_rounded(dtype: Any) -> None:
    # 0.1 has no 16-bit form: the next one above it stays.
    x = torch.tensor([0.1, -1.0, 3.0], dtype=torch.float32).to(dtype)
    wide = x.double().numpy()
    threshold = float(np.nextafter(np.float32(wide[0]), np.float32(0)))
    found = torch.threshold(x, threshold, 20.0).double().numpy()
    assert np.array_equal(found, np.where(wide > threshold, wide, 20.0))
