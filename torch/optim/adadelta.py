"""Adadelta."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("Adadelta([weight])", "0.9968"))
class Adadelta(Optimizer):
    """Steps in the units of the parameters: w = w - lr d, d = g sqrt(u + eps) / sqrt(v + eps)
    (Zeiler 2012, arXiv:1212.5701).

    v is a running mean of g^2, u one of d^2.

    Args:
        rho: the share of the running means that stays, in [0, 1].
        eps: keeps the quotient finite, and lets the first step move.

    Raises:
        ValueError: a negative option, or `rho` is not in [0, 1].
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_hyperparameters(learning_rate=lr, epsilon=eps, weight_decay=weight_decay)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        rho, eps = group["rho"], group["eps"]
        for param, grad, state in self._gradients(group):
            if not state:
                state["step"] = torch.tensor(0.0)
                state["square_avg"] = torch.zeros_like(param)
                state["acc_delta"] = torch.zeros_like(param)
            state["step"] += 1
            square = state["square_avg"].mul_(rho).addcmul_(grad, grad, value=1 - rho)
            moved = state["acc_delta"]
            delta = moved.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(grad)
            moved.mul_(rho).addcmul_(delta, delta, value=1 - rho)
            param.add_(delta, alpha=-group["lr"])


__getattr__ = _absent.explain(__name__)
