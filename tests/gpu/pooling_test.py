"""Pooling and batch normalisation, with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional

POOLS: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "max 2": (lambda x: F.max_pool2d(x, 2), (2, 3, 8, 10)),
    "max overlapping": (lambda x: F.max_pool2d(x, 3, stride=1, padding=1), (2, 3, 7, 9)),
    "max dilated": (lambda x: F.max_pool2d(x, 2, dilation=2, ceil_mode=True), (1, 2, 9, 9)),
    "max in one dimension": (lambda x: F.max_pool1d(x, 3, 2), (2, 4, 31)),
    "adaptive max": (lambda x: F.adaptive_max_pool2d(x, (3, 5)), (2, 3, 7, 11)),
    "mean 2": (lambda x: F.avg_pool2d(x, 2), (2, 3, 8, 10)),
    "mean padded": (lambda x: F.avg_pool2d(x, 3, 2, 1), (2, 3, 8, 9)),
    "mean without pads": (
        lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False, ceil_mode=True),
        (2, 3, 8, 9),
    ),
    "mean of three dimensions": (lambda x: F.avg_pool3d(x, 2), (1, 2, 4, 6, 8)),
    "adaptive mean": (lambda x: F.adaptive_avg_pool2d(x, (3, 5)), (2, 3, 7, 11)),
    "adaptive mean, larger": (lambda x: F.adaptive_avg_pool2d(x, (9, 4)), (1, 2, 5, 3)),
}


def compare(
    function: Callable[..., Any], tensors: list[torch.Tensor], device: torch.device, what: str
) -> None:
    dtype = tensors[0].dtype
    here = [gen.leaf(t) for t in tensors]
    there = [gen.leaf(t, device) for t in tensors]
    expected, out = function(*here), function(*there)
    gen.assert_close(out, expected, dtype, what, factor=2)
    grad = gen.random(tuple(expected.shape), dtype, -1, 1)
    expected.backward(grad.double())
    out.backward(grad.to(device))
    for i, (a, b) in enumerate(zip(there, here, strict=True)):
        # Several gradients may meet in one element, each rounded.
        gen.assert_close(a.grad, b.grad, dtype, f"gradient {i} of {what}", factor=4, scale=4)


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("name", POOLS)
def test_pools(name: str, dtype: torch.dtype, device: torch.device) -> None:
    function, shape = POOLS[name]
    count = torch.zeros(shape).numel()
    # All different, also in the narrow types, so that each maximum has one place.
    distinct = (torch.randperm(count) % 256).reshape(shape).to(dtype)
    values = distinct if name.startswith(("max", "adaptive max")) else gen.random(shape, dtype)
    compare(function, [values], device, name)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@pytest.mark.parametrize("shape", [(16, 5), (8, 3, 30), (4, 6, 9, 7), (2, 3, 4, 5, 6)], ids=str)
def test_batch_norm(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> None:
    x = gen.random(shape, dtype, 1, 4)
    weight, bias = gen.random((shape[1],), dtype, 0.5, 2), gen.random((shape[1],), dtype)
    for training in (True, False):
        mean, var = gen.random((shape[1],), dtype), gen.random((shape[1],), dtype, 0.5, 2)

        def function(a: Any, w: Any, b: Any) -> Any:
            running = [t.to(a.device, a.dtype, copy=True) for t in (mean, var)]  # noqa: B023
            y = F.batch_norm(a, *running, w, b, training, momentum=0.3)  # noqa: B023
            return y + sum(t.sum() for t in running)

        compare(function, [x, weight, bias], device, f"batch_norm, training={training}")
