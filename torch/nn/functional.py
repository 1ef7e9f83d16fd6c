"""Layers and losses as functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import _C
from torch._tensor import Tensor

_nn = _C._nn
_functions = _C._VariableFunctions

linear = _nn.linear
softplus = _nn.softplus
tanh = torch.tanh
sigmoid = torch.sigmoid
one_hot = _nn.one_hot if hasattr(_nn, "one_hot") else _functions.one_hot  # type: ignore[attr-defined]


def _reduction(name: str) -> int:
    values = {"none": 0, "mean": 1, "sum": 2}
    if name not in values:
        raise ValueError(f"{name} is not a valid value for reduction")
    return values[name]


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(0, x)."""
    return torch.relu_(input) if inplace else torch.relu(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where positive, else negative_slope * x."""
    if inplace:
        return _nn.leaky_relu_(input, negative_slope)
    return _nn.leaky_relu(input, negative_slope)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the normal distribution's cumulative function of x, or its "tanh" approximation."""
    return _nn.gelu(input, approximate=approximate)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x)."""
    return _nn.silu_(input) if inplace else _nn.silu(input)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """x where greater than the threshold, else `value`."""
    if inplace:
        return _functions.threshold_(input, threshold, value)
    return _functions.threshold(input, threshold, value)


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """exp(x) over its sum along `dim`."""
    return input.softmax(_implicit_dim(input, dim), dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """The logarithm of softmax."""
    return input.log_softmax(_implicit_dim(input, dim), dtype=dtype)


def _implicit_dim(input: Tensor, dim: int | None) -> int:
    if dim is not None:
        return dim
    return 0 if input.dim() in (0, 1, 3) else 1


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes elements with probability p while training, and scales the others up."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return _functions.dropout_(input, p, training)
    return _functions.dropout(input, p, training)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` that `input` numbers; row `padding_idx` gets no gradient."""
    if max_norm is not None:
        raise NotImplementedError("embedding: max_norm is not supported; renormalise the weight")
    if padding_idx is not None:
        if not -weight.size(0) <= padding_idx < weight.size(0):
            raise AssertionError("Padding_idx must be within num_embeddings")
        if padding_idx < 0:
            padding_idx += weight.size(0)
    else:
        padding_idx = -1
    return _functions.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises over the last dimensions, which must be `normalized_shape`."""
    return _functions.layer_norm(input, tuple(normalized_shape), weight, bias, eps)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The squared difference."""
    _warn_shapes(input, target)
    return _nn.mse_loss(*_broadcast(input, target), _reduction(reduction))


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The absolute difference."""
    _warn_shapes(input, target)
    return _nn.l1_loss(*_broadcast(input, target), _reduction(reduction))


def _warn_shapes(input: Tensor, target: Tensor) -> None:
    if input.shape == target.shape:
        return
    import warnings

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
    return _nn.nll_loss_nd(input, target, weight, _reduction(reduction), ignore_index)


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
    return _nn.cross_entropy_loss(
        input, target, weight, _reduction(reduction), ignore_index, label_smoothing
    )


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The cross entropy between probabilities and targets in [0, 1]."""
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    return _nn.binary_cross_entropy(input, target, weight, _reduction(reduction))


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
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return _functions.binary_cross_entropy_with_logits(
        input, target, weight, pos_weight, _reduction(reduction)
    )
