"""Neural operators."""

from __future__ import annotations

from typing import Any

from inputs import filled, numbers, trained
from neuralop import H1Loss, LpLoss
from neuralop.models import FNO, TFNO


def run() -> Any:
    """A step of Fourier operators in one and two dimensions."""
    found: dict[str, Any] = {}
    models = {
        "FNO1d": (
            FNO(n_modes=(6,), hidden_channels=8, in_channels=1, out_channels=1, n_layers=2),
            (2, 1, 16),
        ),
        "FNO2d": (
            FNO(n_modes=(4, 4), hidden_channels=8, in_channels=1, out_channels=1, n_layers=2),
            (2, 1, 8, 8),
        ),
        "TFNO2d": (
            TFNO(
                n_modes=(4, 4),
                hidden_channels=8,
                in_channels=1,
                out_channels=1,
                n_layers=2,
                factorization="tucker",
                rank=0.5,
            ),
            (2, 1, 8, 8),
        ),
    }
    for name, (model, shape) in models.items():
        filled(model)
        x, y = numbers("x", *shape), numbers("y", *shape)
        loss = LpLoss(d=len(shape) - 2)(model(x), y)
        if len(shape) == 4:
            loss = loss + H1Loss(d=2)(model(x), y)
        found |= {f"{name}.{key}": value for key, value in trained(model, loss).items()}
        found[f"{name}.output"] = model(x)
    return found
