"""Stochastic gradient descent, plain and averaged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch._docstrings import documented_by
from torch.optim._fused import check_fused, sgd_step
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters


@documented_by(ARGUMENTS)
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

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.SGD([weight], lr=0.1)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.8000])
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


@documented_by(ARGUMENTS)
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

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.ASGD([weight], lr=0.1)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.8000])
    """

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
