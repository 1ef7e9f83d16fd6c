"""class GeneralizedPareto."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


class GeneralizedPareto(Distribution):
    """The generalized Pareto distribution, of what exceeds a threshold.

    cdf(x) = 1 - (1 + c z)^(-1 / c) with z = (x - loc) / scale and c = `concentration`;
    1 - exp(-z) where c is 0

    Example::

        >>> m = torch.distributions.GeneralizedPareto(
        ...     torch.tensor(0.0), torch.tensor(1.0), torch.tensor(0.5))
        >>> m.mean
        tensor(2.)
    """

    arg_constraints: ClassVar[dict[str, Any]] = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    _expanded_parameters = (
        "loc",
        "scale",
        "concentration",
    )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters(GeneralizedPareto, batch_shape, _instance)

    def __init__(
        self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None
    ) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def _is_exponential(self) -> Tensor:
        return torch.isclose(self.concentration, torch.zeros_like(self.concentration))

    def _safe_concentration(self) -> Tensor:
        return torch.where(
            self._is_exponential(), torch.ones_like(self.concentration), self.concentration
        )

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        c = self.concentration
        end = torch.where(c < 0, self.loc - self.scale / torch.where(c < 0, c, -1), torch.inf)
        return constraints.interval(self.loc, end)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return self.icdf(torch.rand(shape, dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        c = self._safe_concentration()
        heavy = -(1 + 1 / c) * torch.log1p(c * z)
        return torch.where(self._is_exponential(), -z, heavy) - self.scale.log()

    def log_survival_function(self, value: Tensor) -> Tensor:
        """log(1 - cdf(value)), without the cancellation in 1 - cdf.

        Args:
            value: broadcast with `batch_shape`.
        """
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        c = self._safe_concentration()
        return torch.where(self._is_exponential(), -z, -torch.log1p(c * z) / c)

    def log_cdf(self, value: Tensor) -> Tensor:
        """log(cdf(value)).

        Args:
            value: broadcast with `batch_shape`.
        """
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return -torch.expm1(self.log_survival_function(value))

    def icdf(self, value: Tensor) -> Tensor:
        c = self._safe_concentration()
        log_rest = torch.log1p(-value)
        z = torch.where(self._is_exponential(), -log_rest, torch.expm1(-c * log_rest) / c)
        return self.loc + self.scale * z

    @property
    def mean(self) -> Tensor:
        c = self.concentration
        return torch.where(c < 1, self.loc + self.scale / (1 - c), torch.inf)

    @property
    def variance(self) -> Tensor:
        c = self.concentration
        variance = self.scale**2 / ((1 - c) ** 2 * (1 - 2 * c))
        return torch.where(c < 0.5, variance, torch.inf)

    @property
    def mode(self) -> Tensor:
        return self.loc

    def entropy(self) -> Tensor:
        return torch.log(self.scale) + self.concentration + 1


__all__ = ["GeneralizedPareto"]
