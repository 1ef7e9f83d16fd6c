"""Kullback-Leibler divergences: KL(p || q), the expectation under p of log p(x) - log q(x)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import total_ordering
from typing import Any

import torch
from torch import Tensor, inf
from torch.distributions.bernoulli import Bernoulli
from torch.distributions.beta import Beta
from torch.distributions.binomial import Binomial
from torch.distributions.categorical import Categorical
from torch.distributions.cauchy import Cauchy
from torch.distributions.continuous_bernoulli import ContinuousBernoulli
from torch.distributions.dirichlet import Dirichlet
from torch.distributions.distribution import Distribution
from torch.distributions.exp_family import ExponentialFamily
from torch.distributions.exponential import Exponential
from torch.distributions.gamma import Gamma
from torch.distributions.geometric import Geometric
from torch.distributions.gumbel import Gumbel
from torch.distributions.half_normal import HalfNormal
from torch.distributions.independent import Independent
from torch.distributions.laplace import Laplace
from torch.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    _lowrank_logdet,
    _lowrank_mahalanobis,
)
from torch.distributions.multivariate_normal import MultivariateNormal, _batch_mahalanobis
from torch.distributions.normal import Normal
from torch.distributions.one_hot_categorical import OneHotCategorical
from torch.distributions.pareto import Pareto
from torch.distributions.poisson import Poisson
from torch.distributions.transformed_distribution import TransformedDistribution
from torch.distributions.uniform import Uniform
from torch.distributions.utils import _sum_rightmost, euler_constant

_Formula = Callable[[Any, Any], Tensor]
# The formula of each pair of classes; and, by pair of classes, the formula that serves it.
_KL_REGISTRY: dict[tuple[type, type], _Formula] = {}
_KL_MEMOIZE: dict[tuple[type, type], _Formula] = {}


def register_kl(type_p: type, type_q: type) -> Callable[[_Formula], _Formula]:
    """Registers a formula for two classes of distributions, and their subclasses.

    Where several fit, the nearest classes win. Raises TypeError for other classes.

    Example::

        >>> from torch.distributions import Normal, kl_divergence, register_kl
        >>> class Mine(Normal):
        ...     pass
        >>> @register_kl(Mine, Mine)
        ... def kl_mine(p, q):
        ...     return torch.tensor(3.0)
        >>> kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0))
        tensor(3.)
    """
    for name, cls in (("p", type_p), ("q", type_q)):
        # Base classes of distributions of other packages need not derive from Distribution.
        if not isinstance(cls, type):
            raise TypeError(f"Expected type_{name} to be a Distribution subclass but got {cls}")

    def decorator(fun: _Formula) -> _Formula:
        _KL_REGISTRY[type_p, type_q] = fun
        _KL_MEMOIZE.clear()
        return fun

    return decorator


@total_ordering
class _Match:
    """Classes compared one by one: a subclass comes before its base."""

    def __init__(self, *types: type) -> None:
        self.types = types

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Match) and self.types == other.types

    __hash__ = object.__hash__

    def __le__(self, other: _Match) -> bool:
        for x, y in zip(self.types, other.types, strict=True):
            if not issubclass(x, y):
                return False
            if x is not y:
                break
        return True


def _dispatch_kl(type_p: type, type_q: type) -> Any:
    matches = [
        (super_p, super_q)
        for super_p, super_q in _KL_REGISTRY
        if issubclass(type_p, super_p) and issubclass(type_q, super_q)
    ]
    if not matches:
        return NotImplemented
    left = min(_Match(*m) for m in matches).types
    right = min(_Match(*reversed(m)) for m in matches).types
    by_left = _KL_REGISTRY[left[0], left[1]]
    by_right = _KL_REGISTRY[right[1], right[0]]
    if by_left is not by_right:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({left[0].__name__}, {right[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return by_left


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """KL(p || q) for each distribution of the batch.

    Raises NotImplementedError where no formula is registered for the two classes.

    Example::

        >>> from torch.distributions import Normal, kl_divergence
        >>> kl_divergence(Normal(0.0, 1.0), Normal(1.0, 1.0))
        tensor(0.5000)
    """
    key = (type(p), type(q))
    if key not in _KL_MEMOIZE:
        found = _dispatch_kl(*key)
        if found is NotImplemented:
            raise NotImplementedError(
                f"No KL(p || q) is implemented for p type {p.__class__.__name__} and q type {q.__class__.__name__}"
            )
        _KL_MEMOIZE[key] = found
    return _KL_MEMOIZE[key](p, q)


def _infinite_like(tensor: Tensor) -> Tensor:
    return torch.full_like(tensor, inf)


def _x_log_x(tensor: Tensor) -> Tensor:
    return torch.special.xlogy(tensor, tensor)


def _batch_trace_XXT(bmat: Tensor) -> Tensor:
    return bmat.pow(2).sum((-2, -1))


def _log_beta(a: Tensor, b: Tensor) -> Tensor:
    return a.lgamma() + b.lgamma() - (a + b).lgamma()


# Both distributions are of the same family.


@register_kl(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(p: Bernoulli, q: Bernoulli) -> Tensor:
    softplus = torch.nn.functional.softplus
    t1 = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    t2 = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    # Where q excludes what p allows.
    t1 = torch.where(q.probs == 0, inf, t1)
    t1 = torch.where(p.probs == 0, 0.0, t1)
    t2 = torch.where(q.probs == 1, inf, t2)
    t2 = torch.where(p.probs == 1, 0.0, t2)
    return t1 + t2


@register_kl(Beta, Beta)
def _kl_beta_beta(p: Beta, q: Beta) -> Tensor:
    total_p = p.concentration1 + p.concentration0
    total_q = q.concentration1 + q.concentration0
    return (
        _log_beta(q.concentration1, q.concentration0)
        - _log_beta(p.concentration1, p.concentration0)
        + (p.concentration1 - q.concentration1) * p.concentration1.digamma()
        + (p.concentration0 - q.concentration0) * p.concentration0.digamma()
        + (total_q - total_p) * total_p.digamma()
    )


@register_kl(Binomial, Binomial)
def _kl_binomial_binomial(p: Binomial, q: Binomial) -> Tensor:
    # Of p with more trials than q there are values that q excludes.
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    softplus = torch.nn.functional.softplus
    kl = p.total_count * (p.probs * (p.logits - q.logits) + softplus(q.logits) - softplus(p.logits))
    return torch.where(p.total_count > q.total_count, inf, kl)


@register_kl(Categorical, Categorical)
def _kl_categorical_categorical(p: Categorical, q: Categorical) -> Tensor:
    t = p.probs * (p.logits - q.logits)
    t = torch.where((q.probs == 0).expand_as(t), inf, t)
    t = torch.where((p.probs == 0).expand_as(t), 0.0, t)
    return t.sum(-1)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _kl_continuous_bernoulli_continuous_bernoulli(
    p: ContinuousBernoulli, q: ContinuousBernoulli
) -> Tensor:
    t1 = p.mean * (p.logits - q.logits)
    t2 = p._cont_bern_log_norm() + torch.log1p(-p.probs)
    t3 = -q._cont_bern_log_norm() - torch.log1p(-q.probs)
    return t1 + t2 + t3


@register_kl(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(p: Dirichlet, q: Dirichlet) -> Tensor:
    total_p, total_q = p.concentration.sum(-1), q.concentration.sum(-1)
    t1 = total_p.lgamma() - total_q.lgamma()
    t2 = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    t3 = p.concentration - q.concentration
    t4 = p.concentration.digamma() - total_p.digamma().unsqueeze(-1)
    return t1 - t2 + (t3 * t4).sum(-1)


@register_kl(Exponential, Exponential)
def _kl_exponential_exponential(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p: ExponentialFamily, q: ExponentialFamily) -> Tensor:
    # The Bregman divergence of the log normalizer.
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot be computed using Bregman divergences"
        )
    p_nparams = [np.detach().requires_grad_() for np in p._natural_params]
    q_nparams = q._natural_params
    lg_normal = p._log_normalizer(*p_nparams)
    gradients = torch.autograd.grad(lg_normal.sum(), p_nparams, create_graph=True)
    result = q._log_normalizer(*q_nparams) - lg_normal
    for pnp, qnp, g in zip(p_nparams, q_nparams, gradients, strict=True):
        term = (qnp - pnp) * g
        result = result - _sum_rightmost(term, len(q.event_shape))
    return result


@register_kl(Gamma, Gamma)
def _kl_gamma_gamma(p: Gamma, q: Gamma) -> Tensor:
    t1 = q.concentration * (p.rate / q.rate).log()
    t2 = torch.lgamma(q.concentration) - torch.lgamma(p.concentration)
    t3 = (p.concentration - q.concentration) * torch.digamma(p.concentration)
    t4 = (q.rate - p.rate) * (p.concentration / p.rate)
    return t1 + t2 + t3 + t4


@register_kl(Gumbel, Gumbel)
def _kl_gumbel_gumbel(p: Gumbel, q: Gumbel) -> Tensor:
    ratio = p.scale / q.scale
    shift = (q.loc - p.loc) / q.scale
    t3 = torch.exp(shift + (1 + ratio).lgamma())
    return -ratio.log() - shift + ratio * euler_constant + t3 - (1 + euler_constant)


@register_kl(Geometric, Geometric)
def _kl_geometric_geometric(p: Geometric, q: Geometric) -> Tensor:
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def _kl_halfnormal_halfnormal(p: HalfNormal, q: HalfNormal) -> Tensor:
    return _kl_normal_normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _kl_laplace_laplace(p: Laplace, q: Laplace) -> Tensor:
    ratio = p.scale / q.scale
    distance = (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * torch.exp(-distance / p.scale) - 1


def _check_event_shapes(p: Distribution, q: Distribution, kinds: str) -> None:
    if p.event_shape != q.event_shape:
        raise ValueError(
            f"KL-divergence between two {kinds} with different event shapes cannot be computed"
        )


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _kl_lowrankmvn_lowrankmvn(p: LowRankMultivariateNormal, q: LowRankMultivariateNormal) -> Tensor:
    _check_event_shapes(p, q, "Low Rank Multivariate Normals")
    Wq, Dq, Wp, Dp = (
        q._unbroadcasted_cov_factor,
        q._unbroadcasted_cov_diag,
        p._unbroadcasted_cov_factor,
        p._unbroadcasted_cov_diag,
    )
    log_dets = _lowrank_logdet(Wq, Dq, q._capacitance_tril) - _lowrank_logdet(
        Wp, Dp, p._capacitance_tril
    )
    distance = _lowrank_mahalanobis(Wq, Dq, q.loc - p.loc, q._capacitance_tril)
    # The trace of (Wq Wq^T + Dq)^-1 (Wp Wp^T + Dp), by Woodbury's formula.
    A = torch.linalg.solve_triangular(q._capacitance_tril, Wq.mT / Dq.unsqueeze(-2), upper=False)
    trace = (
        (Dp / Dq).sum(-1)
        + _batch_trace_XXT(Wp * Dq.rsqrt().unsqueeze(-1))
        - _batch_trace_XXT(A * Dp.sqrt().unsqueeze(-2))
        - _batch_trace_XXT(A.matmul(Wp))
    )
    return 0.5 * (log_dets + trace + distance - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _kl_multivariatenormal_lowrankmultivariatenormal(
    p: MultivariateNormal, q: LowRankMultivariateNormal
) -> Tensor:
    _check_event_shapes(p, q, "(Low Rank) Multivariate Normals")
    Wq, Dq = q._unbroadcasted_cov_factor, q._unbroadcasted_cov_diag
    Lp = p._unbroadcasted_scale_tril
    log_dets = _lowrank_logdet(Wq, Dq, q._capacitance_tril) - 2 * Lp.diagonal(
        dim1=-2, dim2=-1
    ).log().sum(-1)
    distance = _lowrank_mahalanobis(Wq, Dq, q.loc - p.loc, q._capacitance_tril)
    A = torch.linalg.solve_triangular(q._capacitance_tril, Wq.mT / Dq.unsqueeze(-2), upper=False)
    trace = _batch_trace_XXT(Lp * Dq.rsqrt().unsqueeze(-1)) - _batch_trace_XXT(A.matmul(Lp))
    return 0.5 * (log_dets + trace + distance - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _kl_lowrankmultivariatenormal_multivariatenormal(
    p: LowRankMultivariateNormal, q: MultivariateNormal
) -> Tensor:
    _check_event_shapes(p, q, "(Low Rank) Multivariate Normals")
    Wp, Dp = p._unbroadcasted_cov_factor, p._unbroadcasted_cov_diag
    Lq = q._unbroadcasted_scale_tril
    log_dets = 2 * Lq.diagonal(dim1=-2, dim2=-1).log().sum(-1) - _lowrank_logdet(
        Wp, Dp, p._capacitance_tril
    )
    distance = _batch_mahalanobis(Lq, q.loc - p.loc)
    shape = torch.broadcast_shapes(Lq.shape[:-2], Wp.shape[:-2])
    Lq = Lq.expand(shape + Lq.shape[-2:])
    root = torch.diag_embed(Dp.sqrt()).expand(shape + Lq.shape[-2:])
    trace = _batch_trace_XXT(
        torch.linalg.solve_triangular(Lq, Wp.expand(shape + Wp.shape[-2:]), upper=False)
    ) + _batch_trace_XXT(torch.linalg.solve_triangular(Lq, root, upper=False))
    return 0.5 * (log_dets + trace + distance - p.event_shape[0])


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl_multivariatenormal_multivariatenormal(
    p: MultivariateNormal, q: MultivariateNormal
) -> Tensor:
    _check_event_shapes(p, q, "Multivariate Normals")
    Lp, Lq = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    half_log_dets = Lq.diagonal(dim1=-2, dim2=-1).log().sum(-1) - Lp.diagonal(
        dim1=-2, dim2=-1
    ).log().sum(-1)
    shape = torch.broadcast_shapes(Lq.shape[:-2], Lp.shape[:-2])
    solved = torch.linalg.solve_triangular(
        Lq.expand(shape + Lq.shape[-2:]), Lp.expand(shape + Lp.shape[-2:]), upper=False
    )
    distance = _batch_mahalanobis(Lq, q.loc - p.loc)
    return half_log_dets + 0.5 * (_batch_trace_XXT(solved) + distance - p.event_shape[0])


@register_kl(Normal, Normal)
def _kl_normal_normal(p: Normal, q: Normal) -> Tensor:
    var_ratio = (p.scale / q.scale).pow(2)
    t1 = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (var_ratio + t1 - 1 - var_ratio.log())


@register_kl(OneHotCategorical, OneHotCategorical)
def _kl_onehotcategorical_onehotcategorical(p: OneHotCategorical, q: OneHotCategorical) -> Tensor:
    return _kl_categorical_categorical(p._categorical, q._categorical)


@register_kl(Pareto, Pareto)
def _kl_pareto_pareto(p: Pareto, q: Pareto) -> Tensor:
    ratio = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return torch.where(p.support.lower_bound < q.support.lower_bound, inf, result)


@register_kl(Poisson, Poisson)
def _kl_poisson_poisson(p: Poisson, q: Poisson) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(TransformedDistribution, TransformedDistribution)
def _kl_transformed_transformed(p: TransformedDistribution, q: TransformedDistribution) -> Tensor:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Uniform)
def _kl_uniform_uniform(p: Uniform, q: Uniform) -> Tensor:
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return torch.where((q.low > p.low) | (q.high < p.high), inf, result)


@register_kl(Cauchy, Cauchy)
def _kl_cauchy_cauchy(p: Cauchy, q: Cauchy) -> Tensor:
    # Chyzak and Nielsen, "A closed-form formula for the Kullback-Leibler divergence between Cauchy
    # distributions" (2019).
    t1 = ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log()
    return t1 - (4 * p.scale * q.scale).log()


@register_kl(Independent, Independent)
def _kl_independent_independent(p: Independent, q: Independent) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


# The distributions are of two families. The divergence is infinite if q excludes values of p.


@register_kl(Bernoulli, Poisson)
def _kl_bernoulli_poisson(p: Bernoulli, q: Poisson) -> Tensor:
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _kl_beta_continuous_bernoulli(p: Beta, q: ContinuousBernoulli) -> Tensor:
    return -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q._cont_bern_log_norm()


@register_kl(Beta, Exponential)
def _kl_beta_exponential(p: Beta, q: Exponential) -> Tensor:
    return -p.entropy() - q.rate.log() + q.rate * p.mean


@register_kl(Beta, Gamma)
def _kl_beta_gamma(p: Beta, q: Gamma) -> Tensor:
    t2 = q.concentration.lgamma() - q.concentration * q.rate.log()
    mean_log = p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    return -p.entropy() + t2 - (q.concentration - 1) * mean_log + q.rate * p.mean


@register_kl(Beta, Normal)
def _kl_beta_normal(p: Beta, q: Normal) -> Tensor:
    var_normal = q.scale.pow(2)
    t2 = 0.5 * (var_normal * 2 * math.pi).log()
    t3 = ((p.mean - q.loc).pow(2) + p.variance) / (2 * var_normal)
    return -p.entropy() + t2 + t3


@register_kl(Beta, Uniform)
def _kl_beta_uniform(p: Beta, q: Uniform) -> Tensor:
    result = -p.entropy() + (q.high - q.low).log()
    return torch.where((q.low > 0) | (q.high < 1), inf, result)


@register_kl(ContinuousBernoulli, Exponential)
def _kl_continuous_bernoulli_exponential(p: ContinuousBernoulli, q: Exponential) -> Tensor:
    return -p.entropy() - torch.log(q.rate) + q.rate * p.mean


@register_kl(ContinuousBernoulli, Normal)
def _kl_continuous_bernoulli_normal(p: ContinuousBernoulli, q: Normal) -> Tensor:
    t2 = 0.5 * (math.log(2.0 * math.pi) + torch.square(q.loc / q.scale)) + torch.log(q.scale)
    t3 = (p.variance + torch.square(p.mean) - 2.0 * q.loc * p.mean) / (2 * torch.square(q.scale))
    return -p.entropy() + t2 + t3


@register_kl(ContinuousBernoulli, Uniform)
def _kl_continuous_bernoulli_uniform(p: ContinuousBernoulli, q: Uniform) -> Tensor:
    result = -p.entropy() + (q.high - q.low).log()
    return torch.where((q.low > 0) | (q.high < 1), inf, result)


@register_kl(Exponential, Gamma)
def _kl_exponential_gamma(p: Exponential, q: Gamma) -> Tensor:
    ratio = q.rate / p.rate
    t1 = -q.concentration * torch.log(ratio)
    return (
        t1
        + ratio
        + q.concentration.lgamma()
        + q.concentration * euler_constant
        - (1 + euler_constant)
    )


@register_kl(Exponential, Gumbel)
def _kl_exponential_gumbel(p: Exponential, q: Gumbel) -> Tensor:
    product = p.rate * q.scale
    ratio = q.loc / q.scale
    t3 = ratio.exp() * product / (product + 1)
    return product.log() - 1 - ratio + product.reciprocal() + t3


@register_kl(Exponential, Normal)
def _kl_exponential_normal(p: Exponential, q: Normal) -> Tensor:
    var_normal = q.scale.pow(2)
    rate_square = p.rate.pow(2)
    t1 = 0.5 * torch.log(rate_square * var_normal * 2 * math.pi)
    t2 = rate_square.reciprocal()
    return t1 - 1 + (t2 - q.loc / p.rate + q.loc.pow(2) / 2) / var_normal


@register_kl(Gamma, Exponential)
def _kl_gamma_exponential(p: Gamma, q: Exponential) -> Tensor:
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Gumbel)
def _kl_gamma_gumbel(p: Gamma, q: Gumbel) -> Tensor:
    product = p.rate * q.scale
    ratio = q.loc / q.scale
    t1 = (
        (p.concentration - 1) * p.concentration.digamma()
        - p.concentration.lgamma()
        - p.concentration
    )
    t2 = product.log() + p.concentration / product
    t3 = torch.exp(ratio) * (1 + product.reciprocal()).pow(-p.concentration) - ratio
    return t1 + t2 + t3


@register_kl(Gamma, Normal)
def _kl_gamma_normal(p: Gamma, q: Normal) -> Tensor:
    var_normal = q.scale.pow(2)
    rate_square = p.rate.pow(2)
    t1 = (
        0.5 * torch.log(rate_square * var_normal * 2 * math.pi)
        - p.concentration
        - p.concentration.lgamma()
    )
    t2 = 0.5 * (p.concentration.pow(2) + p.concentration) / rate_square
    t3 = q.loc * p.concentration / p.rate
    t4 = 0.5 * q.loc.pow(2)
    return t1 + (p.concentration - 1) * p.concentration.digamma() + (t2 - t3 + t4) / var_normal


@register_kl(Gumbel, Normal)
def _kl_gumbel_normal(p: Gumbel, q: Normal) -> Tensor:
    ratio = p.scale / q.scale
    within = (math.pi * ratio * 0.5).pow(2) / 3
    offset = ((p.loc + p.scale * euler_constant - q.loc) / q.scale).pow(2) * 0.5
    return -p.entropy() + q.scale.log() + 0.5 * math.log(2 * math.pi) + within + offset


@register_kl(Laplace, Normal)
def _kl_laplace_normal(p: Laplace, q: Normal) -> Tensor:
    var_normal = q.scale.pow(2)
    ratio = p.scale.pow(2) / var_normal
    t1 = 0.5 * torch.log(2 * ratio / math.pi)
    t2 = 0.5 * p.loc.pow(2)
    t3 = p.loc * q.loc
    t4 = 0.5 * q.loc.pow(2)
    return -t1 + ratio + (t2 - t3 + t4) / var_normal - 1


@register_kl(Normal, Gumbel)
def _kl_normal_gumbel(p: Normal, q: Gumbel) -> Tensor:
    mean_ratio = p.loc / q.scale
    var_ratio = (p.scale / q.scale).pow(2)
    loc_ratio = q.loc / q.scale
    t1 = var_ratio.log() * 0.5
    t2 = mean_ratio - loc_ratio
    t3 = torch.exp(-mean_ratio + 0.5 * var_ratio + loc_ratio)
    return -t1 + t2 + t3 - (0.5 * (1 + math.log(2 * math.pi)))


@register_kl(Normal, Laplace)
def _kl_normal_laplace(p: Normal, q: Laplace) -> Tensor:
    distance = p.loc - q.loc
    z = distance / p.scale
    folded_mean = math.sqrt(2 / math.pi) * p.scale * torch.exp(
        -0.5 * z.pow(2)
    ) + distance * torch.erf(math.sqrt(0.5) * z)
    t1 = (2 * q.scale).log() + folded_mean / q.scale
    return t1 - p.entropy()


@register_kl(Pareto, Exponential)
def _kl_pareto_exponential(p: Pareto, q: Exponential) -> Tensor:
    scale_rate = p.scale * q.rate
    result = (
        (p.alpha / scale_rate).log()
        - p.alpha.reciprocal()
        + p.alpha * scale_rate / (p.alpha - 1)
        - 1
    )
    return torch.where(p.alpha <= 1, inf, result)


@register_kl(Pareto, Gamma)
def _kl_pareto_gamma(p: Pareto, q: Gamma) -> Tensor:
    common = p.scale.log() + p.alpha.reciprocal()
    result = (
        p.alpha.log()
        - common
        + q.concentration.lgamma()
        - q.concentration * q.rate.log()
        + (1 - q.concentration) * common
        + q.rate * p.alpha * p.scale / (p.alpha - 1)
        - 1
    )
    return torch.where(p.alpha <= 1, inf, result)


@register_kl(Pareto, Normal)
def _kl_pareto_normal(p: Pareto, q: Normal) -> Tensor:
    var_normal = 2 * q.scale.pow(2)
    common = p.scale / (p.alpha - 1)
    t1 = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log()
    t2 = p.alpha.reciprocal()
    t3 = p.alpha * common.pow(2) / (p.alpha - 2)
    t4 = (p.alpha * common - q.loc).pow(2)
    result = t1 - t2 + (t3 + t4) / var_normal - 1
    return torch.where(p.alpha <= 2, inf, result)


@register_kl(Poisson, Bernoulli)
@register_kl(Poisson, Binomial)
def _kl_poisson_infinity(p: Poisson, q: Distribution) -> Tensor:
    return _infinite_like(p.rate)


@register_kl(Uniform, Beta)
def _kl_uniform_beta(p: Uniform, q: Beta) -> Tensor:
    common = p.high - p.low
    t1 = torch.log(common)
    t2 = (q.concentration1 - 1) * (_x_log_x(p.high) - _x_log_x(p.low) - common) / common
    t3 = (q.concentration0 - 1) * (_x_log_x(1 - p.high) - _x_log_x(1 - p.low) + common) / common
    result = t3 - t2 - t1 + _log_beta(q.concentration1, q.concentration0)
    return torch.where((p.high > 1) | (p.low < 0), inf, result)


@register_kl(Uniform, ContinuousBernoulli)
def _kl_uniform_continuous_bernoulli(p: Uniform, q: ContinuousBernoulli) -> Tensor:
    result = -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q._cont_bern_log_norm()
    return torch.where((p.high > 1) | (p.low < 0), inf, result)


@register_kl(Uniform, Exponential)
def _kl_uniform_exponential(p: Uniform, q: Exponential) -> Tensor:
    result = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    return torch.where(p.low < 0, inf, result)


@register_kl(Uniform, Gamma)
def _kl_uniform_gamma(p: Uniform, q: Gamma) -> Tensor:
    common = p.high - p.low
    t1 = common.log()
    t2 = q.concentration.lgamma() - q.concentration * q.rate.log()
    mean_log = (_x_log_x(p.high) - _x_log_x(p.low) - common) / common
    t4 = q.rate * (p.high + p.low) / 2
    result = -t1 + t2 + (1 - q.concentration) * mean_log + t4
    return torch.where(p.low < 0, inf, result)


@register_kl(Uniform, Gumbel)
def _kl_uniform_gumbel(p: Uniform, q: Gumbel) -> Tensor:
    common = q.scale / (p.high - p.low)
    high_loc_diff = (p.high - q.loc) / q.scale
    low_loc_diff = (p.low - q.loc) / q.scale
    t1 = common.log() + 0.5 * (high_loc_diff + low_loc_diff)
    t2 = common * (torch.exp(-high_loc_diff) - torch.exp(-low_loc_diff))
    return t1 - t2


@register_kl(Uniform, Normal)
def _kl_uniform_normal(p: Uniform, q: Normal) -> Tensor:
    common = p.high - p.low
    t1 = (math.sqrt(math.pi * 2) * q.scale / common).log()
    t2 = common.pow(2) / 12
    t3 = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return t1 + 0.5 * (t2 + t3) / q.scale.pow(2)


@register_kl(Uniform, Pareto)
def _kl_uniform_pareto(p: Uniform, q: Pareto) -> Tensor:
    support_uniform = p.high - p.low
    t1 = (q.alpha * q.scale.pow(q.alpha) * support_uniform).log()
    t2 = (_x_log_x(p.high) - _x_log_x(p.low) - support_uniform) / support_uniform
    result = t2 * (q.alpha + 1) - t1
    return torch.where(p.low < q.support.lower_bound, inf, result)


def _register_infinite(type_p: type, size: str, *types_q: type) -> None:
    """All of these q exclude values that p has; `size` is a parameter of p, of the batch shape."""

    def infinite(p: Any, q: Any) -> Tensor:
        return _infinite_like(getattr(p, size))

    for type_q in types_q:
        register_kl(type_p, type_q)(infinite)


_register_infinite(Beta, "concentration1", Pareto)
_register_infinite(ContinuousBernoulli, "probs", Pareto)
_register_infinite(Exponential, "rate", Beta, ContinuousBernoulli, Pareto, Uniform)
_register_infinite(Gamma, "concentration", Beta, ContinuousBernoulli, Pareto, Uniform)
_register_infinite(Gumbel, "loc", Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_register_infinite(Laplace, "loc", Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_register_infinite(Normal, "loc", Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_register_infinite(Pareto, "scale", Beta, ContinuousBernoulli, Uniform)


__all__ = ["kl_divergence", "register_kl"]
