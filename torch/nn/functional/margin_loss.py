"""Losses of margins: of one score, of pairs and of triples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.activation import logsigmoid, pairwise_distance
from torch.nn.functional.loss import _REDUCTION, _legacy, _number, _reduce
from torch.nn.functional.native import functions, nn


@overridable
@documented_by(_REDUCTION)
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """log(1 + exp(-y x)).

    Args:
        input: x, of any shape.
        target: y, 1 or -1, of the same shape.

    Example::

        >>> x, y = torch.tensor([0.0, 2.0]), torch.tensor([1.0, -1.0])
        >>> torch.nn.functional.soft_margin_loss(x, y, reduction="none")
        tensor([0.6931, 2.1269])
    """
    return nn.soft_margin_loss(input, target, _number(_legacy(size_average, reduce, reduction)))


@overridable
@documented_by(_REDUCTION)
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """x where y is 1, max(0, margin - x) where y is -1.

    Args:
        input: x, a distance; of any shape.
        target: y, 1 or -1, of the same shape.
        margin: the distance from which on what does not belong together costs nothing.

    Example::

        >>> x, y = torch.tensor([0.5, 0.25]), torch.tensor([1.0, -1.0])
        >>> torch.nn.functional.hinge_embedding_loss(x, y, reduction="none")
        tensor([0.5000, 0.7500])
    """
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.hinge_embedding_loss(input, target, margin, number)


@overridable
@documented_by(_REDUCTION)
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -y (x1 - x2) + margin).

    Args:
        input1, input2: x1 and x2, of one shape.
        target: y: 1 where x1 should be larger, -1 where x2 should.
        margin: the difference that is wanted.

    Shape:
        Output: that of the inputs for "none", else ().

    Raises:
        RuntimeError: the numbers of dimensions differ.
        ValueError: `reduction` is unknown.

    Example::

        >>> x1, x2 = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 2.0])
        >>> torch.nn.functional.margin_ranking_loss(x1, x2, torch.ones(2), reduction="none")
        tensor([0., 2.])
    """
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.margin_ranking_loss(input1, input2, target, margin, number)


