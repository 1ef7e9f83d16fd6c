"""torch.distributions: densities, samples, gradients and divergences agree with one another."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from zlib import crc32

import pytest
import torch
import torch.distributions as dist
from torch import Tensor
from torch.distributions import constraints, kl, transforms

DTYPE = torch.float64
Make = Callable[[], Any]


def positive(*shape: int) -> Tensor:
    return torch.rand(shape, dtype=DTYPE) * 2 + 0.3


def unit(*shape: int) -> Tensor:
    return torch.rand(shape, dtype=DTYPE) * 0.8 + 0.1


def real(*shape: int) -> Tensor:
    return torch.randn(shape, dtype=DTYPE)


def covariance(n: int) -> Tensor:
    a = real(n, n)
    return a @ a.mT + torch.eye(n, dtype=DTYPE)


CONTINUOUS: dict[str, Make] = {
    "Normal": lambda: dist.Normal(real(3), positive(3)),
    "Uniform": lambda: dist.Uniform(real(3) - 3, real(3) + 3),
    "Laplace": lambda: dist.Laplace(real(3), positive(3)),
    "Cauchy": lambda: dist.Cauchy(real(3), positive(3)),
    "Exponential": lambda: dist.Exponential(positive(3)),
    "Gamma": lambda: dist.Gamma(positive(3), positive(3)),
    "HalfNormal": lambda: dist.HalfNormal(positive(3)),
    "HalfCauchy": lambda: dist.HalfCauchy(positive(3)),
    "LogNormal": lambda: dist.LogNormal(real(3), unit(3)),
    "Gumbel": lambda: dist.Gumbel(real(3), positive(3)),
    "Weibull": lambda: dist.Weibull(positive(3), positive(3) + 0.7),
    "Pareto": lambda: dist.Pareto(positive(3), positive(3) + 4),
    "Kumaraswamy": lambda: dist.Kumaraswamy(positive(3), positive(3)),
    # Near 0.5 its cdf is a limit, which is not the integral of its density to the last digits.
    "ContinuousBernoulli": lambda: dist.ContinuousBernoulli(unit(3) * 0.5),
    "GeneralizedPareto": lambda: dist.GeneralizedPareto(
        real(3), positive(3), torch.tensor([0.0, 0.1, -0.2], dtype=DTYPE)
    ),
}
MOMENTS: dict[str, Make] = CONTINUOUS | {
    "Beta": lambda: dist.Beta(positive(3), positive(3)),
    "Chi2": lambda: dist.Chi2(positive(3) * 2),
    "Dirichlet": lambda: dist.Dirichlet(positive(2, 3)),
    "StudentT": lambda: dist.StudentT(positive(3) + 8, real(3), positive(3)),
    "FisherSnedecor": lambda: dist.FisherSnedecor(positive(3) + 5, positive(3) + 20),
    "InverseGamma": lambda: dist.InverseGamma(positive(3) + 8, positive(3)),
    "Bernoulli": lambda: dist.Bernoulli(unit(3)),
    "Geometric": lambda: dist.Geometric(unit(3)),
    "Poisson": lambda: dist.Poisson(positive(3) * 3),
    "Binomial": lambda: dist.Binomial(torch.tensor([3, 20, 500]), unit(3)),
    "NegativeBinomial": lambda: dist.NegativeBinomial(positive(3) * 4, unit(3) * 0.8),
    "Multinomial": lambda: dist.Multinomial(5, positive(3)),
    "OneHotCategorical": lambda: dist.OneHotCategorical(positive(2, 3)),
    "MultivariateNormal": lambda: dist.MultivariateNormal(real(2, 3), covariance(3)),
    "LowRankMultivariateNormal": lambda: dist.LowRankMultivariateNormal(
        real(4), real(4, 2), positive(4)
    ),
    "Wishart": lambda: dist.Wishart(torch.tensor(5.0, dtype=DTYPE), covariance(2)),
    "MixtureSameFamily": lambda: dist.MixtureSameFamily(
        dist.Categorical(positive(2, 3)), dist.Normal(real(2, 3), positive(2, 3))
    ),
    "Independent": lambda: dist.Independent(dist.Normal(real(2, 3), positive(2, 3)), 1),
}
# Univariate, whose distribution function is known or is a sum of what it is made of.
NO_MOMENTS = ("Cauchy", "HalfCauchy")


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(torch.seed() % 2**32)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_the_density_is_the_derivative_of_the_distribution_function(name: str) -> None:
    d = CONTINUOUS[name]()
    value = d.sample((5,)).requires_grad_()
    if not hasattr(d, "concentration") or name != "Gamma":
        (density,) = torch.autograd.grad(d.cdf(value).sum(), value)
    else:  # gammainc has no derivative by its second argument in every release
        h = 1e-6 * value.detach()
        density = (d.cdf(value.detach() + h) - d.cdf(value.detach() - h)) / (2 * h)
    torch.testing.assert_close(d.log_prob(value).exp(), density, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("name", [n for n in CONTINUOUS if n != "Gamma"])
def test_icdf_is_the_inverse_of_cdf(name: str) -> None:
    d = CONTINUOUS[name]()
    p = unit(4, 3)
    torch.testing.assert_close(d.cdf(d.icdf(p)), p, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", [n for n in MOMENTS if n not in NO_MOMENTS])
def test_samples_have_the_moments(name: str) -> None:
    d = MOMENTS[name]()
    count = 5000
    samples = d.sample((count,)).double()
    assert samples.shape == (count, *d.batch_shape, *d.event_shape)
    assert d.support.check(samples).all()
    error = (d.variance / count).sqrt()
    assert ((samples.mean(0) - d.mean).abs() < 6 * error).all()
    square = (samples - d.mean) ** 2
    error = (square.var(0) / count).sqrt()
    assert ((square.mean(0) - d.variance).abs() < 6 * error + 1e-9).all()


@pytest.mark.parametrize(
    "name", [n for n in MOMENTS if n not in ("Wishart", "MixtureSameFamily", "FisherSnedecor")]
)
def test_the_entropy_is_the_mean_of_minus_log_prob(name: str) -> None:
    d = MOMENTS[name]()
    try:
        entropy = d.entropy()
    except NotImplementedError:
        pytest.skip("has no entropy in closed form")
    if name == "Poisson":
        pytest.skip("PyTorch's formula for exponential families leaves log(k!) out")
    terms = -d.log_prob(d.sample((5000,)))
    error = terms.std(0) / math.sqrt(5000)
    assert ((terms.mean(0) - entropy).abs() < 6 * error + 1e-9).all()


@pytest.mark.parametrize("name", ["Normal", "Laplace", "Gumbel", "Weibull", "Kumaraswamy"])
def test_rsample_moves_with_the_parameters_as_the_quantile_does(name: str) -> None:
    d = CONTINUOUS[name]()
    parameters = [d.__dict__[n] for n in d.arg_constraints if n in d.__dict__]
    leaves = [p.detach().clone().requires_grad_() for p in parameters]
    moved = type(d)(*leaves)
    sample = moved.rsample()
    for leaf, grad in zip(
        leaves, torch.autograd.grad(sample.sum(), leaves, retain_graph=True), strict=True
    ):
        # d x = -(d F / d parameter) / density
        by_parameter = torch.autograd.grad(
            moved.cdf(sample.detach()).sum(), leaf, retain_graph=True
        )[0]
        expected = -by_parameter / moved.log_prob(sample.detach()).exp()
        torch.testing.assert_close(grad, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("power", [1, 2])
def test_gradients_of_beta_samples_are_those_of_their_moments(power: int) -> None:
    """E[x^n] is a product of (a + k) / (a + b + k), k < n, whose gradients autograd knows."""
    leaves = [positive(3).requires_grad_(), (positive(3) + 20 * unit(3)).requires_grad_()]
    a, b = leaves
    moment = a / (a + b)
    if power == 2:
        moment = moment * (a + 1) / (a + b + 1)
    count = 4000
    wide = [leaf.detach().expand(count, 3).contiguous().requires_grad_() for leaf in leaves]
    (dist.Beta(*wide).rsample() ** power).sum().backward()
    for leaf, samples in zip(torch.autograd.grad(moment.sum(), leaves), wide, strict=True):
        assert samples.grad is not None
        error = samples.grad.std(0) / math.sqrt(count)
        assert ((samples.grad.mean(0) - leaf).abs() < 6 * error).all()


def test_dirichlet_gradients_leave_the_sum_as_it_is() -> None:
    concentration = positive(4, 3).requires_grad_()
    sample = dist.Dirichlet(concentration).rsample()
    (grad,) = torch.autograd.grad(sample.sum(), concentration)
    torch.testing.assert_close(grad, torch.zeros_like(grad), rtol=0, atol=1e-9)


KL_MAKERS: dict[type, Make] = {
    dist.Bernoulli: lambda: dist.Bernoulli(unit(3)),
    dist.Beta: lambda: dist.Beta(positive(3) + 0.5, positive(3) + 0.5),
    dist.Binomial: lambda: dist.Binomial(5, unit(3)),
    dist.Categorical: lambda: dist.Categorical(positive(3, 4)),
    dist.ContinuousBernoulli: lambda: dist.ContinuousBernoulli(unit(3)),
    dist.Dirichlet: lambda: dist.Dirichlet(positive(3, 4)),
    dist.Exponential: lambda: dist.Exponential(positive(3)),
    dist.Gamma: lambda: dist.Gamma(positive(3) + 1, positive(3)),
    dist.Geometric: lambda: dist.Geometric(unit(3)),
    dist.Gumbel: lambda: dist.Gumbel(real(3), positive(3)),
    dist.HalfNormal: lambda: dist.HalfNormal(positive(3)),
    dist.Independent: lambda: dist.Independent(dist.Normal(real(3, 2), positive(3, 2)), 1),
    dist.Laplace: lambda: dist.Laplace(real(3), positive(3)),
    dist.LowRankMultivariateNormal: lambda: dist.LowRankMultivariateNormal(
        real(3, 4), real(4, 2), positive(4)
    ),
    dist.MultivariateNormal: lambda: dist.MultivariateNormal(real(3, 4), covariance(4)),
    dist.Normal: lambda: dist.Normal(real(3), positive(3)),
    dist.OneHotCategorical: lambda: dist.OneHotCategorical(positive(3, 4)),
    dist.Pareto: lambda: dist.Pareto(positive(3), positive(3) + 4),
    dist.Poisson: lambda: dist.Poisson(positive(3)),
    dist.TransformedDistribution: lambda: dist.TransformedDistribution(
        dist.Normal(real(3), positive(3)), EXP
    ),
    dist.Uniform: lambda: dist.Uniform(unit(3) * 0.5, unit(3) * 0.3 + 0.6),
    dist.Cauchy: lambda: dist.Cauchy(real(3), positive(3)),
}
EXP = [transforms.ExpTransform()]
PAIRS = [pair for pair in kl._KL_REGISTRY if all(c in KL_MAKERS for c in pair)]


@pytest.mark.parametrize(("p_class", "q_class"), PAIRS, ids=lambda c: c.__name__)
def test_kl_divergence_is_the_mean_difference_of_log_probs(p_class: type, q_class: type) -> None:
    # Some means have heavy tails: the bound holds for most draws, so each pair keeps its draws.
    torch.manual_seed(crc32(f"{p_class.__name__} {q_class.__name__}".encode()))
    p, q = KL_MAKERS[p_class](), KL_MAKERS[q_class]()
    if (p_class, q_class) == (dist.Uniform, dist.Pareto):
        q = dist.Pareto(p.low * 0.5, positive(3))
    if (p_class, q_class) == (dist.Pareto, dist.Pareto):
        q = dist.Pareto(p.scale * 0.5, positive(3))
    if q_class is dist.Uniform and p_class is not dist.Uniform:
        q = dist.Uniform(-unit(3), 1 + unit(3))
    if (p_class, q_class) == (dist.Uniform, dist.Uniform):
        q = dist.Uniform(p.low - unit(3), p.high + unit(3))
    found = dist.kl_divergence(p, q)
    samples = p.sample((5000,))
    if torch.isinf(found).any():
        # Where p has values that q excludes.
        assert torch.isinf(found).all()
        assert not q.support.check(samples).all()
        return
    terms = p.log_prob(samples) - q.log_prob(samples)
    error = terms.std(0) / math.sqrt(5000)
    assert ((terms.mean(0) - found).abs() < 7 * error + 1e-9).all()


def test_kl_of_unknown_classes_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="No KL.*p type VonMises and q type Normal"):
        dist.kl_divergence(dist.VonMises(0.0, 1.0), dist.Normal(0.0, 1.0))
    with pytest.raises(TypeError, match="Expected type_p to be a Distribution subclass"):
        dist.register_kl(3, dist.Normal)  # type: ignore[arg-type]


def test_kl_of_classes_of_a_base_that_is_no_distribution() -> None:
    class Other:
        pass

    class Mine(dist.Normal, Other):
        pass

    dist.register_kl(Mine, Other)(lambda p, q: torch.tensor(4.0))  # type: ignore[arg-type]
    assert dist.kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)) == 4


SETS: dict[str, tuple[constraints.Constraint, int]] = {
    "real": (constraints.real, 0),
    "positive": (constraints.positive, 0),
    "unit_interval": (constraints.unit_interval, 0),
    "interval": (constraints.interval(-1.0, 3.0), 0),
    "less_than": (constraints.less_than(2.0), 0),
    "greater_than": (constraints.greater_than(1.0), 0),
    "simplex": (constraints.simplex, 1),
    "corr_cholesky": (constraints.corr_cholesky, 1),
}


@pytest.mark.parametrize("name", SETS)
def test_biject_to_is_a_bijection_whose_volume_is_known(name: str) -> None:
    constraint, event_dim = SETS[name]
    transform = dist.biject_to(constraint)
    x = real(3, 6) if event_dim else real(6)
    y = transform(x)
    assert constraint.check(y).all()
    torch.testing.assert_close(transform.inv(y), x, rtol=1e-6, atol=1e-7)
    volume = transform.log_abs_det_jacobian(x, y)
    if event_dim == 0:
        leaf = x.clone().requires_grad_()
        (slope,) = torch.autograd.grad(transform(leaf).sum(), leaf)
        torch.testing.assert_close(volume, slope.abs().log(), rtol=1e-6, atol=1e-7)
        return

    def free(row: Tensor) -> Tensor:  # as many numbers as go in
        made = transform(row)
        if name == "simplex":
            return made[..., :-1]
        lower = torch.tril_indices(4, 4, -1)
        return made[..., lower[0], lower[1]]

    for row, found in zip(x, volume, strict=True):
        jacobian = torch.autograd.functional.jacobian(free, row)
        torch.testing.assert_close(
            torch.linalg.slogdet(jacobian).logabsdet, found, rtol=1e-5, atol=1e-6
        )


@pytest.mark.parametrize("name", ["lower_cholesky", "positive_definite", "simplex", "positive"])
def test_transform_to_reaches_the_set(name: str) -> None:
    constraint = getattr(constraints, name)
    assert constraint.check(dist.transform_to(constraint)(real(2, 3, 3))).all()


def test_no_transform_to_discrete_sets() -> None:
    with pytest.raises(NotImplementedError, match="Cannot transform _Boolean constraints"):
        dist.biject_to(constraints.boolean)


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match=r"parameter scale .* GreaterThan\(lower_bound=0.0\)"):
        dist.Normal(0.0, -1.0)
    with pytest.raises(ValueError, match="within the support"):
        dist.Exponential(1.0).log_prob(torch.tensor(-1.0))
    with pytest.raises(ValueError, match="not broadcastable"):
        dist.Normal(torch.zeros(2), torch.ones(2)).log_prob(torch.zeros(3))
    with pytest.raises(ValueError, match="Either `probs` or `logits` must be specified"):
        dist.Bernoulli()
    assert dist.Normal(0.0, -1.0, validate_args=False).scale == -1


@pytest.mark.parametrize("name", [n for n in MOMENTS if n != "FisherSnedecor"])
def test_expand_broadcasts_the_batch(name: str) -> None:
    d = MOMENTS[name]()
    wide = d.expand((5, *d.batch_shape))
    value = d.sample((5,))
    assert wide.batch_shape == (5, *d.batch_shape)
    torch.testing.assert_close(wide.log_prob(value), d.log_prob(value))


def test_von_mises_samples_have_the_circular_moments() -> None:
    d = dist.VonMises(real(3), torch.tensor([0.1, 2.0, 30.0], dtype=DTYPE))
    samples = d.sample((5000,))
    assert (samples.abs() <= math.pi).all()
    cosine = torch.cos(samples - d.loc)
    error = cosine.std(0) / math.sqrt(5000)
    assert ((cosine.mean(0) - (1 - d.variance)).abs() < 6 * error).all()


def test_lkj_density_integrates_to_one() -> None:
    d = dist.LKJCholesky(2, torch.tensor(1.7, dtype=DTYPE))
    r = torch.linspace(-1, 1, 20001, dtype=DTYPE)[1:-1]
    factor = torch.zeros(r.numel(), 2, 2, dtype=DTYPE)
    factor[:, 0, 0], factor[:, 1, 0], factor[:, 1, 1] = 1, r, (1 - r**2).sqrt()
    # The measure is that of the elements below the diagonal.
    total = torch.trapezoid(d.log_prob(factor).exp(), r)
    torch.testing.assert_close(total, torch.ones_like(total), rtol=1e-4, atol=0)
    assert constraints.corr_cholesky.check(d.sample((100,))).all()


def test_binomial_gradient_where_both_outcomes_are_as_likely() -> None:
    """At logits 0 the derivative of log(1 + exp(logits)) is 1/2, neither 0 nor 1."""
    logits = torch.tensor([-1.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
    count = torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64)
    dist.Binomial(5, logits=logits).log_prob(count).sum().backward()
    torch.testing.assert_close(logits.grad, count - 5 * logits.detach().sigmoid())
