"""class Geometric."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.distributions import constraints
from torch.distributions._binary_probability import BinaryProbability
from torch.distributions.utils import broadcast_all
from torch.nn.functional import binary_cross_entropy_with_logits


class Geometric(BinaryProbability):
    """How many trials fail before the first success of probability `probs`.

    P(k) = (1 - p)^k p for k = 0, 1, ...

    Example::

        >>> torch.distributions.Geometric(torch.tensor(0.25)).mean
        tensor(3.)
    """

    arg_constraints: ClassVar[dict[str, Any]] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._take_probability(probs, logits)
        super().__init__(self._param.size(), validate_args=validate_args)
        if self._validate_args and probs is not None:
            valid = self.probs > 0
            if not valid.all():
                invalid = self.probs[~valid]
                raise ValueError(
                    f"Expected parameter probs ({type(self.probs).__name__} of shape {tuple(self.probs.shape)}) of distribution {self!r} to be positive but found invalid values:\n{invalid}"
                )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters(Geometric, batch_shape, _instance)

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return torch.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            u = self.probs.new_empty(shape).uniform_(torch.finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone(memory_format=torch.contiguous_format)
        probs[(probs == 1) & (value == 0)] = 0  # 0 log(0) is 0
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self) -> Tensor:
        loss = binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")
        return loss / self.probs


__all__ = ["Geometric"]
