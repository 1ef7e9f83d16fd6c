"""Bayesian optimization."""

from __future__ import annotations

from typing import Any

import torch
from botorch.acquisition import LogExpectedImprovement, UpperConfidenceBound
from botorch.acquisition.logei import qLogExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.optim import optimize_acqf
from botorch.sampling import SobolQMCNormalSampler
from gpytorch.mlls import ExactMarginalLogLikelihood
from inputs import numbers


def run() -> Any:
    """A fitted process, its posterior, and the best of acquisition functions."""
    x = numbers("x", 12, 2).double().sigmoid()
    y = (x.sum(-1, keepdim=True) * 3).sin()
    model = SingleTaskGP(x, y)
    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    posterior = model.posterior(numbers("t", 4, 2).double().sigmoid())
    found = {"mean": posterior.mean, "variance": posterior.variance}
    bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]]).double()
    best = y.max()
    for name, function in [
        ("improvement", LogExpectedImprovement(model, best_f=best)),
        ("bound", UpperConfidenceBound(model, beta=0.1)),
    ]:
        found[name] = optimize_acqf(function, bounds, q=1, num_restarts=3, raw_samples=16)[1]
    sampler = SobolQMCNormalSampler(torch.Size([32]), seed=1)
    batch = qLogExpectedImprovement(model, best_f=best, sampler=sampler)
    return found | {"batch": batch(numbers("q", 2, 2, 2).double().sigmoid())}
