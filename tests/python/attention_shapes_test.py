"""What attention of several heads refuses, with PyTorch's words."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

ones = torch.ones


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((ones(3, 2, 8), ones(4, 2, 8), ones(5, 2, 8)), {}, "does not match value shape"),
        ((ones(3, 2, 8), ones(4, 1, 8), ones(4, 1, 8)), {}, "is invalid for input of size 32"),
        ((ones(3, 8), ones(4, 2, 8), ones(4, 2, 8)), {}, "to be 2-D but found 3-D and 3-D tensors"),
        ((ones(3, 2, 8, 1), ones(1), ones(1)), {}, "received 4-D query tensor"),
        ((ones(3, 2, 8),) * 3, {"attn_mask": ones(3, 2)}, "attn_mask is torch.Size.*be .3, 3."),
        ((ones(3, 2, 8),) * 3, {"attn_mask": ones(2, 3, 3)}, "3D attn_mask is .* be .4, 3, 3."),
        ((ones(3, 2, 8),) * 3, {"attn_mask": ones(3)}, "2-D or 3-D but found 1-D tensor"),
        ((ones(3, 8),) * 3, {"attn_mask": ones(3, 3, 3)}, "Expected `attn_mask` shape to be"),
        ((ones(3, 2, 8),) * 3, {"key_padding_mask": ones(2, 2)}, r"shape\[1\] to be 3, but got 2"),
        ((ones(3, 2, 8),) * 3, {"key_padding_mask": ones(3)}, "`None` or 2-D but found 1-D"),
        (
            (ones(3, 2, 8),) * 3,
            {"attn_mask": ones(3, 3, dtype=torch.int64)},
            "only bool and floating types of attn_mask are supported",
        ),
        (
            (ones(3, 2, 8),) * 3,
            {"key_padding_mask": ones(2, 3, dtype=torch.uint8)},
            "only bool and floating types of key_padding_mask are supported",
        ),
        ((ones(3, 2, 8),) * 3, {"is_causal": True}, "Need attn_mask if specifying the is_causal"),
    ],
)
def test_shapes_and_types(arguments: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises((AssertionError, RuntimeError), match=message):
        nn.MultiheadAttention(8, 2)(*arguments, **options)


def test_sizes_of_keys_and_values() -> None:
    layer = nn.MultiheadAttention(8, 2, kdim=4, vdim=6)
    assert layer(ones(3, 2, 8), ones(5, 2, 4), ones(5, 2, 6))[0].shape == (3, 2, 8)
    with pytest.raises(AssertionError, match="expecting key weights shape of"):
        layer(ones(3, 2, 8), ones(5, 2, 8), ones(5, 2, 8))
    with pytest.raises(AssertionError, match="key's sequence and batch dims"):
        layer(ones(3, 2, 8), ones(5, 2, 4), ones(4, 2, 6))


@pytest.mark.parametrize("dropout_free_path", [True, False])
def test_a_mask_and_causality_together(dropout_free_path: bool) -> None:
    q, k, v = (torch.randn(2, 2, n, 4, dtype=torch.float64) for n in (3, 5, 5))
    added = torch.randn(3, 5, dtype=torch.float64)
    causal = torch.ones(3, 5, dtype=torch.bool).tril()
    if not dropout_free_path:  # A mask with a gradient goes another way.
        added.requires_grad_()
    for mask in (added, added.detach() > -1):
        seen = causal if mask.dtype != torch.bool else causal & mask
        scores = q @ k.mT / 2 + (mask if mask.dtype != torch.bool else 0)
        weights = scores.masked_fill(~seen, -float("inf")).softmax(-1).nan_to_num()
        if mask.requires_grad:
            with pytest.raises(RuntimeError, match="attn_mask should not be set when is_causal"):
                nn.functional.scaled_dot_product_attention(q, k, v, mask, is_causal=True)
            continue
        result = nn.functional.scaled_dot_product_attention(q, k, v, mask, is_causal=True)
        torch.testing.assert_close(result, weights @ v)


def test_static_keys_are_refused() -> None:
    layer = nn.MultiheadAttention(8, 2)
    x = ones(3, 2, 8)
    with pytest.raises(NotImplementedError, match="without static_k and static_v"):
        nn.functional.multi_head_attention_forward(
            x, x, x, 8, 2, layer.in_proj_weight, layer.in_proj_bias, None, None, False, 0.0,
            layer.out_proj.weight, layer.out_proj.bias, static_k=ones(4, 3, 4),
        )  # fmt: skip


@pytest.mark.parametrize("sizes", [(3, 0, 4), (0, 3, 4), (3, 2, 0)])
@pytest.mark.parametrize("need_weights", [True, False])
def test_attention_to_nothing(sizes: tuple[int, int, int], need_weights: bool) -> None:
    targets, batch, sources = sizes
    layer = torch.nn.MultiheadAttention(6, 2)
    query, key = torch.rand(targets, batch, 6), torch.rand(sources, batch, 6)
    found, weights = layer(query, key, key, need_weights=need_weights)
    assert found.shape == query.shape
    if need_weights:
        assert weights.shape == (batch, targets, sources)
    if sources:
        assert torch.nn.TransformerEncoderLayer(6, 2)(query).shape == query.shape
