"""class LKJCholesky."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.distributions import constraints
from torch.distributions.beta import Beta
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all


class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices, whose density is proportional to
    det(L L^T)^(concentration - 1).

    Samples come row by row, from the surface of a ball (Lewandowski, Kurowicka and Joe, "Generating
    random correlation matrices based on vines and extended onion method", 2009, section 3).

    Example::

        >>> torch.distributions.LKJCholesky(3, 0.5).sample().shape
        torch.Size([3, 3])
    """

    arg_constraints: ClassVar[dict[str, Any]] = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(
        self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        batch_shape = self.concentration.size()
        # The squared lengths of the rows below their diagonal elements.
        marginal = self.concentration + 0.5 * (self.dim - 2)
        offset = torch.arange(
            self.dim - 1, dtype=self.concentration.dtype, device=self.concentration.device
        )
        offset = torch.cat([offset.new_zeros((1,)), offset])
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(batch_shape, torch.Size((dim, dim)), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(LKJCholesky, _instance)
        batch_shape = torch.Size(batch_shape)
        new.dim = self.dim
        new.concentration = self.concentration.expand(batch_shape)
        new._beta = self._beta.expand(batch_shape + (self.dim,))
        super(LKJCholesky, new).__init__(batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def sample(self, sample_shape: Any = ()) -> Tensor:
        length = self._beta.sample(sample_shape).unsqueeze(-1)
        u = torch.randn(
            self._extended_shape(sample_shape), dtype=length.dtype, device=length.device
        ).tril(-1)
        u = u / u.norm(dim=-1, keepdim=True)
        # The first row has nothing below its diagonal element.
        u[..., 0, :].fill_(0.0)
        w = torch.sqrt(length) * u
        eps = torch.finfo(w.dtype).tiny
        diagonal = torch.clamp(1 - torch.sum(w**2, dim=-1), min=eps).sqrt()
        return w + torch.diag_embed(diagonal)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        unnormalized = torch.sum(order * diagonal.log(), dim=-1)
        # The normalization is on page 1999 of the paper.
        less = self.dim - 1
        alpha = self.concentration + 0.5 * less
        denominator = torch.lgamma(alpha) * less
        numerator = torch.mvlgamma(alpha - 0.5, less)
        pi_constant = 0.5 * less * math.log(math.pi)
        return unnormalized - (pi_constant + numerator - denominator)


__all__ = ["LKJCholesky"]
