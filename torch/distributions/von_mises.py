"""class VonMises."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.distributions import constraints
from torch.distributions.distribution import Distribution
from torch.distributions.utils import broadcast_all, lazy_property


def _log_bessel(x: Tensor, order: int) -> Tensor:
    """log(I_order(x)), of order 0 or 1, without overflow."""
    scaled = torch.special.i0e(x) if order == 0 else torch.special.i1e(x)
    return scaled.log() + x


class VonMises(Distribution):
    """The von Mises distribution of angles.

    p(x) = exp(concentration cos(x - loc)) / (2 pi I0(concentration)) for -pi <= x < pi

    Samples come by rejection (Best and Fisher, "Efficient simulation of the von Mises
    distribution", 1979); they have no gradient.

    Example::

        >>> torch.distributions.VonMises(torch.tensor(1.0), torch.tensor(1.0)).mean
        tensor(1.)
    """

    arg_constraints: ClassVar[dict[str, Any]] = {
        "loc": constraints.real,
        "concentration": constraints.positive,
    }
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, torch.Size(), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        try:
            return super().expand(batch_shape)
        except NotImplementedError:
            return type(self)(
                self.loc.expand(batch_shape),
                self.concentration.expand(batch_shape),
                validate_args=self.__dict__.get("_validate_args"),
            )

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        cosine = torch.cos(value - self.loc)
        return (
            self.concentration * cosine
            - math.log(2 * math.pi)
            - _log_bessel(self.concentration, order=0)
        )

    @lazy_property
    def _proposal_r(self) -> Tensor:
        # The proposal is a wrapped Cauchy distribution; in double precision, as its parameter
        # loses digits for small and large concentrations.
        kappa = self.concentration.double()
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        r = (1 + rho**2) / (2 * rho)
        return torch.where(kappa < 1e-5, 1 / kappa + kappa, r)

    @torch.no_grad()
    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        kappa = self.concentration.double().expand(shape)
        r = self._proposal_r.expand(shape)
        x = torch.empty(shape, dtype=torch.float64, device=self.loc.device)
        done = torch.zeros(shape, dtype=torch.bool, device=self.loc.device)
        while not done.all():
            u1, u2, u3 = torch.rand((3, *shape), dtype=torch.float64, device=self.loc.device)
            z = torch.cos(math.pi * u1)
            f = (1 + r * z) / (r + z)
            c = kappa * (r - f)
            accept = ((c * (2 - c) - u2) > 0) | ((c / u2).log() + 1 - c >= 0)
            angle = (u3 - 0.5).sign() * f.clamp(-1, 1).acos()
            # A later angle takes the place of an accepted one, as in PyTorch: both are samples.
            x = torch.where(accept, angle, x)
            done = done | accept
        angle = (x + math.pi + self.loc.double()) % (2 * math.pi) - math.pi
        return angle.to(self.loc.dtype)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        """The circular variance: 1 - I1(concentration) / I0(concentration)."""
        k = self.concentration
        return 1 - (_log_bessel(k, order=1) - _log_bessel(k, order=0)).exp()


__all__ = ["VonMises"]
