"""Matrix products, attention."""

from __future__ import annotations

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional


# Rows and columns of the product, and what they add up over.
SIZES = [(1, 1, 1), (17, 33, 65), (128, 128, 128), (100, 7, 300), (1, 256, 64), (5, 3, 0)]


def operand(rows: int, columns: int, dtype: torch.dtype, turned: bool) -> torch.Tensor:
    return gen.random((columns, rows) if turned else (rows, columns), dtype, -1, 1)


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("turned", [(a, b) for a in (False, True) for b in (False, True)], ids=str)
def test_mm(dtype: torch.dtype, turned: tuple[bool, bool], device: torch.device) -> None:
    for m, n, k in SIZES:
        a, b = operand(m, k, dtype, turned[0]), operand(k, n, dtype, turned[1])
        both = list(zip((a, b), turned, strict=True))
        there = [x.to(device).t() if t else x.to(device) for x, t in both]
        here = [x.double().t() if t else x.double() for x, t in both]
        what = f"{m} x {k} times {k} x {n}"
        size = max(k, 1) ** 0.5
        gen.assert_close(there[0] @ there[1], here[0] @ here[1], dtype, what, scale=size)
        bias = gen.random((n,), dtype)
        gen.assert_close(
            torch.addmm(bias.to(device), there[0], there[1], beta=0.5, alpha=2),
            torch.addmm(bias.double(), here[0], here[1], beta=0.5, alpha=2),
            dtype,
            "addmm of " + what,
            scale=2 * size,
        )


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_batches(dtype: torch.dtype, device: torch.device) -> None:
    a, b = gen.random((6, 17, 40), dtype, -1, 1), gen.random((6, 40, 9), dtype, -1, 1)
    for function in (torch.bmm, torch.matmul):
        gen.check(function, [a, b], device, "batches", scale=7)
    wide = gen.random((2, 3, 17, 40), dtype, -1, 1)
    gen.check(torch.matmul, [wide, b[0]], device, "broadcast", scale=7)


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_linear(dtype: torch.dtype, device: torch.device) -> None:
    x, weight, bias = (gen.random(s, dtype, -1, 1) for s in ((5, 9, 32), (24, 32), (24,)))
    here = [gen.leaf(t) for t in (x, weight, bias)]
    there = [gen.leaf(t, device) for t in (x, weight, bias)]
    expected, out = F.linear(*here), F.linear(*there)
    gen.assert_close(out, expected, dtype, "linear", scale=6)
    grad = gen.random((5, 9, 24), dtype, -1, 1)
    expected.backward(grad.double())
    out.backward(grad.to(device))
    gen.assert_close([t.grad for t in there], [t.grad for t in here], dtype, "gradients", scale=7)
