"""class Laplace."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.distributions._location_scale import LocationScale


class Laplace(LocationScale):
    """The Laplace distribution.

    p(x) = exp(-|x - loc| / scale) / (2 scale)

    Example::

        >>> torch.distributions.Laplace(0.0, 1.0).log_prob(torch.tensor(0.0))
        tensor(-0.6931)
    """

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.pow(2)

    @property
    def stddev(self) -> Tensor:
        return math.sqrt(2) * self.scale

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        # In (-1, 1): never an end, where the logarithm is infinite.
        low = torch.finfo(self.loc.dtype).eps - 1
        u = self.loc.new_empty(shape).uniform_(low, 1)
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs())

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        z = value - self.loc
        return 0.5 - 0.5 * z.sign() * torch.expm1(-z.abs() / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        centred = value - 0.5
        return self.loc - self.scale * centred.sign() * torch.log1p(-2 * centred.abs())

    def entropy(self) -> Tensor:
        return 1 + torch.log(2 * self.scale)


__all__ = ["Laplace"]
