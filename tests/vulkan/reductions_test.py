"""Reductions, extreme values and softmax, compared with float64."""

from __future__ import annotations

import random

import pytest
import torch
from inputs import check, moved, shape, values
from torch import Tensor
from torch.nn import functional

pytestmark = pytest.mark.usefixtures("device")


def some_dims(t: Tensor) -> list[int]:
    return sorted(random.sample(range(t.dim()), random.randint(1, t.dim())))


@pytest.mark.parametrize("name", ["sum", "mean", "var", "std", "amax", "amin"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_floats(name: str, dtype: torch.dtype) -> None:
    function = getattr(torch, name)
    for _ in range(6):
        x = values(shape(random.randint(1, 4), least=2), dtype, scale=1.0)
        dims = some_dims(x)
        tolerance = (
            {"rtol": 1e-5, "atol": 1e-5} if dtype == torch.float32 else {"rtol": 2e-3, "atol": 2e-2}
        )
        check(lambda t, d=dims: function(t, d), x, **tolerance)
        check(lambda t, d=dims: function(t, d, keepdim=True), x, **tolerance)
        if name not in ("amax", "amin"):
            check(function, x, **tolerance)


def test_integers_and_truths() -> None:
    for _ in range(5):
        x = values(shape(random.randint(1, 4), least=1), torch.int64)
        for function in (torch.sum, torch.amax, torch.amin):
            d = random.randrange(x.dim())
            assert torch.equal(function(moved(x), d).cpu(), function(x, d))
        small = values(shape(2, least=1), torch.int32)
        assert torch.equal(moved(small).sum().cpu(), small.sum())  # type: ignore[attr-defined]
        assert torch.equal(moved(small).prod(0).cpu(), small.prod(0))  # type: ignore[attr-defined]
        b = values(shape(3, least=1), torch.bool)
        for d in range(3):
            assert torch.equal(torch.any(moved(b), d).cpu(), torch.any(b, d))
            assert torch.equal(torch.all(moved(b), d).cpu(), torch.all(b, d))
        assert torch.any(moved(b)).item() == torch.any(b).item()


def test_places_of_extremes() -> None:
    for dtype in (torch.float32, torch.int64, torch.float16):
        for _ in range(4):
            # Few values, so that the first of several equal ones matters.
            x = (values(shape(random.randint(1, 4), least=1), dtype) / 4).to(dtype)
            d = random.randrange(x.dim())
            for function in (torch.max, torch.min):
                wanted, actual = function(x, d), function(moved(x), d)
                assert torch.equal(actual.values.cpu(), wanted.values)
                assert torch.equal(actual.indices.cpu(), wanted.indices)
            assert torch.equal(torch.argmax(moved(x), d).cpu(), torch.argmax(x, d))
            assert torch.equal(torch.argmin(moved(x)).cpu(), torch.argmin(x))


def test_nan_is_extreme() -> None:
    x = torch.randn(5, 300)
    x[2, 17] = float("nan")
    x[3, 0] = x[3, 299] = float("nan")
    v = x.to("vulkan")
    for function in (torch.amax, torch.amin):
        torch.testing.assert_close(
            function(v, 1).cpu(), function(x, 1), equal_nan=True, rtol=0, atol=0
        )
    assert torch.equal(v.argmax(1).cpu(), x.argmax(1))
    assert torch.equal(v.argmin(1).cpu(), x.argmin(1))


def test_rows_without_elements() -> None:
    x = torch.empty(3, 0, device="vulkan")
    assert torch.equal(x.sum(1).cpu(), torch.zeros(3))
    assert torch.equal(x.prod(1).cpu(), torch.ones(3))
    assert x.mean(1).cpu().isnan().all()
    with pytest.raises(IndexError):
        x.amax(1)


@pytest.mark.parametrize("p", [0, 1, 2, 3, float("inf"), float("-inf")])
def test_norms(p: float) -> None:
    x = values(shape(3, least=1))
    d = random.randrange(3)
    check(lambda t: torch.linalg.vector_norm(t, p, d), x, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", [functional.softmax, functional.log_softmax])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_softmax(function: object, dtype: torch.dtype) -> None:
    assert callable(function)
    for _ in range(6):
        x = values(shape(random.randint(1, 4), least=1), dtype)
        tolerance = (
            {"rtol": 1e-5, "atol": 1e-5} if dtype == torch.float32 else {"rtol": 2e-3, "atol": 4e-3}
        )
        place = random.randrange(x.dim())
        check(lambda t, d=place: function(t, d), x, **tolerance)


@pytest.mark.parametrize("function", [functional.softmax, functional.log_softmax])
def test_softmax_gradient(function: object) -> None:
    assert callable(function)
    x, g = values([4, 150], scale=1.0), values([4, 150])
    grads = []
    for device, dtype in (("vulkan", torch.float32), ("cpu", torch.float64)):
        a = x.to(device, dtype).requires_grad_()
        function(a, 1).backward(g.to(device, dtype))
        assert a.grad is not None
        grads.append(a.grad.cpu().double())
    torch.testing.assert_close(grads[0], grads[1], rtol=1e-4, atol=1e-5)
