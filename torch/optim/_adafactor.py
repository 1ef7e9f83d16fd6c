"""Adafactor."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import _absent
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.optim.optimizer import ARGUMENTS, Optimizer, step_example


def _variance(grad: Tensor, state: dict[str, Tensor], share: float, floor: float) -> Tensor:
    """The estimate of the mean of g^2, after this step's `share` of it."""
    if grad.dim() < 2:
        return state["variance"].lerp_(grad * grad, share).clone()
    square = grad * grad
    row = state["row_var"].lerp_(square.mean(-1, keepdim=True), share)
    col = state["col_var"].lerp_(square.mean(-2, keepdim=True), share)
    return (row @ col).div_(row.mean(-2, keepdim=True).clamp_(min=floor))


@documented_by(ARGUMENTS, example=step_example("Adafactor([weight], lr=0.1)", "0.9000"))
class Adafactor(Optimizer):
    """w = w - a g / (sqrt(v) max(1, rms(u) / d)), with u = g / sqrt(v) and
    a = max(eps[1], rms(w)) min(lr, 1 / sqrt(t)) (Shazeer and Stern 2018, arXiv:1804.04235).

    v is the running mean of g^2; for a matrix only the means of its rows and columns are kept. As
    in PyTorch, means replace the paper's sums, and eps[0] bounds v instead of being added to g^2.

    Args:
        beta2_decay: c in beta2 = 1 - t^c, the weight of the mean so far; at most 0.
        eps: the least root of v, the dtype's epsilon if None; and the least rms of w in a step.
        d: the largest rms of an update before the rate.

    Raises:
        ValueError: an option outside of its range.
        RuntimeError: a parameter is complex.
    """

    _step_is_tensor = True

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not lr >= 0.0:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not beta2_decay <= 0.0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not eps[0] >= 0.0:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not eps[1] >= 0.0:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not d >= 1.0:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        defaults = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _step_group(self, group: dict[str, Any]) -> None:
        rate = float(group["lr"])
        for param in group["params"]:
            if param.grad is None:
                continue
            if param.is_complex():
                raise RuntimeError("Adafactor does not support complex parameters")
            grad = -param.grad if group["maximize"] else param.grad
            state = self.state[param]
            if not state:
                state["step"] = torch.tensor(0.0)
                if grad.dim() > 1:
                    state["row_var"] = torch.zeros_like(grad.select(-1, 0)).unsqueeze(-1)
                    state["col_var"] = torch.zeros_like(grad.select(-2, 0)).unsqueeze(-2)
                else:
                    state["variance"] = torch.zeros_like(grad)
            state["step"] += 1
            step = state["step"].item()
            least, least_rms = group["eps"]
            if least is None:
                least = torch.finfo(param.dtype).eps
            rms = param.norm(2).item() / math.sqrt(param.numel())
            size = max(least_rms, rms) * min(rate, 1 / math.sqrt(step))
            if group["weight_decay"] != 0:
                param.mul_(1 - rate * group["weight_decay"])
            variance = _variance(grad, state, step ** group["beta2_decay"], least)
            update = variance.clamp_(min=least * least).rsqrt_().mul_(grad)
            clip = max(1.0, update.norm(2).item() / (math.sqrt(update.numel()) * group["d"]))
            param.add_(update, alpha=-size / clip)


__getattr__ = _absent.explain(__name__)
