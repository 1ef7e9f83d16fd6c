"""Operators against NumPy in float64, on fresh random inputs: mathematical functions, order
statistics, indexing, contractions. tests/parity compares all of them with PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

Array = np.ndarray[Any, Any]

_RNG = np.random.default_rng()
_TOLERANCE = {torch.float32: 3e-5, torch.float64: 1e-11}


def _tensor(array: Array, dtype: Any = torch.float64) -> Any:
    return torch.tensor(array.tolist(), dtype=dtype)


def _close(actual: Any, expected: Any, tolerance: float = 1e-11) -> None:
    np.testing.assert_allclose(
        np.array(actual.tolist()).reshape(actual.shape),
        np.asarray(expected),
        rtol=tolerance,
        atol=tolerance,
    )


def _digamma(x: float) -> float:
    h = 1e-4
    low, high = math.lgamma(x - h), math.lgamma(x + h)
    lower, higher = math.lgamma(x - 2 * h), math.lgamma(x + 2 * h)
    return (8 * (high - low) - (higher - lower)) / (12 * h)


def _bessel(order: int, x: float) -> float:
    """The series of the modified Bessel function."""
    return sum(
        (x / 2) ** (2 * k + order) / (math.factorial(k) * math.factorial(k + order))
        for k in range(40)
    )


# Name, reference, range, tolerance in double.
_UNARY: list[tuple[str, Callable[[float], float], float, float, float]] = [
    ("acos", math.acos, -1, 1, 1e-12),
    ("acosh", math.acosh, 1, 50, 1e-12),
    ("asin", math.asin, -1, 1, 1e-12),
    ("asinh", math.asinh, -50, 50, 1e-12),
    ("atan", math.atan, -50, 50, 1e-12),
    ("atanh", math.atanh, -0.99, 0.99, 1e-11),
    ("cosh", math.cosh, -5, 5, 1e-12),
    ("sinh", math.sinh, -5, 5, 1e-12),
    ("tan", math.tan, -1.4, 1.4, 1e-11),
    ("exp2", lambda x: 2.0**x, -20, 20, 1e-12),
    ("log2", math.log2, 0.01, 100, 1e-12),
    ("log10", math.log10, 0.01, 100, 1e-12),
    ("erf", math.erf, -3, 3, 1e-12),
    ("erfc", math.erfc, -3, 3, 1e-12),
    ("lgamma", math.lgamma, 0.1, 20, 1e-12),
    ("digamma", _digamma, 0.5, 20, 1e-9),
    ("frac", lambda x: math.fmod(x, 1), -5, 5, 1e-12),
    ("deg2rad", math.radians, -360, 360, 1e-12),
    ("rad2deg", math.degrees, -6, 6, 1e-12),
    ("i0", lambda x: _bessel(0, x), -4, 4, 1e-12),
    ("special.i1", lambda x: _bessel(1, x), -4, 4, 1e-12),
    ("special.i0e", lambda x: _bessel(0, x) * math.exp(-abs(x)), -4, 4, 1e-12),
    ("special.i1e", lambda x: _bessel(1, x) * math.exp(-abs(x)), -4, 4, 1e-12),
    ("special.erfcx", lambda x: math.exp(x * x) * math.erfc(x), -3, 5, 1e-11),
    ("special.entr", lambda x: -x * math.log(x), 0.1, 5, 1e-12),
    ("special.ndtr", lambda x: math.erfc(-x / math.sqrt(2)) / 2, -5, 5, 1e-12),
    ("special.log_ndtr", lambda x: math.log(math.erfc(-x / math.sqrt(2)) / 2), -5, 5, 1e-11),
    ("logit", lambda x: math.log(x / (1 - x)), 0.01, 0.99, 1e-12),
    ("sinc", lambda x: math.sin(math.pi * x) / (math.pi * x), 0.1, 5, 1e-12),
    (
        "mvlgamma",
        lambda x: math.log(math.pi) / 2 + math.lgamma(x) + math.lgamma(x - 0.5),
        1,
        9,
        1e-12,
    ),
]


def _function(name: str) -> Callable[..., Any]:
    function = torch
    for part in name.split("."):
        function = getattr(function, part)
    return function


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    ("name", "reference", "low", "high", "tolerance"), _UNARY, ids=[u[0] for u in _UNARY]
)
def test_functions_of_one_number(
    name: str,
    reference: Callable[[float], float],
    low: float,
    high: float,
    tolerance: float,
    dtype: Any,
) -> None:
    # More elements than a vector has, and a rest.
    x = torch.tensor(_RNG.uniform(low, high, 37).tolist(), dtype=dtype).clamp(low, high)
    arguments = (x, 2) if name == "mvlgamma" else (x,)
    expected = [reference(v) for v in x.tolist()]
    actual = _function(name)(*arguments)
    assert actual.dtype == dtype
    _close(actual, expected, max(tolerance, 2e-5 if dtype == torch.float32 else 0))
    # Strided inputs take another loop.
    _close(
        _function(name)(*((x[::3],) + arguments[1:])),
        expected[::3],
        max(tolerance, 2e-5 if dtype == torch.float32 else 0),
    )


@pytest.mark.parametrize("name", ["acos", "exp2", "erf", "tan", "asinh", "log2"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_small_types_round_what_float_computes(name: str, dtype: Any) -> None:
    x = (torch.rand(53) * 0.8 + 0.1).to(dtype)
    function = getattr(torch, name)
    assert torch.equal(function(x), function(x.to(torch.float32)).to(dtype))


@pytest.mark.parametrize("name", ["erfinv", "special.ndtri"])
def test_inverses(name: str) -> None:
    p = torch.tensor(_RNG.uniform(0.001, 0.999, 50).tolist(), dtype=torch.float64)
    if name == "erfinv":
        _close(torch.erf(torch.erfinv(p)), p.tolist(), 1e-12)
        assert torch.erfinv(torch.tensor([1.0, -1.0])).tolist() == [math.inf, -math.inf]
    else:
        _close(torch.special.ndtr(torch.special.ndtri(p)), p.tolist(), 1e-10)


_BINARY: list[tuple[str, Callable[[Array, Array], Array]]] = [
    ("atan2", np.arctan2),
    ("hypot", np.hypot),
    ("copysign", np.copysign),
    ("logaddexp", np.logaddexp),
    ("logaddexp2", np.logaddexp2),
    ("fmax", np.fmax),
    ("fmin", np.fmin),
    ("fmod", np.fmod),
    ("heaviside", np.heaviside),
    ("nextafter", np.nextafter),
    ("ldexp", lambda a, b: a * 2.0**b),
    ("float_power", lambda a, b: np.abs(a) ** b),
]


@pytest.mark.parametrize(("name", "reference"), _BINARY, ids=[b[0] for b in _BINARY])
def test_functions_of_two_numbers(name: str, reference: Callable[[Array, Array], Array]) -> None:
    a, b = _RNG.uniform(-3, 3, (5, 13)), _RNG.uniform(-3, 3, 13)
    x = np.abs(a) if name == "float_power" else a
    _close(getattr(torch, name)(_tensor(x), _tensor(b)), reference(x, b), 1e-12)
    _close(getattr(torch, name)(_tensor(x), _tensor(b[3])), reference(x, b[3]), 1e-12)


def test_xlogy_is_zero_where_its_argument_is() -> None:
    x = torch.tensor([0.0, 0.0, 2.0, math.nan])
    y = torch.tensor([0.0, math.nan, 3.0, 1.0])
    assert torch.xlogy(x, y).tolist()[0] == 0
    assert torch.isnan(torch.xlogy(x, y)).tolist() == [False, True, False, True]


def test_integers_divide_shift_and_share_divisors() -> None:
    a, b = _RNG.integers(-50, 50, 40), _RNG.integers(1, 12, 40)
    x, y = _tensor(a, torch.int64), _tensor(b, torch.int64)
    assert torch.gcd(x, y).tolist() == np.gcd(a, b).tolist()
    assert torch.lcm(x, y).tolist() == np.lcm(a, b).tolist()
    assert torch.fmod(x, y).tolist() == np.fmod(a, b).tolist()
    assert (x << y).tolist() == (a << b).tolist()
    assert (x >> y).tolist() == (a >> b).tolist()
    assert torch.bitwise_right_shift(x, 64).tolist() == (a >> 63).tolist()


def test_clamp_by_tensors() -> None:
    a, low, high = _RNG.normal(size=(4, 6)), _RNG.normal(size=6) - 1, _RNG.normal(size=(4, 1)) + 1
    x = _tensor(a)
    _close(torch.clamp(x, _tensor(low), _tensor(high)), np.clip(a, low, high))
    _close(torch.clip(x, max=_tensor(high)), np.minimum(a, high))


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
@pytest.mark.parametrize(
    "name",
    [
        "exp",
        "log",
        "sin",
        "cos",
        "tan",
        "tanh",
        "sinh",
        "cosh",
        "sqrt",
        "asin",
        "acos",
        "atan",
        "asinh",
        "acosh",
        "atanh",
        "reciprocal",
        "abs",
        "angle",
        "expm1",
        "log1p",
        "exp2",
        "log2",
        "log10",
        "square",
    ],
)
def test_complex_functions(name: str, dtype: Any) -> None:
    z = _RNG.normal(size=20) + 1j * _RNG.normal(size=20)
    numpy_name = {
        "acos": "arccos",
        "asin": "arcsin",
        "atan": "arctan",
        "acosh": "arccosh",
        "asinh": "arcsinh",
        "atanh": "arctanh",
    }.get(name, name)
    actual = getattr(torch, name)(torch.tensor(z.tolist(), dtype=dtype))
    _close(actual, getattr(np, numpy_name)(z), 1e-4 if dtype == torch.complex64 else 1e-11)


def test_parts_of_complex_numbers() -> None:
    z = _RNG.normal(size=(3, 2)) + 1j * _RNG.normal(size=(3, 2))
    t = torch.tensor(z.tolist(), dtype=torch.complex128)
    _close(torch.real(t), z.real)
    _close(torch.imag(t), z.imag)
    _close(torch.conj(t), z.conj())
    _close(torch.view_as_real(t), np.stack([z.real, z.imag], -1))
    _close(torch.polar(t.abs(), t.angle()), z)
    assert torch.equal(torch.complex(torch.real(t), torch.imag(t)), t)
    assert torch.view_as_complex(torch.view_as_real(t)).data_ptr() == t.data_ptr()


# ---- factories


def test_linspace_and_logspace() -> None:
    for steps in (0, 1, 2, 7, 50):
        _close(torch.linspace(-2, 3, steps, dtype=torch.float64), np.linspace(-2, 3, steps))
        _close(torch.logspace(-1, 2, steps, dtype=torch.float64), np.logspace(-1, 2, steps), 1e-11)
    assert torch.linspace(0, 10, 5, dtype=torch.int64).tolist() == [0, 2, 5, 7, 10]
    with pytest.raises(RuntimeError, match="number of steps must be non-negative"):
        torch.linspace(0, 1, -1)


def test_triangles() -> None:
    for offset in (-2, 0, 1, 9):
        expected = np.tril_indices(4, offset, 5)
        assert torch.tril_indices(4, 5, offset).tolist() == [e.tolist() for e in expected]
        expected = np.triu_indices(4, offset, 5)
        assert torch.triu_indices(4, 5, offset).tolist() == [e.tolist() for e in expected]


# ---- shapes


def test_stacks_and_splits() -> None:
    a, b = _RNG.normal(size=(2, 3)), _RNG.normal(size=(2, 3))
    x, y = _tensor(a), _tensor(b)
    for name in ("hstack", "vstack", "dstack", "column_stack"):
        _close(getattr(torch, name)((x, y)), getattr(np, name)((a, b)))
        _close(getattr(torch, name)((x[0], y[0])), getattr(np, name)((a[0], b[0])))
    wide = _RNG.normal(size=(4, 6, 2))
    for parts in (3, [1, 4]):
        for name in ("vsplit", "hsplit"):
            count = parts if isinstance(parts, list) else 2
            for mine, theirs in zip(
                getattr(torch, name)(_tensor(wide), count),
                getattr(np, name)(wide, count),
                strict=True,
            ):
                _close(mine, theirs)
    for mine, theirs in zip(
        torch.tensor_split(_tensor(wide), 4, 1), np.array_split(wide, 4, 1), strict=True
    ):
        _close(mine, theirs)
    with pytest.raises(RuntimeError, match="not divisible by the split_size 4"):
        torch.hsplit(_tensor(wide), 4)


def test_reordering() -> None:
    a = _RNG.normal(size=(3, 4, 2))
    x = _tensor(a)
    _close(torch.roll(x, 5), np.roll(a, 5))
    _close(torch.roll(x, (1, -3), (0, 1)), np.roll(a, (1, -3), (0, 1)))
    for k in range(-2, 5):
        _close(torch.rot90(x, k, (1, 2)), np.rot90(a, k, (1, 2)))
    _close(torch.tile(x, (2, 1)), np.tile(a, (2, 1)))
    _close(torch.fliplr(x), np.fliplr(a))
    _close(torch.flipud(x), np.flipud(a))
    _close(torch.repeat_interleave(x, 3, dim=1), np.repeat(a, 3, 1))
    _close(torch.repeat_interleave(x, torch.tensor([2, 0, 1]), dim=0), np.repeat(a, [2, 0, 1], 0))
    for mine, theirs in zip(
        torch.meshgrid(x[0, :, 0], x[:, 0, 1], indexing="xy"),
        np.meshgrid(a[0, :, 0], a[:, 0, 1], indexing="xy"),
        strict=True,
    ):
        _close(mine, theirs)


def test_diagonals() -> None:
    a = _RNG.normal(size=(4, 5))
    for k in (-2, 0, 3):
        _close(torch.diag(_tensor(a), k), np.diag(a, k))
        _close(torch.diag(_tensor(a[0]), k), np.diag(a[0], k))
        _close(torch.diagflat(_tensor(a), k), np.diagflat(a, k))
    _close(torch.trace(_tensor(a)), np.trace(a))
    _close(torch.diag_embed(_tensor(a)).diagonal(dim1=-2, dim2=-1), a)


# ---- order, scans, statistics


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_order_statistics(dim: int) -> None:
    a = _RNG.normal(size=(5, 7, 3))
    x = _tensor(a)
    values, indices = x.median(dim)
    _close(values, np.sort(a, dim).take((a.shape[dim] - 1) // 2, dim))
    _close(x.gather(dim, indices.unsqueeze(dim)).squeeze(dim), values.tolist())
    values, indices = x.kthvalue(2, dim)
    _close(values, np.sort(a, dim).take(1, dim))
    for q in (0.0, 0.3, 1.0):
        for how in ("linear", "lower", "higher", "midpoint", "nearest"):
            _close(
                x.quantile(q, dim, interpolation=how),
                np.quantile(a, q, dim, method=how),
                1e-10,
            )
    holes = np.where(_RNG.random(a.shape) < 0.3, np.nan, a)
    _close(torch.nanquantile(_tensor(holes), 0.4, dim), np.nanquantile(holes, 0.4, dim), 1e-10)
    _close(torch.nansum(_tensor(holes), dim), np.nansum(holes, dim))
    _close(torch.nanmean(_tensor(holes), dim), np.nanmean(holes, dim))


def test_mode_is_the_most_frequent_element() -> None:
    x = torch.tensor([[3, 1, 3, 1, 2], [5, 5, 4, 4, 4]])
    values, indices = x.mode(1)
    assert values.tolist() == [1, 4]
    assert x.gather(1, indices.unsqueeze(1)).squeeze(1).tolist() == [1, 4]


def test_scans() -> None:
    a = _RNG.normal(size=(4, 9))
    x = _tensor(a)
    for dim in (0, 1):
        _close(x.cumprod(dim), np.cumprod(a, dim))
        _close(x.logcumsumexp(dim), np.log(np.cumsum(np.exp(a), dim)), 1e-11)
        _close(x.cummax(dim)[0], np.maximum.accumulate(a, dim))
        _close(x.cummin(dim)[0], np.minimum.accumulate(a, dim))
        _close(x.diff(dim=dim), np.diff(a, axis=dim))
        _close(
            torch.trapezoid(x, dim=dim),
            getattr(np, "trapezoid", getattr(np, "trapz", None))(a, axis=dim),
        )
    _close(torch.cov(x), np.cov(a), 1e-11)
    _close(torch.corrcoef(x), np.corrcoef(a), 1e-11)
    for mine, theirs in zip(torch.gradient(x), np.gradient(a), strict=True):
        _close(mine, theirs)
    low, high = x.aminmax(dim=1)
    _close(low, a.min(1))
    _close(high, a.max(1))


def test_counts() -> None:
    a = _RNG.integers(0, 6, 40)
    x = torch.tensor(a.tolist())
    assert torch.bincount(x, minlength=9).tolist() == np.bincount(a, minlength=9).tolist()
    weights = _RNG.normal(size=40)
    _close(torch.bincount(x, _tensor(weights)), np.bincount(a, weights))
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    expected = np.unique(a, return_inverse=True, return_counts=True)
    assert [values.tolist(), inverse.tolist(), counts.tolist()] == [e.tolist() for e in expected]
    rows = _RNG.integers(0, 2, (9, 2))
    assert (
        torch.unique(torch.tensor(rows.tolist()), dim=0).tolist()
        == np.unique(rows, axis=0).tolist()
    )
    again, counts = torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_counts=True)
    assert (again.tolist(), counts.tolist()) == ([1, 2, 1], [2, 1, 1])
    b = _RNG.normal(size=100)
    expected_counts, _ = np.histogram(b, 7, (-1, 2))
    _close(torch.histc(_tensor(b), 7, -1, 2), expected_counts)
    assert torch.count_nonzero(x).item() == np.count_nonzero(a)


def test_search() -> None:
    edges, values = np.sort(_RNG.normal(size=9)), _RNG.normal(size=(3, 4))
    for right in (False, True):
        expected = np.searchsorted(edges, values, side="right" if right else "left")
        assert (
            torch.searchsorted(_tensor(edges), _tensor(values), right=right).tolist()
            == expected.tolist()
        )
        assert (
            torch.bucketize(_tensor(values), _tensor(edges), right=right).tolist()
            == expected.tolist()
        )
    a, b = _RNG.integers(0, 9, (3, 4)), _RNG.integers(0, 9, 4)
    assert (
        torch.isin(torch.tensor(a.tolist()), torch.tensor(b.tolist())).tolist()
        == np.isin(a, b).tolist()
    )


# ---- indexing


def test_take_put_and_fill() -> None:
    a = _RNG.normal(size=(3, 4))
    x = _tensor(a)
    index = torch.tensor([[0, -1], [5, 5]])
    _close(torch.take(x, index), np.take(a, index.tolist()))
    put = a.copy()
    np.put(put, [1, 7], [9.0, 8.0])
    _close(x.put(torch.tensor([1, 7]), torch.tensor([9.0, 8.0]).double()), put)
    order = np.argsort(a, 1)
    _close(
        torch.take_along_dim(x, torch.tensor(order.tolist()), 1), np.take_along_axis(a, order, 1)
    )
    filled = a.copy()
    filled[:, [0, 2]] = 7
    _close(x.index_fill(1, torch.tensor([0, 2]), 7), filled)
    copied = a.copy()
    copied[[2, 0]] = a[:2]
    _close(x.index_copy(0, torch.tensor([2, 0]), x[:2]), copied)


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("how", ["sum", "prod", "mean", "amax", "amin"])
def test_reductions_by_index(how: str, own: bool) -> None:
    a, src = _RNG.normal(size=4), _RNG.normal(size=7)
    index = _RNG.integers(0, 3, 7)
    groups = [
        [a[i]] * own + [s for s, place in zip(src, index, strict=True) if place == i]
        for i in range(4)
    ]
    combine = {"sum": np.sum, "prod": np.prod, "mean": np.mean, "amax": np.max, "amin": np.min}[how]
    expected = [combine(g) if len(g) > own else a[i] for i, g in enumerate(groups)]
    x, s, i = _tensor(a), _tensor(src), torch.tensor(index.tolist())
    _close(x.scatter_reduce(0, i, s, how, include_self=own), expected)
    if how != "sum":
        _close(x.index_reduce(0, i, s, how, include_self=own), expected)


# ---- contractions


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ij,jk", [(2, 3), (3, 4)]),
        ("bij,bjk->bki", [(5, 2, 3), (5, 3, 4)]),
        ("i,j->ji", [(2,), (3,)]),
        ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]),
        ("ij->ji", [(2, 3)]),
        ("...ij,...jk->...ik", [(4, 1, 2, 3), (5, 3, 2)]),
        ("ij,ik,il->jkl", [(3, 2), (3, 4), (3, 2)]),
        ("ab,b,bc,ca->", [(2, 3), (3,), (3, 4), (4, 2)]),
        ("iij,jk->ik", [(2, 2, 3), (3, 4)]),
    ],
)
def test_einsum(equation: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = [_RNG.normal(size=shape) for shape in shapes]
    _close(torch.einsum(equation, *map(_tensor, arrays)), np.einsum(equation, *arrays))


def test_other_products() -> None:
    a, b = _RNG.normal(size=(2, 3, 4)), _RNG.normal(size=(4, 3, 5))
    x, y = _tensor(a), _tensor(b)
    _close(torch.tensordot(x, y, dims=([2, 1], [0, 1])), np.tensordot(a, b, ([2, 1], [0, 1])))
    _close(torch.tensordot(x, y.permute(0, 1, 2), dims=1), np.tensordot(a, b, 1))
    _close(torch.kron(x[0], y[0]), np.kron(a[0], b[0]))
    _close(torch.inner(x, y.permute(2, 1, 0)), np.inner(a, b.transpose(2, 1, 0)))
    v, w = _RNG.normal(size=(6, 3)), _RNG.normal(size=(6, 3))
    _close(torch.linalg.cross(_tensor(v), _tensor(w)), np.cross(v, w))
    _close(torch.vdot(_tensor(v[0]), _tensor(w[0])), np.vdot(v[0], w[0]))
    for p in (0.0, 1.0, 2.0, 3.5, math.inf):
        expected = [[np.linalg.norm(r - s, p) for s in w] for r in v]
        _close(torch.cdist(_tensor(v), _tensor(w), p), expected)
    base, m, n = (
        _RNG.normal(size=(2, 3, 5)),
        _RNG.normal(size=(2, 3, 4)),
        _RNG.normal(size=(2, 4, 5)),
    )
    _close(
        torch.baddbmm(_tensor(base), _tensor(m), _tensor(n), beta=0.5, alpha=2),
        0.5 * base + 2 * m @ n,
    )
    _close(torch.addbmm(_tensor(base[0]), _tensor(m), _tensor(n)), base[0] + (m @ n).sum(0))
    _close(
        torch.addr(_tensor(base[0, :, :3]), _tensor(v[0]), _tensor(w[0])),
        base[0, :, :3] + np.outer(v[0], w[0]),
    )


# ---- random numbers


def test_distributions_have_their_moments() -> None:
    n = 40000
    x = torch.empty(n, dtype=torch.float64)
    assert abs(x.exponential_(2.0).mean().item() - 0.5) < 0.02
    assert abs(x.geometric_(0.25).mean().item() - 4) < 0.2
    assert abs(x.log_normal_(0.0, 0.5).log().mean().item()) < 0.02
    assert abs(x.cauchy_(1.0, 0.5).median().item() - 1) < 0.03
    rates = torch.full((n,), 30.0)
    assert abs(torch.poisson(rates).mean().item() - 30) < 0.2
    assert abs(torch.poisson(rates / 10).var().item() - 3) < 0.2
    chosen = torch.multinomial(torch.tensor([1.0, 0.0, 3.0]), n, replacement=True)
    counts = torch.bincount(chosen, minlength=3).tolist()
    assert counts[1] == 0
    assert abs(counts[2] / n - 0.75) < 0.02
    assert sorted(torch.multinomial(torch.ones(5), 5).tolist()) == [0, 1, 2, 3, 4]
    drawn = torch.normal(torch.full((n,), 3.0), torch.full((n,), 2.0))
    assert abs(drawn.mean().item() - 3) < 0.06
    assert abs(drawn.std().item() - 2) < 0.06


def test_bool_is_refused_where_it_means_nothing() -> None:
    x = torch.tensor([True, False])
    for function in (torch.abs, torch.argmax, torch.lcm):
        with pytest.raises((RuntimeError, TypeError, NotImplementedError)):
            function(x, x) if function is torch.lcm else function(x)
