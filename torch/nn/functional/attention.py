"""Attention."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.dropout import dropout
from torch.nn.functional.native import functions, nn

linear = nn.linear


@overridable
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """y_o = x1^T W_o x2 + b_o.

    Args:
        input1, input2: x1 and x2, (..., I1) and (..., I2).
        weight: W, (O, I1, I2).
        bias: b, (O,).

    Shape:
        Output: (..., O).

    Raises:
        RuntimeError: the shapes do not fit.

    Example::

        >>> x1, x2, weight = torch.ones(5, 2), torch.ones(5, 3), torch.ones(4, 2, 3)
        >>> torch.nn.functional.bilinear(x1, x2, weight).shape
        torch.Size([5, 4])
    """
    return functions.bilinear(input1, input2, weight, bias)


@overridable
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(Q K^T scale + mask) V (Vaswani et al. 2017, arXiv:1706.03762).

    Args:
        query: Q, (..., L, E).
        key: K, (..., S, E).
        value: V, (..., S, Ev).
        attn_mask: broadcasts to (..., L, S): bools are True where attention goes, numbers are
            added.
        dropout_p: the probability of zeros among the weights; it holds outside training too.
        is_causal: whether position i sees positions up to i alone, and of these what `attn_mask`
            lets through.
        scale: the factor of the scores; 1 / sqrt(E) if None.
        enable_gqa: whether heads of key and value, dimension -3, are repeated to as many as those
            of the query.

    Shape:
        Output: (..., L, Ev).

    Raises:
        RuntimeError: shapes or dtypes that do not fit.

    Example::

        >>> q, k, v = torch.zeros(1, 2, 4), torch.zeros(1, 2, 4), torch.tensor([[[1.0], [3.0]]])
        >>> torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        tensor([[[1.],
                 [2.]]])
    """
    return nn.scaled_dot_product_attention(
        query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
    )


@overridable
def merge_masks(
    attn_mask: Tensor | None,
    key_padding_mask: Tensor | None,
    batch: int,
    heads: int,
    like: Tensor,
) -> Tensor | None:
    """Two masks as one that is added to the scores.

    Args:
        attn_mask: (target, source) or (batch * heads, target, source); bool, True meaning "look
            away", or numbers to add.
        key_padding_mask: (batch, source), in the same way.
        batch, heads: their sizes.
        like: has the dtype and the device of the result.

    Returns:
        (batch or 1, heads or 1, target or 1, source), with -inf for "look away"; a 2-d `attn_mask`
        alone stays 2-d. None of two None.
    """
    merged = None
    for mask, is_padding in ((attn_mask, False), (key_padding_mask, True)):
        if mask is None:
            continue
        if mask.dtype is torch.bool:
            zeros = torch.zeros(mask.shape, dtype=like.dtype, device=like.device)
            mask = zeros.masked_fill(mask, float("-inf"))
        if is_padding:
            mask = mask.reshape(batch, 1, 1, mask.size(-1))
        elif mask.dim() == 3:
            mask = mask.reshape(batch, heads, mask.size(-2), mask.size(-1))
        merged = mask if merged is None else merged + mask
    return merged


