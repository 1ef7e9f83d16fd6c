"""Changes of shape."""

from __future__ import annotations

from collections.abc import Sequence

from torch._tensor import Tensor
from torch.nn.modules.module import Module


class Flatten(Module):
    """Joins the dimensions from `start_dim` to `end_dim`.

    Args:
        start_dim, end_dim: the first and the last of them; negative ones count from the end.

    Shape:
        Input: (N, a, b, ...). Output: (N, a * b * ...) by default; a view where strides allow it.

    Raises:
        RuntimeError: `start_dim` comes after `end_dim`.

    Example::

        >>> torch.nn.Flatten()(torch.ones(2, 3, 4)).shape
        torch.Size([2, 12])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Splits a dimension into several.

    Args:
        dim: the dimension.
        unflattened_size: its new sizes; one of them may be -1.

    Shape:
        Input: (..., a * b, ...). Output: (..., a, b, ...), a view.

    Raises:
        RuntimeError: the product of the sizes is not that of the dimension.
        TypeError: the sizes are no tuple or list of ints.

    Example::

        >>> torch.nn.Unflatten(1, (3, -1))(torch.ones(2, 12)).shape
        torch.Size([2, 3, 4])
    """

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
            )
        for place, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    f"unflattened_size must be tuple of ints, but found element of type {type(size).__name__} at pos {place}"
                )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