@overridable
@documented_by(_REDUCTION)
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cos(x1, x2) where y is 1, max(0, cos(x1, x2) - margin) where y is -1.

    Args:
        input1, input2: x1 and x2, of one shape.
        target: y, 1 or -1 for each row.
        margin: the cosine up to which what does not belong together costs nothing, in [-1, 1].

    Shape:
        Inputs: (N, D) or (D,). Target: (N,) or (). Output: that of the target for "none", else ().

    Raises:
        RuntimeError: the shapes do not fit.
        ValueError: `reduction` is unknown.

    Example::

        >>> x = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
        >>> y = torch.tensor([1.0, -1.0])
        >>> torch.nn.functional.cosine_embedding_loss(x, x, y, reduction="none")
        tensor([0., 1.])
    """
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.cosine_embedding_loss(input1, input2, target, margin, number)


@overridable
@documented_by(_REDUCTION)
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """sum_{j in y, i not in y} max(0, 1 - (x[j] - x[i])) / C for each row.

    Args:
        input: x, scores of C classes.
        target: the classes y of each row, int64: those before the first -1 count.

    Shape:
        Input and target: (N, C) or (C,). Output: (N,) or () for "none", else ().

    Raises:
        RuntimeError: the shapes differ.
        ValueError: `reduction` is unknown.

    Example::

        >>> x, y = torch.tensor([0.1, 0.2, 0.4, 0.8]), torch.tensor([3, 0, -1, 1])
        >>> torch.nn.functional.multilabel_margin_loss(x, y)
        tensor(0.8500)
    """
    number = _number(_legacy(size_average, reduce, reduction))
    return nn.multilabel_margin_loss(input, target, number)


@overridable
@documented_by(_REDUCTION)
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """max(0, d(a, p) - d(a, n) + margin) for a distance d (Balntas et al. 2016, BMVC).

    Args:
        anchor, positive, negative: a, p and n, of one shape (N, D) or (D,).
        distance_function: d, from two tensors to a tensor of distances; `pairwise_distance` if
            None.
        margin: how much nearer p should be than n; positive.
        swap: whether d(p, n) counts instead of d(a, n) where it is smaller.
        reduction: "none" returns the loss of each triplet, "mean" their mean, "sum" their sum.

    Shape:
        Output: that of the distances for "none", else ().

    Raises:
        ValueError: `reduction` is unknown, or `margin` is not positive.

    Example::

        >>> a, p, n = torch.zeros(1, 2), torch.ones(1, 2), torch.full((1, 2), 1.5)
        >>> loss = torch.nn.functional.triplet_margin_with_distance_loss
        >>> loss(a, p, n, distance_function=lambda x, y: (x - y).abs().sum(-1))
        tensor(0.)
    """
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    dims = (anchor.dim(), positive.dim(), negative.dim())
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor {}D, positive {}D, and negative {}D inputs".format(
                *dims
            )
        )
    distance = pairwise_distance if distance_function is None else distance_function
    to_negative = distance(anchor, negative)
    if swap:
        to_negative = torch.minimum(to_negative, distance(positive, negative))
    return _reduce(torch.clamp(distance(anchor, positive) - to_negative + margin, min=0), reduction)


@overridable
@documented_by(_REDUCTION)
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, d(a, p) - d(a, n) + margin) with d(x, y) = ||x - y + eps||_p (Balntas et al. 2016,
    BMVC).

    Args:
        anchor, positive, negative: a, p and n, of one shape (N, D) or (D,).
        margin: how much nearer p should be than n; positive.
        p: the norm.
        eps: keeps the gradient finite where two are equal.
        swap: whether d(p, n) counts instead of d(a, n) where it is smaller.

    Shape:
        Output: (N,) or () for "none", else ().

    Raises:
        ValueError: `reduction` is unknown, or `margin` is not positive.

    Example::

        >>> a, p, n = torch.zeros(1, 2), torch.ones(1, 2), torch.full((1, 2), 1.5)
        >>> torch.nn.functional.triplet_margin_loss(a, p, n, p=1.0)
        tensor(0.)
    """
    number = _number(_legacy(size_average, reduce, reduction))
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return functions.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


@overridable
@documented_by(_REDUCTION)
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """sum_{i != y} weight[y] max(0, margin - x[y] + x[i])^p / C for each row.

    Args:
        input: x, scores of C classes.
        target: the classes y, int64.
        p: the power, 1 or 2.
        margin: how much larger the score of y should be.
        weight: a factor for each class, of shape (C,).

    Shape:
        Input: (N, C) or (C,). Target: (N,) or (). Output: that of the target for "none", else ().

    Raises:
        RuntimeError: the shapes do not fit.
        ValueError: `p` is neither 1 nor 2, or `reduction` is unknown.

    Example::

        >>> torch.nn.functional.multi_margin_loss(torch.tensor([[0.2, 0.6]]), torch.tensor([1]))
        tensor(0.3000)
    """
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    reduction = _legacy(size_average, reduce, reduction)
    return nn.multi_margin_loss(input, target, p, margin, weight, _number(reduction))


@overridable
@documented_by(_REDUCTION)
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """-sum_c weight[c] (y_c log s_c + (1 - y_c) log(1 - s_c)) / C for each row, with s =
    sigmoid(x).

    Args:
        input: the logits x of C classes.
        target: y, 0 or 1, of the shape of the input.
        weight: a factor for each class, of shape (C,).

    Shape:
        Input: (..., C). Output: (...) for "none", else ().

    Example::

        >>> x, y = torch.tensor([[0.0, 0.0]]), torch.tensor([[1.0, 0.0]])
        >>> torch.nn.functional.multilabel_soft_margin_loss(x, y)
        tensor(0.6931)
    """
    values = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        values = values * weight
    return _reduce(values.mean(-1), _legacy(size_average, reduce, reduction))


__all__ = [
    "cosine_embedding_loss",
    "hinge_embedding_loss",
    "margin_ranking_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
]
