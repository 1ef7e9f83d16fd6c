"""Losses. `reduction` is "none", "mean" or "sum"; `size_average` and `reduce` are older names."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions, nn

# What all losses have in common.
_REDUCTION = """
Args:
    reduction: "none" returns the loss of each element, "mean" their mean, "sum" their sum.
    size_average, reduce: older names of the reductions; they warn.

Shape:
    Output: that of the input for "none", else ().

Raises:
    ValueError: `reduction` is unknown.
"""
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
        f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will likely lead to incorrect results due to broadcasting. "
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
    mean_over: Callable[[Tensor], Tensor | int] = Tensor.sum,
) -> Tensor:
    """A loss with a weight for each element; `mean_over` of the weights divides its mean."""
    _warn_shapes(input, target)
    input, target = _broadcast(input, target)
    if weight is None:
        return loss(input, target, _number(reduction))
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    values = loss(input, target, 0) * weight
    if reduction == "mean":
        return values.sum() / mean_over(weight)
    return _reduce(values, reduction)


@overridable
@documented_by(_REDUCTION)
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared error, (x - y)^2.

    Args:
        input: x, of any shape; floating point.
        target: y, of the same shape; other shapes broadcast, with a warning.
        weight: a factor for each element; "mean" then divides by the sum of the weights.

    Raises:
        ValueError: `reduction` is unknown, or `weight` has another shape than the input.

    Example::

        >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
        tensor(2.)
    """
    return _weighted(nn.mse_loss, input, target, _legacy(size_average, reduce, reduction), weight)


