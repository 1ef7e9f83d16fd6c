"""Windows of images as columns."""

from __future__ import annotations

from typing import Any

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class Unfold(Module):
    """The windows of images as columns.

    Args:
        kernel_size: the size of a window: one number, or two.
        dilation: the distance of the elements of a window.
        padding: zeros added at both ends.
        stride: the step from window to window.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: (N, C * prod(kernel_size), windows).

    Example::

        >>> torch.nn.Unfold(2)(torch.arange(6.0).reshape(1, 1, 2, 3))
        tensor([[[0., 1.],
                 [1., 2.],
                 [3., 4.],
                 [4., 5.]]])
    """

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, "
            f"stride={self.stride}"
        )


class Fold(Unfold):
    """The sum of columns back into images: the gradient of `Unfold`.

    Args:
        output_size: height and width of the images.
        kernel_size: the size of a window: one number, or two.
        dilation: the distance of the elements of a window.
        padding: zeros that were added at both ends.
        stride: the step from window to window.

    Shape:
        Input: (N, C * prod(kernel_size), windows). Output: (N, C, *output_size).

    Raises:
        RuntimeError: the columns are not as many as the windows.

    Example::

        >>> torch.nn.Fold((2, 3), 2)(torch.ones(1, 4, 2))
        tensor([[[[1., 2., 1.],
                  [1., 2., 1.]]]])
    """

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__(kernel_size, dilation, padding, stride)
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, {super().extra_repr()}"
