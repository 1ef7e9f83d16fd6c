"""Losses. `reduction` is "none", "mean" or "sum"; `size_average` and `reduce` are older names."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn.functional.native import functions, nn, operator

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _legacy(size_average: Any, reduce: Any, reduction: str) -> str:
    """The reduction that the older arguments mean, if given."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        name = "none"
    else:
        name = "sum" if size_average is False else "mean"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.",
        stacklevel=3,
    )
    return name


def _number(reduction: str) -> int:
    """The reduction as operators number it."""
    if reduction not in _REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return _REDUCTIONS[reduction]


def _reduce(values: Tensor, reduction: str) -> Tensor:
    number = _number(reduction)
    if number == 0:
        return values
    return values.mean() if number == 1 else values.sum()


def _warn_shapes(input: Tensor, target: Tensor) -> None:
    if input.shape == target.shape:
        return
    warnings.warn(
        f"Using a target size ({target.size()}) that is different to the input size "
        f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size.",
        stacklevel=3,
    )


def _broadcast(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    if input.shape == target.shape:
        return input, target
    shape = (input.detach() + target.detach()).shape
    return input.expand(shape), target.expand(shape)


def _weighted(
    loss: Callable[[Tensor, Tensor, int], Tensor],
    input: Tensor,
    target: Tensor,
    reduction: str,
    weight: Tensor | None,
) -> Tensor:
    """A loss with a weight for each element; the mean is over the weights."""
    _warn_shapes(input, target)
    input, target = _broadcast(input, target)
    if weight is None:
        return loss(input, target, _number(reduction))
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    values = loss(input, target, 0) * weight
    if reduction == "mean":
        return values.sum() / weight.sum()
    return _reduce(values, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared difference."""
    return _weighted(nn.mse_loss, input, target, _legacy(size_average, reduce, reduction), weight)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The absolute difference."""
    return _weighted(nn.l1_loss, input, target, _legacy(size_average, reduce, reduction), weight)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """The squared difference over 2 beta up to beta, from there on the absolute one."""
    reduction = _legacy(size_average, reduce, reduction)
    _warn_shapes(input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    input, target = _broadcast(input, target)
    return operator("smooth_l1_loss")(input, target, _number(reduction), beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the squared difference up to delta, from there on a straight line."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")

    def loss(input: Tensor, target: Tensor, number: int) -> Tensor:
        return operator("huber_loss")(input, target, number, delta)

    return _weighted(loss, input, target, reduction, weight)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-probability of the target class."""
    number = _number(_legacy(size_average, reduce, reduction))
    return nn.nll_loss_nd(input, target, weight, number, ignore_index)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """The cross entropy between logits and class numbers (or class probabilities)."""
    number = _number(_legacy(size_average, reduce, reduction))
    return nn.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The cross entropy between probabilities and targets in [0, 1]."""
    number = _number(_legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    return nn.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """The cross entropy between logits and targets in [0, 1]."""
    number = _number(_legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return functions.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """The Kullback-Leibler divergence of log-probabilities from a target distribution.

    "batchmean" is what the mathematics mean: the sum over the size of the batch.
    """
    reduction = _legacy(size_average, reduce, reduction)
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support "
            "size.'batchmean' divides only by the batch size, and aligns with the KL div math "
            "definition.'mean' will be changed to behave the same as 'batchmean' in the next major "
            "release.",
            stacklevel=2,
        )
    number = _number("sum" if reduction == "batchmean" else reduction)
    loss = functions.kl_div(input, target, number, log_target=log_target)
    return loss / input.size(0) if reduction == "batchmean" and input.dim() else loss


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of counts; `full` adds Stirling's term."""
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.poisson_nll_loss(input, target, log_input, full, eps, number)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of normal distributions with the given variances."""
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * torch.ones_like(input)
    elif bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif not (input.size()[:-1] == var.size()[:-1] and var.size(-1) == 1):
            raise ValueError("var is of incorrect size")
    if reduction not in _REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    # The gradient reaches the variance as if it had not been clamped.
    var = var + (var.detach().clamp(min=eps) - var.detach())
    values = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        values = values + 0.5 * math.log(2 * math.pi)
    return _reduce(values, reduction)


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the logarithm of the probability of `targets`, at any times (Graves et al., 2006).

    `log_probs` is (T, N, C) or (T, C), `targets` (N, S), or one after the other. The mean is taken
    of losses by symbol. `zero_infinity` makes infinite losses, of targets longer than the input, 0.
    """
    return functions.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, _number(reduction), zero_infinity
    )


__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "ctc_loss",
    "gaussian_nll_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "mse_loss",
    "nll_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
]
