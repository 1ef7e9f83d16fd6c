"""Operators at the limits of their arguments: each gives the right answer or an error."""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

_LEAST = {torch.int8: -(2**7), torch.int16: -(2**15), torch.int32: -(2**31), torch.int64: -(2**63)}
_MAX = 2**63 - 1


@pytest.mark.parametrize("dtype", _LEAST)
@pytest.mark.parametrize("n", [1, 100])
def test_dividing_the_least_integer_by_minus_one(dtype: Any, n: int) -> None:
    least = torch.full((n,), _LEAST[dtype], dtype=dtype)
    minus_one = torch.full((n,), -1, dtype=dtype)
    # As every sum and product does, the quotient wraps around.
    assert (least // minus_one).tolist() == [_LEAST[dtype]] * n
    assert torch.div(least, minus_one, rounding_mode="trunc").tolist() == [_LEAST[dtype]] * n
    assert (least % minus_one).tolist() == [0] * n
    assert (torch.full((n,), 7, dtype=dtype) // minus_one).tolist() == [-7] * n


def _wrapped(value: int, dtype: Any) -> int:
    least = _LEAST[dtype]
    return (value - least) % (-2 * least) + least


def _integers(dtype: Any, count: int, seed: int) -> list[int]:
    choose = random.Random(seed)
    edges = [_LEAST[dtype], -_LEAST[dtype] - 1]
    return edges + [choose.randint(*edges) for _ in range(count - 2)]


# Elements, and what they give in integers without end.
_ELEMENTWISE: dict[str, tuple[Callable[..., Any], Callable[[int, int, int], int]]] = {
    "add": (lambda a, b, c: torch.add(a, b, alpha=127), lambda a, b, c: a + 127 * b),
    "sub": (lambda a, b, c: a - b, lambda a, b, c: a - b),
    "mul": (lambda a, b, c: a * b, lambda a, b, c: a * b),
    "neg": (lambda a, b, c: -a, lambda a, b, c: -a),
    "abs": (lambda a, b, c: a.abs(), lambda a, b, c: abs(a)),
    "square": (lambda a, b, c: a**2, lambda a, b, c: a**2),
    "power": (lambda a, b, c: a ** (b & 7), lambda a, b, c: a ** (b & 7)),
    "addcmul": (lambda a, b, c: a.addcmul(b, c, value=99), lambda a, b, c: a + 99 * b * c),
}


@pytest.mark.parametrize("name", _ELEMENTWISE)
@pytest.mark.parametrize("dtype", _LEAST)
def test_elements_that_overflow_wrap_around(dtype: Any, name: str) -> None:
    ours, exact = _ELEMENTWISE[name]
    rows = [_integers(dtype, 77, seed) for seed in range(3)]
    expected = [_wrapped(exact(*row), dtype) for row in zip(*rows, strict=True)]
    assert ours(*(torch.tensor(row, dtype=dtype) for row in rows)).tolist() == expected


@pytest.mark.parametrize("dtype", _LEAST)
def test_sums_and_products_that_overflow_wrap_around(dtype: Any) -> None:
    a, b = _integers(dtype, 100, 1), _integers(dtype, 100, 2)
    x, y = torch.tensor(a, dtype=dtype), torch.tensor(b, dtype=dtype)
    places = torch.zeros(100, dtype=torch.int64)
    start = torch.full((1,), a[5], dtype=dtype)
    total, product = _wrapped(a[5] + sum(b), dtype), _wrapped(a[5] * math.prod(b), dtype)
    assert start.scatter_add(0, places, y).tolist() == [total]
    assert start.index_add(0, places, y).tolist() == [total]
    assert start.index_put((places,), y, accumulate=True).tolist() == [total]
    assert start.scatter_reduce(0, places, y, "prod").tolist() == [product]
    dot = _wrapped(sum(i * j for i, j in zip(a, b, strict=True)), dtype)
    assert torch.dot(x, y).item() == dot
    assert (x.view(1, 100) @ y.view(100, 1)).tolist() == [[dot]]
    assert (x.view(1, 100) @ y).tolist() == [dot]
    expected = _wrapped(3 * a[5] + 5 * dot, dtype)
    row, column = x.view(1, 100), y.view(100, 1)
    assert torch.addmm(start, row, column, beta=3, alpha=5).tolist() == [[expected]]
    assert torch.addmv(start, row, y, beta=3, alpha=5).tolist() == [expected]


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_integers_are_added_up_in_64_bits(dtype: Any) -> None:
    values = _integers(dtype, 1000, 3)
    x, long = torch.tensor(values, dtype=dtype), torch.int64
    assert x.sum().item() == _wrapped(sum(values), long)
    assert x.view(10, 100).sum(0).tolist() == [
        _wrapped(sum(values[i::100]), long) for i in range(100)
    ]
    assert x.prod().item() == _wrapped(math.prod(values), long)
    sums, products = itertools.accumulate(values), itertools.accumulate(values, operator.mul)
    assert x.cumsum(0).tolist() == [_wrapped(v, long) for v in sums]
    assert x.cumprod(0).tolist() == [_wrapped(v, long) for v in products]
    assert torch.arange(_LEAST[long], _MAX, 2**62).tolist() == [i * 2**62 for i in range(-2, 2)]


@pytest.mark.parametrize("rounding", ["floor", "trunc"])
def test_dividing_integers_by_zero(rounding: str) -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        torch.div(torch.tensor([1, -1]), torch.tensor([-1, 0]), rounding_mode=rounding)


def test_bools_of_any_byte() -> None:
    raw = np.array([2, 0, 3, 255, 0, 1], dtype=np.uint8)
    truth = torch.tensor(raw.tolist(), dtype=torch.uint8).view(torch.bool)
    expected = (raw != 0).tolist()
    places = np.nonzero(raw)[0].tolist()
    assert truth.nonzero().flatten().tolist() == places
    assert truth.sum().item() == len(places)
    assert truth.to(torch.int32).tolist() == [int(b) for b in expected]
    assert truth.to(torch.float32).tolist() == [float(b) for b in expected]
    assert torch.arange(6)[truth].tolist() == places
    assert torch.zeros(6).masked_fill(truth, 1).tolist() == [float(b) for b in expected]
    assert torch.where(truth, 1, 0).tolist() == [int(b) for b in expected]
    assert (truth == torch.tensor(expected)).all().item()
    assert truth.logical_not().tolist() == [not b for b in expected]


def test_sizes_whose_product_does_not_fit() -> None:
    one = torch.ones(1)
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        one.expand(2**62, 4)
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        one.as_strided((2**62, 4), (0, 0))
    with pytest.raises(RuntimeError, match=r"overflowed with sizes=\[4611686018427387904, 4\]$"):
        torch.empty(2**62, 4)
    with pytest.raises(RuntimeError, match=r"overflowed with sizes=\[2\] and strides=\[46116860"):
        torch.empty_strided((2,), (2**62,))


def test_sizes_of_repeated_and_reshaped_tensors_that_do_not_fit() -> None:
    x = torch.ones(4)
    with pytest.raises(
        RuntimeError, match="size 4 of dimension 0 times 4611686018427387904 overfl"
    ):
        x.repeat(2**62)
    with pytest.raises(RuntimeError, match=r"repetitions -1 of dimension 1 in repeats \[2, -1\]"):
        x.repeat(2, -1)
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        torch.ones(0).view(2**32, 2**32)
    with pytest.raises(RuntimeError, match=r"dimension -7 at index 1 of shape \[2, -7\]$"):
        x.reshape(2, -7)


def _negative_sizes() -> dict[str, Callable[[Any], Any]]:
    return {
        r"Trying to create tensor with negative dimension -3: \[2, -3\]": lambda x: torch.zeros(
            2, -3
        ),
        r"negative dimension -1: \[-1\]": lambda x: x.resize_(-1),
        r"negative dimension -2: \[-2\]": lambda x: x.new_empty((-2,)),
        "narrow.*length must be non-negative": lambda x: x.narrow(0, 0, -1),
        "number of steps must be non-negative": lambda x: torch.linspace(0, 1, -1),
        "n must be greater or equal to 0, got -1": lambda x: torch.eye(-1),
    }


@pytest.mark.parametrize("message", _negative_sizes())
def test_negative_sizes(message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        _negative_sizes()[message](torch.ones(2, 3))


def test_more_memory_than_there_is() -> None:
    for make in (lambda: torch.empty(2**50), lambda: torch.ones(2**52, dtype=torch.uint8)):
        with pytest.raises(
            RuntimeError, match="can't allocate memory: you tried to allocate 4503599"
        ):
            make()


def test_tensors_of_two_devices() -> None:
    x, meta = torch.ones(2, 3), torch.ones(2, 3, device="meta")
    calls: list[Callable[[], Any]] = [
        lambda: x + meta,
        lambda: torch.where(x > 0, x, meta),
        lambda: torch.add(x, x, out=meta),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="found at least two devices, meta and cpu!"):
            call()
    calls = [
        lambda: torch.mm(x, meta.T),
        lambda: torch.mm(meta, x.T),
        lambda: torch.addmm(torch.ones(2, 2), x, meta.T),
        lambda: torch.bmm(x[None], meta.T[None]),
        lambda: torch.mv(x, torch.ones(3, device="meta")),
        lambda: torch.nn.functional.linear(x, meta),
        lambda: torch.nn.functional.linear(x, x, meta[:, 0]),
        lambda: torch.cat([x, meta]),
        lambda: torch.stack([meta, x]),
        lambda: torch.conv1d(x[None], meta[None]),
        lambda: torch.conv1d(meta[None], x[None]),
        lambda: torch.conv_transpose1d(x[None], meta[:, None]),
        lambda: torch.conv1d(x[None], x[None], torch.ones(1, device="meta")),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="different from other tensors on (cpu|meta)"):
            call()
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor; no data!"):
        x.copy_(meta)
    with pytest.raises(RuntimeError, match=r"Tensor\.item\(\) cannot be called on meta tensors"):
        meta[0, 0].item()


def test_a_failed_change_of_shape_leaves_the_tensor_as_it_was() -> None:
    t = torch.ones(3)
    for size in [(2**62, 4), (2**61,)]:
        with pytest.raises(RuntimeError, match="overflowed"):
            t.resize_(*size)
        assert t.shape == (3,)
    with pytest.raises(RuntimeError, match="numel"):
        t.as_strided_((2**62, 4), (0, 0))
    assert t.shape == (3,)
    assert t.tolist() == [1, 1, 1]


def test_views_outside_of_the_storage() -> None:
    t = torch.ones(3)
    with pytest.raises(RuntimeError, match="Tensor: invalid storage offset -1"):
        t.as_strided_((2,), (1,), -1)
    with pytest.raises(RuntimeError, match="Negative strides are not supported at the moment"):
        t.as_strided_((2,), (-1,), 2)
    # These strides add up to 2**64.
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
        torch.ones(1, dtype=torch.uint8).as_strided((2, 2, 2, 2), (2**62,) * 4)


def test_parts_that_reach_beyond_the_end() -> None:
    t = torch.arange(5)
    assert t[1::_MAX].tolist() == [1]
    assert [part.tolist() for part in t.split(_MAX)] == [[0, 1, 2, 3, 4]]
    assert [part.tolist() for part in t.chunk(_MAX)] == [[0], [1], [2], [3], [4]]
    with pytest.raises(RuntimeError, match="split_sizes to sum exactly to 5"):
        t.split([2, _MAX])


@pytest.mark.parametrize("k", [-(2**63), -3, -1, 0, 1, 2, 3, 2**63 - 1])
def test_triangles_at_any_diagonal(k: int) -> None:
    a = np.arange(1.0, 13.0).reshape(3, 4)
    t = torch.tensor(a.tolist())
    near = max(-9, min(k, 9))
    assert t.tril(k).tolist() == np.tril(a, near).tolist()
    assert t.triu(k).tolist() == np.triu(a, near).tolist()


def test_ranges_of_integers() -> None:
    assert torch.arange(0, 5, _MAX).tolist() == [0]
    assert torch.arange(-(2**63), _MAX, 2**62).tolist() == list(range(-(2**63), _MAX, 2**62))
    assert torch.arange(_MAX, -(2**63), -(2**62)).tolist() == list(range(_MAX, -(2**63), -(2**62)))
    for bounds in [(-(2**63), _MAX), (0, _MAX)]:
        with pytest.raises(RuntimeError, match="invalid size, possible overflow"):
            torch.arange(*bounds)


def test_targets_without_their_row() -> None:
    nll_loss = torch.nn.functional.nll_loss
    for classes in [[], [0, 1, 2]]:
        with pytest.raises(ValueError, match="For 1D input, 1D target must have size 1"):
            nll_loss(torch.zeros(3), torch.tensor(classes, dtype=torch.int64))
    assert nll_loss(torch.tensor([0.0, -2.0]), torch.tensor([1])).item() == 2
    assert nll_loss(torch.tensor([0.0, -2.0]), torch.tensor(1)).item() == 2
    with pytest.raises(IndexError, match="Target 1 is out of bounds"):
        nll_loss(torch.empty(0), torch.tensor(1))


@pytest.mark.parametrize(
    ("self_shape", "source_shape"),
    [((3, 4), ()), ((3, 4), (1,)), ((3,), (1, 2)), ((3, 4), (1, 5))],
)
def test_index_add_of_another_shape(
    self_shape: tuple[int, ...], source_shape: tuple[int, ...]
) -> None:
    with pytest.raises(RuntimeError, match="source tensor shape must match self tensor shape"):
        torch.ones(self_shape).index_add_(0, torch.tensor([0]), torch.ones(source_shape))


def test_products_of_one_row_with_any_stride() -> None:
    # A single row's stride leads nowhere; it may be more than a BLAS library's int holds.
    data = torch.tensor([2.0, 3.0])
    row = data.as_strided((1, 2), (2**33, 1))
    column = data.as_strided((2, 1), (1, 2**33))
    assert (row @ torch.ones(2, 2)).tolist() == [[5, 5]]
    assert (torch.ones(2, 2) @ column).tolist() == [[5], [5]]
    assert (row @ column).tolist() == [[13]]


def test_ranges_of_random_numbers_fit_the_dtype() -> None:
    with pytest.raises(RuntimeError, match="uniform_ expects to-from <= "):
        torch.empty(3).uniform_(-3e38, 3e38)
    with pytest.raises(RuntimeError, match="from is out of bounds for Half"):
        torch.empty(3, dtype=torch.float16).uniform_(-1e9, 1)
    with pytest.raises(RuntimeError, match="to is out of bounds for Float"):
        torch.empty(3).uniform_(0, 1e39)
    with pytest.warns(UserWarning, match=r"to - 1 is out of bounds \[-256, 256\]"):
        torch.empty(3, dtype=torch.bfloat16).random_(0, 1000)
