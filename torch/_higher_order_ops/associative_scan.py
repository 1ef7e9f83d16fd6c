"""Scans with a function that combines two elements."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import torch
from torch._tensor import Tensor
from torch.utils._pytree import tree_flatten, tree_unflatten


def associative_scan(
    combine_fn: Callable[[Any, Any], Any],
    xs: Any,
    dim: int,
    reverse: bool = False,
    combine_mode: str = "pointwise",
) -> Any:
    """y_0 = x_0 and y_i = combine_fn(y_{i-1}, x_i), the x_i slices of `xs` along `dim`.

    The elements are combined one after the other; PyTorch combines neighbours first, so results
    differ by rounding where `combine_fn` is associative but for that.

    Args:
        combine_fn: an associative function of two elements, which gives an element.
        xs: a tensor, or tensors nested in tuples, lists and dicts, of one size along `dim`. An
            element has the same structure, without `dim`.
        dim: the dimension of the scan.
        reverse: from the last element to the first.
        combine_mode: "generic", or "pointwise" for tensors on CUDA.

    Returns:
        The structure and the shapes of `xs`.

    Raises:
        ValueError: an argument is not as above.
        IndexError: the first tensor has no dimension `dim`.
        RuntimeError: `combine_fn` gives another number of tensors.

    Example::

        >>> from torch._higher_order_ops.associative_scan import associative_scan
        >>> x = torch.tensor([1.0, 2.0, 3.0])
        >>> associative_scan(lambda a, b: a * b, x, 0, combine_mode="generic")
        tensor([1., 2., 6.])
    """
    leaves, spec = tree_flatten(xs)
    dim = _checked(combine_fn, leaves, dim, reverse, combine_mode)

    def combine(left: list[Tensor], right: list[Tensor]) -> list[Tensor]:
        found, _ = tree_flatten(combine_fn(tree_unflatten(left, spec), tree_unflatten(right, spec)))
        if len(found) != len(leaves):
            raise RuntimeError(
                f"combine_fn gives {len(found)} tensors, and elements of xs have {len(leaves)}"
            )
        return found

    elements: Any = zip(*(leaf.unbind(dim) for leaf in leaves), strict=True)
    scanned = list(accumulate(reversed(list(elements)) if reverse else elements, combine))
    columns = zip(*(reversed(scanned) if reverse else scanned), strict=True)
    return tree_unflatten([torch.stack(column, dim) for column in columns], spec)


def _checked(combine_fn: Any, leaves: list[Any], dim: Any, reverse: Any, combine_mode: Any) -> int:
    """`dim`, not negative; an error where an argument is wrong."""
    if not callable(combine_fn):
        raise ValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(dim, int):
        raise ValueError(f"Dim must be an int, but got {type(dim)}")
    if not isinstance(reverse, bool):
        raise RuntimeError(f"Reverse must be a bool, but got {type(reverse)}")
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(
            f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}"
        )
    if not leaves:
        raise ValueError("Expected at least 1 xs leaf")
    if any(not isinstance(leaf, Tensor) for leaf in leaves):
        raise ValueError("xs leaves must be a Tensor")
    if combine_mode == "pointwise" and not all(leaf.is_cuda for leaf in leaves):
        raise ValueError(
            "For combine_mode='pointwise', all input tensors need to be on CUDA or XPU"
        )
    dims = leaves[0].dim()
    if not -dims <= dim < dims:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-dims}, {dims - 1}], but got {dim})"
        )
    dim %= dims
    if any(leaf.dim() <= dim or leaf.shape[dim] == 0 for leaf in leaves):
        raise ValueError(
            "All xs leaves must at least have 'dim' number of dimensions and scan dimension > 0"
        )
    if len({leaf.shape[dim] for leaf in leaves}) > 1:
        raise ValueError(f"xs leaves must have one size along dimension {dim}")
    return dim


__all__ = ["associative_scan"]
