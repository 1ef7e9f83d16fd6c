"""Samples of the gamma, Dirichlet and binomial distributions.

The CPU has operators for them. Elsewhere they are made out of normal and uniform numbers, element
by element in double precision.
"""

from __future__ import annotations

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
        return grad * torch._standard_gamma_grad(alpha, sample)


def standard_gamma(alpha: Tensor) -> Tensor:
    """Samples of Gamma(alpha, 1), with implicit gradients."""
    if alpha.is_cpu:
        return torch._standard_gamma(alpha)
    return _StandardGamma.apply(alpha)


def sample_dirichlet(concentration: Tensor) -> Tensor:
    """Samples of a Dirichlet distribution along the last dimension, without gradients."""
    if concentration.is_cpu:
        return torch._sample_dirichlet(concentration)
    sample = torch.softmax(log_of_gamma_samples(concentration), -1).to(concentration.dtype)
    return sample.clamp(min=torch.finfo(concentration.dtype).tiny)


def sample_binomial(total_count: Tensor, probs: Tensor) -> Tensor:
    """How many of `total_count` uniform numbers are below `probs`.

    The middle one of many in order has a beta distribution, and says of half of them where they
    are (Devroye, "Non-uniform random variate generation", 1986, chapter X.4.3).
    """
    if probs.is_cpu:
        return torch.binomial(total_count.to(probs.dtype), probs)
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