@overridable
def multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    heads: int,
    weights: tuple[Tensor, Tensor, Tensor],
    biases: tuple[Tensor | None, Tensor | None, Tensor | None],
    out_weight: Tensor,
    out_bias: Tensor | None,
    extra: tuple[Tensor, Tensor] | None = None,
    add_zero_attn: bool = False,
    attn_mask: Tensor | None = None,
    key_padding_mask: Tensor | None = None,
    is_causal: bool = False,
    dropout_p: float = 0.0,
    need_weights: bool = False,
    average_weights: bool = True,
) -> tuple[Tensor, Tensor | None]:
    """Attention of several heads on (batch, length, embedding) tensors, and its weights.

    `extra` is one more key and value that everybody sees, `add_zero_attn` one of zeros.
    """
    batch, target = query.size(0), query.size(1)
    projected: list[Tensor] = [
        linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)
    ]
    if extra is not None:
        for i, more in enumerate(extra, 1):
            projected[i] = torch.cat([projected[i], more.expand(batch, 1, -1)], 1)
    if add_zero_attn:
        for i in (1, 2):
            zeros = torch.zeros_like(projected[i][:, :1])
            projected[i] = torch.cat([projected[i], zeros], 1)
    added = projected[1].size(1) - key.size(1)
    mask = merge_masks(attn_mask, key_padding_mask, batch, heads, query)
    if mask is not None and added:
        from torch.nn.functional.padding import pad

        mask = pad(mask, (0, added))
    q, k, v = (
        x.reshape(batch, x.size(1), heads, x.size(2) // heads).transpose(1, 2) for x in projected
    )
    scores: Tensor | None = None
    if need_weights:
        products = torch.matmul(q / math.sqrt(q.size(-1)), k.transpose(-2, -1))
        scores = (products if mask is None else products + mask).softmax(-1)
        if dropout_p > 0:
            scores = dropout(scores, dropout_p)
        mixed = torch.matmul(scores, v)
    else:
        causal = is_causal and key_padding_mask is None and not added
        mixed = scaled_dot_product_attention(q, k, v, None if causal else mask, dropout_p, causal)
    # Positions go first in memory, as in PyTorch: dropout draws its numbers in that order.
    joined = mixed.permute(2, 0, 1, 3).reshape(target, batch, heads * v.size(-1))
    result = linear(joined, out_weight, out_bias).transpose(0, 1)
    if scores is not None and average_weights:
        scores = scores.mean(1)
    return result, scores


def _require(condition: bool, message: str, *shapes: Any) -> None:
    if not condition:
        raise AssertionError(message.format(*shapes))


def _check_dimensions(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    heads: int,
) -> None:
    """Raises AssertionError, as PyTorch does, for numbers of dimensions that are not taken, and for
    masks of other types than bool and floating point."""
    for name, mask in (("attn_mask", attn_mask), ("key_padding_mask", key_padding_mask)):
        usual = mask is None or mask.dtype is torch.bool or mask.is_floating_point()
        _require(usual, "only bool and floating types of {} are supported", name)
    _require(
        query.dim() in (2, 3),
        "query should be unbatched 2D or batched 3D tensor but received {}-D query tensor",
        query.dim(),
    )
    batched = query.dim() == 3
    who = "For batched (3-D) `query`" if batched else "For unbatched (2-D) `query`"
    _require(
        key.dim() == query.dim() and value.dim() == query.dim(),
        who
        + ", expected `key` and `value` to be {}-D but found {}-D and {}-D tensors respectively",
        query.dim(),
        key.dim(),
        value.dim(),
    )
    if key_padding_mask is not None:
        _require(
            key_padding_mask.dim() == query.dim() - 1,
            who
            + ", expected `key_padding_mask` to be `None` or {}-D but found {}-D tensor instead",
            query.dim() - 1,
            key_padding_mask.dim(),
        )
    if attn_mask is not None:
        _require(
            attn_mask.dim() in (2, 3),
            who + ", expected `attn_mask` to be `None`, 2-D or 3-D but found {}-D tensor instead",
            attn_mask.dim(),
        )
        if attn_mask.dim() == 3 and not batched:
            shape = (heads, query.shape[0], key.shape[0])
            _require(
                attn_mask.shape == shape,
                "Expected `attn_mask` shape to be {} but got {}",
                shape,
                attn_mask.shape,
            )


def _check_shapes(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    heads: int,
    weights: Any,
    same_embedding: bool,
) -> None:
    """Raises for (length, batch, embedding) tensors and masks that do not fit to each other."""
    target, batch, embedding = query.shape
    source = key.size(0)
    if same_embedding:
        message = "key shape {} does not match value shape {}"
        _require(key.shape == value.shape, message, key.shape, value.shape)
    else:
        message = "key's sequence and batch dims {} do not match value's {}"
        _require(key.shape[:2] == value.shape[:2], message, key.shape[:2], value.shape[:2])
        names = zip(("query", "key", "value"), weights, (query, key, value), strict=True)
        for name, weight, x in names:
            shape = (embedding, x.size(-1))
            message = f"expecting {name} weights shape of {{}}, but got {{}}"
            _require(weight.shape == shape, message, shape, weight.shape)
    if key.size(1) != batch:
        raise RuntimeError(
            f"shape '{[source, batch * heads, embedding // heads]}' is invalid for input of size {key.numel()}"
        )
    if key_padding_mask is not None:
        for dim, size in ((0, batch), (1, source)):
            _require(
                key_padding_mask.size(dim) == size,
                "Expected key_padded_mask.shape[{}] to be {}, but got {}",
                dim,
                size,
                key_padding_mask.size(dim),
            )
    if attn_mask is not None:
        expected = (target, source)
        if attn_mask.dim() == 3:
            expected = (batch * heads, target, source)  # type: ignore[assignment]
        if attn_mask.shape != expected:
            raise RuntimeError(
                f"The shape of the {attn_mask.dim()}D attn_mask is {attn_mask.shape}, but should be {expected}."
            )


@overridable
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What `torch.nn.MultiheadAttention` computes, with its parameters as arguments: projections of
    query, key and value, attention of each head (Vaswani et al. 2017, arXiv:1706.03762), a
    projection of the heads' results.

    Args:
        query: (L, N, E), or (L, E) without a batch.
        key: (S, N, Ek).
        value: (S, N, Ev).
        embed_dim_to_check: E.
        num_heads: divides E.
        in_proj_weight: (3 E, E), the three projections; unread with `use_separate_proj_weight`.
        in_proj_bias: (3 E,).
        bias_k: (1, 1, E), a position that is added to the projected keys.
        bias_v: the same of the values.
        add_zero_attn: whether a position of zeros is added to both.
        dropout_p: the probability of zeros among the weights in training.
        out_proj_weight: (E, E).
        out_proj_bias: (E,).
        training: whether there is dropout.
        key_padding_mask: (N, S), True or -inf at positions that nobody sees.
        need_weights: whether the weights are returned too.
        attn_mask: (L, S) or (N num_heads, L, S); bools are True where no attention goes, numbers
            are added.
        use_separate_proj_weight: whether the next three are the projections.
        q_proj_weight: (E, E).
        k_proj_weight: (E, Ek).
        v_proj_weight: (E, Ev).
        static_k: refused unless None.
        static_v: refused unless None.
        average_attn_weights: whether the returned weights are the mean over the heads.
        is_causal: says that `attn_mask` is the causal mask; it needs one.

    Returns:
        The result, (L, N, E), and the weights, (N, L, S) or (N, num_heads, L, S), or None.

    Raises:
        RuntimeError, AssertionError: shapes or masks that do not fit.
        NotImplementedError: `static_k` or `static_v`.

    Example::

        >>> x, eye = torch.ones(2, 1, 2), torch.eye(2)
        >>> result, weights = torch.nn.functional.multi_head_attention_forward(
        ...     x, x, x, 2, 1, eye.repeat(3, 1), None, None, None, False, 0.0, eye, None)
        >>> result.shape, weights
        (torch.Size([2, 1, 2]), tensor([[[0.5000, 0.5000],
                 [0.5000, 0.5000]]]))
    """
    _check_dimensions(query, key, value, key_padding_mask, attn_mask, num_heads)
    if static_k is not None or static_v is not None:
        raise NotImplementedError(
            "multi_head_attention_forward: this release is without static_k and static_v; pass keys and values, and weights that leave them as they are"
        )
    unbatched = query.dim() == 2
    if unbatched:
        query, key, value = (x.unsqueeze(1) for x in (query, key, value))
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    if query.size(-1) != embed_dim_to_check:
        raise AssertionError(
            f"was expecting embedding dimension of {embed_dim_to_check}, but got {query.size(-1)}"
        )
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method `generate_square_subsequent_mask` to create this mask."
        )
    weights: Any
    if use_separate_proj_weight:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    else:
        assert in_proj_weight is not None
        weights = in_proj_weight.chunk(3)
    _check_shapes(
        query,
        key,
        value,
        key_padding_mask,
        attn_mask,
        num_heads,
        weights,
        not use_separate_proj_weight,
    )
    biases: Any = (None,) * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
    extra = None if bias_k is None or bias_v is None else (bias_k, bias_v)
    result, scores = multi_head_attention(
        query.transpose(0, 1),
        key.transpose(0, 1),
        value.transpose(0, 1),
        num_heads,
        weights,
        biases,
        out_proj_weight,
        out_proj_bias,
        extra,
        add_zero_attn,
        attn_mask,
        key_padding_mask,
        is_causal and not need_weights,
        dropout_p if training else 0.0,
        need_weights,
        average_attn_weights,
    )
    result = result.transpose(0, 1)
    if unbatched:
        return result.squeeze(1), None if scores is None else scores.squeeze(0)
    return result, scores
