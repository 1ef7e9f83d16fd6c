"""Gradients of convolutions by their inputs and weights, as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._tensor import Tensor

_Amount = int | Sequence[int]


def _amounts(value: _Amount, n: int) -> list[int]:
    return [value] * n if isinstance(value, int) else list(value)


def _of_input(n: int) -> Callable[..., Tensor]:
    def conv_input(
        input_size: Sequence[int],
        weight: Tensor,
        grad_output: Tensor,
        stride: _Amount = 1,
        padding: _Amount = 0,
        dilation: _Amount = 1,
        groups: int = 1,
    ) -> Tensor:
        # The values of the input do not matter.
        input = grad_output.new_empty(1).expand(tuple(input_size))
        return _backward(n, grad_output, input, weight, stride, padding, dilation, groups, 0)

    return _named(conv_input, n, "input", "input_size: the shape of the input.", "weight: its own.")


def _of_weight(n: int) -> Callable[..., Tensor]:
    def conv_weight(
        input: Tensor,
        weight_size: Sequence[int],
        grad_output: Tensor,
        stride: _Amount = 1,
        padding: _Amount = 0,
        dilation: _Amount = 1,
        groups: int = 1,
    ) -> Tensor:
        weight = grad_output.new_empty(1).expand(tuple(weight_size))
        return _backward(n, grad_output, input, weight, stride, padding, dilation, groups, 1)

    return _named(
        conv_weight, n, "weight", "input: its own.", "weight_size: the shape of the weight."
    )


def _backward(
    n: int,
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    stride: _Amount,
    padding: _Amount,
    dilation: _Amount,
    groups: int,
    which: int,
) -> Tensor:
    wanted = [number == which for number in range(3)]
    gradients: tuple[Any, ...] = torch.ops.aten.convolution_backward(
        grad_output,
        input,
        weight,
        None,
        _amounts(stride, n),
        _amounts(padding, n),
        _amounts(dilation, n),
        False,
        [0] * n,
        groups,
        wanted,
    )
    found: Tensor = gradients[which]
    return found


def _named(
    function: Callable[..., Tensor], n: int, what: str, first: str, second: str
) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = f"conv{n}d_{what}"
    function.__doc__ = f"""The gradient of `torch.nn.functional.conv{n}d` by its {what}.

    Args:
        {first}
        {second}
        grad_output: the gradient by the output.
        stride, padding, dilation, groups: of the convolution.
    """
    return function


conv1d_input, conv1d_weight = _of_input(1), _of_weight(1)
conv2d_input, conv2d_weight = _of_input(2), _of_weight(2)
conv3d_input, conv3d_weight = _of_input(3), _of_weight(3)

__all__ = [
    "conv1d_input",
    "conv1d_weight",
    "conv2d_input",
    "conv2d_weight",
    "conv3d_input",
    "conv3d_weight",
]
