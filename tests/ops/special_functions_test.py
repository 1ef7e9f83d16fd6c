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
