"""Masks of causal attention as objects."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import torch
from torch._tensor import Tensor


class CausalVariant(IntEnum):
    """Where the triangle of a causal mask lies that has more keys than queries, or fewer.

    Attributes:
        UPPER_LEFT: position i of the query sees the positions up to i of the key.
        LOWER_RIGHT: the last position of the query sees all of the key, the one before it all but
            one.
    """

    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(Tensor):
    """The mask (seq_len_q, seq_len_kv) of a variant; `scaled_dot_product_attention` takes it as
    `attn_mask` without making it where it is square.

    Example::

        >>> from torch.nn.attention.bias import causal_lower_right
        >>> causal_lower_right(2, 3)._materialize().int()
        tensor([[1, 1, 0],
                [1, 1, 1]], dtype=torch.int32)
    """

    variant: CausalVariant
    seq_len_q: int
    seq_len_kv: int

    def __new__(cls, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> CausalBias:
        return Tensor._make_subclass(cls, torch.empty(0), False)

    def __init__(self, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> None:
        if not isinstance(variant, CausalVariant):
            raise AssertionError(f"variant must be a CausalVariant, but got {variant!r}")
        self.variant = variant
        self.seq_len_q = seq_len_q
        self.seq_len_kv = seq_len_kv

    def _materialize(self, device: Any = None) -> Tensor:
        """The mask as a tensor of bools; True where attention goes."""
        lower = self.variant is CausalVariant.LOWER_RIGHT
        shift = self.seq_len_kv - self.seq_len_q if lower else 0
        ones = torch.ones(self.seq_len_q, self.seq_len_kv, device=device, dtype=torch.bool)
        return ones.tril(shift)

    def __repr__(self, *, tensor_contents: str | None = None) -> str:  # type: ignore[override]
        return (
            f"CausalBias({self.variant.name}, seq_len_q={self.seq_len_q}, "
            f"seq_len_kv={self.seq_len_kv})"
        )

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        attention = torch.nn.functional.scaled_dot_product_attention
        if func is not attention:
            return torch._C._disabled_torch_function_impl(func, types, args, kwargs or {})

        def call(
            query: Tensor,
            key: Tensor,
            value: Tensor,
            attn_mask: Any = None,
            dropout_p: float = 0.0,
            is_causal: bool = False,
            **options: Any,
        ) -> Tensor:
            if is_causal:
                raise ValueError("CausalBias should not be used with causal=True")
            if attn_mask.seq_len_q == attn_mask.seq_len_kv:
                return attention(query, key, value, None, dropout_p, True, **options)
            mask = attn_mask._materialize(query.device)
            return attention(query, key, value, mask, dropout_p, False, **options)

        return call(*args, **(kwargs or {}))


def causal_upper_left(*size: int) -> CausalBias:
    """The mask whose triangle begins in the upper left corner: position i of the query sees the
    positions up to i of the key.

    Args:
        size: seq_len_q and seq_len_kv.

    Raises:
        AssertionError: not two sizes.

    Example::

        >>> from torch.nn.attention.bias import causal_upper_left
        >>> causal_upper_left(2, 3)._materialize().int()
        tensor([[1, 0, 0],
                [1, 1, 0]], dtype=torch.int32)
    """
    if len(size) != 2:
        raise AssertionError("causal_upper_left only supports 2D tensors")
    return CausalBias(CausalVariant.UPPER_LEFT, *size)


def causal_lower_right(*size: int) -> CausalBias:
    """The mask whose triangle ends in the lower right corner: the last position of the query sees
    the whole key, as a decoder with cached keys needs it.

    Args:
        size: seq_len_q and seq_len_kv.

    Raises:
        AssertionError: not two sizes.

    Example::

        >>> from torch.nn.attention.bias import causal_lower_right
        >>> causal_lower_right(2, 3)._materialize().int()
        tensor([[1, 1, 0],
                [1, 1, 1]], dtype=torch.int32)
    """
    if len(size) != 2:
        raise AssertionError("causal_lower_right only supports 2D tensors")
    return CausalBias(CausalVariant.LOWER_RIGHT, *size)


__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]
