"""Averaged stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("ASGD([weight], lr=0.1)", "0.8000"))
class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky 1992).

    Step t is w = w (1 - lambd eta) - eta g with eta = lr / (1 + lambd lr t)^alpha. The state has
    the mean of the weights since step t0 as "ax".

    Args:
        lambd: the decay of the weights and, in part, of the rate.
        alpha: the power by which the rate falls.
        t0: the step from which on the mean is taken.

    Raises:
        ValueError: a negative option.
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_hyperparameters(learning_rate=lr, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        lr, lambd = group["lr"], group["lambd"]
        for param, grad, state in self._gradients(group):
            if not state:
                state["step"] = torch.tensor(0.0)
                state["eta"] = torch.tensor(float(lr))
                state["mu"] = torch.tensor(1.0)
                state["ax"] = torch.zeros_like(param)
            state["step"] += 1
            step, eta, mu = (state[name].item() for name in ("step", "eta", "mu"))
            param.mul_(1 - lambd * eta).add_(grad, alpha=-eta)
            if mu == 1:
                state["ax"].copy_(param)
            else:
                state["ax"].lerp_(param, mu)
            state["eta"] = torch.tensor(lr / (1 + lambd * lr * step) ** group["alpha"])
            state["mu"] = torch.tensor(1 / max(1.0, step - group["t0"]))


__getattr__ = _absent.explain(__name__)
