"""Attention."""

from __future__ import annotations

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional


# (batch, heads, queries, keys, features): whole tiles, parts of them, one query, long, one more
# than two tiles, more tiles of keys than have places in shared memory, few keys for many queries.
ATTENTIONS = [
    (2, 3, 64, 64, 64),
    (1, 2, 65, 129, 64),
    (2, 1, 1, 200, 128),
    (1, 2, 100, 37, 40),
    (1, 1, 300, 300, 96),
    (2, 2, 7, 5, 16),
    (1, 1, 257, 129, 128),
    (1, 1, 70, 640, 64),
    (1, 1, 260, 3, 8),
]


def attention_inputs(shape: tuple[int, ...], dtype: torch.dtype) -> list[torch.Tensor]:
    batch, heads, queries, keys, features = shape
    return [
        gen.random((batch, heads, n, features), dtype, -1.5, 1.5) for n in (queries, keys, keys)
    ]


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("shape", ATTENTIONS, ids=str)
def test_attention(
    shape: tuple[int, ...], causal: bool, dtype: torch.dtype, device: torch.device
) -> None:
    tensors = attention_inputs(shape, dtype)
    here = [gen.leaf(t) for t in tensors]
    there = [gen.leaf(t, device) for t in tensors]
    expected = F.scaled_dot_product_attention(*here, is_causal=causal)
    out = F.scaled_dot_product_attention(*there, is_causal=causal)
    gen.assert_close(out, expected, dtype, "attention")
    grad = gen.random(tuple(expected.shape), dtype, -1, 1)
    expected.backward(grad.double())
    out.backward(grad.to(device))
    for name, a, b in zip("qkv", there, here, strict=True):
        gen.assert_close(a.grad, b.grad, dtype, f"gradient of {name}", factor=2, scale=2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_attention_masks(dtype: torch.dtype, device: torch.device) -> None:
    tensors = attention_inputs((2, 3, 70, 90, 64), dtype)
    allowed = torch.rand(2, 1, 70, 90) < 0.5
    allowed[:, :, 5] = False  # a query that sees nothing
    added = gen.random((70, 90), dtype)
    row = gen.random((2, 3, 1, 90), dtype)
    for mask in (allowed, added, row):
        here = mask if mask.dtype == torch.bool else mask.double()
        expected = F.scaled_dot_product_attention(*gen.wide(tensors), attn_mask=here)
        out = F.scaled_dot_product_attention(
            *[t.to(device) for t in tensors], attn_mask=mask.to(device)
        )
        gen.assert_close(out, expected, dtype, "attention with a mask", factor=2)


def test_attention_layouts(device: torch.device) -> None:
    """Heads that are slices of one projection, as in a transformer."""
    projection = gen.random((2, 50, 3, 4, 64), torch.bfloat16, -1, 1)
    here = [t.transpose(1, 2) for t in projection.double().unbind(2)]
    there = [t.transpose(1, 2) for t in projection.to(device).unbind(2)]
    gen.assert_close(
        F.scaled_dot_product_attention(*there, is_causal=True),
        F.scaled_dot_product_attention(*here, is_causal=True),
        torch.bfloat16,
        "slices of a projection",
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_attention_of_shared_heads(dtype: torch.dtype, device: torch.device) -> None:
    """Keys and values that several heads, or all batches, have in common."""
    q, k, v = attention_inputs((2, 4, 90, 150, 64), dtype)
    few = [t[:, :2].contiguous() for t in (k, v)]
    gen.assert_close(
        F.scaled_dot_product_attention(
            q.to(device), *[t.to(device) for t in few], is_causal=True, enable_gqa=True
        ),
        F.scaled_dot_product_attention(q.double(), *gen.wide(few), is_causal=True, enable_gqa=True),
        dtype,
        "two heads for four",
    )
    for shape in ((1, 4, 150, 64), (2, 1, 150, 64), (1, 1, 150, 64)):
        one = [t[: shape[0], : shape[1]].contiguous() for t in (k, v)]
        here = [t.double().expand(k.shape) for t in one]
        there = [t.to(device).expand(k.shape) for t in one]
        gen.assert_close(
            F.scaled_dot_product_attention(q.to(device), *there),
            F.scaled_dot_product_attention(q.double(), *here),
            dtype,
            f"{shape} for all",
        )


@pytest.mark.parametrize("scale", [0.5, 1e-3, 0.0, -0.3])
def test_attention_scales(scale: float, device: torch.device) -> None:
    tensors = attention_inputs((1, 2, 130, 140, 128), torch.float16)
    gen.assert_close(
        F.scaled_dot_product_attention(*[t.to(device) for t in tensors], scale=scale),
        F.scaled_dot_product_attention(*gen.wide(tensors), scale=scale),
        torch.float16,
        f"scale {scale}",
    )


@pytest.mark.parametrize("sizes", [(0, 2, 5, 5), (2, 0, 5, 5), (1, 2, 0, 5), (1, 2, 5, 0)], ids=str)
def test_attention_of_nothing(sizes: tuple[int, ...], device: torch.device) -> None:
    tensors = attention_inputs((*sizes, 64), torch.bfloat16)
    out = F.scaled_dot_product_attention(*[t.to(device) for t in tensors])
    assert out.shape == tensors[0].shape
    assert out.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_attention_keeps_large_scores(dtype: torch.dtype, device: torch.device) -> None:
    """Scores in the hundreds, whose exponentials overflow, and rows whose maximum comes late."""
    q, k, v = attention_inputs((1, 1, 140, 400, 64), dtype)
    q, k = q * 8, k * (torch.arange(400).reshape(1, 1, 400, 1) / 50).to(dtype)
    gen.assert_close(
        F.scaled_dot_product_attention(*[t.to(device) for t in (q, k, v)]),
        F.scaled_dot_product_attention(*gen.wide([q, k, v])),
        dtype,
        "large scores",
        factor=2,
    )


@pytest.mark.parametrize("causal", [False, True])
def test_logarithms_of_sums(causal: bool, device: torch.device) -> None:
    q, k, v = attention_inputs((2, 2, 200, 300, 64), torch.bfloat16)
    _, sums = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        *[t.to(device) for t in (q, k, v)], 0.0, causal
    )
    scores = q.double() @ k.double().mT / 8
    if causal:
        scores = scores.masked_fill(~torch.ones(200, 300, dtype=torch.bool).tril(), -torch.inf)
    gen.assert_close(sums, scores.logsumexp(-1), torch.float32, "logarithms of sums")
