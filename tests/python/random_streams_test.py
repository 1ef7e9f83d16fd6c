"""Samples for one seed, by the published algorithms over the generator's own numbers.

Each reference draws single numbers in double precision, which the generator hands out one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import distributions as dist

# PyTorch's third is rounded to a float.
_THIRD = torch.tensor(1 / 3, dtype=torch.float32).item()
_SQUEEZE = torch.tensor(0.0331, dtype=torch.float32).item()


def uniform() -> float:
    return torch.rand((), dtype=torch.float64).item()


def normal() -> float:
    return torch.empty((), dtype=torch.float64).normal_().item()


def gamma(alpha: float) -> float:
    """Marsaglia and Tsang (2000)."""
    scale = 1.0
    if alpha < 1:
        scale = (1 - uniform()) ** (1 / alpha)
        alpha += 1
    d = alpha - _THIRD
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal()
        if 1 + c * x <= 0:
            continue
        v = (1 + c * x) ** 3
        u = 1 - uniform()
        if u < 1 - _SQUEEZE * x**4 or math.log(u) < x * x / 2 + d * (1 - v + math.log(v)):
            return scale * d * v


def waiting(count: float, p: float) -> float:
    """A binomial number by geometric waiting times (Devroye 1986, X.4.3)."""
    trials, successes = 0.0, 0.0
    while True:
        trials += math.ceil(math.log(uniform()) / math.log1p(-p))
        if trials > count:
            return successes
        successes += 1


def rejection(n: float, p: float) -> float:
    """A binomial number by Hoermann's algorithm BTRS (1993), with exact factorials."""
    deviation = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    mode = math.floor((n + 1) * p)

    def log_probability(k: float) -> float:
        ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        return ways + k * math.log(p) + (n - k) * math.log1p(-p)

    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + n * p + 0.5)
        if k < 0 or k > n:
            continue
        if us >= 0.07 and v <= 0.92 - 4.2 / b:
            return k
        ratio = v * (2.83 + 5.1 / b) * deviation / (a / (us * us) + b)
        if math.log(ratio) <= log_probability(k) - log_probability(mode):
            return k


def drawn(seed: int, draw: Callable[[float], float], values: torch.Tensor) -> torch.Tensor:
    torch.manual_seed(seed)
    return torch.tensor([draw(x) for x in values.tolist()], dtype=torch.float64)


def fresh_seed() -> int:
    return int(torch.randint(2**31, ()).item())


def positive(*shape: int) -> torch.Tensor:
    return torch.rand(shape, dtype=torch.float64) * 3 + 0.05


def test_gamma() -> None:
    alpha, seed = positive(200), fresh_seed()
    expected = drawn(seed, gamma, alpha)
    torch.manual_seed(seed)
    torch.testing.assert_close(torch._standard_gamma(alpha), expected, rtol=1e-10, atol=0)
    after = torch.rand(3)
    drawn(seed, gamma, alpha)
    assert torch.equal(torch.rand(3), after)  # As many numbers were drawn.
    torch.manual_seed(seed)
    sample = dist.Gamma(alpha, torch.full_like(alpha, 2.0)).sample()
    torch.testing.assert_close(sample, expected / 2, rtol=1e-10, atol=0)


def test_gamma_is_drawn_in_the_order_of_elements() -> None:
    alpha, seed = positive(5, 7), fresh_seed()
    torch.manual_seed(seed)
    expected = torch._standard_gamma(alpha.t().contiguous())
    torch.manual_seed(seed)
    assert torch.equal(torch._standard_gamma(alpha.t()), expected)


def test_dirichlet_and_beta() -> None:
    alpha, seed = positive(20, 3), fresh_seed()
    parts = drawn(seed, gamma, alpha.flatten()).view(20, 3)
    torch.manual_seed(seed)
    sample = dist.Dirichlet(alpha).sample()
    torch.testing.assert_close(sample, parts / parts.sum(-1, True), rtol=1e-10, atol=0)
    a, b = positive(20), positive(20)
    parts = drawn(seed, gamma, torch.stack([a, b], -1).flatten()).view(20, 2)
    torch.manual_seed(seed)
    torch.testing.assert_close(
        dist.Beta(a, b).sample(), parts[:, 0] / parts.sum(-1), rtol=1e-10, atol=0
    )


@pytest.mark.parametrize(("count", "draw"), [(7.0, waiting), (90.0, rejection)])
def test_binomial(count: float, draw: Callable[[float, float], float]) -> None:
    p, seed = torch.rand(100, dtype=torch.float64) * 0.35 + 0.13, fresh_seed()
    counts = torch.full_like(p, count)
    expected = drawn(seed, lambda q: draw(count, q), p)
    torch.manual_seed(seed)
    assert torch.equal(torch.binomial(counts, p), expected)
    expected = drawn(seed, lambda q: count - draw(count, 1 - q), 1 - p)
    torch.manual_seed(seed)
    assert torch.equal(torch.binomial(counts, 1 - p), expected)
    torch.manual_seed(seed)
    assert torch.equal(dist.Binomial(counts, 1 - p).sample(), expected)


