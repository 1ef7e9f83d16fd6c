"""Dropout."""

from __future__ import annotations

from torch._tensor import Tensor
from torch.nn.functional.native import functions, operator


def _check(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeroes elements with probability p while training, and scales the others up."""
    _check(p)
    if inplace:
        return functions.dropout_(input, p, training)
    return functions.dropout(input, p, training)


def feature_dropout(input: Tensor, p: float, training: bool, inplace: bool = False) -> Tensor:
    """Zeroes whole channels, dimension 1."""
    _check(p)
    return operator("feature_dropout_" if inplace else "feature_dropout")(input, p, training)


def _channels(input: Tensor, p: float, training: bool, inplace: bool, batched: int) -> Tensor:
    if input.dim() == batched - 1:
        result = feature_dropout(input.unsqueeze(0), p, training, inplace)
        return input if inplace else result.squeeze(0)
    return feature_dropout(input, p, training, inplace)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes channels of (N, C, L) or (C, L)."""
    return _channels(input, p, training, inplace, 3)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes channels of (N, C, H, W)."""
    return feature_dropout(input, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Zeroes channels of (N, C, D, H, W) or (C, D, H, W)."""
    return _channels(input, p, training, inplace, 5)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout for selu: dropped elements saturate, mean and variance stay (Klambauer, 2017)."""
    _check(p)
    return operator("alpha_dropout_" if inplace else "alpha_dropout")(input, p, training)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """The same for whole channels."""
    _check(p)
    name = "feature_alpha_dropout"
    return operator(f"{name}_" if inplace else name)(input, p, training)
