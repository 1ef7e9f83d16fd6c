"""RMSprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("RMSprop([weight], lr=0.1, alpha=0.75)", "0.8000"))
class RMSprop(Optimizer):
    """w = w - lr g / (sqrt(v) + eps), v = alpha v + (1 - alpha) g^2 (Hinton 2012; centred: Graves
    2013, arXiv:1308.0850).

    Args:
        alpha: the share of v that stays.
        eps: keeps the quotient finite; it is added after the root.
        momentum: the share of the last step that goes on.
        centered: whether v is reduced by the square of the mean gradient, so that it is a variance.

    Raises:
        ValueError: a negative option.
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_hyperparameters(
            learning_rate=lr, epsilon=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha
        )
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        alpha = group["alpha"]
        for param, grad, state in self._gradients(group):
            if not state:
                state["step"] = torch.tensor(0.0)
                state["square_avg"] = torch.zeros_like(param)
                if group["momentum"] > 0:
                    state["momentum_buffer"] = torch.zeros_like(param)
                if group["centered"]:
                    state["grad_avg"] = torch.zeros_like(param)
            state["step"] += 1
            square = state["square_avg"].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
            if group["centered"]:
                mean = state["grad_avg"].lerp_(grad, 1 - alpha)
                square = square.addcmul(mean, mean, value=-1)
            root = square.sqrt().add_(group["eps"])
            if group["momentum"] > 0:
                buffer = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, root)
                param.add_(buffer, alpha=-group["lr"])
            else:
                param.addcdiv_(grad, root, value=-group["lr"])


__getattr__ = _absent.explain(__name__)
