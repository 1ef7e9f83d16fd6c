"""Bessel functions, Airy's function and orthogonal polynomials by their definitions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre

from tests.ops.arrays import RNG, Array, close, tensor

special: Any = torch.special


def _mean_over_angles(f: Callable[[Array], Array]) -> Array:
    """The mean of a periodic function over [0, 2 pi), which equal steps give exactly."""
    return np.mean(f(np.arange(400) * (2 * np.pi / 400)), axis=-1)


def _over_the_positive(f: Callable[[Array], Array]) -> Array:
    """The integral over t > 0 of what falls as fast as exp(-exp(t)); Gauss and Legendre's rule."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    t = (nodes + 1) * 6
    return (f(t) * weights).sum(-1) * 6


def _j(n: int, x: Array) -> Array:
    return _mean_over_angles(lambda a: np.cos(n * a - x[:, None] * np.sin(a)))


def _i(n: int, x: Array) -> Array:
    return _mean_over_angles(lambda a: np.exp(x[:, None] * np.cos(a)) * np.cos(n * a))


def _k(n: int, x: Array, scaled: bool) -> Array:
    shift = x[:, None] if scaled else 0
    return _over_the_positive(lambda t: np.exp(shift - x[:, None] * np.cosh(t)) * np.cosh(n * t))


def _y(n: int, x: Array) -> Array:
    nodes, weights = np.polynomial.legendre.leggauss(400)
    angle = (nodes + 1) * (np.pi / 2)
    first = (np.sin(x[:, None] * np.sin(angle) - n * angle) * weights).sum(-1) / 2
    rest = _over_the_positive(
        lambda t: (np.exp(n * t) + (-1) ** n * np.exp(-n * t)) * np.exp(-x[:, None] * np.sinh(t))
    )
    return first - rest / np.pi


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_bessel_functions(dtype: Any) -> None:
    x = RNG.uniform(-20, 20, 50).astype(np.float32).astype(np.float64)
    p = RNG.uniform(0.5, 20, 50).astype(np.float32).astype(np.float64)
    for n in (0, 1):
        close(getattr(special, f"bessel_j{n}")(tensor(x, dtype)), _j(n, x), 1e-5)
        close(getattr(special, f"bessel_y{n}")(tensor(p, dtype)), _y(n, p), 1e-5)
        close(getattr(special, f"modified_bessel_i{n}")(tensor(x / 4, dtype)), _i(n, x / 4), 1e-4)
        close(getattr(special, f"modified_bessel_k{n}")(tensor(p, dtype)), _k(n, p, False), 1e-5)
        scaled = getattr(special, f"scaled_modified_bessel_k{n}")
        close(scaled(tensor(p, dtype)), _k(n, p, True), 1e-5)
        if dtype == torch.float64:
            close(getattr(special, f"bessel_j{n}")(tensor(x)), _j(n, x), 1e-13)
            close(getattr(special, f"bessel_y{n}")(tensor(p)), _y(n, p), 1e-12)
            close(scaled(tensor(p)), _k(n, p, True), 1e-12)
    close(special.spherical_bessel_j0(tensor(x, dtype)), np.sinc(x / np.pi), 1e-6)


def _airy(x: float) -> float:
    """The Maclaurin series in exact arithmetic; the constants are Ai(0) and -Ai'(0)."""
    cube, f, g = Fraction(x) ** 3, Fraction(1), Fraction(x)
    sums = [f, g]
    for k in range(1, 90):
        f *= cube / ((3 * k - 1) * (3 * k))
        g *= cube / ((3 * k) * (3 * k + 1))
        sums = [sums[0] + f, sums[1] + g]
    at_0 = Fraction("0.355028053887817239260063186004183176397979174199")
    slope = Fraction("0.258819403792806798405183560189203963479091138354")
    return float(at_0 * sums[0] - slope * sums[1])


