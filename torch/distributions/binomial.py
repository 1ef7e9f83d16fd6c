"""class Binomial."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.distributions import constraints
from torch.distributions._binary_probability import BinaryProbability
from torch.distributions._sampling import sample_binomial
from torch.nn import functional


class Binomial(BinaryProbability):
    """How many of `total_count` trials succeed, each with probability `probs`.

    P(k) = C(n, k) p^k (1 - p)^(n - k)

    Example::

        >>> torch.distributions.Binomial(10, torch.tensor(0.25)).mean
        tensor(2.5000)
    """

    arg_constraints: ClassVar[dict[str, Any]] = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True

    def __init__(
        self,
        total_count: Any = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        (count,) = self._take_probability(probs, logits, total_count)
        self.total_count = count.type_as(self._param)
        super().__init__(self._param.size(), validate_args=validate_args)

    _expanded_parameters = ("total_count", "probs", "logits")

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters(Binomial, batch_shape, _instance)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return sample_binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        log_choices = torch.lgamma(n + 1) - torch.lgamma(value + 1) - torch.lgamma(n - value + 1)
        # log(1 + exp(logits)), without overflow, and with the derivative 1/2 at 0.
        log_sum = -functional.logsigmoid(-self.logits)
        return value * self.logits - n * log_sum + log_choices

    def _counts(self) -> Tensor:
        total = int(self.total_count.max())
        if not self.total_count.min() == total:
            raise NotImplementedError(
                "Inhomogeneous total count not supported by `enumerate_support`."
            )
        return torch.arange(1 + total, dtype=self._param.dtype, device=self._param.device)

    def entropy(self) -> Tensor:
        total = int(self.total_count.max())
        if not self.total_count.min() == total:
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = self._counts().view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


__all__ = ["Binomial"]
