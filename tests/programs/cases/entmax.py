"""Sparse relatives of softmax."""

from __future__ import annotations

from typing import Any

from entmax import Entmax15Loss, entmax15, sparsemax
from inputs import classes, numbers


def run() -> Any:
    """With gradients."""
    x = numbers("x", 4, 6).requires_grad_()
    loss = Entmax15Loss()(x, classes("y", 6, 4)).sum()
    (loss + (entmax15(x, dim=1) * sparsemax(x, dim=1)).sum()).backward()
    return {"loss": loss, "gradient": x.grad, "sparse": sparsemax(x, dim=1)}
