"""RAdam."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from torch import _absent
from torch._docstrings import documented_by
from torch.optim.adam import _moments, _start
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("RAdam([weight], lr=0.1)", "0.8000"))
class RAdam(Optimizer):
    """`Adam` whose adaptive rate is rectified by its variance (Liu et al. 2020, arXiv:1908.03265).

    The first steps, for which the variance has no estimate, are steps by the mean gradient alone.

    Args:
        betas: the shares of the running means of g and g^2 that stay, in [0, 1).
        eps: keeps the quotient finite; it is added after the root.
        decoupled_weight_decay: whether the decay shrinks the weights instead of being added to the
            gradient.

    Raises:
        ValueError: a negative option, or a beta that is not in [0, 1).
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_hyperparameters(learning_rate=lr, epsilon=eps, betas=betas, weight_decay=weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        longest = 2 / (1 - beta2) - 1
        for param, grad, state in self._gradients(group):
            step = _start(state, param, "exp_avg", "exp_avg_sq")
            first, second = _moments(state, grad, (beta1, beta2))
            correction2 = 1 - beta2**step
            rate = group["lr"] / (1 - beta1**step)
            # Algorithm 2: the length of the approximated moving average.
            length = longest - 2 * step * beta2**step / correction2
            if length > 5:
                ratio = (length - 4) * (length - 2) * longest
                ratio /= (longest - 4) * (longest - 2) * length
                scale = math.sqrt(ratio) * math.sqrt(correction2)
                param.addcdiv_(first, second.sqrt().add_(group["eps"]), value=-rate * scale)
            else:
                param.add_(first, alpha=-rate)


__getattr__ = _absent.explain(__name__)
