"""softmax, layer and root-mean-square normalisation, with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional

# Row lengths that fit into the registers of a warp, of a block, or of neither; odd ones; with and
# without packs.
LENGTHS = [1, 7, 64, 128, 1000, 1024, 4097, 16384, 40000]


def gradients(
    function: Callable[..., Any], tensors: list[torch.Tensor], grad: torch.Tensor
) -> list[Any]:
    leaves = [t.detach().clone().requires_grad_() for t in tensors]
    function(*leaves).backward(grad)
    return [leaf.grad for leaf in leaves]


def check_with_gradients(
    function: Callable[..., Any],
    tensors: list[torch.Tensor],
    device: torch.device,
    what: str,
    scale: float = 1.0,
) -> None:
    dtype = tensors[0].dtype
    there = [t.to(device) for t in tensors]
    reference = function(*gen.wide(tensors))
    gen.assert_close(function(*there), reference, dtype, what)
    grad = gen.random(tuple(reference.shape), dtype, -1, 1)
    gen.assert_close(
        gradients(function, there, grad.to(device)),
        gradients(function, gen.wide(tensors), grad.double()),
        dtype,
        f"gradient of {what}",
        factor=4,
        scale=scale,
    )


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
@pytest.mark.parametrize("function", [torch.softmax, torch.log_softmax])
def test_softmax(function: Callable[..., Any], dtype: torch.dtype, device: torch.device) -> None:
    for n in LENGTHS:
        t = gen.random((5, n), dtype, -8, 8)
        check_with_gradients(lambda x: function(x, -1), [t], device, f"rows of {n}", scale=n**0.5)
    for shape, dim in [((70, 33), 0), ((3, 1000, 5), 1), ((2, 3, 4, 5), 1), ((4, 1, 9), 1)]:
        t = gen.random(shape, dtype, -8, 8)
        check_with_gradients(
            lambda x, d=dim: function(x, d),
            [t],
            device,
            f"{shape} along {dim}",
            scale=shape[dim] ** 0.5,
        )


def test_softmax_masked(device: torch.device) -> None:
    minus = -float("inf")
    for n in (33, 5000, 40000):
        t = gen.random((3, n), torch.float32)
        t[0, : n // 2] = minus
        t[1, n // 2 :] = minus
        t[2] = minus
        there = torch.softmax(t.to(device), -1)
        gen.assert_close(there, torch.softmax(t.double(), -1), torch.float32, f"masked, {n}")
        across = torch.softmax(t.t().contiguous().to(device), 0)
        gen.assert_close(across, torch.softmax(t.double().t(), 0), torch.float32, "across")


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_layer_norm(dtype: torch.dtype, device: torch.device) -> None:
    for n in LENGTHS[1:]:
        for rows in (1, 37):
            x = gen.random((rows, n), dtype, 1, 4)
            weight, bias = gen.random((n,), dtype, 0.5, 2), gen.random((n,), dtype)
            check_with_gradients(
                lambda a, w, b, size=n: F.layer_norm(a, (size,), w, b),
                [x, weight, bias],
                device,
                f"{rows} rows of {n}",
                scale=rows**0.5,
            )
        check_with_gradients(lambda a, size=n: F.layer_norm(a, (size,)), [x], device, f"{n}, bare")


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_rms_norm(dtype: torch.dtype, device: torch.device) -> None:
    for n in LENGTHS[1:]:
        x, weight = gen.random((9, n), dtype), gen.random((n,), dtype, 0.5, 2)
        check_with_gradients(
            lambda a, w, size=n: F.rms_norm(a, (size,), w, eps=1e-5),
            [x, weight],
            device,
            f"rows of {n}",
            scale=3,
        )


def test_far_from_zero(device: torch.device) -> None:
    """A variance taken as a difference of squares would lose all its digits here."""
    x = gen.random((8, 5000), torch.float32, 999, 1001)
    gen.assert_close(x.to(device).var(1), x.double().var(1), torch.float32, "variance", factor=10)
    gen.assert_close(
        F.layer_norm(x.to(device), (5000,)),
        F.layer_norm(x.double(), (5000,)),
        torch.float32,
        "layer_norm",
        factor=100,
    )
