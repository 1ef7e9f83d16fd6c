"""class HalfNormal."""

from __future__ import annotations

import math

from torch import Tensor
from torch.distributions._half import Half
from torch.distributions.normal import Normal


class HalfNormal(Half):
    """The distribution of |x|, where x is normal of mean 0.

    p(x) = sqrt(2 / pi) exp(-x^2 / (2 scale^2)) / scale for x >= 0

    Example::

        >>> torch.distributions.HalfNormal(torch.tensor(1.0)).mean
        tensor(0.7979)
    """

    _whole = Normal

    @property
    def mean(self) -> Tensor:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2) * (1 - 2 / math.pi)


__all__ = ["HalfNormal"]
