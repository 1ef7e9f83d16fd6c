"""class HalfCauchy."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.distributions._half import Half
from torch.distributions.cauchy import Cauchy


class HalfCauchy(Half):
    """The distribution of |x|, where x is Cauchy of location 0.

    p(x) = 2 / (pi scale (1 + (x / scale)^2)) for x >= 0

    Example::

        >>> torch.distributions.HalfCauchy(torch.tensor(1.0)).cdf(torch.tensor(1.0))
        tensor(0.5000)
    """

    _whole = Cauchy

    @property
    def mean(self) -> Tensor:
        return torch.full_like(self.scale, math.inf)

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance


__all__ = ["HalfCauchy"]
