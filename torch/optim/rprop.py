"""Rprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("Rprop([weight], lr=0.1)", "0.9000"))
class Rprop(Optimizer):
    """Steps by the sign of the gradient alone, each element with a size of its own (Riedmiller and
    Braun 1993).

    The size grows where the sign stays, and shrinks where it changes; there the gradient counts as
    0.

    Args:
        etas: the factors by which a size shrinks and grows.
        step_sizes: the smallest and the largest size.

    Raises:
        ValueError: a negative rate, or `etas` that are not 0 < etas[0] < 1 < etas[1].
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_hyperparameters(learning_rate=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        shrink, grow = group["etas"]
        for param, grad, state in self._gradients(group):
            if not state:
                state["step"] = torch.tensor(0.0)
                state["prev"] = torch.zeros_like(param)
                state["step_size"] = torch.full_like(grad, group["lr"])
            state["step"] += 1
            product = grad * state["prev"]
            factor = torch.ones_like(grad)
            factor.masked_fill_(product > 0, grow).masked_fill_(product < 0, shrink)
            size = state["step_size"].mul_(factor).clamp_(*group["step_sizes"])
            # After a change of sign the element rests for one step.
            grad = grad.masked_fill(product < 0, 0)
            param.sub_(grad.sign() * size)
            state["prev"].copy_(grad)


__getattr__ = _absent.explain(__name__)
