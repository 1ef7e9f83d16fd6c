"""Dropout."""

from __future__ import annotations

import warnings

from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions

# What all of them have in common.
_DROPOUT = """
Args:
    input: x, of any shape; floating point. The output has its shape and dtype.
    p: the probability of zero, in [0, 1].
    training: whether anything happens at all.
    inplace: whether the input is overwritten, and returned.

Raises:
    ValueError: p is not in [0, 1].
"""


def _check(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


@overridable
@documented_by(_DROPOUT)
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """0 with probability p, else x / (1 - p) (Hinton et al. 2012, arXiv:1207.0580).

    Example::

        >>> torch.nn.functional.dropout(torch.ones(2), p=0.3, training=False)
        tensor([1., 1.])
    """
    _check(p)
    if inplace:
        return functions.dropout_(input, p, training)
    return functions.dropout(input, p, training)


@overridable
@documented_by(_DROPOUT)
def feature_dropout(input: Tensor, p: float, training: bool, inplace: bool = False) -> Tensor:
    """`dropout` of whole channels, dimension 1."""
    _check(p)
    return (functions.feature_dropout_ if inplace else functions.feature_dropout)(
        input, p, training
    )


def _channels(input: Tensor, p: float, training: bool, inplace: bool, batched: int) -> Tensor:
    if input.dim() == batched - 1:
        result = feature_dropout(input.unsqueeze(0), p, training, inplace)
        return input if inplace else result.squeeze(0)
    return feature_dropout(input, p, training, inplace)


def _warn_of_dimensions(input: Tensor, spatial: int) -> None:
    name = f"dropout{spatial}d"
    if input.dim() not in (spatial + 1, spatial + 2):
        warnings.warn(
            f"{name}: Received a {input.dim()}-D input to {name}, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that {name} exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel dimension, and an optional batch dimension (i.e. {spatial + 1}D or {spatial + 2}D inputs).",
            stacklevel=3,
        )


@overridable
@documented_by(_DROPOUT)
def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels: each channel of each sample is 0 with probability p, else x / (1
    - p).

    Args:
        input: (N, C, L) or (C, L); floating point.

    Example::

        >>> torch.nn.functional.dropout1d(torch.ones(1, 2, 2), p=1.0).sum()
        tensor(0.)
    """
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _channels(input, p, training, inplace, 3)


@overridable
@documented_by(_DROPOUT)
def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels: each channel of each sample is 0 with probability p, else x / (1
    - p).

    Args:
        input: (N, C, H, W) or (N, C, L); floating point.

    Example::

        >>> torch.nn.functional.dropout2d(torch.ones(1, 2, 2, 2), p=1.0).sum()
        tensor(0.)
    """
    _warn_of_dimensions(input, 2)
    if input.dim() == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.",
            stacklevel=2,
        )
    return feature_dropout(input, p, training, inplace)


@overridable
@documented_by(_DROPOUT)
def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels: each channel of each sample is 0 with probability p, else x / (1
    - p).

    Args:
        input: (N, C, D, H, W) or (C, D, H, W); floating point.

    Example::

        >>> torch.nn.functional.dropout3d(torch.ones(1, 2, 2, 2, 2), p=1.0).sum()
        tensor(0.)
    """
    _warn_of_dimensions(input, 3)
    return _channels(input, p, training, inplace, 5)


@overridable
@documented_by(_DROPOUT)
def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout that keeps mean and variance of what `selu` gives (Klambauer et al. 2017,
    arXiv:1706.02515).

    An element becomes -scale * alpha of `selu` with probability p; all are then scaled and shifted.

    Example::

        >>> torch.nn.functional.alpha_dropout(torch.ones(2), p=0.3)
        tensor([1., 1.])
    """
    _check(p)
    return (functions.alpha_dropout_ if inplace else functions.alpha_dropout)(input, p, training)


@overridable
@documented_by(_DROPOUT)
def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """`alpha_dropout` of whole channels, dimension 1.

    Example::

        >>> torch.nn.functional.feature_alpha_dropout(torch.ones(1, 2, 1), p=0.3).flatten()
        tensor([1., 1.])
    """
    _check(p)
    dropped = functions.feature_alpha_dropout_ if inplace else functions.feature_alpha_dropout
    return dropped(input, p, training)
