"""Tables of vectors."""

from __future__ import annotations

from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class _Table(Module):
    """What `Embedding` and `EmbeddingBag` have in common.

    Args:
        num_embeddings: how many rows there are.
        embedding_dim: the size of a row.
        max_norm: rows that are used are first shortened to this norm, in place; None changes
            nothing.
        norm_type: the p of that norm.
        scale_grad_by_freq: whether the gradient of a row is divided by how often the batch has it.
        sparse: whether the gradient is a sparse tensor.
        device, dtype: of the table.

    Attributes:
        weight: (num_embeddings, embedding_dim), normal with mean 0 and variance 1.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None,
        max_norm: float | None,
        norm_type: float,
        scale_grad_by_freq: bool,
        sparse: bool,
        weight: Tensor | None,
        device: Any,
        dtype: Any,
        freeze: bool = False,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        shape = (num_embeddings, embedding_dim)
        if weight is None:
            self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
            self.reset_parameters()
            return
        if tuple(weight.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        # Integers have no gradient, and may be frozen.
        self.weight = Parameter(weight, requires_grad=not freeze)

    def reset_parameters(self) -> None:
        """Normal; the padding row is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, **kwargs: Any) -> Any:
        """A table with given rows, which `freeze` keeps as they are."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        if issubclass(cls, Embedding):
            return cls(rows, columns, _weight=embeddings, _freeze=freeze, **kwargs)
        table = cls(rows, columns, _weight=embeddings, **kwargs)  # type: ignore[call-arg]
        table.weight.requires_grad_(not freeze)
        return table

    def _repr_tail(self) -> str:
        text = "" if self.max_norm is None else f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            text += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq:
            text += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        return text + (", sparse=True" if self.sparse else "")


@documented_by(_Table)
class Embedding(_Table):
    """The rows of a table that the input numbers.

    Args:
        padding_idx: a row that is 0 at first and gets no gradient.

    Shape:
        Input: any shape, of int32 or int64. Output: (*input, embedding_dim).

    Raises:
        AssertionError: `padding_idx` is no row.
        IndexError: a number is no row.

    Example::

        >>> table = torch.nn.Embedding.from_pretrained(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> table(torch.tensor([1, 0, 1]))
        tensor([[3., 4.],
                [1., 2.],
                [3., 4.]])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            num_embeddings,
            embedding_dim,
            padding_idx,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            sparse,
            _weight,
            device,
            dtype,
            _freeze,
        )
        if _freeze:
            self.weight.requires_grad_(False)

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            text += f", padding_idx={self.padding_idx}"
        return text + self._repr_tail()


@documented_by(_Table)
class EmbeddingBag(_Table):
    """The sum, mean or maximum of the rows of a table in each bag.

    Args:
        mode: "sum", "mean" or "max".
        include_last_offset: whether the last offset is the end of the last bag.
        padding_idx: a row that counts in no bag and gets no gradient.

    Shape:
        Input: (B, n), each row a bag; or (n,) with offsets, (B,), where bags begin. Weights of
            samples: as the input, for "sum" alone. Output: (B, embedding_dim).

    Raises:
        AssertionError: `padding_idx` is no row.

    Example::

        >>> table = torch.nn.EmbeddingBag.from_pretrained(torch.tensor([[1.0], [3.0]]), mode="sum")
        >>> table(torch.tensor([0, 1, 1]), torch.tensor([0, 2]))
        tensor([[4.],
                [3.]])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            num_embeddings,
            embedding_dim,
            padding_idx,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            sparse,
            _weight,
            device,
            dtype,
        )
        self.mode = mode
        self.include_last_offset = include_last_offset

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}{self._repr_tail()}"
        text += f", mode={self.mode!r}"
        if self.padding_idx is not None:
            text += f", padding_idx={self.padding_idx}"
        return text
