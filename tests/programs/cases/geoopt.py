"""Optimization on manifolds."""

from __future__ import annotations

from typing import Any

import geoopt
from inputs import numbers

MANIFOLDS = ["PoincareBall", "Stiefel", "Sphere", "Lorentz", "SymmetricPositiveDefinite"]


def run() -> Any:
    """Points after three steps of Riemannian Adam and SGD."""
    found: dict[str, Any] = {}
    for name in MANIFOLDS:
        manifold = getattr(geoopt, name)()
        target = manifold.projx(0.3 * numbers("target", 5, 5))
        for kind in [geoopt.optim.RiemannianAdam, geoopt.optim.RiemannianSGD]:
            point = geoopt.ManifoldParameter(manifold.projx(0.3 * numbers("p", 5, 5)), manifold)
            optimizer = kind([point], lr=0.01)
            for _ in range(3):
                optimizer.zero_grad()
                (point - target).square().sum().backward()
                optimizer.step()
            found[f"{name}.{kind.__name__}"] = point
    return found
