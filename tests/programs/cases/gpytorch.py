"""A Gaussian process."""

from __future__ import annotations

from typing import Any

import gpytorch
from inputs import filled, numbers, trained


class Process(gpytorch.models.ExactGP):
    """A constant mean and a scaled kernel."""

    def __init__(self, x: Any, y: Any, likelihood: Any) -> None:
        super().__init__(x, y, likelihood)
        self.mean = gpytorch.means.ConstantMean()
        self.kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x: Any) -> Any:
        return gpytorch.distributions.MultivariateNormal(self.mean(x), self.kernel(x))


def run() -> Any:
    """The marginal likelihood and a prediction."""
    x, y = numbers("x", 12, 2), numbers("y", 12)
    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = filled(Process(x, y, likelihood))
    score = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    found = trained(model, -score(model(x), y))
    model.eval()
    guess = likelihood(model(numbers("new", 5, 2)))
    return found | {"mean": guess.mean, "variance": guess.variance}
