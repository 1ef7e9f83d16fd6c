"""Sums, extreme values, moments, norms, running sums, sorting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import inputs as gen
import pytest
import torch

# Shapes for every way through the kernels: rows and columns, short and long, few and many.
SHAPES = [
    (1031,),
    (17, 33),
    (4, 4096),
    (4096, 4),
    (3, 5, 7, 11),
    (300000,),
    (2, 150001),
    (100001, 2),
    (512, 1024),
    (1000, 3),
]

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": torch.sum,
    "mean": torch.mean,
    "amax": torch.amax,
    "amin": torch.amin,
    "var": torch.var,
    "std": torch.std,
    "norm 2": lambda x, dim=None: torch.linalg.vector_norm(x, 2, dim),
    "norm 1": lambda x, dim=None: torch.linalg.vector_norm(x, 1, dim),
    "norm inf": lambda x, dim=None: torch.linalg.vector_norm(x, float("inf"), dim),
    "norm 3": lambda x, dim=None: torch.linalg.vector_norm(x, 3, dim),
}


def dims_of(shape: tuple[int, ...]) -> list[Any]:
    dims: list[Any] = list(range(len(shape)))
    if len(shape) > 2:
        dims += [(0, 2), (1, 3), (0, 1, 2, 3)]
    return dims


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_reductions(name: str, dtype: torch.dtype, device: torch.device) -> None:
    function = REDUCTIONS[name]
    for shape in SHAPES:
        t = gen.random(shape, dtype)
        # Rounding errors of a sum grow as its terms do, at most by their number's root here.
        scale = max(shape) ** 0.5 if name == "sum" else 1.0
        factor = 4.0 if name in ("norm 1", "norm 3") else 1.0
        for dim in dims_of(shape):
            gen.check(
                lambda x, d=dim: function(x, dim=d),
                [t],
                device,
                f"{name} over {dim}",
                factor=factor,
                scale=scale,
            )


@pytest.mark.parametrize("dtype", gen.INTEGERS, ids=str)
def test_integers(dtype: torch.dtype, device: torch.device) -> None:
    for shape in SHAPES:
        t = gen.random(shape, dtype, -20, 20)
        for dim in range(len(shape)):
            for function in (torch.sum, torch.amax, torch.amin):
                there = function(t.to(device), dim=dim)
                assert torch.equal(there.cpu(), function(t, dim=dim)), (function, shape, dim)
    small = gen.random((5, 9), dtype, 1, 2)
    assert torch.equal(small.to(device).prod(1).cpu(), small.prod(1))


def test_empty(device: torch.device) -> None:
    t = torch.zeros(3, 0, 5).to(device)
    assert torch.equal(t.sum(1).cpu(), torch.zeros(3, 5))
    assert torch.equal(t.prod(1).cpu(), torch.ones(3, 5))
    assert t.sum(0).shape == (0, 5)
    assert t.mean(1).isnan().all().item()
    with pytest.raises(IndexError):
        t.amax(1)


@pytest.mark.parametrize("dtype", [*gen.FLOATS, torch.int32, torch.uint8], ids=str)
def test_places(dtype: torch.dtype, device: torch.device) -> None:
    for shape in SHAPES:
        t = gen.random(shape, dtype, -50, 50)
        for dim in range(len(shape)):
            for layout, there in gen.layouts(t, device):
                for name in ("max", "min"):
                    values, places = getattr(there, name)(dim)
                    expected, first = getattr(t, name)(dim)
                    assert torch.equal(values.cpu(), expected), (name, shape, dim, layout)
                    assert torch.equal(places.cpu(), first), (name, shape, dim, layout)
                assert torch.equal(there.argmax(dim).cpu(), t.argmax(dim)), (shape, dim, layout)


def test_nan(device: torch.device) -> None:
    t = gen.random((9, 1000), torch.float32)
    t[3, 700] = float("nan")
    t[3, 900] = float("nan")
    there = t.to(device)
    assert there.amax(1).isnan().cpu().tolist() == [row == 3 for row in range(9)]
    assert there.argmax(1)[3].item() == 700
    assert there.max(1).values[3].isnan().item()


def test_truth(device: torch.device) -> None:
    t = torch.rand(300, 70) < 0.01
    there = t.to(device)
    for dim in (0, 1):
        assert torch.equal(there.any(dim).cpu(), t.any(dim))
        assert torch.equal(there.logical_not().all(dim).cpu(), t.logical_not().all(dim))
    assert there.any().item() == t.any().item()
    assert torch.zeros(100000, dtype=torch.bool).to(device).any().item() is False


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_running(dtype: torch.dtype, device: torch.device) -> None:
    for shape in SHAPES:
        t = gen.random(shape, dtype, 0, 1)
        for dim in range(len(shape)):
            size = max(shape[dim], 1)
            gen.check(lambda x, d=dim: x.cumsum(d), [t], device, f"cumsum {dim}", scale=size**0.5)
    t = gen.random((7, 33), dtype, 0.9, 1.1)
    for dim in (0, 1):
        gen.check(lambda x, d=dim: x.cumprod(d), [t], device, f"cumprod {dim}", factor=4)


def test_running_integers(device: torch.device) -> None:
    t = gen.random((3, 100003), torch.int64, -5, 9)
    for dim in (0, 1):
        assert torch.equal(t.to(device).cumsum(dim).cpu(), t.cumsum(dim))


@pytest.mark.parametrize("dtype", [*gen.FLOATS, *gen.INTEGERS, torch.bool], ids=str)
@pytest.mark.parametrize("descending", [False, True])
def test_sort(dtype: torch.dtype, descending: bool, device: torch.device) -> None:
    for shape in [(1,), (7,), (33, 100), (100, 33), (5, 2048), (3, 2049), (70001,), (2, 3, 5)]:
        t = gen.random(shape, dtype, -40, 40)
        for dim in range(len(shape)):
            values, places = torch.sort(t.to(device), dim=dim, descending=descending, stable=True)
            expected, order = torch.sort(t, dim=dim, descending=descending, stable=True)
            assert torch.equal(values.cpu(), expected), (shape, dim)
            assert torch.equal(places.cpu(), order), (shape, dim)


def test_sort_nan(device: torch.device) -> None:
    t = gen.random((4, 5000), torch.float32)
    t[:, ::7] = float("nan")
    t[:, ::11] = -float("inf")
    t[:, ::13] = -0.0
    for n in (100, 5000):
        part = t[:, :n].contiguous()
        _, places = torch.sort(part.to(device), stable=True)
        assert torch.equal(places.cpu(), torch.sort(part, stable=True)[1])


def test_topk(device: torch.device) -> None:
    for shape, k in [((1000,), 10), ((7, 300), 300), ((3, 5000), 17), ((9, 4), 0)]:
        t = torch.randperm(max(1, torch.zeros(shape).numel())).reshape(shape).float()
        for largest in (True, False):
            values, places = t.to(device).topk(k, largest=largest)
            expected, order = t.topk(k, largest=largest)
            assert torch.equal(values.cpu(), expected)
            assert torch.equal(places.cpu(), order)
