"""uint16, uint32 and uint64: the operators that PyTorch has for them, beside numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

TYPES = {torch.uint16: np.uint16, torch.uint32: np.uint32, torch.uint64: np.uint64}
RNG = np.random.default_rng()


@pytest.fixture(params=list(TYPES), ids=str)
def dtype(request: pytest.FixtureRequest) -> Any:
    return request.param


def values(dtype: Any, count: int = 40) -> Any:
    """Numbers of the whole range, the largest among them."""
    kind = TYPES[dtype]
    array = RNG.integers(0, np.iinfo(kind).max, count, dtype=kind, endpoint=True)
    array[3] = np.iinfo(kind).max
    array[5] = array[7]
    return array


def test_numbers_in_and_out(dtype: Any) -> None:
    array = values(dtype)
    x = torch.from_numpy(array)
    assert x.dtype is dtype
    assert x.tolist() == array.tolist()
    assert [v.item() for v in x[:5]] == array[:5].tolist()
    assert torch.equal(torch.tensor(array.tolist(), dtype=dtype), x)
    largest = int(np.iinfo(TYPES[dtype]).max)
    assert torch.full((2,), largest, dtype=dtype).tolist() == [largest] * 2
    assert repr(torch.tensor([largest], dtype=dtype)) == f"tensor([{largest}], dtype={dtype})"
    assert bool(torch.tensor(largest, dtype=dtype))
    assert torch.zeros(2, dtype=dtype).fill_(7).tolist() == [7, 7]
    with pytest.raises((OverflowError, RuntimeError, ValueError)):
        torch.tensor([largest + 1], dtype=dtype)


@pytest.mark.parametrize(
    "other", [torch.bool, torch.uint8, torch.int16, torch.int64, torch.float32, torch.complex128]
)
def test_conversions(dtype: Any, other: Any) -> None:
    array = values(dtype)
    wide = torch.from_numpy(array).to(other)
    name = str(other).removeprefix("torch.")
    np.testing.assert_array_equal(wide.numpy(), array.astype(name))
    small = torch.tensor([0, 1, 1, 100]).to(other)
    assert small.to(dtype).tolist() == small.numpy().astype(TYPES[dtype]).tolist()


@pytest.mark.parametrize(
    ("ours", "numpys"),
    [
        (lambda a, b: a * b, lambda a, b: a * b),
        (lambda a, b: a & b, lambda a, b: a & b),
        (lambda a, b: a | b, lambda a, b: a | b),
        (lambda a, b: a ^ b, lambda a, b: a ^ b),
        (lambda a, b: a == b, lambda a, b: a == b),
        (lambda a, b: a != b, lambda a, b: a != b),
        (lambda a, b: a.sort()[0], lambda a, b: np.sort(a)),
        (lambda a, b: a.argsort(stable=True), lambda a, b: np.argsort(a, kind="stable")),
        (lambda a, b: a.unique(), lambda a, b: np.unique(a)),
        (lambda a, b: torch.cat([a, b]), lambda a, b: np.concatenate([a, b])),
        (lambda a, b: a.roll(3), lambda a, b: np.roll(a, 3)),
        (lambda a, b: a[::2].clone(), lambda a, b: a[::2]),
        (lambda a, b: a.view(5, 8).t().contiguous(), lambda a, b: a.reshape(5, 8).T),
        (lambda a, b: a.any(), lambda a, b: a.any()),
    ],
)
def test_operators(
    dtype: Any, ours: Callable[[Tensor, Tensor], Tensor], numpys: Callable[[Any, Any], Any]
) -> None:
    a, b = values(dtype), values(dtype)
    b[:10] = a[:10]
    found = ours(torch.from_numpy(a), torch.from_numpy(b))
    np.testing.assert_array_equal(found.numpy(), numpys(a, b))


def test_random_numbers_stay_in_range(dtype: Any) -> None:
    x = torch.randint(3, 9, (500,), dtype=dtype)
    assert sorted(set(x.tolist())) == [3, 4, 5, 6, 7, 8]
    with pytest.raises(RuntimeError, match="from is out of bounds"):
        torch.empty(2, dtype=torch.uint16).random_(-1, 5)


@pytest.mark.parametrize(
    "call", [lambda x: x + x, lambda x: x < x, lambda x: -x, lambda x: x.max(), lambda x: x // 2]
)
def test_what_has_no_kernel_says_so(dtype: Any, call: Callable[[Tensor], Tensor]) -> None:
    with pytest.raises((NotImplementedError, RuntimeError), match="not implemented for 'UInt"):
        call(torch.from_numpy(values(dtype)))
