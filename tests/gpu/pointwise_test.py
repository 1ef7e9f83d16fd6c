"""Elementwise operators, copies and conversions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional

# name: (function, least and greatest input)
UNARY: dict[str, tuple[Callable[..., Any], float, float]] = {
    "neg": (torch.neg, -3, 3),
    "abs": (torch.abs, -3, 3),
    "sqrt": (torch.sqrt, 0, 9),
    "rsqrt": (torch.rsqrt, 0.1, 9),
    "exp": (torch.exp, -3, 3),
    "expm1": (torch.expm1, -3, 3),
    "log": (torch.log, 0.1, 9),
    "log1p": (torch.log1p, -0.5, 9),
    "sin": (torch.sin, -3, 3),
    "cos": (torch.cos, -3, 3),
    "tanh": (torch.tanh, -3, 3),
    "sigmoid": (torch.sigmoid, -6, 6),
    "reciprocal": (torch.reciprocal, 0.2, 3),
    "erf": (torch.erf, -3, 3),
    "floor": (torch.floor, -3, 3),
    "round": (torch.round, -3, 3),
    "sign": (torch.sign, -3, 3),
    "relu": (torch.relu, -3, 3),
    "gelu": (F.gelu, -3, 3),
    "gelu tanh": (lambda x: F.gelu(x, approximate="tanh"), -3, 3),
    "silu": (F.silu, -3, 3),
    "softplus": (F.softplus, -3, 3),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.1), -3, 3),
    "clamp": (lambda x: x.clamp(-1, 2), -3, 3),
    "pow": (lambda x: x**3, -2, 2),
    "add a number": (lambda x: x + 1.5, -3, 3),
    "divide by a number": (lambda x: x / 3, -3, 3),
}

BINARY: dict[str, Callable[..., Any]] = {
    "add": torch.add,
    "add with alpha": lambda a, b: torch.add(a, b, alpha=2),
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "atan2": torch.atan2,
    "heaviside": lambda a, b: torch.heaviside(a.round(), b),
    "logaddexp": torch.logaddexp,
    "logaddexp2": torch.logaddexp2,
    "xlogy": torch.xlogy,
    "mse_loss": lambda a, b: F.mse_loss(a, b, reduction="none"),
    "lerp": lambda a, b: torch.lerp(a, b, 0.3),
    "eq": torch.eq,
    "lt": torch.lt,
    "ge": torch.ge,
    "where": lambda a, b: torch.where(a > b, a, b),
}


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_unary(name: str, dtype: torch.dtype, device: torch.device) -> None:
    function, low, high = UNARY[name]
    for shape in gen.SHAPES:
        gen.check(function, [gen.random(shape, dtype, low, high)], device, name)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_binary(name: str, dtype: torch.dtype, device: torch.device) -> None:
    for shape in gen.SHAPES:
        a, b = gen.random(shape, dtype), gen.random(shape, dtype, 0.5, 3)
        gen.check(BINARY[name], [a, b], device, name)


@pytest.mark.parametrize("dtype", gen.INTEGERS, ids=str)
def test_integers(dtype: torch.dtype, device: torch.device) -> None:
    a, b = gen.random((17, 33), dtype, -9, 9), gen.random((17, 33), dtype, 1, 9)
    for name, function in {
        "add": torch.add,
        "mul": torch.mul,
        "floor divide": torch.floor_divide,
        "remainder": torch.remainder,
        "and": torch.bitwise_and,
        "xor": torch.bitwise_xor,
        "left shift": torch.bitwise_left_shift,
        "right shift": torch.bitwise_right_shift,
        "maximum": torch.maximum,
        "gcd": torch.gcd,
        "lcm": torch.lcm,
    }.items():
        gen.check(function, [a, b], device, name)


def test_broadcast(device: torch.device) -> None:
    for left, right in [((5, 1, 7), (3, 1)), ((), (4, 3)), ((1, 1), (6, 129)), ((0, 3), (1, 3))]:
        gen.check(
            torch.add,
            [gen.random(left, torch.float32), gen.random(right, torch.float32)],
            device,
            "broadcast add",
        )
    t = gen.expanded((64, 33), torch.float32, device)
    gen.assert_close(t * t, gen.wide(t) ** 2, torch.float32, "expanded")


def test_promotion(device: torch.device) -> None:
    a = gen.random((33,), torch.int32)
    b = gen.random((33,), torch.float16)
    result = a.to(device) + b.to(device)
    assert result.dtype == torch.float16
    gen.assert_close(result, a.double() + b.double(), torch.float16, "int + half")
    # A number on the processor meets a tensor on the GPU.
    gen.assert_close(b.to(device) * torch.tensor(2.5), b.double() * 2.5, torch.float16, "number")
    for dtype in (torch.float16, torch.bfloat16):
        x = gen.random((1000,), dtype)
        # The number is not rounded to the type of the elements.
        assert torch.equal((x.to(device) * 0.1).cpu(), (x.float() * 0.1).to(dtype))
        quotients = x.float() / torch.full((1000,), 0.3)
        assert torch.equal((x.to(device) / 0.3).cpu(), quotients.to(dtype))


@pytest.mark.parametrize("source", [*gen.FLOATS, *gen.INTEGERS, torch.bool], ids=str)
def test_conversions(source: torch.dtype, device: torch.device) -> None:
    t = gen.random((129, 33), source, 0, 100)
    for target in [*gen.FLOATS, *gen.INTEGERS, torch.bool]:
        for layout, there in gen.layouts(t, device):
            back = there.to(target).cpu()
            assert back.dtype == target
            assert torch.equal(back, t.to(target)), f"{source} to {target}, {layout}"


def test_copies(device: torch.device) -> None:
    t = gen.random((65, 130), torch.float32)
    for layout, there in gen.layouts(t, device):
        assert torch.equal(there.cpu(), t), layout
        assert torch.equal(there.clone().cpu(), t), layout
        assert torch.equal(there.contiguous().t().contiguous().cpu(), t.t()), layout
    target = torch.zeros(130, 65).t()
    target.copy_(t.to(device))
    assert torch.equal(target, t)


def test_factories(device: torch.device) -> None:
    assert torch.equal(torch.arange(3, 1000, 7, device=device).cpu(), torch.arange(3, 1000, 7))
    assert torch.equal(torch.full((3, 5), 2.5, device=device).cpu(), torch.full((3, 5), 2.5))
    assert torch.equal(torch.zeros(33, 5, device=device).cpu(), torch.zeros(33, 5))
    assert torch.equal(torch.ones(0, 5, device=device).cpu(), torch.ones(0, 5))
    assert torch.equal(torch.eye(7, 5, device=device).cpu(), torch.eye(7, 5))
    ones = torch.ones(9, 9, device=device)
    assert torch.equal(ones.tril().cpu(), torch.ones(9, 9).tril())
    assert torch.equal(ones.triu(1).cpu(), torch.ones(9, 9).triu(1))


def test_joining(device: torch.device) -> None:
    parts = [gen.random((3, n, 5), torch.float32) for n in (1, 4, 0, 7)]
    there = [p.to(device) for p in parts]
    assert torch.equal(torch.cat(there, 1).cpu(), torch.cat(parts, 1))
    same = [gen.random((3, 5), torch.float32) for _ in range(4)]
    for dim in range(3):
        stacked = torch.stack([p.to(device) for p in same], dim)
        assert torch.equal(stacked.cpu(), torch.stack(same, dim))
