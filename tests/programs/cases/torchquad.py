"""Integrals in many dimensions."""

from __future__ import annotations

from typing import Any

import torch
from torchquad import VEGAS, Boole, GaussLegendre, MonteCarlo, Simpson, Trapezoid, set_log_level


def run() -> Any:
    """An integral by each rule, and its derivative by the bounds."""
    set_log_level("ERROR")
    found: dict[str, Any] = {}

    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.sin(x[:, 0]) + torch.exp(x[:, 1])

    for kind in (Trapezoid, Simpson, Boole, GaussLegendre):
        domain = torch.tensor([[0.0, 1.0], [-1.0, 1.0]], requires_grad=True)
        value = kind().integrate(
            function, dim=2, N=1681, integration_domain=domain, backend="torch"
        )
        value.backward()
        found |= {kind.__name__: value, f"{kind.__name__}.grad": domain.grad}
    for kind in (MonteCarlo, VEGAS):
        found[kind.__name__] = kind().integrate(
            function, dim=2, N=3000, integration_domain=[[0, 1], [-1, 1]], seed=3, backend="torch"
        )
    return found
