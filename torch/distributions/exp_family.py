"""class ExponentialFamily."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.distributions.distribution import Distribution


class ExponentialFamily(Distribution):
    """Distributions whose density is exp(<t(x), theta> - F(theta) + k(x)).

    theta are the natural parameters, F the log normalizer, k the carrier measure. Entropies and
    divergences follow from the gradient of F (Nielsen and Nock, "Entropies and cross-entropies of
    exponential families", 2010).
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Tensor:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """F(theta) - <theta, grad F(theta)> - E[k(x)]."""
        result: Tensor = -torch.as_tensor(self._mean_carrier_measure)
        params = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*params)
        gradients = torch.autograd.grad(normalizer.sum(), params, create_graph=True)
        result = result + normalizer
        for param, gradient in zip(params, gradients, strict=True):
            term = param * gradient
            result = result - term.reshape(self._batch_shape + (-1,)).sum(-1)
        return result


__all__ = ["ExponentialFamily"]
