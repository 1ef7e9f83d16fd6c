"""Normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch._tensor import Tensor
from torch.nn.functional.native import functions, operator


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises over the last dimensions, which must be `normalized_shape`."""
    return functions.layer_norm(input, tuple(normalized_shape), weight, bias, eps)


def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """x over its root mean square of the last dimensions (Zhang and Sennrich, 2019)."""
    return operator("rms_norm")(input, tuple(normalized_shape), weight, eps)


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
    """Normalises each channel over the batch (Ioffe and Szegedy, 2015).

    While training by the batch, which also moves the running statistics; otherwise by these.
    """
    if training and input.size(0) * prod(input.shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {input.size()}"
        )
    return operator("batch_norm")(
        input, weight, bias, running_mean, running_var, training, momentum, eps, False
    )


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
    """Normalises each channel of each sample (Ulyanov et al., 2016)."""
    if use_input_stats and prod(input.shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {input.size()}"
        )
    return operator("instance_norm")(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False
    )


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises groups of channels of each sample (Wu and He, 2018)."""
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    return operator("group_norm")(input, num_groups, weight, bias, eps, False)
