"""Convolutions, and the windows that they see."""

from __future__ import annotations

from typing import Any

from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions, nn, per_dimension

# What the convolutions have in common.
_CONVOLUTION = """
Convolutions.

Along each dimension of size I the output has
floor((I + 2 padding - dilation (kernel - 1) - 1) / stride + 1) elements.

Args:
    weight: (O, C / groups, *kernel).
    bias: (O,).
    stride: the step of the kernels over the input.
    padding: zeros added at both ends of each dimension, or "valid" (none) or "same" (the output has
        the size of the input; stride 1 only).
    dilation: the distance of the kernel's elements.
    groups: parts of the channels that do not see each other; C and O are multiples of it.

Shape:
    Output: (N, O, ...) or (O, ...).

Raises:
    RuntimeError: shapes that do not fit, or an input smaller than the kernel.
"""

# What the transposed convolutions have in common.
_TRANSPOSED = """
Transposed convolutions.

Along each dimension of size I the output has
(I - 1) stride - 2 padding + dilation (kernel - 1) + output_padding + 1 elements.

Args:
    weight: (C, O / groups, *kernel).
    bias: (O,).
    stride: the step of the kernels over the output.
    padding: what is taken off both ends of the output.
    output_padding: elements added at one end of the output, fewer than `stride` or `dilation`.
    groups: parts of the channels that do not see each other; C and O are multiples of it.
    dilation: the distance of the kernel's elements.

Shape:
    Output: (N, O, ...) or (O, ...).

Raises:
    RuntimeError: shapes that do not fit.
"""


@overridable
@documented_by(_CONVOLUTION)
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The cross-correlation of each sample with kernels, plus a bias.

    Args:
        input: (N, C, L) or (C, L).

    Example::

        >>> image, weight = torch.ones(1, 3, 8), torch.ones(6, 3, 3)
        >>> torch.nn.functional.conv1d(image, weight, stride=2, padding=1).shape
        torch.Size([1, 6, 4])
    """
    return functions.conv1d(input, weight, bias, stride, padding, dilation, groups)


@overridable
@documented_by(_CONVOLUTION)
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The cross-correlation of each sample with kernels, plus a bias.

    Args:
        input: (N, C, H, W) or (C, H, W).

    Example::

        >>> image, weight = torch.ones(1, 3, 8, 8), torch.ones(6, 3, 3, 3)
        >>> torch.nn.functional.conv2d(image, weight, stride=2, padding=1).shape
        torch.Size([1, 6, 4, 4])
    """
    return functions.conv2d(input, weight, bias, stride, padding, dilation, groups)


@overridable
@documented_by(_CONVOLUTION)
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The cross-correlation of each sample with kernels, plus a bias.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).

    Example::

        >>> image, weight = torch.ones(1, 3, 8, 8, 8), torch.ones(6, 3, 3, 3, 3)
        >>> torch.nn.functional.conv3d(image, weight, stride=2, padding=1).shape
        torch.Size([1, 6, 4, 4, 4])
    """
    return functions.conv3d(input, weight, bias, stride, padding, dilation, groups)


@overridable
@documented_by(_TRANSPOSED)
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
    """The gradient of `conv1d` by its input, as an operator.

    Args:
        input: (N, C, L) or (C, L).

    Example::

        >>> image, weight = torch.ones(1, 3, 8), torch.ones(3, 6, 4)
        >>> torch.nn.functional.conv_transpose1d(image, weight, stride=2, padding=1).shape
        torch.Size([1, 6, 16])
    """
    arguments = (stride, padding, output_padding, groups, dilation)
    return functions.conv_transpose1d(input, weight, bias, *arguments)


@overridable
@documented_by(_TRANSPOSED)
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
    """The gradient of `conv2d` by its input, as an operator.

    Args:
        input: (N, C, H, W) or (C, H, W).

    Example::

        >>> image, weight = torch.ones(1, 3, 8, 8), torch.ones(3, 6, 4, 4)
        >>> torch.nn.functional.conv_transpose2d(image, weight, stride=2, padding=1).shape
        torch.Size([1, 6, 16, 16])
    """
    arguments = (stride, padding, output_padding, groups, dilation)
    return functions.conv_transpose2d(input, weight, bias, *arguments)


@overridable
@documented_by(_TRANSPOSED)
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
    """The gradient of `conv3d` by its input, as an operator.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).

    Example::

        >>> image, weight = torch.ones(1, 3, 8, 8, 8), torch.ones(3, 6, 4, 4, 4)
        >>> torch.nn.functional.conv_transpose3d(image, weight, stride=2, padding=1).shape
        torch.Size([1, 6, 16, 16, 16])
    """
    arguments = (stride, padding, output_padding, groups, dilation)
    return functions.conv_transpose3d(input, weight, bias, *arguments)


@overridable
def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The windows of images as columns.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: the size of a window: one number, or two.
        dilation: the distance of the elements of a window.
        padding: zeros added at both ends.
        stride: the step from window to window.

    Shape:
        Output: (N, C * prod(kernel_size), windows).

    Example::

        >>> torch.nn.functional.unfold(torch.arange(6.0).reshape(1, 1, 2, 3), 2)[0, 0]
        tensor([0., 1.])
    """
    pairs = (per_dimension(v, 2) for v in (kernel_size, dilation, padding, stride))
    return nn.im2col(input, *pairs)


@overridable
def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """The sum of columns back into images: the gradient of `unfold`.

    Args:
        input: (N, C * prod(kernel_size), windows).
        output_size: height and width of the images.
        kernel_size: the size of a window: one number, or two.
        dilation: the distance of the elements of a window.
        padding: zeros that were added at both ends.
        stride: the step from window to window.

    Shape:
        Output: (N, C, *output_size).

    Raises:
        RuntimeError: the columns are not as many as the windows.

    Example::

        >>> torch.nn.functional.fold(torch.ones(1, 4, 2), (2, 3), 2)
        tensor([[[[1., 2., 1.],
                  [1., 2., 1.]]]])
    """
    pairs = (per_dimension(v, 2) for v in (output_size, kernel_size, dilation, padding, stride))
    return nn.col2im(input, *pairs)
