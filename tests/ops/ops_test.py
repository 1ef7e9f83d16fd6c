"""Operators against NumPy in float64, on fresh random inputs."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

Array = np.ndarray[Any, Any]

_RNG = np.random.default_rng()

_WANTED_CAPABILITY = os.environ.get("ATEN_CPU_CAPABILITY", "")


def _capability() -> tuple[str | None, str]:
    """The capability in use, or None and the reason."""
    try:
        return torch.backends.cpu.get_cpu_capability(), ""
    except ValueError as error:
        if "this processor supports at most" not in str(error):
            raise
        return None, str(error)


_CAPABILITY, _LACK = _capability()

pytestmark = pytest.mark.skipif(_CAPABILITY is None, reason=_LACK)


def test_the_kernels_are_of_the_wanted_capability() -> None:
    assert _WANTED_CAPABILITY.upper() == _CAPABILITY or not _WANTED_CAPABILITY


_TOLERANCE = {torch.float32: 2e-5, torch.float64: 1e-12, torch.bfloat16: 2e-2, torch.float16: 4e-3}


def _tensor(array: Array, dtype: Any = torch.float32) -> Any:
    return torch.tensor(array.tolist(), dtype=dtype)


def _array(tensor: Any) -> Array:
    return np.array(tensor.tolist(), dtype=np.float64)


def _close(actual: Any, expected: Array, tolerance: float | None = None) -> None:
    if tolerance is None:
        tolerance = _TOLERANCE.get(actual.dtype, 0.0)
    np.testing.assert_allclose(_array(actual), expected, rtol=tolerance, atol=tolerance)


def _uniform(shape: tuple[int, ...], low: float = -2.0, high: float = 2.0) -> Array:
    # Rounded to bfloat16's precision, so that every type holds the same numbers.
    values = _RNG.uniform(low, high, shape)
    return np.ldexp(np.round(np.ldexp(values, 5)), -5)


_erf = np.vectorize(math.erf)

_UNARY: list[tuple[str, Callable[[Array], Array], float, float]] = [
    ("abs", np.abs, -2, 2),
    ("neg", np.negative, -2, 2),
    ("sqrt", np.sqrt, 0.1, 4),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 0.1, 4),
    ("square", np.square, -2, 2),
    ("exp", np.exp, -2, 2),
    ("expm1", np.expm1, -2, 2),
    ("log", np.log, 0.1, 4),
    ("log1p", np.log1p, 0.0, 4),
    ("sin", np.sin, -4, 4),
    ("cos", np.cos, -4, 4),
    ("tanh", np.tanh, -3, 3),
    ("sigmoid", lambda x: 1 / (1 + np.exp(-x)), -4, 4),
    ("relu", lambda x: np.maximum(x, 0), -2, 2),
    ("reciprocal", lambda x: 1 / x, 0.5, 4),
    ("sign", np.sign, -2, 2),
    ("floor", np.floor, -4, 4),
    ("ceil", np.ceil, -4, 4),
    ("round", np.round, -4, 4),
    ("trunc", np.trunc, -4, 4),
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize(("name", "reference", "low", "high"), _UNARY, ids=[u[0] for u in _UNARY])
def test_unary(
    name: str, reference: Callable[[Array], Array], low: float, high: float, dtype: Any
) -> None:
    x = _uniform((3, 41), low, high)
    t = _tensor(x, dtype)
    expected = reference(x)
    _close(getattr(torch, name)(t), expected)
    # Not contiguous, then in place.
    _close(getattr(torch, name)(t.t()), expected.T)
    getattr(t, name + "_")()
    _close(t, expected)


_BINARY: list[tuple[str, Callable[[Array, Array], Array]]] = [
    ("add", np.add),
    ("sub", np.subtract),
    ("mul", np.multiply),
    ("div", np.divide),
    ("floor_divide", np.floor_divide),
    ("remainder", np.mod),
    ("maximum", np.maximum),
    ("minimum", np.minimum),
    ("eq", np.equal),
    ("ne", np.not_equal),
    ("lt", np.less),
    ("le", np.less_equal),
    ("gt", np.greater),
    ("ge", np.greater_equal),
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize(("name", "reference"), _BINARY, ids=[b[0] for b in _BINARY])
def test_binary_broadcasts(
    name: str, reference: Callable[[Array, Array], Array], dtype: Any
) -> None:
    x = _uniform((4, 1, 9))
    y = _uniform((5, 1), 0.5, 3)
    actual = getattr(torch, name)(_tensor(x, dtype), _tensor(y, dtype))
    assert tuple(actual.shape) == (4, 5, 9)
    _close(actual, reference(x, y), _TOLERANCE[dtype])


@pytest.mark.parametrize("name", ["add", "sub", "mul", "floor_divide", "remainder", "maximum"])
def test_integers_are_exact(name: str) -> None:
    x = _RNG.integers(-100, 100, (50,))
    y = _RNG.integers(1, 20, (50,)) * _RNG.choice([-1, 1], (50,))
    reference = dict(_BINARY)[name]
    for dtype in (torch.int32, torch.int64):
        actual = getattr(torch, name)(_tensor(x, dtype), _tensor(y, dtype))
        assert actual.dtype == dtype
        assert actual.tolist() == reference(x, y).tolist()


def test_power_of_every_kind() -> None:
    x = _uniform((30,), 0.25, 3)
    y = _uniform((30,), -2, 2)
    _close(torch.pow(_tensor(x), _tensor(y)), x**y)
    _close(torch.pow(2, _tensor(y)), 2**y)
    for exponent in (-1, 0, 0.5, 1, 2, 3, 1.75):
        _close(_tensor(x) ** exponent, x**exponent)
    assert (torch.tensor([2, 3, -2]) ** 3).tolist() == [8, 27, -8]


_DTYPES = {
    torch.bool: "bool",
    torch.uint8: "uint8",
    torch.int8: "int8",
    torch.int16: "int16",
    torch.int32: "int32",
    torch.int64: "int64",
    torch.float16: "float16",
    torch.bfloat16: "bfloat16",
    torch.float32: "float32",
    torch.float64: "float64",
}
_FLOATS = ("bfloat16", "float16", "float32", "float64")


def _promoted(a: str, b: str) -> str:
    """Integers as NumPy; a floating point type wins over them; two halves meet in float32."""
    if a == b:
        return a
    if a in _FLOATS and b in _FLOATS:
        return "float32" if {a, b} == {"bfloat16", "float16"} else max(a, b, key=_FLOATS.index)
    if a in _FLOATS or b in _FLOATS:
        return a if a in _FLOATS else b
    return np.promote_types(a, b).name


@pytest.mark.parametrize("left", _DTYPES, ids=str)
def test_promotion_of_every_pair(left: Any) -> None:
    for right in _DTYPES:
        expected = _promoted(_DTYPES[left], _DTYPES[right])
        assert _DTYPES[torch.promote_types(left, right)] == expected
        total = torch.ones(2, dtype=left) * torch.ones(2, dtype=right)
        assert _DTYPES[total.dtype] == expected


def test_numbers_and_zero_dimensional_tensors_promote_by_category() -> None:
    ints = torch.ones(3, dtype=torch.int32)
    floats = torch.ones(3, dtype=torch.float32)
    assert (ints + 1).dtype == torch.int32
    assert (ints + 1.5).dtype == torch.float32
    assert (ints + True).dtype == torch.int32
    assert (floats + torch.tensor(1.0, dtype=torch.float64)).dtype == torch.float32
    assert (ints + torch.tensor(1, dtype=torch.int64)).dtype == torch.int32
    assert (torch.ones(3, dtype=torch.bool) + 1).dtype == torch.int64
    assert (ints / 2).dtype == torch.float32
    assert ints.sum().dtype == torch.int64


_REDUCTIONS: list[tuple[str, Callable[..., Array]]] = [
    ("sum", np.sum),
    ("mean", np.mean),
    ("prod", np.prod),
    ("amax", np.max),
    ("amin", np.min),
    ("argmax", np.argmax),
    ("argmin", np.argmin),
    ("all", np.all),
    ("any", np.any),
    ("var", lambda x, axis: np.var(x, axis=axis, ddof=1)),
    ("std", lambda x, axis: np.std(x, axis=axis, ddof=1)),
    ("cumsum", np.cumsum),
]


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize(("name", "reference"), _REDUCTIONS, ids=[r[0] for r in _REDUCTIONS])
def test_reduction_along_a_dimension(name: str, reference: Callable[..., Array], dim: int) -> None:
    x = _RNG.uniform(0.5, 1.5, (6, 7, 11))
    t = _tensor(x, torch.float64)
    _close(getattr(torch, name)(t, dim), reference(x, axis=dim), 1e-12)
    turned = t.permute(2, 0, 1)
    _close(getattr(turned, name)(dim), reference(x.transpose(2, 0, 1), axis=dim), 1e-12)


def test_reduction_of_everything() -> None:
    x = _RNG.uniform(-1, 1, (70, 90))
    t = _tensor(x)
    _close(t.sum(), x.sum(), 1e-3)
    _close(t.mean(), x.mean(), 1e-5)
    _close(t.max(), np.float32(x).max(), 0)
    _close(t.norm(), np.linalg.norm(x), 1e-4)
    _close(t.sum((0, 1), keepdim=True), x.sum(keepdims=True), 1e-3)
    values, indices = t.max(1)
    assert indices.tolist() == np.argmax(np.float32(x), axis=1).tolist()
    _close(values, np.float32(x).max(axis=1), 0)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((4,), (4,)),
        ((3, 4), (4,)),
        ((4,), (4, 5)),
        ((3, 4), (4, 5)),
        ((2, 3, 4), (4, 5)),
        ((2, 3, 4), (2, 4, 5)),
        ((7, 1, 3, 4), (2, 4, 5)),
        ((0, 4), (4, 5)),
        ((3, 0), (0, 5)),
    ],
)
def test_matmul(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    x = _uniform(left)
    y = _uniform(right)
    actual = torch.zeros(left) @ torch.zeros(right) if 0 in left else _tensor(x) @ _tensor(y)
    assert tuple(actual.shape) == np.matmul(x, y).shape
    if 0 not in left:
        _close(actual, np.matmul(x, y), 1e-4)


def test_linear_is_x_times_transposed_weight() -> None:
    x, w, b = _uniform((5, 8)), _uniform((3, 8)), _uniform((3,))
    _close(torch.nn.functional.linear(_tensor(x), _tensor(w), _tensor(b)), x @ w.T + b, 1e-4)


def test_softmax_and_cross_entropy() -> None:
    x = _uniform((6, 5), -8, 8)
    target = _RNG.integers(0, 5, (6,))
    exp = np.exp(x - x.max(axis=1, keepdims=True))
    p = exp / exp.sum(axis=1, keepdims=True)
    _close(torch.softmax(_tensor(x), 1), p, 1e-5)
    _close(torch.log_softmax(_tensor(x), 1), np.log(p), 1e-4)
    expected = -np.log(p[np.arange(6), target]).mean()
    actual = torch.nn.functional.cross_entropy(_tensor(x), torch.tensor(target.tolist()))
    _close(actual, expected, 1e-4)


def test_gelu_follows_the_error_function() -> None:
    x = _uniform((50,), -3, 3)
    expected = 0.5 * x * (1 + _erf(x / math.sqrt(2)))
    _close(torch.nn.functional.gelu(_tensor(x)), expected, 1e-5)


def test_indexing_as_numpy() -> None:
    x = _uniform((5, 6, 7))
    t = _tensor(x)
    i = _RNG.integers(-5, 5, (4, 1))
    k = _RNG.integers(0, 7, (3,))
    ti, tk = torch.tensor(i.tolist()), torch.tensor(k.tolist())
    _close(t[ti], x[i], 0)
    _close(t[:, :, tk], x[:, :, k], 0)
    _close(t[ti, :, tk], x[i, :, k], 0)
    _close(t[t > 0], x[x > 0], 0)
    _close(t[1:4, ::2, -1], x[1:4, ::2, -1], 0)
    t[t < 0] = 0.0
    _close(t, np.where(x < 0, 0, x), 0)


def test_joining_and_shapes() -> None:
    x, y = _uniform((2, 3)), _uniform((4, 3))
    _close(torch.cat([_tensor(x), _tensor(y)]), np.concatenate([x, y]), 0)
    _close(torch.stack([_tensor(x), _tensor(x)], 1), np.stack([x, x], 1), 0)
    _close(_tensor(x).repeat(2, 3), np.tile(x, (2, 3)), 0)
    _close(_tensor(x).t().reshape(6), x.T.reshape(6), 0)
    _close(_tensor(x).unsqueeze(1).expand(2, 4, 3), np.broadcast_to(x[:, None], (2, 4, 3)), 0)
    values, indices = torch.sort(_tensor(y), 0)
    _close(values, np.sort(y, 0), 0)
    _close(torch.gather(_tensor(y), 0, indices), np.sort(y, 0), 0)


def test_random_numbers_are_those_of_the_mersenne_twister() -> None:
    seed = int(_RNG.integers(0, 2**31))
    bits = np.random.RandomState(seed).randint(0, 2**32, size=64, dtype=np.uint32)
    torch.manual_seed(seed)
    _close(torch.rand(20), (bits[:20] & 0xFFFFFF) / 2.0**24, 0)
    torch.manual_seed(seed)
    assert torch.randint(0, 1000, (20,)).tolist() == (bits[:20] % 1000).tolist()
    torch.manual_seed(seed)
    order = list(range(10))
    for place in range(9):
        other = place + int(bits[place]) % (10 - place)
        order[place], order[other] = order[other], order[place]
    assert torch.randperm(10).tolist() == order


def test_normal_numbers_are_box_and_mullers() -> None:
    seed = int(_RNG.integers(0, 2**31))
    bits = np.random.RandomState(seed).randint(0, 2**32, size=16, dtype=np.uint32)
    u = (bits & 0xFFFFFF) / 2.0**24
    radius = np.sqrt(-2 * np.log(1 - u[:8]))
    theta = 2 * np.pi * u[8:]
    torch.manual_seed(seed)
    expected = np.concatenate([radius * np.cos(theta), radius * np.sin(theta)])
    _close(torch.randn(16), expected, 1e-4)


_ERRORS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (
        lambda: torch.ones(2, 3) @ torch.ones(4, 5),
        RuntimeError,
        r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 4x5\)",
    ),
    (
        lambda: torch.ones(2, 3) + torch.ones(4),
        RuntimeError,
        r"The size of tensor a \(3\) must match the size of tensor b \(4\) at non-singleton "
        r"dimension 1",
    ),
    (
        lambda: torch.ones(2, dtype=torch.int64).add_(1.5),
        RuntimeError,
        "result type Float can't be cast to the desired output type Long",
    ),
    (
        lambda: torch.ones(2, dtype=torch.uint8).fill_(300),
        RuntimeError,
        "value cannot be converted to type uint8_t without overflow",
    ),
    (
        lambda: torch.ones(2, 3).sum(2),
        IndexError,
        r"Dimension out of range \(expected to be in range of \[-2, 1\], but got 2\)",
    ),
    (
        lambda: torch.ones(2, 3).view(5, -1),
        RuntimeError,
        r"shape '\[5, -1\]' is invalid for input of size 6",
    ),
    (
        lambda: torch.ones(2, 3)[2],
        IndexError,
        "index 2 is out of bounds for dimension 0 with size 2",
    ),
    (
        lambda: torch.ones(2, 3, dtype=torch.int64).mean(),
        RuntimeError,
        r"mean\(\): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long",
    ),
    (
        lambda: torch.ones(2, 3).mean(dtype=torch.int64),
        RuntimeError,
        r"could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: Long",
    ),
    (
        lambda: torch.cat([torch.ones(2, 3), torch.ones(2, 4)]),
        RuntimeError,
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for "
        "tensor number 1 in the list.",
    ),
    (
        lambda: torch.ones(3, dtype=torch.bool) - torch.ones(3, dtype=torch.bool),
        RuntimeError,
        r"Subtraction, the `-` operator, with two bool tensors is not supported.",
    ),
    (
        lambda: torch.ones(2, 3).item(),
        RuntimeError,
        "a Tensor with 6 elements cannot be converted to Scalar",
    ),
    (
        lambda: bool(torch.ones(2)),
        RuntimeError,
        "Boolean value of Tensor with more than one value is ambiguous",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), _ERRORS, ids=[e[2][:40] for e in _ERRORS])
def test_errors_are_those_users_know(
    call: Callable[[], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_out_arguments_are_resized_and_checked() -> None:
    out = torch.empty(0)
    result = torch.add(torch.ones(3), torch.ones(3), out=out)
    assert result is out
    assert out.tolist() == [2, 2, 2]
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        torch.add(torch.ones(3), torch.ones(3), out=torch.empty(3, dtype=torch.int64))


def test_meta_tensors_have_shapes_without_data() -> None:
    a = torch.empty(3, 4, device="meta")
    b = torch.empty(4, device="meta")
    assert tuple(((a + b) @ a.t()).sum(0).shape) == (3,)
    assert (a + b).device.type == "meta"


@pytest.mark.parametrize("name", ["add_", "sub_", "mul_", "div_", "pow_", "lt_", "copy_"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_in_place_operators_keep_their_type(name: str, dtype: Any) -> None:
    x, y = _uniform((3, 4), 0.5, 2), _uniform((3, 4), 0.5, 2)
    target = _tensor(x, dtype)
    result = getattr(target, name)(_tensor(y, torch.float64))
    assert result is target
    assert target.dtype is dtype
    outplace = {"copy_": lambda a, b: b}.get(name, getattr(torch, name[:-1], None))
    _close(target, _array(outplace(_tensor(x, torch.float64), _tensor(y, torch.float64))))


def test_out_may_be_of_a_wider_type() -> None:
    x, y = torch.arange(6).reshape(2, 3), torch.arange(6).reshape(2, 3) * 3
    for out in (torch.empty(0), torch.empty(2, 3, dtype=torch.float64)):
        assert torch.add(x, y, out=out) is out
        assert out.tolist() == (x + y).tolist()
    with pytest.raises(RuntimeError, match=r"result type Float can't be cast to .* type Long"):
        torch.add(x, y.float(), out=torch.empty(2, 3, dtype=torch.int64))


def test_comparisons_of_integers_with_numbers_beyond_them() -> None:
    x = torch.tensor([-5, 0, 5])
    assert (x < math.inf).tolist() == [True] * 3
    assert (x > -math.inf).tolist() == [True] * 3
    assert (x == math.nan).tolist() == [False] * 3
    assert (torch.tensor([1, 250], dtype=torch.uint8) <= 300.5).tolist() == [True] * 2
    assert (torch.tensor([1.0], dtype=torch.float16) < 1e9).item()


def test_nonzero_keeps_each_dimension_together() -> None:
    x = torch.tensor([[1, 0, 2], [0, 3, 4]])
    places = x.nonzero()
    assert places.tolist() == [[0, 0], [0, 2], [1, 1], [1, 2]]
    assert places.stride() == (1, 4)
    assert torch.tensor(1).nonzero().shape == (1, 0)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_narrow_types_draw_the_same_numbers_as_float(dtype: Any) -> None:
    torch.manual_seed(0)
    wide = torch.rand(50)
    torch.manual_seed(0)
    assert torch.equal(torch.rand(50, dtype=dtype), wide.to(dtype))


def test_copy_takes_a_number() -> None:
    x = torch.zeros(2, 3)
    assert x.copy_(1.5) is x
    assert x.tolist() == [[1.5] * 3] * 2
