"""Adagrad."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch.optim._fused import check_fused, check_parameter
from torch.optim.optimizer import (
    ARGUMENTS,
    Optimizer,
    check_hyperparameters,
    real_parts,
    step_example,
)


@documented_by(ARGUMENTS, example=step_example("Adagrad([weight], lr=0.1)", "0.9000"))
class Adagrad(Optimizer):
    """w = w - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps), s the sum of all g^2 (Duchi et al.
    2011).

    Args:
        lr_decay: how fast the rate falls.
        initial_accumulator_value: the first s.
        eps: keeps the quotient finite; it is added after the root.

    Raises:
        ValueError: a negative option.
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_hyperparameters(
            learning_rate=lr,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            epsilon=eps,
        )
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        if fused:
            check_fused(foreach, differentiable)
        for group in self.param_groups:
            for param in group["params"]:
                state = self.state[param]
                state["step"] = torch.tensor(0.0)
                total = torch.zeros_like(param).detach()
                real_parts(total).fill_(initial_accumulator_value)
                state["sum"] = total

    def _step_group(self, group: dict[str, Any]) -> None:
        for param, grad, state in self._gradients(group):
            if group["fused"]:
                check_parameter(param)
            state["step"] += 1
            rate = group["lr"] / (1 + (state["step"].item() - 1) * group["lr_decay"])
            root = state["sum"].addcmul_(grad, grad, value=1).sqrt().add_(group["eps"])
            param.addcdiv_(grad, root, value=-rate)


__getattr__ = _absent.explain(__name__)
