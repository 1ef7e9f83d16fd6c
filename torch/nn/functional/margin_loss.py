"""Losses of margins: of one score, of pairs and of triples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn.functional.activation import logsigmoid, pairwise_distance
from torch.nn.functional.loss import _legacy, _number, _reduce
from torch.nn.functional.native import functions, nn


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """log(1 + exp(-y x)) for y of 1 and -1."""
    values = -logsigmoid(input * target)
    return _reduce(values, _legacy(size_average, reduce, reduction))


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """x where y is 1, max(0, margin - x) where it is -1."""
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.hinge_embedding_loss(input, target, margin, number)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -y (x1 - x2) + margin)."""
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.margin_ranking_loss(input1, input2, target, margin, number)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cos where y is 1, max(0, cos - margin) where it is -1."""
    number = _number(_legacy(size_average, reduce, reduction))
    return functions.cosine_embedding_loss(input1, input2, target, margin, number)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of max(0, 1 - x[y] + x[i]): y are the classes before the first -1, i the others."""
    number = _number(_legacy(size_average, reduce, reduction))
    return nn.multilabel_margin_loss(input, target, number)


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
    """max(0, d(a, p) - d(a, n) + margin); `swap` takes d(p, n) where that is smaller."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    dims = (anchor.dim(), positive.dim(), negative.dim())
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            "dimensions, but got: anchor {}D, positive {}D, and negative {}D inputs".format(*dims)
        )
    distance = pairwise_distance if distance_function is None else distance_function
    to_negative = distance(anchor, negative)
    if swap:
        to_negative = torch.minimum(to_negative, distance(positive, negative))
    return _reduce(torch.clamp(distance(anchor, positive) - to_negative + margin, min=0), reduction)


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
    """The same with the p-norm as distance."""
    number = _number(_legacy(size_average, reduce, reduction))
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return functions.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


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
    """The mean of max(0, margin - x[y] + x[i])^p over the classes but y."""
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    reduction = _legacy(size_average, reduce, reduction)
    _number(reduction)
    if input.dim() > 2 or 0 in input.shape[-1:]:
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(input.shape)}"
        )
    scores = input if input.dim() > 1 else input.reshape(1, -1)
    if target.numel() != scores.size(0) or target.dim() > 1:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input "
            f"samples (batch size). Expected target size [{scores.size(0)}], but got "
            f"{list(target.shape)}. Input has shape {list(input.shape)}."
        )
    if weight is not None and weight.numel() != scores.size(1):
        raise RuntimeError(
            f"inconsistent weight size, expected {scores.size(1)} but got {list(weight.shape)}"
        )
    if target.dtype != torch.int64:
        found = "Float" if target.dtype == torch.float32 else target.dtype
        raise RuntimeError(f"expected scalar type Long but found {found}")
    index = target.reshape(-1, 1)
    if ((index < 0) | (index >= scores.size(1))).any():
        raise RuntimeError("target out of range")
    hinge = torch.clamp(margin - scores.gather(1, index) + scores, min=0) ** p
    if weight is not None:
        hinge = hinge * weight.index_select(0, target.reshape(-1)).unsqueeze(1)
    hinge = hinge.scatter(1, index, 0.0)
    values = hinge.sum(1) / scores.size(1)
    return _reduce(values if target.dim() > 0 else values.squeeze(0), reduction)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over the classes of the cross entropy of each."""
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
