"""class NegativeBinomial."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.distributions import constraints
from torch.distributions._binary_probability import BinaryProbability
from torch.distributions.gamma import Gamma
from torch.distributions.utils import lazy_property
from torch.nn import functional as F


class NegativeBinomial(BinaryProbability):
    """How many trials succeed, with probability `probs` each, before `total_count` have failed.

    P(k) = Gamma(k + n) / (k! Gamma(n)) (1 - p)^n p^k

    Example::

        >>> torch.distributions.NegativeBinomial(3, torch.tensor(0.5)).mean
        tensor(3.)
    """

    arg_constraints: ClassVar[dict[str, Any]] = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        (count,) = self._take_probability(probs, logits, total_count)
        self.total_count = count.type_as(self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    _expanded_parameters = ("total_count", "probs", "logits")

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters(NegativeBinomial, batch_shape, _instance)

    @property
    def mean(self) -> Tensor:
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / torch.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Gamma:
        # A Poisson distribution whose rate has this one.
        return Gamma(
            concentration=self.total_count, rate=torch.exp(-self.logits), validate_args=False
        )

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with torch.no_grad():
            return torch.poisson(self._gamma.sample(sample_shape=sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        unnormalized = n * F.logsigmoid(-self.logits) + value * F.logsigmoid(self.logits)
        normalization = -torch.lgamma(n + value) + torch.lgamma(1.0 + value) + torch.lgamma(n)
        # Without a failure to wait for, there is no success.
        normalization = normalization.masked_fill(n + value == 0.0, 0.0)
        return unnormalized - normalization


__all__ = ["NegativeBinomial"]