def test_airy() -> None:
    x = [0.0, -1.5, 1.5, *RNG.uniform(-12, 6, 40).tolist()]
    found = special.airy_ai(torch.tensor(x, dtype=torch.float64))
    np.testing.assert_allclose(found.numpy(), [_airy(v) for v in x], rtol=1e-12, atol=1e-13)
    # Far away, by the leading terms of 9.7.5 and 9.7.9 of the Digital Library.
    zeta = 2 / 3 * 500**1.5
    wave = math.cos(zeta - math.pi / 4) + 5 / (72 * zeta) * math.sin(zeta - math.pi / 4)
    expected = wave / (math.sqrt(math.pi) * 500**0.25)
    assert special.airy_ai(torch.tensor(-500.0).double()).item() == pytest.approx(expected, 1e-6)
    assert special.airy_ai(torch.tensor(150.0).double()).item() == 0


def test_bessel_functions_at_the_edges() -> None:
    x = torch.tensor([0.0, -1.0, math.inf, math.nan], dtype=torch.float64)
    nan, inf = math.nan, math.inf
    for name, expected in {
        "bessel_y0": [-inf, nan, nan, nan],
        "bessel_y1": [-inf, nan, nan, nan],
        "modified_bessel_k0": [inf, nan, 0, nan],
        "scaled_modified_bessel_k1": [inf, nan, 0, nan],
        "spherical_bessel_j0": [1, math.sin(1), 0, nan],
    }.items():
        np.testing.assert_allclose(getattr(special, name)(x).numpy(), expected, err_msg=name)
    for name in ("airy_ai", "bessel_j0", "bessel_j1", "modified_bessel_i0"):
        assert getattr(special, name)(x).isnan().tolist() == [False, False, True, True]
    with pytest.raises(NotImplementedError, match="\"bessel_j0_cpu\" not implemented for 'Half'"):
        special.bessel_j0(x.half())
    assert special.bessel_j0(torch.tensor([2])).dtype == torch.float32
    assert not special.bessel_j0(x.requires_grad_()).requires_grad


def _zeta(s: int, x: float) -> float:
    """The sum of (x + k)^-s: its first terms exactly, and Euler and Maclaurin's formula."""
    first = [(x + k) ** -s for k in range(200)]
    y = x + 200
    rest = y / (s - 1) + 0.5 + s / (12 * y) - s * (s + 1) * (s + 2) / (720 * y**3)
    return math.fsum([*first, y**-s * rest])


def _single(x: Array) -> list[float]:
    """The numbers rounded to float."""
    return [float(v) for v in x.astype(np.float32)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 12, 30])
def test_polygamma(n: int) -> None:
    x = RNG.uniform(0.05, 40, 37)
    x[::4] -= 45
    found = torch.polygamma(n, tensor(x))
    expected = [(-1) ** (n + 1) * math.factorial(n) * _zeta(n + 1, v) for v in x]
    np.testing.assert_allclose(found.numpy(), expected, rtol=2e-12)
    single = torch.polygamma(n, tensor(x, torch.float32))
    expected = [(-1) ** (n + 1) * math.factorial(n) * _zeta(n + 1, v) for v in _single(x)]
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(single.numpy(), np.float32(expected), rtol=1e-6)
    poles = torch.polygamma(n, torch.tensor([0.0, -0.0, -3.0, -math.inf]))
    assert poles.tolist() == [math.inf if n % 2 else -math.inf] * 4
    assert torch.polygamma(n, torch.tensor([math.nan])).isnan().all()


