"""Samples of all functions and distributions with random numbers, of several dtypes, sizes and
orders in memory: one seed gives the same numbers everywhere."""

from __future__ import annotations

from typing import Any

import torch
from torch import distributions as dist
from torch.nn import functional

# Around the 16 numbers that are drawn together, and dense in another order.
_EMPTY = (
    lambda dtype: torch.zeros(7, dtype=dtype),
    lambda dtype: torch.zeros(16, dtype=dtype),
    lambda dtype: torch.zeros(33, dtype=dtype),
    lambda dtype: torch.zeros(5, 9, dtype=dtype).t(),
    lambda dtype: torch.zeros(6, 10, dtype=dtype)[:, ::2],
)
_FILLS: dict[str, Any] = {
    "uniform_": lambda x: x.uniform_(-1, 2),
    "normal_": lambda x: x.normal_(1, 2),
    "exponential_": lambda x: x.exponential_(0.5),
    "cauchy_": lambda x: x.cauchy_(),
    "geometric_": lambda x: x.geometric_(0.3),
    "log_normal_": lambda x: x.log_normal_(),
    "bernoulli_": lambda x: x.bernoulli_(0.3),
    "random_": lambda x: x.random_(0, 100),
    "dropout": lambda x: functional.dropout(x + 1, 0.4),
    "alpha_dropout": lambda x: functional.alpha_dropout(x + 1, 0.4),
    "rrelu": lambda x: functional.rrelu(x - 1, training=True),
}


def _distributions() -> dict[str, Any]:
    a = torch.tensor([0.3, 0.9, 2.5, 30.0])
    p = torch.tensor([0.1, 0.5, 0.7, 0.95])
    return {
        "Gamma": dist.Gamma(a, 2.0),
        "Beta": dist.Beta(a, a.flip(0)),
        "Dirichlet": dist.Dirichlet(a),
        "Chi2": dist.Chi2(a),
        "StudentT": dist.StudentT(a),
        "FisherSnedecor": dist.FisherSnedecor(a, a.flip(0)),
        "InverseGamma": dist.InverseGamma(a, 1.0),
        "Poisson": dist.Poisson(a),
        "Binomial": dist.Binomial(torch.tensor([3.0, 40.0, 90.0, 20.0]), p),
        "NegativeBinomial": dist.NegativeBinomial(a, p),
        "Multinomial": dist.Multinomial(20, p),
        "LKJCholesky": dist.LKJCholesky(3, 1.5),
        "VonMises": dist.VonMises(a, a),
        "Kumaraswamy": dist.Kumaraswamy(a, a),
        "LowRank": dist.LowRankMultivariateNormal(a, a[:, None], a),
    }


def run() -> Any:
    """One sample each, by name; every one from a seed of its own."""
    samples = {}
    for name, fill in _FILLS.items():
        for dtype in (torch.float32, torch.float64):
            for place, empty in enumerate(_EMPTY):
                torch.manual_seed(place)
                samples[f"{name} {dtype} {place}"] = fill(empty(dtype)).double()
    for name, distribution in _distributions().items():
        torch.manual_seed(3)
        samples[name] = distribution.sample((6,)).double()
    torch.manual_seed(4)
    samples["gumbel_softmax"] = functional.gumbel_softmax(torch.zeros(5, 4))
    samples["poisson"] = torch.poisson(torch.linspace(0, 40, 30))
    samples["multinomial"] = torch.multinomial(torch.linspace(1, 2, 12), 8).double()
    samples["replaced"] = torch.multinomial(torch.linspace(1, 2, 12), 8, replacement=True).double()
    samples["randperm"] = torch.randperm(100).double()
    return samples
