"""Adamax."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch.optim.adam import _start
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("Adamax([weight], lr=0.1)", "0.9000"))
class Adamax(Optimizer):
    """`Adam` with the largest |g| instead of a mean square: u = max(beta2 u, |g| + eps), w = w - lr
    m / ((1 - beta1^t) u).

    This is the infinity norm's limit of Adam (Kingma and Ba 2015, arXiv:1412.6980, section 7.1).

    Args:
        betas: the shares of m and u that stay, in [0, 1).
        eps: keeps the quotient finite.

    Raises:
        ValueError: a negative option, or a beta that is not in [0, 1).
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_hyperparameters(learning_rate=lr, epsilon=eps, betas=betas, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        for param, grad, state in self._gradients(group):
            step = _start(state, param, "exp_avg", "exp_inf")
            first = state["exp_avg"].lerp_(grad, 1 - beta1)
            norm = torch.maximum(state["exp_inf"].mul_(beta2), grad.abs().add_(group["eps"]))
            state["exp_inf"].copy_(norm)
            param.addcdiv_(first, norm, value=-group["lr"] / (1 - beta1**step))


__getattr__ = _absent.explain(__name__)
