"""The gradient of the largest and smallest elements of parts of a tensor."""

from __future__ import annotations

from typing import Any

from torch._tensor import Tensor
from torch.autograd.function import Function


class Extremes(Function):
    """Extremes that are known already, with the gradient of those elements that are equal to them.

    Equal elements of a part share its gradient. NaN counts as equal to NaN, which is the extreme of
    a part that contains it.
    """

    @staticmethod
    def forward(ctx: Any, data: Tensor, result: Tensor, index: Tensor, axis: int) -> Tensor:
        """`result`; its element `index` along `axis` belongs to that of `data`."""
        ctx.save_for_backward(data, result, index)
        ctx.axis = axis
        return result.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        """The gradient of `data`."""
        data, result, index = ctx.saved_tensors
        chosen = ((data == result.gather(ctx.axis, index)) | data.isnan()).to(grad.dtype)
        count = grad.new_zeros(result.shape).scatter_add(ctx.axis, index, chosen).clamp(min=1)
        return (grad / count).gather(ctx.axis, index) * chosen, None, None, None


__all__ = ["Extremes"]
