"""NAdam."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch.optim.adam import _moments, _start
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("NAdam([weight], lr=0.1)", "0.8944"))
class NAdam(Optimizer):
    """`Adam` with Nesterov's momentum (Dozat 2016, Incorporating Nesterov momentum into Adam).

    The momentum of step t is mu = beta1 (1 - 0.96^(momentum_decay t) / 2).

    Args:
        betas: the shares of the running means of g and g^2 that stay, in [0, 1).
        eps: keeps the quotient finite; it is added after the root.
        momentum_decay: how fast mu reaches beta1.
        decoupled_weight_decay: whether the decay shrinks the weights instead of being added to the
            gradient.

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
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_hyperparameters(
            learning_rate=lr,
            epsilon=eps,
            betas=betas,
            weight_decay=weight_decay,
            momentum_decay=momentum_decay,
        )
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        lr, (beta1, beta2), decay = group["lr"], group["betas"], group["momentum_decay"]
        for param, grad, state in self._gradients(group):
            if not state:
                state["mu_product"] = torch.tensor(1.0)
                state["step"] = torch.tensor(0.0)
                state["exp_avg"] = torch.zeros_like(param)
                state["exp_avg_sq"] = torch.zeros_like(param)
            step = _start(state, param)
            mu = beta1 * (1 - 0.5 * 0.96 ** (step * decay))
            mu_next = beta1 * (1 - 0.5 * 0.96 ** ((step + 1) * decay))
            state["mu_product"] *= mu
            product = state["mu_product"].item()
            first, second = _moments(state, grad, (beta1, beta2))
            denominator = second.div(1 - beta2**step).sqrt_().add_(group["eps"])
            param.addcdiv_(grad, denominator, value=-lr * (1 - mu) / (1 - product))
            param.addcdiv_(first, denominator, value=-lr * mu_next / (1 - product * mu_next))


__getattr__ = _absent.explain(__name__)
