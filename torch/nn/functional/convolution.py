"""Convolutions, and the windows that they see."""

from __future__ import annotations

from typing import Any

from torch._tensor import Tensor
from torch.nn.functional.native import operator, per_dimension


def _convolve(name: str, *args: Any) -> Tensor:
    return operator(name)(*args)


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution of (N, C, L): weight is (out, in / groups, k), `padding` may be "same"."""
    return _convolve("conv1d", input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution of (N, C, H, W): weight is (out, in / groups, *kernel)."""
    return _convolve("conv2d", input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution of (N, C, D, H, W): weight is (out, in / groups, *kernel)."""
    return _convolve("conv3d", input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The gradient of conv1d as an operator: weight is (in, out / groups, k)."""
    arguments = (stride, padding, output_padding, groups, dilation)
    return _convolve("conv_transpose1d", input, weight, bias, *arguments)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The gradient of conv2d as an operator: weight is (in, out / groups, *kernel)."""
    arguments = (stride, padding, output_padding, groups, dilation)
    return _convolve("conv_transpose2d", input, weight, bias, *arguments)


def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The gradient of conv3d as an operator: weight is (in, out / groups, *kernel)."""
    arguments = (stride, padding, output_padding, groups, dilation)
    return _convolve("conv_transpose3d", input, weight, bias, *arguments)


def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The windows of images as columns: (N, C * prod(kernel), windows)."""
    pairs = (per_dimension(v, 2) for v in (kernel_size, dilation, padding, stride))
    return operator("im2col")(input, *pairs)


def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """The sum of columns back into images: the gradient of `unfold`."""
    pairs = (per_dimension(v, 2) for v in (output_size, kernel_size, dilation, padding, stride))
    return operator("col2im")(input, *pairs)
