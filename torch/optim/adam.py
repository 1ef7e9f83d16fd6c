"""Adam and its relatives: steps by the running moments of the gradient."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.optim._fused import adam_step, check_fused
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters


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


@documented_by(ARGUMENTS)
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
        ValueError: a negative option, or a beta that is not in [0, 1).
        RuntimeError: `fused` together with `foreach` or `differentiable`.

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Adam([weight], lr=0.1)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.9000])
    """

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
        beta1, beta2 = group["betas"]
        for param, grad, state in self._gradients(group):
            names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * group["amsgrad"]
            step = _start(state, param, *names)
            first, second = _moments(state, grad, (beta1, beta2))
            if group["amsgrad"]:
                second = torch.maximum(state["max_exp_avg_sq"], second)
                state["max_exp_avg_sq"].copy_(second)
            # Section 2's remark: the corrections of both moments, folded into the step.
            denominator = (second.sqrt() / math.sqrt(1 - beta2**step)).add_(group["eps"])
            param.addcdiv_(first, denominator, value=-group["lr"] / (1 - beta1**step))


@documented_by(Adam, ARGUMENTS)
class AdamW(Adam):
    """`Adam` with decoupled weight decay: w = w - lr weight_decay w before each step (Loshchilov
    and Hutter 2019, arXiv:1711.05101).

    Args:
        weight_decay: the share of the weights, times lr, that each step takes off.

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.AdamW([weight], lr=0.1, weight_decay=0.5)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.8500])
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )


@documented_by(ARGUMENTS)
class Adamax(Optimizer):
    """`Adam` with the largest |g| instead of a mean square: u = max(beta2 u, |g| + eps), w = w - lr
    m / ((1 - beta1^t) u).

    This is the infinity norm's limit of Adam (Kingma and Ba 2015, arXiv:1412.6980, section 7.1).

    Args:
        betas: the shares of m and u that stay, in [0, 1).
        eps: keeps the quotient finite.

    Raises:
        ValueError: a negative option, or a beta that is not in [0, 1).

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.Adamax([weight], lr=0.1)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.9000])
    """

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


@documented_by(ARGUMENTS)
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

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.NAdam([weight], lr=0.1)
        >>> loss = (weight**2).sum()
        >>> loss.backward()
        >>> optimizer.step()
        >>> weight.detach()
        tensor([0.8944])
    """

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


@documented_by(ARGUMENTS)
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

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.RAdam([weight], lr=0.1)
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
