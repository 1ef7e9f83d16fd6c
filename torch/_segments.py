"""Gradients of the extremes and products of parts of a tensor."""

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


class Products(Function):
    """Products of parts, with a gradient that is right beside zeros and NaN.

    The gradient of x_i is the product of the others: the result divided by x_i, unless x_i is 0 or
    NaN. Then it is the product of the others itself.
    """

    @staticmethod
    def forward(ctx: Any, data: Tensor, start: Tensor, index: Tensor, axis: int) -> Tensor:
        """`start` times the elements of `data` that `index` gives to each part along `axis`."""
        result = start.scatter_reduce(axis, index, data, "prod")
        ctx.save_for_backward(data, result, start, index)
        ctx.axis = axis
        return result

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        """The gradient of `data`."""
        data, result, start, index = ctx.saved_tensors
        axis = ctx.axis
        is_nan = data.isnan()
        special = is_nan | (data == 0)

        def others(mask: Tensor) -> Tensor:
            """How many elements of the mask there are in the part, without the element itself."""
            count = index.new_zeros(result.shape).scatter_add(axis, index, mask.to(index.dtype))
            return count.gather(axis, index) - mask.to(index.dtype)

        plain = data.masked_fill(special, 1)
        product = start.scatter_reduce(axis, index, plain, "prod").gather(axis, index)
        product = product * (others(special & ~is_nan) == 0)
        product = product.masked_fill(others(is_nan) > 0, float("nan"))
        quotient = result.gather(axis, index) / plain
        return grad.gather(axis, index) * product.where(special, quotient), None, None, None


__all__ = ["Extremes", "Products"]
