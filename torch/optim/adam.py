"""Adam and its relatives: steps by the running moments of the gradient."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.optim._fused import adam_step, check_fused
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


def _start(state: dict[str, Any], param: Tensor, *names: str) -> int:
    """Fills an empty state with the step and zeros under the names; returns the new step."""
    if not state:
        state["step"] = torch.tensor(0.0)
        for name in names:
            state[name] = torch.zeros_like(param)
    state["step"] += 1
    return int(state["step"].item())


def _moments(
    state: dict[str, Any], grad: Tensor, betas: tuple[float, float]
) -> tuple[Tensor, Tensor]:
    """The running means of the gradient and of its square, with this gradient in them."""
    first, second = state["exp_avg"], state["exp_avg_sq"]
    first.lerp_(grad, 1 - betas[0])
    second.mul_(betas[1]).addcmul_(grad, grad, value=1 - betas[1])
    return first, second


@documented_by(ARGUMENTS, example=step_example("Adam([weight], lr=0.1)", "0.9000"))
class Adam(Optimizer):
    """w = w - lr m / (sqrt(v) + eps), with running means m of g and v of g^2 (Kingma and Ba 2015,
    arXiv:1412.6980).

    m = beta1 m + (1 - beta1) g and v = beta2 v + (1 - beta2) g^2 are divided by 1 - beta^t at step
    t, since both start at 0.

    Args:
        betas: the shares of m and v that stay, in [0, 1).
        eps: keeps the quotient finite; it is added after the root.
        amsgrad: whether the largest v so far is used (Reddi et al. 2018, arXiv:1904.09237).
        decoupled_weight_decay: whether the decay shrinks the weights instead of being added to the
            gradient, as in `AdamW`.

    Raises:
        ValueError: a negative option, a beta that is not in [0, 1), one beta that is a tensor and
            one that is none, or a tensor with `foreach` and without `capturable`.
        RuntimeError: `fused` together with `foreach` or `differentiable`.
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_hyperparameters(learning_rate=lr, epsilon=eps, betas=betas, weight_decay=weight_decay)
        if not (
            all(isinstance(beta, float) for beta in betas)
            or all(isinstance(beta, Tensor) for beta in betas)
        ):
            raise ValueError("betas must be either both floats or both Tensors")
        if foreach and not capturable:
            for name, value in {"lr": lr, "betas[0]": betas[0], "betas[1]": betas[1]}.items():
                if isinstance(value, Tensor):
                    raise ValueError(
                        f"{name} as a Tensor is not supported for capturable=False and foreach=True"
                    )
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)
        if fused:
            check_fused(foreach, differentiable)
            self._step_supports_amp_scaling = True

    def _step_group(self, group: dict[str, Any]) -> None:
        if group["fused"]:
            adam_step(self, group)
            return
        beta1, beta2 = map(float, group["betas"])
        rate: Any = group["lr"].squeeze() if isinstance(group["lr"], Tensor) else group["lr"]
        for param, grad, state in self._gradients(group):
            names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * group["amsgrad"]
            step = _start(state, param, *names)
            first, second = _moments(state, grad, (beta1, beta2))
            if group["amsgrad"]:
                second = torch.maximum(state["max_exp_avg_sq"], second)
                state["max_exp_avg_sq"].copy_(second)
            # Section 2's remark: the corrections of both moments, folded into the step.
            denominator = (second.sqrt() / math.sqrt(1 - beta2**step)).add_(group["eps"])
            param.addcdiv_(first, denominator, value=-rate / (1 - beta1**step))


__getattr__ = _absent.explain(__name__)
