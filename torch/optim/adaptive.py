"""Optimisers that scale each element by the gradients it has seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch._docstrings import documented_by
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters


@documented_by(ARGUMENTS)
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

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.RMSprop([weight], lr=0.1, alpha=0.75)
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


@documented_by(ARGUMENTS)
class Adagrad(Optimizer):
    """w = w - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps), s the sum of all g^2 (Duchi et al.
    2011).

    Args:
        lr_decay: how fast the rate falls.
        initial_accumulator_value: the first s.
        eps: keeps the quotient finite; it is added after the root.

    Raises:
        ValueError: a negative option.

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Adagrad([weight], lr=0.1)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.9000])
    """

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
        for group in self.param_groups:
            for param in group["params"]:
                state = self.state[param]
                state["step"] = torch.tensor(0.0)
                state["sum"] = torch.full_like(param, initial_accumulator_value).detach()

    def _step_group(self, group: dict[str, Any]) -> None:
        for param, grad, state in self._gradients(group):
            state["step"] += 1
            rate = group["lr"] / (1 + (state["step"].item() - 1) * group["lr_decay"])
            root = state["sum"].addcmul_(grad, grad, value=1).sqrt().add_(group["eps"])
            param.addcdiv_(grad, root, value=-rate)


@documented_by(ARGUMENTS)
class Adadelta(Optimizer):
    """Steps in the units of the parameters: w = w - lr d, d = g sqrt(u + eps) / sqrt(v + eps)
    (Zeiler 2012, arXiv:1212.5701).

    v is a running mean of g^2, u one of d^2.

    Args:
        rho: the share of the running means that stays, in [0, 1].
        eps: keeps the quotient finite, and lets the first step move.

    Raises:
        ValueError: a negative option, or `rho` is not in [0, 1].

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Adadelta([weight])
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.9968])
    """

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


@documented_by(ARGUMENTS)
class Rprop(Optimizer):
    """Steps by the sign of the gradient alone, each element with a size of its own (Riedmiller and
    Braun 1993).

    The size grows where the sign stays, and shrinks where it changes; there the gradient counts as
    0.

    Args:
        etas: the factors by which a size shrinks and grows.
        step_sizes: the smallest and the largest size.

    Raises:
        ValueError: a negative rate, or `etas` that are not 0 < etas[0] < 1 < etas[1].

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Rprop([weight], lr=0.1)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.9000])
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_hyperparameters(learning_rate=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        shrink, grow = group["etas"]
        for param, grad, state in self._gradients(group):
            if not state:
                state["step"] = torch.tensor(0.0)
                state["prev"] = torch.zeros_like(param)
                state["step_size"] = torch.full_like(grad, group["lr"])
            state["step"] += 1
            product = grad * state["prev"]
            factor = torch.ones_like(grad)
            factor.masked_fill_(product > 0, grow).masked_fill_(product < 0, shrink)
            size = state["step_size"].mul_(factor).clamp_(*group["step_sizes"])
            # After a change of sign the element rests for one step.
            grad = grad.masked_fill(product < 0, 0)
            param.sub_(grad.sign() * size)
            state["prev"].copy_(grad)
