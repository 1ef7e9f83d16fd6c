"""Steps for all parameters of a group in one call of an operator: `fused=True`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch._tensor import Tensor

# Parameters, gradients and states on one device.
_Lists = tuple[list[Tensor], list[Tensor], list[dict[str, Any]]]


def check_fused(foreach: bool | None, differentiable: bool) -> None:
    """Raises RuntimeError for what `fused=True` cannot be combined with."""
    if differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_parameter(param: Tensor) -> None:
    """Raises RuntimeError for a parameter that `fused=True` cannot step."""
    if not (param.is_floating_point() and param.device.type in ("cpu", "cuda")):
        raise RuntimeError(
            f"`fused=True` requires all the params to be floating point Tensors of supported devices: ['cuda', 'cpu'] but {param.dtype} and {param.device.type}"
        )


def _by_device(optimizer: Any, group: dict[str, Any]) -> Iterator[_Lists]:
    """The parameters that have a gradient, with it and their states."""
    lists: dict[torch.device, _Lists] = {}
    for param in group["params"]:
        grad = param.grad
        if grad is None:
            continue
        check_parameter(param)
        if grad.is_sparse:
            raise RuntimeError(f"{type(optimizer).__name__} does not support sparse gradients")
        params, grads, states = lists.setdefault(param.device, ([], [], []))
        params.append(param)
        grads.append(grad)
        states.append(optimizer.state[param])
    yield from lists.values()


def _scaling(optimizer: Any, device: torch.device) -> dict[str, Tensor | None]:
    """What torch.amp.GradScaler told the optimiser for this step."""
    scale = getattr(optimizer, "grad_scale", None)
    found_inf = getattr(optimizer, "found_inf", None)
    return {
        "grad_scale": None if scale is None else scale.to(device),
        "found_inf": None if found_inf is None else found_inf.to(device),
    }


def _count(states: list[dict[str, Any]], device: torch.device, found_inf: Tensor | None) -> None:
    """One step more for each state, unless the step will be left out."""
    steps = []
    for state in states:
        if state["step"].device != device:  # as loaded from a file
            state["step"] = state["step"].to(device)
        steps.append(state["step"])
    if found_inf is None:
        torch._foreach_add_(steps, 1)
    else:
        torch._foreach_add_(steps, (found_inf == 0).float())


def adam_step(optimizer: Any, group: dict[str, Any]) -> None:
    """A step of Adam or, with decoupled decay, AdamW."""
    decoupled = group["decoupled_weight_decay"]
    operator = torch._fused_adamw_ if decoupled else torch._fused_adam_
    names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * group["amsgrad"]
    for params, grads, states in _by_device(optimizer, group):
        device = params[0].device
        for param, state in zip(params, states, strict=True):
            if not state:
                state["step"] = torch.zeros((), dtype=torch.float32, device=device)
                for name in names:
                    state[name] = torch.zeros_like(param)
        scaling = _scaling(optimizer, device)
        _count(states, device, scaling["found_inf"])
        operator(
            params,
            grads,
            [state["exp_avg"] for state in states],
            [state["exp_avg_sq"] for state in states],
            [state["max_exp_avg_sq"] for state in states] if group["amsgrad"] else [],
            [state["step"] for state in states],
            lr=group["lr"],
            beta1=group["betas"][0],
            beta2=group["betas"][1],
            weight_decay=group["weight_decay"],
            eps=group["eps"],
            amsgrad=group["amsgrad"],
            maximize=group["maximize"],
            **scaling,
        )


def sgd_step(optimizer: Any, group: dict[str, Any]) -> None:
    """A step of SGD. Parameters without a momentum so far are a call of their own."""
    momentum = group["momentum"]
    for params, grads, states in _by_device(optimizer, group):
        rows = list(zip(params, grads, states, strict=True))
        known = [row for row in rows if row[2].get("momentum_buffer") is not None]
        new = [row for row in rows if row[2].get("momentum_buffer") is None]
        for part, is_first in ((known, False), (new, True)):
            if not part:
                continue
            if momentum != 0 and is_first:
                # Zeros, not garbage: a step that is left out leaves them as they are.
                for param, _, state in part:
                    state["momentum_buffer"] = torch.zeros_like(param)
            torch._fused_sgd_(
                [param for param, _, _ in part],
                [grad for _, grad, _ in part],
                [state["momentum_buffer"] for _, _, state in part] if momentum != 0 else [],
                weight_decay=group["weight_decay"],
                momentum=momentum,
                lr=group["lr"],
                dampening=group["dampening"],
                nesterov=group["nesterov"],
                maximize=group["maximize"],
                is_first_step=is_first,
                **_scaling(optimizer, params[0].device),
            )
        if momentum == 0:
            for param in params:
                if not optimizer.state[param]:
                    del optimizer.state[param]  # Plain SGD remembers nothing.