def test_gamma_functions_of_all_numbers() -> None:
    sizes = 2.0 ** RNG.uniform(-1000, 1000, 20)
    x = np.concatenate([RNG.uniform(-30, 0, 50), RNG.uniform(0, 30, 50), sizes])
    expected = [math.lgamma(v) for v in x]
    np.testing.assert_allclose(torch.lgamma(tensor(x)).numpy(), expected, rtol=1e-12, atol=1e-12)
    # Taylor's series (5.7.3 of the Digital Library) at the zeros, where Python's loses its digits.
    for zero, first in ((1, 0.0), (2, 1.0)):
        x = zero + RNG.choice([-1, 1], 40) * 2.0 ** -RNG.uniform(14, 50, 40)
        e = x - zero
        expected = e * (first - 0.57721566490153286061) + e * e * (math.pi**2 / 6 - first) / 2
        expected -= e**3 * (1.2020569031595942854 - first) / 3
        expected += e**4 * (math.pi**4 / 90 - first) / 4
        np.testing.assert_allclose(torch.lgamma(tensor(x)).numpy(), expected, rtol=1e-14)
    # psi(x + 1) = psi(x) + 1 / x, and the reflection at the poles.
    y = tensor(RNG.uniform(-20, 20, 41))
    lower, upper = torch.digamma(y).numpy(), torch.digamma(y + 1).numpy()
    np.testing.assert_allclose(upper - lower, 1 / y.numpy(), rtol=1e-10, atol=1e-10)
    assert torch.digamma(torch.tensor(1.0).double()).item() == pytest.approx(-0.5772156649015329)
    edges = torch.tensor([0.0, -0.0, -1.0, math.inf, -math.inf, math.nan])
    np.testing.assert_equal(
        torch.digamma(edges).tolist(),
        [-math.inf, math.inf, math.nan, math.inf, math.nan, math.nan],
    )
    np.testing.assert_equal(torch.lgamma(edges).tolist(), [math.inf] * 5 + [math.nan])


def test_gamma_functions_of_floats() -> None:
    integers = np.arange(-9, 30, dtype=np.float32)
    x = np.concatenate(
        [
            RNG.uniform(-9, 30, 4001).astype(np.float32),
            np.nextafter(integers, np.float32(-100)),
            np.nextafter(integers, np.float32(100)),
            integers,
            np.float32([1e-45, -1e-45, 1e-30, -1e-20, 3e5, 1e30, -12.5, math.inf, math.nan]),
        ]
    )

    def reference(v: float) -> float:
        pole = v == math.inf or (v <= 0 and v == math.floor(v))
        return math.inf if pole else math.lgamma(v)

    expected = np.array([reference(v) for v in x.tolist()])
    for size in (1, 3, 4, 5, len(x)):
        found = torch.from_numpy(x[-size:].copy()).lgamma().double().numpy()
        np.testing.assert_allclose(found, expected[-size:], rtol=3e-7, atol=3e-8)
    halves = torch.linspace(-9, 9, 1001).half()
    wanted = [reference(v) for v in halves.tolist()]
    np.testing.assert_allclose(halves.lgamma().double().numpy(), wanted, rtol=1e-3, atol=1e-3)
    # The next ones of 1 and 2, where the function is nearly 0.
    for zero, slope in ((1, -0.57721566490153286061), (2, 0.42278433509846713939)):
        near = np.nextafter(np.float32(zero), np.float32([0, 3]))
        found = torch.from_numpy(near).lgamma().numpy()
        np.testing.assert_allclose(found, slope * (near.astype(np.float64) - zero), rtol=2e-6)


