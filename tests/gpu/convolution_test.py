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


def compare(
    function: Callable[..., Any],
    tensors: list[torch.Tensor],
    options: dict[str, Any],
    device: torch.device,
    name: str,
) -> torch.Tensor:
    """Checks a convolution and its gradients; returns the output on `device`."""
    dtype = tensors[0].dtype
    here = [gen.leaf(t) for t in tensors]
    there = [gen.leaf(t, device) for t in tensors]
    expected, out = function(*here, **options), function(*there, **options)
    # Numbers in [-1, 1]: a sum of n has the size of the square root of n.
    gen.assert_close(out, expected, dtype, name, scale=max(5, here[1][0].numel() ** 0.5))
    grad = gen.random(tuple(expected.shape), dtype, -1, 1)
    expected.backward(grad.double())
    out.backward(grad.to(device))
    for what, a, b in zip(("input", "weight", "bias"), there, here, strict=False):
        scale = max(12, (grad.numel() / b.shape[0]) ** 0.5)
        gen.assert_close(a.grad, b.grad, dtype, f"gradient of {name}'s {what}", scale=scale)
    return out


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_convolution(name: str, dtype: torch.dtype, device: torch.device) -> None:
    function, shapes, options = CASES[name]
    tensors = [gen.random(shape, dtype, -1, 1) for shape in shapes]
    compare(function, tensors, options, device, name)


def pick(low: int, high: int) -> int:
    return int(torch.randint(low, high + 1, ()).item())


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_random_geometry(dims: int, dtype: torch.dtype, device: torch.device) -> None:
    """Any sizes, strides (longer than the kernel, too), dilations, paddings, groups and layouts."""
    functions = {
        1: (F.conv1d, F.conv_transpose1d),
        2: (F.conv2d, F.conv_transpose2d),
        3: (F.conv3d, F.conv_transpose3d),
    }
    for _ in range(6):
        transposed = pick(0, 3) == 0
        groups = pick(1, 3)
        ins, outs = pick(1, 9) * groups, pick(1, 9) * groups
        kernel = [pick(1, 3) for _ in range(dims)]
        options: dict[str, Any] = {
            "stride": [pick(1, 4) for _ in range(dims)],
            "dilation": [pick(1, 3) for _ in range(dims)],
            "padding": [pick(0, 2) for _ in range(dims)],
            "groups": groups,
        }
        # A kernel fits into its image, and a transposed one leaves something of the padding.
        size = [
            pick(1, 5) + d * (k - 1) + (4 if transposed else 0)
            for k, d in zip(kernel, options["dilation"], strict=True)
        ]
        first, second = (ins, outs // groups) if transposed else (outs, ins // groups)
        tensors = [
            gen.random((pick(1, 3), ins, *size), dtype, -1, 1),
            gen.random((first, second, *kernel), dtype, -1, 1),
            gen.random((outs,), dtype, -1, 1),
        ][: pick(2, 3)]
        if dims > 1 and pick(0, 1):
            last = torch.channels_last if dims == 2 else torch.channels_last_3d
            tensors[:2] = [t.to(memory_format=last) for t in tensors[:2]]
        name = f"{[tuple(t.shape) for t in tensors]} {options} transposed={transposed}"
        compare(functions[dims][int(transposed)], tensors, options, device, name)


# More pixels, channels and taps than a tile has, in vectors of eight channels and not.
LARGE: dict[str, tuple[list[tuple[int, ...]], dict[str, Any]]] = {
    "many channels": ([(2, 72, 9, 8), (136, 72, 3, 3), (136,)], {"padding": 1}),
    "strided groups": (
        [(2, 48, 15, 17), (80, 24, 3, 3), (80,)],
        {"stride": 2, "padding": 1, "groups": 2},
    ),
    "odd channels": ([(3, 21, 12, 11), (67, 21, 2, 4)], {"dilation": 2}),
    "many pixels": ([(3, 8, 20, 19), (8, 8, 3, 3)], {"padding": 1}),
    "1 x 1": ([(2, 40, 12, 13), (72, 40, 1, 1), (72,)], {}),
    "1 x 1 of small images": ([(5, 40, 5, 6), (72, 40, 1, 1), (72,)], {}),
    "depthwise": ([(2, 40, 13, 14), (40, 1, 5, 5), (40,)], {"groups": 40, "padding": 2}),
}


@pytest.mark.parametrize("channels_last", [False, True], ids=["contiguous", "channels_last"])
@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("name", LARGE)
def test_tiles(name: str, dtype: torch.dtype, channels_last: bool, device: torch.device) -> None:
    shapes, options = LARGE[name]
    tensors = [gen.random(shape, dtype, -1, 1) for shape in shapes]
    if channels_last:
        tensors[:2] = [t.to(memory_format=torch.channels_last) for t in tensors[:2]]
    out = compare(F.conv2d, tensors, options, device, name)
    assert out.is_contiguous(memory_format=torch.channels_last) == channels_last


@pytest.mark.parametrize("function", [F.conv2d, F.conv_transpose2d], ids=["conv", "transposed"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_bias_is_added_before_rounding(
    function: Callable[..., Any], dtype: torch.dtype, device: torch.device
) -> None:
    """Sums of some hundreds less their mean: what was rounded before would be far off."""
    x = gen.random((1, 16, 6, 7), dtype, 3, 5)
    weight = gen.random((16, 16, 3, 3), dtype, 1, 2)
    inner = (slice(None), slice(None), slice(2, 4), slice(2, 4))
    sums = function(x.double(), weight.double(), padding=1)[inner]
    bias = (-sums.mean((0, 2, 3))).to(dtype)
    expected = function(x.double(), weight.double(), bias.double(), padding=1)
    out = function(x.to(device), weight.to(device), bias.to(device), padding=1)
    gen.assert_close(out[inner], expected[inner], dtype, "sums less their mean")


def test_no_batch(device: torch.device) -> None:
    x = torch.empty(0, 3, 8, 8, device=device, requires_grad=True)
    weight = torch.ones(4, 3, 3, 3, device=device, requires_grad=True)
    out = F.conv2d(x, weight)
    assert out.shape == (0, 4, 6, 6)
    out.sum().backward()
    assert x.grad is not None and x.grad.shape == x.shape
    assert weight.grad is not None and weight.grad.abs().sum().item() == 0


def test_layouts(device: torch.device) -> None:
    weight = gen.random((4, 3, 3, 3), torch.float32)
    gen.check(
        F.conv2d, [gen.random((2, 3, 8, 9), torch.float32), weight], device, "conv2d", scale=9
    )
    last = gen.random((2, 3, 8, 9), torch.float32).to(memory_format=torch.channels_last)
    expected = F.conv2d(last.double(), weight.double())
    out = F.conv2d(last.to(device), weight.to(device))
    gen.assert_close(out, expected, torch.float32, "channels last", scale=9)
