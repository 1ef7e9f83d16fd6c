"""Stochastic gradient descent, plain and averaged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import _absent
from torch._docstrings import documented_by
from torch.optim._fused import check_fused, sgd_step
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, step_example


@documented_by(ARGUMENTS, example=step_example("SGD([weight], lr=0.1)", "0.8000"))
class SGD(Optimizer):
    """Gradient descent, w = w - lr g, with momentum (Sutskever et al. 2013).

    With momentum m the buffer b = m b + (1 - dampening) g, first b = g, takes the place of g;
    Nesterov's step is g + m b.

    Args:
        momentum: m, the share of the last step that goes on.
        dampening: what is taken off the gradient on its way into the buffer.
        nesterov: whether the step looks ahead; wants a momentum, and no dampening.

    Raises:
        ValueError: a negative option, or `nesterov` without momentum or with dampening.
        RuntimeError: `fused` together with `foreach` or `differentiable`.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_hyperparameters(learning_rate=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        if fused:
            check_fused(foreach, differentiable)
            self._step_supports_amp_scaling = True

    def _step_group(self, group: dict[str, Any]) -> None:
        if group["fused"]:
            sgd_step(self, group)
            return
        momentum = group["momentum"]
        for param, grad, state in self._gradients(group):
            if momentum != 0:
                buffer = state.get("momentum_buffer")
                if buffer is None:
                    buffer = state["momentum_buffer"] = grad.detach().clone()
                else:
                    buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
                grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
            param.add_(grad, alpha=-group["lr"])


__getattr__ = _absent.explain(__name__)