def test_trigamma_by_its_recurrence() -> None:
    x = tensor(RNG.uniform(-20, 20, 333))
    x = x[(x - x.round()).abs() > 1e-2]
    difference = (torch.polygamma(1, x) - torch.polygamma(1, x + 1)) * x**2
    np.testing.assert_allclose(difference.numpy(), np.ones(len(x)), rtol=1e-8)
    for dtype in (torch.float32, torch.float16):
        y = x.to(dtype)
        found, wanted = torch.polygamma(1, y).double(), torch.polygamma(1, y.double()).to(dtype)
        np.testing.assert_allclose(found.numpy(), wanted.double().numpy(), rtol=2e-7)
    found = torch.polygamma(1, torch.tensor([1.0, 0.5]).double()).tolist()
    assert found == pytest.approx([math.pi**2 / 6, math.pi**2 / 2], rel=1e-12)
    edges = torch.tensor([0.0, -0.0, -3.0, math.inf, math.nan]).polygamma(1)
    assert edges[:3].tolist() == [math.inf] * 3 and edges[3] == 0 and edges[4].isnan()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_tails_of_the_normal_distribution(dtype: Any) -> None:
    tolerance = 2e-6 if dtype == torch.float32 else 1e-13
    x = tensor(10.0 ** RNG.uniform(1, 30, 37), dtype)
    # 7.12.1 of the Digital Library, and the continued fraction of erfc.
    expected = []
    for v in x.tolist():
        fraction = v
        for k in range(60, 0, -1):
            fraction = v + k / 2 / fraction
        expected.append(1 / (fraction * math.sqrt(math.pi)))
    np.testing.assert_allclose(special.erfcx(x).numpy(), expected, rtol=tolerance)
    small = tensor(RNG.uniform(-5, 5, 37), dtype)
    expected = [math.exp(v * v) * math.erfc(v) for v in small.tolist()]
    np.testing.assert_allclose(special.erfcx(small).numpy(), expected, rtol=max(tolerance, 1e-11))
    edges = torch.tensor([-math.inf, -1e30, -30.0, 0.0, math.inf, math.nan], dtype=dtype)
    np.testing.assert_equal(
        special.erfcx(edges).tolist(), [math.inf, math.inf, math.inf, 1.0, 0.0, math.nan]
    )
    far = tensor(RNG.uniform(-1000, -40, 37), dtype)
    v = far.to(torch.float64).numpy()
    expected = -v * v / 2 - np.log(-v * math.sqrt(2 * math.pi)) + np.log1p(-(v**-2) + 3 * v**-4)
    np.testing.assert_allclose(special.log_ndtr(far).numpy(), expected, rtol=max(tolerance, 1e-9))
    far = torch.tensor([100.0, math.inf, math.nan], dtype=dtype)
    np.testing.assert_allclose(special.log_ndtr(far).numpy(), [0, 0, math.nan])


def _series(module: Any, name: str) -> Callable[[int, Array], Array]:
    value = getattr(module, name)
    return lambda n, x: np.asarray(value(x, [0] * n + [1]))


def _second_kind(n: int, x: Array) -> Array:
    """U_n is the derivative of T_{n + 1} over n + 1."""
    if n < 0:
        return np.zeros_like(x)
    return np.asarray(chebyshev.chebval(x, chebyshev.chebder([0] * (n + 1) + [1]))) / (n + 1)


_POLYNOMIALS: dict[str, Callable[[int, Array], Array]] = {
    "chebyshev_polynomial_t": _series(chebyshev, "chebval"),
    "chebyshev_polynomial_u": _second_kind,
    "chebyshev_polynomial_v": lambda n, x: _second_kind(n, x) - _second_kind(n - 1, x),
    "chebyshev_polynomial_w": lambda n, x: _second_kind(n, x) + _second_kind(n - 1, x),
    "hermite_polynomial_h": _series(hermite, "hermval"),
    "hermite_polynomial_he": _series(hermite_e, "hermeval"),
    "laguerre_polynomial_l": _series(laguerre, "lagval"),
    "legendre_polynomial_p": _series(legendre, "legval"),
}


@pytest.mark.parametrize("name", _POLYNOMIALS)
@pytest.mark.parametrize("n", [0, 1, 2, 5, 9, 14])
def test_polynomials(name: str, n: int) -> None:
    x = np.concatenate([RNG.uniform(-1.5, 1.5, 30), [-1, 0, 1]])
    expected = _POLYNOMIALS[name](n, x)
    scale = max(1.0, float(np.abs(expected).max()))
    degrees = torch.full((33,), float(n), dtype=torch.float64)
    function = getattr(special, name)
    for found in (function(tensor(x), degrees), function(tensor(x), n)):
        np.testing.assert_allclose(found.numpy() / scale, expected / scale, atol=1e-10)
    if name.startswith("chebyshev"):
        shifted = getattr(special, f"shifted_{name}")(tensor((x + 1) / 2), degrees)
        np.testing.assert_allclose(shifted.numpy() / scale, expected / scale, atol=1e-9)


