"""The parameter of distributions that have one probability: itself, or its log odds."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits


class BinaryProbability(Distribution):
    """A distribution with `probs`, the probability of an event, or `logits`, its log odds."""

    _expanded_parameters: ClassVar[tuple[str, ...]] = ("probs", "logits")

    def _take_probability(self, probs: Any, logits: Any, *others: Any) -> tuple[Tensor, ...]:
        """Keeps the one that is given; returns the others, all broadcast together."""
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        *others_there, self._param = broadcast_all(*others, logits if probs is None else probs)
        setattr(self, "logits" if probs is None else "probs", self._param)
        return tuple(others_there)

    def _expand_parameters(self, cls: type[Distribution], batch_shape: Any, _instance: Any) -> Any:
        new = super()._expand_parameters(cls, batch_shape, _instance)
        new._param = new.probs if "probs" in self.__dict__ else new.logits
        return new

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._param.new(*args, **kwargs)

    @lazy_property
    def logits(self) -> Tensor:
        """log(p / (1 - p))"""
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self) -> Tensor:
        """The probability of 1, or of success."""
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def param_shape(self) -> torch.Size:
        """The shape of the parameter."""
        return self._param.size()
