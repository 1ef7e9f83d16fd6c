"""Attention of several heads."""

from __future__ import annotations

from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """A Linear layer, under the name that PyTorch prints."""


class MultiheadAttention(Module):
    """concat(head_1, ..., head_h) W_o with head_i = attention(Q W_q, K W_k, V W_v) (Vaswani et al.
    2017, arXiv:1706.03762).

    Each head computes `torch.nn.functional.scaled_dot_product_attention` on E / h features. Masks
    are True where nobody may look, or numbers that are added to the scores.

    Args:
        embed_dim: E, the features of query and output.
        num_heads: h, which divides E.
        dropout: the probability of zeros among the weights, while training.
        bias: whether projections have biases.
        add_bias_kv: whether a learnt position is added to keys and values.
        add_zero_attn: whether a position of zeros is added to keys and values.
        kdim, vdim: the features of key and value; E if None.
        batch_first: whether tensors are (N, length, E) instead of (length, N, E).
        device, dtype: of the parameters.

    Shape:
        Query: (L, N, E). Key and value: (S, N, kdim) and (S, N, vdim). Output: (L, N, E), and the
            weights, (N, L, S), the mean of the heads unless `average_attn_weights=False`. Without a
            batch: the same without N.

    Raises:
        ValueError: `embed_dim` or `num_heads` is not positive.
        AssertionError: h does not divide E.

    Example::

        >>> attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2)
        >>> x = torch.ones(5, 3, 8)
        >>> output, weights = attention(x, x, x)
        >>> output.shape, weights.shape
        (torch.Size([5, 3, 8]), torch.Size([3, 5, 5]))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        def parameter(*shape: int) -> Parameter:
            return Parameter(torch.empty(shape, device=device, dtype=dtype))

        same = self._qkv_same_embed_dim
        for name, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            weight = None if same else parameter(embed_dim, size)
            self.register_parameter(f"{name}_proj_weight", weight)
        projection = parameter(3 * embed_dim, embed_dim) if same else None
        self.register_parameter("in_proj_weight", projection)
        self.register_parameter("in_proj_bias", parameter(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        for name in ("bias_k", "bias_v"):
            extra = parameter(1, 1, embed_dim) if add_bias_kv else None
            self.register_parameter(name, extra)
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        names = ("in_proj", "q_proj", "k_proj", "v_proj")
        for weight in (self._parameters[f"{name}_weight"] for name in names):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for name in ("bias_k", "bias_v"):
            if self._parameters[name] is not None:
                init.xavier_normal_(self._parameters[name])

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        swap = self.batch_first and query.dim() == 3
        if swap:
            query, key, value = (x.transpose(0, 1) for x in (query, key, value))
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            self.training,
            key_padding_mask,
            need_weights,
            attn_mask,
            not self._qkv_same_embed_dim,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return output.transpose(0, 1) if swap else output, weights
