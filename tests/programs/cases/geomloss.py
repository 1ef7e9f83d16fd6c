"""Distances of point clouds."""

from __future__ import annotations

from typing import Any

from geomloss import SamplesLoss
from inputs import numbers


def run() -> Any:
    """Each distance and its gradient."""
    found: dict[str, Any] = {}
    for loss in ("sinkhorn", "gaussian", "laplacian", "energy"):
        x = numbers("x", 12, 2).requires_grad_()
        value = SamplesLoss(loss, p=2, blur=0.1, backend="tensorized")(x, numbers("y", 9, 2))
        value.backward()
        found |= {loss: value, f"{loss}.grad": x.grad}
    return found
