"""Conditional random fields."""

from __future__ import annotations

from typing import Any

import torch
from inputs import classes, filled, numbers, trained
from torchcrf import CRF


def run() -> Any:
    """A step on the likelihood, and the best paths."""
    found: dict[str, Any] = {}
    tags, mask = classes("tags", 4, 5, 3), torch.ones(5, 3, dtype=torch.bool)
    mask[3:, 1] = False
    for reduction in ("sum", "mean", "token_mean"):
        model = filled(CRF(4))
        scores = numbers("scores", 5, 3, 4)
        parts = trained(model, -model(scores, tags, mask=mask, reduction=reduction))
        found |= {f"{reduction}.{name}": value for name, value in parts.items()}
        paths = model.decode(scores, mask=mask)
        found[f"{reduction}.path"] = torch.tensor([tag for path in paths for tag in path])
    return found