def _by_recurrence(name: str, x: float, n: float) -> float:
    """The polynomial of degree n, or 0 if it has no degree."""
    if not n > -1:
        return 0
    if name.startswith("shifted"):
        name, x = name.removeprefix("shifted_"), 2 * x - 1
    first = {"t": x, "u": 2 * x, "v": 2 * x - 1, "w": 2 * x + 1, "h": 2 * x, "l": 1 - x}
    before, now = 1.0, first.get(name.rpartition("_")[2], x)
    if int(n) == 0:
        return before
    for k in range(1, int(n)):
        after = {
            "hermite_polynomial_h": 2 * x * now - 2 * k * before,
            "hermite_polynomial_he": x * now - k * before,
            "laguerre_polynomial_l": ((2 * k + 1 - x) * now - k * before) / (k + 1),
            "legendre_polynomial_p": ((2 * k + 1) * x * now - k * before) / (k + 1),
        }.get(name, 2 * x * now - before)
        before, now = now, after
    return now


def _by_recurrences(name: str, x: Any, n: Any) -> Array:
    pairs = zip(x.tolist(), n.tolist(), strict=True)
    return np.array([_by_recurrence(name, *pair) for pair in pairs])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "name", [*_POLYNOMIALS, *(f"shifted_{n}" for n in _POLYNOMIALS if n.startswith("chebyshev"))]
)
def test_polynomials_whose_degrees_differ(name: str, dtype: Any) -> None:
    function = getattr(special, name)
    low = 0.02 if name.startswith("shifted") else -0.98
    for size in (1, 7, 8, 9, 70, 301):
        x = tensor(np.where(RNG.random(size) < 0.8, RNG.uniform(low, 0.98, size), 1.125), dtype)
        few = RNG.integers(-1, 12, size)
        few[RNG.random(size) < 0.1] = 20
        n = tensor(few + RNG.choice([0, 0.25, 0.75], size), dtype)  # Their whole parts count.
        n[RNG.random(size) < 0.1] = math.nan
        wanted = _by_recurrences(name, x, n)
        scale = np.maximum(1, np.abs(wanted)) * (few + 2) ** 2
        tolerance = 1e-5 if dtype == torch.float32 else 1e-13
        apart = torch.stack((x, x), -1)[..., 0]
        for found in (function(x, n), function(apart, n), function(n * 0 + x, n.nan_to_num(-1))):
            error = np.abs(found.double().numpy() - wanted) / scale
            assert (error[~np.isnan(n.numpy())] < tolerance).all()
        assert (function(x, n)[n.isnan()] == 0).all()
    if "hermite" not in name:  # Those of a high degree are computed alone.
        x = tensor(np.array([0.5, 0.25, 1.0, 0.5] * 4), dtype)
        n = tensor(np.array([200.0, 3, 500, 2] * 4), dtype)
        wanted = _by_recurrences(name, x, n)
        found = function(x, n).double().numpy()
        np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3)


def test_degrees_of_polynomials() -> None:
    x = torch.tensor([0.5, 1.0], dtype=torch.float64)
    assert special.legendre_polynomial_p(x, -1).tolist() == [0, 0]
    assert special.chebyshev_polynomial_t(0.5, torch.arange(3)).tolist() == [1, 0.5, -0.5]
    out = torch.empty(2, dtype=torch.float64)
    assert special.laguerre_polynomial_l(x, 1, out=out) is out and out.tolist() == [0.5, 0]
    assert special.hermite_polynomial_h(x, 600).isnan().all()
    y = x.clone().requires_grad_()
    assert not special.chebyshev_polynomial_t(y, 2).requires_grad


@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, 2.0, math.inf])
def test_distances_of_all_pairs_of_rows(p: float) -> None:
    x = RNG.uniform(-2, 2, (7, 3))
    pairs = [(i, j) for i in range(7) for j in range(i + 1, 7)]
    expected = [np.linalg.norm(x[i] - x[j], p) for i, j in pairs]
    close(torch.nn.functional.pdist(tensor(x), p), np.array(expected))
    assert torch.pdist(torch.ones(1, 3)).shape == (0,)
    if p > 1:
        leaf = tensor(x, grad=True)
        assert torch.autograd.gradcheck(lambda t: torch.pdist(t, p), leaf)
    with pytest.raises(RuntimeError, match="pdist only supports 2D tensors, got: 1D"):
        torch.pdist(torch.ones(3))
    with pytest.raises(RuntimeError, match="pdist only supports non-negative p values"):
        torch.pdist(torch.ones(2, 3), -1)
