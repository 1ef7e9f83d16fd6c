"""Parameters as one vector and back."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch._tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All elements of some parameters, one after the other.

    Args:
        parameters: on one device.

    Example::

        >>> torch.nn.utils.parameters_to_vector([torch.ones(2), torch.zeros(1, 1)])
        tensor([1., 1., 0.])
    """
    return torch.cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Gives parameters the elements of a vector, as `parameters_to_vector` made it.

    Args:
        vec: as many elements as there are.
        parameters: get views of it as their values.

    Raises:
        TypeError: `vec` is no tensor.

    Example::

        >>> weight = torch.nn.Parameter(torch.zeros(1, 2))
        >>> torch.nn.utils.vector_to_parameters(torch.tensor([1.0, 2.0]), [weight])
        >>> weight.detach()
        tensor([[1., 2.]])
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    position = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data = vec[position : position + count].view_as(parameter).data
        position += count
