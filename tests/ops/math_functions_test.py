"""Functions of one number or two against Python's and NumPy's, on fresh random inputs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from tests.ops.arrays import RNG, Array, close, tensor


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
    x = torch.tensor(RNG.uniform(low, high, 37).tolist(), dtype=dtype).clamp(low, high)
    arguments = (x, 2) if name == "mvlgamma" else (x,)
    expected = [reference(v) for v in x.tolist()]
    actual = _function(name)(*arguments)
    assert actual.dtype == dtype
    close(actual, expected, max(tolerance, 2e-5 if dtype == torch.float32 else 0))
    # Strided inputs take another loop.
    close(
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
    p = torch.tensor(RNG.uniform(0.001, 0.999, 50).tolist(), dtype=torch.float64)
    if name == "erfinv":
        close(torch.erf(torch.erfinv(p)), p.tolist(), 1e-12)
        assert torch.erfinv(torch.tensor([1.0, -1.0])).tolist() == [math.inf, -math.inf]
        # From the smallest numbers to the neighbours of 1, where the complement shows the digits.
        sizes = [*(2.0 ** -RNG.uniform(0.01, 60, 200)), *(1 - 2.0 ** -RNG.uniform(1, 52, 200))]
        for y, x in zip(
            sizes, torch.erfinv(torch.tensor(sizes, dtype=torch.float64)).tolist(), strict=True
        ):
            wanted, found = (y, math.erf(x)) if y < 0.5 else (1 - y, math.erfc(x))
            assert abs(found - wanted) <= 2e-13 * wanted
        odd = torch.tensor(sizes)
        assert torch.equal(torch.erfinv(-odd), -torch.erfinv(odd))
        assert torch.erfinv(torch.tensor([1.5, math.nan])).isnan().all()
    else:
        close(torch.special.ndtr(torch.special.ndtri(p)), p.tolist(), 1e-10)


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
    a, b = RNG.uniform(-3, 3, (5, 13)), RNG.uniform(-3, 3, 13)
    x = np.abs(a) if name == "float_power" else a
    # What only chooses, or goes to the next number, has nothing to round.
    tolerance = 0 if name in ("copysign", "fmax", "fmin", "heaviside", "nextafter") else 1e-12
    close(getattr(torch, name)(tensor(x), tensor(b)), reference(x, b), tolerance)
    close(getattr(torch, name)(tensor(x), tensor(b[3])), reference(x, b[3]), tolerance)


def test_xlogy_is_zero_where_its_argument_is() -> None:
    x = torch.tensor([0.0, 0.0, 2.0, math.nan])
    y = torch.tensor([0.0, math.nan, 3.0, 1.0])
    assert torch.xlogy(x, y).tolist()[0] == 0
    assert torch.isnan(torch.xlogy(x, y)).tolist() == [False, True, False, True]


def test_integers_divide_shift_and_share_divisors() -> None:
    a, b = RNG.integers(-50, 50, 40), RNG.integers(1, 12, 40)
    x, y = tensor(a, torch.int64), tensor(b, torch.int64)
    assert torch.gcd(x, y).tolist() == np.gcd(a, b).tolist()
    assert torch.lcm(x, y).tolist() == np.lcm(a, b).tolist()
    assert torch.fmod(x, y).tolist() == np.fmod(a, b).tolist()
    assert (x << y).tolist() == (a << b).tolist()
    assert (x >> y).tolist() == (a >> b).tolist()
    assert torch.bitwise_right_shift(x, 64).tolist() == (a >> 63).tolist()


def test_clamp_by_tensors() -> None:
    a, low, high = RNG.normal(size=(4, 6)), RNG.normal(size=6) - 1, RNG.normal(size=(4, 1)) + 1
    x = tensor(a)
    close(torch.clamp(x, tensor(low), tensor(high)), np.clip(a, low, high))
    close(torch.clip(x, max=tensor(high)), np.minimum(a, high))


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
    z = RNG.normal(size=20) + 1j * RNG.normal(size=20)
    numpy_name = {
        "acos": "arccos",
        "asin": "arcsin",
        "atan": "arctan",
        "acosh": "arccosh",
        "asinh": "arcsinh",
        "atanh": "arctanh",
    }.get(name, name)
    actual = getattr(torch, name)(torch.tensor(z.tolist(), dtype=dtype))
    close(actual, getattr(np, numpy_name)(z), 1e-4 if dtype == torch.complex64 else 1e-11)


def test_parts_of_complex_numbers() -> None:
    z = RNG.normal(size=(3, 2)) + 1j * RNG.normal(size=(3, 2))
    t = torch.tensor(z.tolist(), dtype=torch.complex128)
    close(torch.real(t), z.real)
    close(torch.imag(t), z.imag)
    close(torch.conj(t), z.conj())
    close(torch.view_as_real(t), np.stack([z.real, z.imag], -1))
    close(torch.polar(t.abs(), t.angle()), z)
    assert torch.equal(torch.complex(torch.real(t), torch.imag(t)), t)
    assert torch.view_as_complex(torch.view_as_real(t)).data_ptr() == t.data_ptr()


def test_bool_is_refused_where_it_means_nothing() -> None:
    x = torch.tensor([True, False])
    for function, arguments in ((torch.abs, (x,)), (torch.argmax, (x,)), (torch.lcm, (x, x))):
        with pytest.raises(RuntimeError, match="not implemented for 'Bool'|not support bool"):
            function(*arguments)


def test_decimals_of_integers_are_not_implemented() -> None:
    with pytest.raises(NotImplementedError, match="\"round_cpu\" not implemented for 'Long'"):
        torch.tensor([1234]).round(decimals=-2)
    assert torch.tensor([1234]).round(decimals=0).tolist() == [1234]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_logit_keeps_nan_and_clamps_the_rest(dtype: Any) -> None:
    """At each place of a vector, and behind the last whole one."""
    for n in (1, 3, 8, 37):
        x = torch.linspace(-0.5, 1.5, n, dtype=dtype)
        x[n // 2] = math.nan
        expected = x.double().clamp(0.25, 0.75)
        actual = torch.logit(x, eps=0.25)
        assert actual.isnan().tolist() == x.isnan().tolist()
        near = torch.log(expected / (1 - expected)).nan_to_num()
        close(actual.nan_to_num(), near.numpy(), 2e-2 if dtype.itemsize == 2 else 1e-6)
    assert torch.logit(torch.tensor([0.5, 2.0], dtype=dtype)).isnan().tolist() == [False, True]
