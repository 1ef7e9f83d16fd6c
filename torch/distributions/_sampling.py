"""Samples of the gamma, Dirichlet and binomial distributions out of normal and uniform numbers, and
how samples move with the parameters.

All of it works element by element in double precision, on any device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

# Up to so many trials are drawn one by one.
_FEW_TRIALS = 16


def log_of_gamma_samples(alpha: Tensor) -> Tensor:
    """Logarithms of samples of Gamma(alpha, 1), in float64; samples of small `alpha` round to 0.

    Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), section 4; for
    alpha < 1 by the note of its section 6.
    """
    shape = alpha.double()
    small = shape < 1
    d = torch.where(small, shape + 1, shape) - 1.0 / 3
    flat = d.reshape(-1)
    found = torch.zeros_like(flat)
    waiting = torch.arange(flat.numel(), device=flat.device)
    while waiting.numel() > 0:
        now = flat[waiting]
        x = torch.randn_like(now)
        v = (1 + x / (9 * now).sqrt()) ** 3
        log_u = torch.log1p(-torch.rand_like(now))
        log_v = torch.where(v > 0, v, 1.0).log()
        accept = (v > 0) & (log_u < 0.5 * x**2 + now * (1 - v + log_v))
        found[waiting[accept]] = (now.log() + log_v)[accept]
        waiting = waiting[~accept]
    found = found.reshape(d.shape)
    boost = torch.log1p(-torch.rand_like(found)) / shape
    return torch.where(small, found + boost, found)


def _half_line() -> Iterator[tuple[float, float]]:
    """Points and weights for integrals of exp(-u) f(u) over u > 0, without the factor exp(-u).

    The rule of Takahasi and Mori, "Double exponential formulas for numerical integration" (1974),
    section 4: u = exp(t - exp(-t)), which has no trouble with logarithms at 0.
    """
    step = 1.0 / 16
    for i in range(-80, 161):
        t = i * step
        u = math.exp(t - math.exp(-t))
        yield u, step * (1 + math.exp(-t)) * u


def _integral(like: Tensor, integrand: Callable[[float], Tensor]) -> Tensor:
    total = torch.zeros_like(like)
    for u, weight in _half_line():
        total += weight * integrand(u)
    return total


def gamma_derivative(alpha: Tensor, sample: Tensor) -> Tensor:
    """d x / d alpha of a sample x of Gamma(alpha, 1), its distribution function kept (Figurnov,
    Mohamed and Mnih, "Implicit reparameterization gradients", 2018).

    It is minus the integral over (0, x) of t^(alpha - 1) exp(-t) (log(t) - digamma(alpha)), divided
    by the density's x^(alpha - 1) exp(-x); or plus that over (x, inf), where x is above alpha.
    """
    a, x = torch.broadcast_tensors(alpha.double(), sample.double())
    x = x.clamp(min=torch.finfo(torch.float64).tiny)
    low = x <= a
    result = torch.empty_like(x)
    result[low] = _gamma_derivative_below(a[low], x[low])
    result[~low] = _gamma_derivative_above(a[~low], x[~low])
    return result


def _gamma_derivative_below(a: Tensor, x: Tensor) -> Tensor:
    constant = x.log() - torch.digamma(a)

    def integrand(u: float) -> Tensor:  # t = x exp(-u / a)
        return torch.exp(-u - x * torch.expm1(-u / a)) * (constant - u / a)

    return -x / a * _integral(x, integrand)


def _gamma_derivative_above(a: Tensor, x: Tensor) -> Tensor:
    mean_log = torch.digamma(a)

    def integrand(u: float) -> Tensor:  # t = x + u
        return torch.exp(-u + (a - 1) * torch.log1p(u / x)) * ((x + u).log() - mean_log)

    return _integral(x, integrand)


def _beta_derivative(x: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """d x / d a of a sample x of Beta(a, b), with its distribution function kept."""
    offset = torch.digamma(a) - torch.digamma(a + b)

    def from_zero(x: Tensor, a: Tensor, b: Tensor, offset: Tensor, own: bool) -> Tensor:
        """By the integral over (0, x) of the density, divided by its value at x, times log(t) -
        offset; or log(1 - t) - offset. With t = x exp(-u / a)."""

        def integrand(u: float) -> Tensor:
            t = x * torch.exp(-u / a)
            density = torch.exp(-u + (b - 1) * (torch.log1p(-t) - torch.log1p(-x)))
            return density * ((x.log() - u / a if own else torch.log1p(-t)) - offset)

        return -x / a * _integral(x, integrand)

    low = x <= a / (a + b)
    result = torch.empty_like(x)
    result[low] = from_zero(x[low], a[low], b[low], offset[low], True)
    # From the other end: 1 - x is a sample of Beta(b, a), and moves the other way.
    high = ~low
    result[high] = -from_zero(1 - x[high], b[high], a[high], offset[high], False)
    return result


def dirichlet_derivative(x: Tensor, alpha: Tensor, total: Tensor) -> Tensor:
    """Of component x of a Dirichlet sample by its own concentration, divided by 1 - x: what the
    others lose of their common part."""
    limits = torch.finfo(torch.float64)
    x, alpha, total = torch.broadcast_tensors(x.double(), alpha.double(), total.double())
    x = x.clamp(min=limits.tiny, max=1 - limits.eps / 2)
    return _beta_derivative(x, alpha, total - alpha) / (1 - x)


class _StandardGamma(Function):
    @staticmethod
    def forward(ctx: Any, alpha: Tensor) -> Tensor:
        sample = log_of_gamma_samples(alpha).exp().to(alpha.dtype)
        sample = sample.clamp(min=torch.finfo(alpha.dtype).tiny)
        ctx.save_for_backward(alpha, sample)
        return sample

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        alpha, sample = ctx.saved_tensors
        return grad * gamma_derivative(alpha, sample).to(grad.dtype)


def standard_gamma(alpha: Tensor) -> Tensor:
    """Samples of Gamma(alpha, 1), with implicit gradients."""
    return _StandardGamma.apply(alpha)


def sample_dirichlet(concentration: Tensor) -> Tensor:
    """Samples of a Dirichlet distribution along the last dimension, without gradients."""
    sample = torch.softmax(log_of_gamma_samples(concentration), -1).to(concentration.dtype)
    return sample.clamp(min=torch.finfo(concentration.dtype).tiny)


def sample_binomial(total_count: Tensor, probs: Tensor) -> Tensor:
    """How many of `total_count` uniform numbers are below `probs`.

    The middle one of many in order has a beta distribution, and says of half of them where they
    are (Devroye, "Non-uniform random variate generation", 1986, chapter X.4.3).
    """
    n, p = torch.broadcast_tensors(total_count.double(), probs.double())
    count = torch.zeros_like(n)
    while (n > _FEW_TRIALS).any():
        many = n > _FEW_TRIALS
        middle = torch.where(many, ((n + 1) / 2).floor(), 1.0)
        behind = torch.where(many, n + 1 - middle, 1.0)
        both = torch.stack([log_of_gamma_samples(middle), log_of_gamma_samples(behind)])
        b = torch.softmax(both, 0)[0]
        below = b <= p
        count = torch.where(many & below, count + middle, count)
        rest = torch.where(below, (p - b) / (1 - b), p / b).clamp(0, 1)
        p = torch.where(many, rest, p)
        n = torch.where(many, torch.where(below, n - middle, middle - 1), n)
    for trial in range(_FEW_TRIALS):
        count += (torch.rand_like(p) < p) & (trial < n)
    return count.to(probs.dtype)
