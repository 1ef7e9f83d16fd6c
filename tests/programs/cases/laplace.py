"""Laplace's approximation of the posterior of weights."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, numbers
from laplace import Laplace
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS = [("last_layer", "kron"), ("all", "diag")]


def run() -> Any:
    """Probabilities and marginal likelihood, after steps on the precision of the prior."""
    x = numbers("x", 6, 4)
    loader = DataLoader(TensorDataset(x, classes("y", 3, 6)), batch_size=3)
    found: dict[str, Any] = {}
    for weights, structure in KINDS:
        net = filled(nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)))
        posterior = Laplace(
            net, "classification", subset_of_weights=weights, hessian_structure=structure
        )
        posterior.fit(loader)
        posterior.optimize_prior_precision(method="marglik", n_steps=5)
        found[f"{weights}.{structure}"] = posterior(x, link_approx="probit")
        found[f"{weights}.{structure}.evidence"] = posterior.log_marginal_likelihood()
    return found