@overridable
@documented_by(_REDUCTION)
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The absolute error, |x - y|.

    Args:
        input: x, of any shape; floating point.
        target: y, of the same shape; other shapes broadcast, with a warning.
        weight: a factor for each element; "mean" then divides by the sum of the weights.

    Raises:
        ValueError: `reduction` is unknown, or `weight` has another shape than the input.

    Example::

        >>> torch.nn.functional.l1_loss(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
        tensor(1.)
    """
    return _weighted(nn.l1_loss, input, target, _legacy(size_average, reduce, reduction), weight)


@overridable
@documented_by(_REDUCTION)
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """With d = |x - y|: d^2 / (2 beta) where d < beta, else d - beta / 2 (Girshick 2015,
    arXiv:1504.08083).

    It is `huber_loss` with delta = beta, divided by beta.

    Args:
        input: x, of any shape; floating point.
        target: y, of the same shape; other shapes broadcast, with a warning.
        beta: where the parabola ends, not negative; 0 gives `l1_loss`.

    Raises:
        RuntimeError: `beta` is negative.
        ValueError: `reduction` is unknown.

    Example::

        >>> x, y = torch.tensor([0.5, 3.0]), torch.zeros(2)
        >>> torch.nn.functional.smooth_l1_loss(x, y, reduction="none")
        tensor([0.1250, 2.5000])
    """
    reduction = _legacy(size_average, reduce, reduction)
    _warn_shapes(input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    input, target = _broadcast(input, target)
    return nn.smooth_l1_loss(input, target, _number(reduction), beta)


@overridable
@documented_by(_REDUCTION)
def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """With d = |x - y|: d^2 / 2 where d <= delta, else delta (d - delta / 2) (Huber 1964).

    Args:
        input: x, of any shape; floating point.
        target: y, of the same shape; other shapes broadcast, with a warning.
        delta: where the parabola ends, positive.
        weight: a factor for each element; "mean" divides by the number of elements all the same.

    Raises:
        RuntimeError: `delta` is not positive.
        ValueError: `reduction` is unknown, or `weight` has another shape than the input.

    Example::

        >>> x, y = torch.tensor([0.5, 3.0]), torch.zeros(2)
        >>> torch.nn.functional.huber_loss(x, y, reduction="none", delta=2.0)
        tensor([0.1250, 4.0000])
    """
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")

    def loss(input: Tensor, target: Tensor, number: int) -> Tensor:
        return nn.huber_loss(input, target, number, delta)

    return _weighted(loss, input, target, reduction, weight, Tensor.numel)


@overridable
@documented_by(_REDUCTION)
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of the target class, -weight[y] * x[y].

    "mean" divides by the sum of the weights of the targets that are not ignored.

    Args:
        input: log-probabilities, as `log_softmax` returns them.
        target: the classes y, int64, in [0, C).
        weight: a factor for each class, of shape (C,).
        ignore_index: targets of this class add neither to the loss nor to its gradient.

    Shape:
        Input: (N, C), (C,) or (N, C, d1, ..., dk). Target: (N,), () or (N, d1, ..., dk). Output:
            that of the target for "none", else ().

    Raises:
        IndexError: a target is not a class.
        ValueError: the shapes of input and target do not fit, or `reduction` is unknown.

    Example::

        >>> log_probabilities = torch.tensor([[0.25, 0.75], [0.5, 0.5]]).log()
        >>> torch.nn.functional.nll_loss(log_probabilities, torch.tensor([1, 0]))
        tensor(0.4904)
    """
    number = _number(_legacy(size_average, reduce, reduction))
    return nn.nll_loss_nd(input, target, weight, number, ignore_index)


@overridable
@documented_by(_REDUCTION)
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
    """The cross entropy -sum_c p_c log softmax(x)_c of logits x and targets p.

    For classes y it is `nll_loss(log_softmax(x, 1), y)`. `label_smoothing` mixes the targets with
    the uniform distribution (Szegedy et al. 2015, arXiv:1512.00567).

    Args:
        input: the logits x; floating point.
        target: classes, int64, in [0, C); or probabilities of the classes, of the shape and dtype
            of the input.
        weight: a factor for each class, of shape (C,).
        ignore_index: targets of this class add neither to the loss nor to its gradient; for classes
            alone.
        label_smoothing: the share of the uniform distribution, in [0, 1].

    Shape:
        Input: (N, C), (C,) or (N, C, d1, ..., dk). Target, as classes: (N,), () or (N, d1, ...,
            dk). Output: that of such a target for "none", else ().

    Raises:
        IndexError: a target is not a class.
        RuntimeError: `label_smoothing` is not in [0, 1].
        ValueError: the shapes do not fit, or `reduction` is unknown.

    Example::

        >>> logits = torch.tensor([[2.0, 0.0, 0.0]])
        >>> torch.nn.functional.cross_entropy(logits, torch.tensor([0]))
        tensor(0.2395)
        >>> torch.nn.functional.cross_entropy(logits, torch.tensor([[1.0, 0.0, 0.0]]))
        tensor(0.2395)
    """
    number = _number(_legacy(size_average, reduce, reduction))
    return nn.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


@overridable
@documented_by(_REDUCTION)
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """-weight (y log x + (1 - y) log(1 - x)) of probabilities x.

    Logarithms are at least -100, so that the loss is finite.

    Args:
        input: the probabilities x, in [0, 1].
        target: y, in [0, 1], of the shape of the input.
        weight: a factor for each element, which broadcasts to the input.

    Raises:
        RuntimeError: an x is not in [0, 1].
        ValueError: the target has another shape, or `reduction` is unknown.

    Example::

        >>> probabilities, target = torch.tensor([0.5, 0.25]), torch.tensor([1.0, 0.0])
        >>> torch.nn.functional.binary_cross_entropy(probabilities, target)
        tensor(0.4904)
    """
    number = _number(_legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. Please ensure they have the same size."
        )
    return nn.binary_cross_entropy(input, target, weight, number)


@overridable
@documented_by(_REDUCTION)
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """-weight (pos_weight y log s + (1 - y) log(1 - s)) with s = sigmoid(x).

    It is computed from x, so that it neither overflows nor loses digits where s rounds to 0 or 1.

    Args:
        input: the logits x; floating point.
        target: y, in [0, 1], of the shape of the input.
        weight: a factor for each element, which broadcasts to the input.
        pos_weight: a factor for the positive part, which broadcasts to the input: more than 1
            favours recall.

    Raises:
        ValueError: the target has another shape, or `reduction` is unknown.

    Example::

        >>> logits, target = torch.tensor([0.0, -200.0]), torch.tensor([1.0, 1.0])
        >>> torch.nn.functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        tensor([  0.6931, 200.0000])
    """
    number = _number(_legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return functions.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


@overridable
@documented_by(_REDUCTION)
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """The Kullback-Leibler divergence of x from a target: y (log y - x), and 0 where y is 0.

    Args:
        input: log-probabilities x.
        target: probabilities y, or their logarithms with `log_target`, of the shape of the input.
        reduction: "none", "sum", "mean" over all elements, or "batchmean", the sum over the size of
            the first dimension, which is the mathematical definition.
        log_target: whether the target holds logarithms.

    Example::

        >>> x, y = torch.tensor([[0.5, 0.5]]).log(), torch.tensor([[0.25, 0.75]])
        >>> torch.nn.functional.kl_div(x, y, reduction="batchmean")
        tensor(0.1308)
    """
    reduction = _legacy(size_average, reduce, reduction)
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in the next major release.",
            stacklevel=2,
        )
    number = _number("sum" if reduction == "batchmean" else reduction)
    loss = functions.kl_div(input, target, number, log_target=log_target)
    return loss / input.size(0) if reduction == "batchmean" and input.dim() else loss


@overridable
@documented_by(_REDUCTION)
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
    """The negative log-likelihood of counts y: exp(x) - y x, or x - y log(x + eps) without
    `log_input`.

    Args:
        input: the logarithm of the expected counts, or the counts without `log_input`.
        target: the counts y, of a shape that broadcasts with the input.
        log_input: whether the input holds logarithms.
        full: whether Stirling's approximation of log(y!), y log y - y + log(2 pi y) / 2, is added
            where y > 1.
        eps: keeps the logarithm finite.

    Example::

        >>> torch.nn.functional.poisson_nll_loss(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
        tensor(0.8591)
    """
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.poisson_nll_loss(input, target, log_input, full, eps, number)


def _one_size_is_1(input: Tensor, var: Tensor) -> bool:
    """Whether the sizes are the same but for one dimension, in which `var` has one element."""
    return [b for a, b in zip(input.shape, var.shape, strict=True) if a != b] == [1]


@overridable
@documented_by(_REDUCTION)
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-likelihood of normal distributions, (log v + (x - y)^2 / v) / 2 with v =
    max(var, eps) (Nix and Weigend 1994).

    The gradient reaches the variance as if it had not been clamped.

    Args:
        input: the means x.
        target: y, of the shape of the input.
        var: the variances, not negative: of the shape of the input, of that shape with a last size
            of 1 or without the last dimension, or a number.
        full: whether the constant log(2 pi) / 2 is added.
        eps: the smallest variance.

    Raises:
        ValueError: a variance is negative or of another shape, or `reduction` is unknown.

    Example::

        >>> x, y = torch.tensor([0.0, 1.0]), torch.tensor([0.0, 3.0])
        >>> torch.nn.functional.gaussian_nll_loss(x, y, torch.ones(2))
        tensor(1.)
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * torch.ones_like(input)
    elif bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif input.dim() != var.dim() or not _one_size_is_1(input, var):
            raise ValueError("var is of incorrect size")
    if reduction not in _REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    # The gradient reaches the variance as if it had not been clamped.
    var = var + (var.detach().clamp(min=eps) - var.detach())
    values = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        values = values + 0.5 * math.log(2 * math.pi)
    return _reduce(values, reduction)


@overridable
@documented_by(_REDUCTION)
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the log-probability of a sequence over all its alignments (Graves et al. 2006,
    Connectionist temporal classification).

    "mean" divides each loss by the length of its target, then averages over the batch.

    Args:
        log_probs: log-probabilities of C symbols at T times, as `log_softmax` returns them.
        targets: the symbols, integers without `blank`: padded rows (N, S), or all one after the
            other, (sum of the lengths,).
        input_lengths: how many times each sample has, at most T; integers of shape (N,).
        target_lengths: how many symbols each target has; integers of shape (N,).
        blank: the symbol for "nothing".
        reduction: "none" returns the loss of each sample, "mean" and "sum" reduce them.
        zero_infinity: whether infinite losses, of targets longer than the input allows, become 0
            with their gradients.

    Shape:
        log_probs: (T, N, C) or (T, C). Output: (N,) for "none", else ().

    Raises:
        RuntimeError: lengths that do not fit the tensors.
        ValueError: `reduction` is unknown.

    Example::

        >>> log_probs = torch.full((4, 1, 3), 1 / 3).log()
        >>> torch.nn.functional.ctc_loss(log_probs, torch.tensor([[1, 2]]), [4], [2])
        tensor(0.8432)
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
