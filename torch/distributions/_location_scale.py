"""Distributions of numbers with a location and a scale."""

from __future__ import annotations

from typing import Any, ClassVar

from torch import Tensor
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


class LocationScale(Distribution):
    """The base of Cauchy, Laplace and Normal: x is loc + scale z, where z has no parameters."""

    arg_constraints: ClassVar[dict[str, Any]] = {
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True
    _expanded_parameters = ("loc", "scale")

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expand_parameters(LocationScale, batch_shape, _instance)

    @property
    def mode(self) -> Tensor:
        return self.loc
