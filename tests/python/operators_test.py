"""Python's operators beside NumPy's: reflected, in place, with arrays, numbers out of range."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
BITWISE = ["and_", "or_", "xor", "lshift", "rshift"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]


def integers(low: int = 0) -> Any:
    return np.random.default_rng().integers(low, 7, size=(3, 4))


def named(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(operator, name)
    return function


@pytest.mark.parametrize("name", ARITHMETIC + BITWISE + COMPARISONS)
def test_number_on_either_side(name: str) -> None:
    array, number = integers(1), int(np.random.default_rng().integers(1, 60))
    tensor = torch.from_numpy(array)
    op = named(name)
    for left, right, expected in (
        (tensor, number, op(array, number)),
        (number, tensor, op(number, array)),
        (tensor, tensor, op(array, array)),
        (np.int64(number), tensor, op(number, array)),
    ):
        np.testing.assert_allclose(op(left, right).numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "floordiv", "mod", "pow"] + BITWISE)
def test_in_place_writes_into_the_tensor(name: str) -> None:
    op = named("i" + name.rstrip("_") if name not in ("and_", "or_") else "i" + name[:-1])
    for other in (3, integers(1)):
        array = integers()
        expected = named(name)(array, other)
        tensor = torch.from_numpy(array.copy())
        view = tensor[1:]
        operand = torch.from_numpy(other) if isinstance(other, np.ndarray) else other
        assert op(tensor, operand) is tensor
        np.testing.assert_array_equal(tensor.numpy(), expected)
        np.testing.assert_array_equal(view.numpy(), expected[1:])


@pytest.mark.parametrize("name", BITWISE)
def test_in_place_on_masks_and_wrong_dtypes(name: str) -> None:
    op = named("i" + name.rstrip("_"))
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        op(torch.tensor([1, 2]), 2.5)
    if name in ("and_", "or_", "xor"):
        mask = torch.tensor([True, False])
        assert op(mask, True) is mask
        assert mask.tolist() == named(name)(np.array([True, False]), True).tolist()


def test_equality_with_an_array_is_elementwise() -> None:
    array = integers()
    tensor = torch.from_numpy(integers())
    np.testing.assert_array_equal((tensor == array).numpy(), tensor.numpy() == array)
    np.testing.assert_array_equal((tensor != array).numpy(), tensor.numpy() != array)
    with pytest.raises(TypeError, match="not supported between instances"):
        tensor < array  # noqa: B015
    for other in (None, "a", [1, 2]):
        assert (tensor == other) is False
        assert (tensor != other) is True


def test_invert_is_for_integers() -> None:
    array = integers()
    np.testing.assert_array_equal((~torch.from_numpy(array)).numpy(), ~array)
    with pytest.raises(TypeError, match=r"~ \(operator.invert\) is only implemented on integer"):
        ~torch.ones(2)


FILLERS: list[Callable[[Any, torch.dtype], torch.Tensor]] = [
    lambda value, dtype: torch.full((2,), value, dtype=dtype),
    lambda value, dtype: torch.zeros(2, dtype=dtype).fill_(value),
    lambda value, dtype: torch.tensor([value, value], dtype=dtype),
    lambda value, dtype: torch.zeros(2, dtype=dtype).masked_fill(torch.tensor([True, True]), value),
    lambda value, dtype: torch.scalar_tensor(value, dtype=dtype).expand(2),
    lambda value, dtype: torch.zeros(2, dtype=dtype).index_fill(0, torch.tensor([0, 1]), value),
]


@pytest.mark.parametrize("fill", range(len(FILLERS)))
@pytest.mark.parametrize(
    "dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64], ids=str
)
def test_numbers_out_of_range(fill: int, dtype: torch.dtype) -> None:
    info = torch.iinfo(dtype)
    values = [info.max, info.min, info.max / 2 + 0.5, 0.0, 1]
    for value in values:
        assert FILLERS[fill](value, dtype).tolist() == [int(value)] * 2
    beyond = [2.0 * info.max + 2, -2.0 * info.max - 4, 1e30, float("inf"), float("nan"), 2**63]
    if info.min == 0:
        beyond += [-1.0, -0.5, -float(info.max)]
        assert FILLERS[fill](-1, dtype).tolist() == [info.max] * 2  # Integers wrap around.
    for value in beyond:
        with pytest.raises((RuntimeError, ValueError), match=r"overflow|Overflow"):
            FILLERS[fill](value, dtype)


def test_integers_above_int64() -> None:
    assert torch.full((2,), 2**63, dtype=torch.float64).tolist() == [2.0**63] * 2
    assert torch.zeros(1).fill_(2**64 - 1).item() == 2.0**64
    for value in (2**64, -(2**63) - 1):
        with pytest.raises(OverflowError):
            torch.zeros(2) + value
