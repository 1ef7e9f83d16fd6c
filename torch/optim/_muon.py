"""Muon."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.optim.optimizer import ARGUMENTS, Optimizer

_MOST_STEPS = 99


def _orthogonal(
    matrix: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float
) -> Tensor:
    """About U V^T of the singular value decomposition U S V^T, in bfloat16: each step applies
    a s + b s^3 + c s^5 to the singular values s (Newton and Schulz)."""
    if steps > _MOST_STEPS:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    wide = matrix.size(0) <= matrix.size(1)
    x = (matrix if wide else matrix.T).to(torch.bfloat16, copy=True)
    x.div_(x.norm().clamp(min=eps))
    for _ in range(steps):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x if wide else x.T


def _factor(adjustment: str | None, rows: int, columns: int) -> float:
    """What the rate is multiplied by for a matrix of these sizes."""
    if adjustment == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1.0, rows / columns))


@documented_by(ARGUMENTS)
class Muon(Optimizer):
    """w = (1 - lr weight_decay) w - lr f O(u) for matrices w, with m = momentum m +
    (1 - momentum) g, u = (1 - momentum) g + momentum m with `nesterov` and m without, and O(u) the
    nearest semi-orthogonal matrix, about (Jordan et al. 2024, kellerjordan.github.io/posts/muon).

    Args:
        momentum: how much of m stays in a step.
        nesterov: whether the step looks ahead.
        ns_coefficients: of the polynomial that makes the singular values 1.
        eps: the least norm that a matrix is divided by.
        ns_steps: how often the polynomial is applied.
        adjust_lr_fn: f: "original" (or None) for sqrt(max(1, rows / columns)), "match_rms_adamw"
            for 0.2 sqrt(max(rows, columns)).

    Raises:
        ValueError: a parameter that is not a matrix, or an option outside of its range.
        RuntimeError: a parameter is complex.

    Example::

        >>> weight = torch.nn.Parameter(torch.eye(2))
        >>> optimizer = torch.optim.Muon([weight], lr=0.1, weight_decay=0.0)
        >>> (weight**2).sum().backward()
        >>> optimizer.step()
        >>> bool((weight.detach().diagonal() < 1).all())
        True
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not lr >= 0.0:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not momentum >= 0.0:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for param in group["params"]:
                if param.dim() != 2:
                    raise ValueError(
                        "Muon only supports 2D parameters whereas we found a parameter with size: "
                        f"{param.size()}"
                    )

    def _step_group(self, group: dict[str, Any]) -> None:
        rate, momentum = float(group["lr"]), group["momentum"]
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            if param.is_complex():
                raise RuntimeError("Muon does not support complex parameters")
            state = self.state[param]
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = torch.zeros_like(grad)
            mean = state["momentum_buffer"].lerp_(grad, 1 - momentum)
            update = grad.lerp(mean, momentum) if group["nesterov"] else mean
            update = _orthogonal(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
            param.mul_(1 - rate * group["weight_decay"])
            param.add_(update, alpha=-rate * _factor(group["adjust_lr_fn"], *param.shape))


__getattr__ = _absent.explain(__name__)