def test_certain_binomials_draw_nothing() -> None:
    state = torch.get_rng_state()
    p = torch.tensor([0.0, 1.0, 0.5, float("nan")])
    result = torch.binomial(torch.tensor([4.0, 4.0, 0.0, 4.0]), p)
    assert result[:3].tolist() == [0.0, 4.0, 0.0]
    assert result[3].isnan()
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize(
    "fill",
    [
        lambda x: x.cauchy_(),
        lambda x: x.log_normal_(),
        lambda x: x.geometric_(0.3),
        lambda x: x.exponential_(),
        lambda x: x.normal_(),
        lambda x: x.uniform_(),
        lambda x: x.bernoulli_(0.5),
        lambda x: x.random_(0, 100),
    ],
)
def test_numbers_are_drawn_in_the_order_of_memory(fill: Any) -> None:
    seed = fresh_seed()
    torch.manual_seed(seed)
    expected = fill(torch.zeros(3, 5))
    torch.manual_seed(seed)
    assert torch.equal(fill(torch.zeros(3, 5).t()).t(), expected)


def test_von_mises() -> None:
    """Best and Fisher (1979); a round draws for all places, also for those that have an angle."""
    kappa = 1.0
    tau = 1 + math.sqrt(1 + 4 * kappa**2)
    rho = (tau - math.sqrt(2 * tau)) / (2 * kappa)
    r = (1 + rho**2) / (2 * rho)
    torch.manual_seed(7)
    angles: list[float | None] = [None] * 6
    while None in angles:
        u1, u2, u3 = ([uniform() for _ in angles] for _ in range(3))
        for place in range(len(angles)):
            z = math.cos(math.pi * u1[place])
            f = (1 + r * z) / (r + z)
            c = kappa * (r - f)
            if c * (2 - c) > u2[place] or math.log(c / u2[place]) + 1 - c >= 0:
                angles[place] = math.copysign(math.acos(f), u3[place] - 0.5)
    torch.manual_seed(7)
    found = dist.VonMises(0.0, torch.tensor(kappa, dtype=torch.float64)).sample((6,))
    torch.testing.assert_close(found, torch.tensor(angles, dtype=torch.float64))


def test_random_of_all_bits() -> None:
    seed = fresh_seed()
    torch.manual_seed(seed)
    words = torch.zeros(8, dtype=torch.int64).random_(-(2**63), None)
    assert (words < 0).any()
    torch.manual_seed(seed)
    numbers = torch.zeros(8, dtype=torch.float64).random_(-(2**63), None)
    assert torch.equal(numbers, words.double())
    # The low 63 bits are those of random_().
    torch.manual_seed(seed)
    assert torch.equal(torch.zeros(8, dtype=torch.int64).random_(), words & (2**63 - 1))
    with pytest.raises(RuntimeError, match="handles only int64, double, float and bfloat16"):
        torch.zeros(1, dtype=torch.int32).random_(-(2**63), None)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: torch._standard_gamma(torch.ones(2).half()), "gamma_cpu"),
        (lambda: torch._sample_dirichlet(torch.ones(2).half()), "dirichlet"),
        (lambda: torch.binomial(torch.ones(2).half(), torch.ones(2).half()), "binomial_cpu"),
    ],
)
def test_dtypes_without_a_sampler(call: Any, message: str) -> None:
    with pytest.raises(NotImplementedError, match=f"\"{message}\" not implemented for 'Half'"):
        call()


def test_arguments_of_different_dtypes() -> None:
    one, two = torch.ones(2), torch.ones(2, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        torch.binomial(one, two)
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        torch._standard_gamma_grad(one, two)
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        torch._dirichlet_grad(one, two, two)
    with pytest.raises(IndexError, match="tensor has no dimensions"):
        torch._sample_dirichlet(torch.tensor(1.0))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize(("low", "high"), [(-1 / 3, 1 / 3), (0.0, 0.31), (0.1, 0.1007)])
def test_uniform_numbers_of_16_bits(dtype: Any, low: float, high: float) -> None:
    """Numbers between float32 bounds are rounded; the upper bound is the lower one."""
    torch.manual_seed(7)
    unit = torch.empty(4000).uniform_()
    first, last = torch.tensor([low, high])
    expected = torch.addcmul(first.double(), unit.double(), (last - first).double())
    expected = expected.float().to(dtype)
    expected = torch.where(expected == last.to(dtype), first.to(dtype), expected)
    torch.manual_seed(7)
    found = torch.empty(4000, dtype=dtype).uniform_(low, high)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_normal_numbers_of_a_narrow_interval() -> None:
    """Uniform candidates, each accepted with the probability of its density beside the largest."""
    mean, std, a, b = 4.0, 2.0, -2.0, 2.0
    torch.manual_seed(7)
    found = torch.nn.init.trunc_normal_(torch.empty(200, dtype=torch.float64), mean, std, a, b)
    torch.manual_seed(7)
    expected = torch.full((200,), math.nan, dtype=torch.float64)
    while expected.isnan().any():
        x = torch.empty(200, dtype=torch.float64).uniform_(a, b)
        density = torch.exp(((b - mean) ** 2 - (x - mean) ** 2) / (2 * std**2))
        accepted = torch.empty(200, dtype=torch.float64).uniform_() <= density
        expected = torch.where(expected.isnan() & accepted, x, expected)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)
    with pytest.warns(UserWarning, match=r"mean is more than 2 std from \[a, b\]"):
        torch.nn.init.trunc_normal_(torch.empty(1), 9.0, 1.0, 0.0, 1.0)
