"""Parameters as one vector and back."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch._tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All elements one behind the other."""
    return torch.cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """The elements back into the parameters."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    position = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data = vec[position : position + count].view_as(parameter).data
        position += count
