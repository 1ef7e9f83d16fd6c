"""Convolutions in one, two and three dimensions, transposed too, with their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional

# name: (function, shapes of input, weight and bias, options)
CASES: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]], dict[str, Any]]] = {
    "3 x 3": (F.conv2d, [(2, 3, 9, 11), (5, 3, 3, 3), (5,)], {"padding": 1}),
    "strided": (F.conv2d, [(2, 4, 13, 10), (6, 4, 3, 2), (6,)], {"stride": 2, "padding": (0, 1)}),
    "dilated": (F.conv2d, [(1, 2, 12, 12), (3, 2, 3, 3), (3,)], {"dilation": (2, 3)}),
    "groups": (F.conv2d, [(2, 6, 8, 8), (4, 3, 3, 3), (4,)], {"groups": 2}),
    "depthwise": (F.conv2d, [(2, 6, 8, 8), (6, 1, 3, 3), (6,)], {"groups": 6, "padding": 1}),
    "1 x 1": (F.conv2d, [(3, 8, 5, 5), (4, 8, 1, 1), (4,)], {}),
    "one dimension": (F.conv1d, [(2, 3, 50), (4, 3, 5), (4,)], {"padding": 2, "stride": 3}),
    "three dimensions": (F.conv3d, [(1, 2, 5, 6, 7), (3, 2, 2, 3, 2), (3,)], {"padding": 1}),
    "transposed": (
        F.conv_transpose2d,
        [(2, 3, 6, 5), (3, 4, 3, 3), (4,)],
        {"stride": 2, "padding": 1, "output_padding": 1},
    ),
}


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_convolution(name: str, dtype: torch.dtype, device: torch.device) -> None:
    function, shapes, options = CASES[name]
    tensors = [gen.random(shape, dtype, -1, 1) for shape in shapes]
    here = [gen.leaf(t) for t in tensors]
    there = [gen.leaf(t, device) for t in tensors]
    expected, out = function(*here, **options), function(*there, **options)
    gen.assert_close(out, expected, dtype, name, scale=5)
    grad = gen.random(tuple(expected.shape), dtype, -1, 1)
    expected.backward(grad.double())
    out.backward(grad.to(device))
    for what, a, b in zip(("input", "weight", "bias"), there, here, strict=True):
        gen.assert_close(a.grad, b.grad, dtype, f"gradient of {name}'s {what}", scale=12)


def test_layouts(device: torch.device) -> None:
    weight = gen.random((4, 3, 3, 3), torch.float32)
    gen.check(
        F.conv2d, [gen.random((2, 3, 8, 9), torch.float32), weight], device, "conv2d", scale=9
    )
    last = gen.random((2, 3, 8, 9), torch.float32).to(memory_format=torch.channels_last)
    expected = F.conv2d(last.double(), weight.double())
    out = F.conv2d(last.to(device), weight.to(device))
    gen.assert_close(out, expected, torch.float32, "channels last", scale=9)
