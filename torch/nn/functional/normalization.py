"""Normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions

# What several of them have in common.
_STATISTICS = """
Args:
    running_mean, running_var: (C,), changed in place while training; None keeps none.
    weight, bias: (C,); 1 and 0 if None.
    momentum: the weight of a batch in running statistics.
    eps: keeps the root from 0.

Shape:
    Output: that of the input.
"""


@overridable
@documented_by(_STATISTICS)
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * weight + bias over the last dimensions (Ba et al. 2016,
    arXiv:1607.06450).

    Args:
        input: x, (..., *normalized_shape).
        normalized_shape: the sizes of the last dimensions, over which mean and variance are taken.
        weight, bias: of `normalized_shape`; 1 and 0 if None.

    Raises:
        RuntimeError: the last dimensions of the input are others.

    Example::

        >>> torch.nn.functional.layer_norm(torch.tensor([[1.0, 3.0]]), (2,))
        tensor([[-1.0000,  1.0000]])
    """
    return functions.layer_norm(input, tuple(normalized_shape), weight, bias, eps)


@overridable
@documented_by(_STATISTICS)
def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """x / sqrt(mean(x^2) + eps) * weight over the last dimensions (Zhang and Sennrich 2019,
    arXiv:1910.07467).

    Args:
        input: x, (..., *normalized_shape).
        normalized_shape: the sizes of the last dimensions, over which the mean is taken.
        weight: of `normalized_shape`; 1 if None.
        eps: keeps the root from 0; None is the machine epsilon of the dtype.

    Raises:
        RuntimeError: the last dimensions of the input are others.

    Example::

        >>> torch.nn.functional.rms_norm(torch.tensor([[2.0, 2.0]]), (2,))
        tensor([[1., 1.]])
    """
    return functions.rms_norm(input, tuple(normalized_shape), weight, eps)


@overridable
@documented_by(_STATISTICS)
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel (Ioffe and Szegedy 2015,
    arXiv:1502.03167).

    While training, mean and variance are those of the batch, and the running ones follow them in
    place; otherwise the running ones are used.

    Args:
        input: x, (N, C) or (N, C, ...).
        training: whether statistics of the batch are used.

    Raises:
        ValueError: one value a channel while training.

    Example::

        >>> x = torch.tensor([[1.0], [3.0]])
        >>> torch.nn.functional.batch_norm(x, None, None, training=True)
        tensor([[-1.0000],
                [ 1.0000]])
    """
    if training and input.size(0) * prod(input.shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {input.size()}"
        )
    return functions.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, False
    )


@overridable
@documented_by(_STATISTICS)
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel of each sample (Ulyanov et
    al. 2016, arXiv:1607.08022).

    Args:
        input: x, (N, C, ...).
        use_input_stats: whether statistics of the samples are used, not the running ones.

    Raises:
        ValueError: one value a channel, where statistics of the samples are used.

    Example::

        >>> torch.nn.functional.instance_norm(torch.tensor([[[1.0, 3.0]]]))
        tensor([[[-1.0000,  1.0000]]])
    """
    if use_input_stats and prod(input.shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {input.size()}"
        )
    return functions.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False
    )


@overridable
@documented_by(_STATISTICS)
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * weight + bias over groups of channels of each sample (Wu
    and He 2018, arXiv:1803.08494).

    Args:
        input: x, (N, C, ...).
        num_groups: how many groups there are; they divide C.

    Raises:
        RuntimeError: C is not divisible.
        ValueError: a group has one element.

    Example::

        >>> torch.nn.functional.group_norm(torch.tensor([[[1.0], [3.0]]]), 1)
        tensor([[[-1.0000],
                 [ 1.0000]]])
    """
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    sizes = [input.size(0) * input.size(1) // max(num_groups, 1), num_groups, *input.shape[2:]]
    if sizes[0] * prod(sizes[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {sizes}"
        )
    return functions.group_norm(input, num_groups, weight, bias, eps, False)
