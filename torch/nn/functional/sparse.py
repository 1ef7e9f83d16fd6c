"""Tables of vectors."""

from __future__ import annotations

import torch
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions, nn


@overridable
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Vectors with a one at the given places.

    Args:
        tensor: the places, int64, of any shape.
        num_classes: the size of the vectors; one more than the largest place if -1.

    Shape:
        Output: (*tensor, num_classes), int64.

    Raises:
        RuntimeError: a place is negative or not less than `num_classes`.

    Example::

        >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
        tensor([[1, 0, 0],
                [0, 0, 1]])
    """
    return nn.one_hot(tensor, num_classes)


def _renormalise(weight: Tensor, rows: Tensor, max_norm: float, norm_type: float) -> None:
    """Scales the rows of a table that are longer than `max_norm`, in place."""
    with torch.no_grad():
        used = torch.unique(rows)
        chosen = weight.index_select(0, used)
        length = chosen.norm(norm_type, 1, keepdim=True)
        scale = torch.where(length > max_norm, max_norm / (length + 1e-7), torch.ones_like(length))
        weight[used] = chosen * scale


def _padding_row(padding_idx: int | None, rows: int) -> int:
    """The row without gradient, counted from the start; -1 for none."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % rows


@overridable
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` that `input` numbers.

    Args:
        input: int32 or int64, of any shape.
        weight: the table, (rows, D).
        padding_idx: a row that gets no gradient.
        max_norm: rows that are used are first shortened to this norm, in place; None changes
            nothing.
        norm_type: the p of that norm.
        scale_grad_by_freq: whether the gradient of a row is divided by how often the input has it.
        sparse: whether the gradient of `weight` is a sparse tensor.

    Shape:
        Output: (*input, D).

    Raises:
        IndexError: a number is no row.

    Example::

        >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> torch.nn.functional.embedding(torch.tensor([1, 0]), table)
        tensor([[3., 4.],
                [1., 2.]])
    """
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    padding = _padding_row(padding_idx, weight.size(0))
    if max_norm is not None:
        _renormalise(weight, input.reshape(-1), max_norm, norm_type)
    return functions.embedding(weight, input, padding, scale_grad_by_freq, sparse)


@overridable
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The sum, mean or maximum of the rows in each bag.

    Args:
        input: (B, n), each row a bag, or (n,) with `offsets`; int32 or int64.
        weight: the table, (rows, D).
        offsets: where the bags of a one-dimensional input begin, (B,).
        max_norm: rows that are used are first shortened to this norm, in place; None changes
            nothing.
        norm_type: the p of that norm.
        scale_grad_by_freq: whether the gradient of a row is divided by how often the input has it.
        mode: "sum", "mean" or "max".
        sparse: whether the gradient of `weight` is a sparse tensor.
        per_sample_weights: factors of the rows, of the shape of the input, for "sum" alone.
        include_last_offset: whether the last offset is the end of the last bag.
        padding_idx: a row that counts in no bag and gets no gradient.

    Shape:
        Output: (B, D).

    Raises:
        ValueError: offsets that do not fit the input, or an unknown mode.
        RuntimeError: `padding_idx` is no row.
        NotImplementedError: `per_sample_weights` with another mode than "sum".

    Example::

        >>> table = torch.tensor([[1.0], [3.0]])
        >>> numbers, offsets = torch.tensor([0, 1, 1]), torch.tensor([0, 2])
        >>> torch.nn.functional.embedding_bag(numbers, table, offsets, mode="sum")
        tensor([[4.],
                [3.]])
    """
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            f"embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same shape as the input ({input.shape})"
        )
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                f"if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found offsets of type {type(offsets)}"
            )
        offsets = torch.arange(0, input.numel(), input.size(1), device=input.device)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
        include_last_offset = False
    elif input.dim() != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}"
        )
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if max_norm is not None:
        _renormalise(weight, input, max_norm, norm_type)
    return functions.embedding_bag(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        ("sum", "mean", "max").index(mode),
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )[0]
