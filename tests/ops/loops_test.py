"""The loops that run on vectors and blocks, at sizes that end within one, of any strides.

References are NumPy's in double precision, or exact where results are integers or copies.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch

random = np.random.default_rng()


def _lack() -> str:
    """Why the capability that ATEN_CPU_CAPABILITY asks for cannot be had here."""
    try:
        torch.backends.cpu.get_cpu_capability()
    except ValueError as error:
        if "this processor supports at most" not in str(error):
            raise
        return str(error)
    return ""


_LACK = _lack()
pytestmark = pytest.mark.skipif(bool(_LACK), reason=_LACK)

_SIZES = (1, 7, 63, 1000, 5003)
_REAL = ("float32", "float64", "float16", "bfloat16")
_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
_ALL = (*_REAL, *_INTEGERS, "bool", "complex64", "complex128")
# Half of the distance between neighbours, relative.
_EPSILON = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}


def _tensor(array: Any, dtype: str, step: int = 1) -> Any:
    """The array as a tensor whose elements are `step` apart."""
    plain = torch.from_numpy(np.ascontiguousarray(array)).to(getattr(torch, dtype))
    if step == 1:
        return plain
    wide = torch.zeros((*plain.shape, step), dtype=plain.dtype)
    wide[..., 0] = plain
    return wide[..., 0]


def _double(tensor: Any) -> Any:
    return tensor.detach().to(torch.float64).numpy()


@pytest.mark.parametrize("source", _ALL)
@pytest.mark.parametrize("target", _ALL)
def test_conversions(source: str, target: str) -> None:
    for size, (from_step, to_step) in itertools.product(_SIZES, ((1, 1), (1, 3), (2, 1), (2, 3))):
        # Small integers, which every type holds; halves where there are fractions.
        numbers = random.integers(0, 100, size).astype(np.float64)
        if source not in (*_INTEGERS, "bool"):
            numbers += 0.5
        if source == "bool":
            numbers = numbers % 2
        given = _tensor(numbers, source, from_step)
        out = _tensor(np.zeros(size), target, to_step)
        out.copy_(given)
        wanted = numbers
        if target == "bool":
            wanted = (numbers != 0).astype(np.float64)
        elif target in _INTEGERS:
            wanted = np.trunc(numbers)
        found = out.real if out.is_complex() else out
        assert np.array_equal(_double(found), wanted)
        if out.is_complex():
            assert not out.imag.any()


@pytest.mark.parametrize("target", ["float16", "bfloat16"])
def test_narrowing_rounds_to_the_nearest(target: str) -> None:
    # Ties between two neighbours go to the even one, overflow to infinity; NaN stays.
    exact = random.standard_normal(1003).astype(np.float32)
    given = torch.from_numpy(np.concatenate([exact, np.float32([np.nan, np.inf, -np.inf, 3.4e38])]))
    out = given.to(getattr(torch, target))
    error = np.abs(_double(out[:1003]) - exact.astype(np.float64))
    assert (error <= np.abs(exact) * _EPSILON[target] * (1 + 2.0**-8) + 2.0**-25).all()
    assert torch.isnan(out[1003]) and out[1004] == float("inf") and out[1005] == -float("inf")
    assert out[1006] == float("inf")
    digits = 10 if target == "float16" else 7
    ties = torch.tensor([1 + 2.0 ** -(digits + 1), 1 + 3 * 2.0 ** -(digits + 1)] * 40)
    wanted = torch.tensor([1.0, 1 + 2.0 ** (1 - digits)] * 40)
    assert torch.equal(ties.to(getattr(torch, target)).to(torch.float32), wanted)


@pytest.mark.parametrize("dtype", _INTEGERS)
def test_integer_products_of_matrices_wrap_around(dtype: str) -> None:
    bound = np.iinfo(dtype)
    for m, n, k in [(1, 1, 1), (3, 5, 2), (64, 4, 256), (65, 9, 257), (130, 7, 600), (2, 3, 0)]:
        a = random.integers(bound.min, bound.max, (m, k), dtype, endpoint=True)
        b = random.integers(bound.min, bound.max, (k, n), dtype, endpoint=True)
        with np.errstate(over="ignore"):
            wanted = (a.astype(np.int64) @ b.astype(np.int64)).astype(dtype)
        x, y = torch.from_numpy(a), torch.from_numpy(b)
        assert np.array_equal((x @ y).numpy(), wanted)
        assert np.array_equal((x.t().contiguous().t() @ y).numpy(), wanted)
        assert np.array_equal((x @ y.t().contiguous().t()).numpy(), wanted)
        c = torch.from_numpy(random.integers(0, 9, (m, n)).astype(dtype))
        both = (wanted.astype(np.int64) * 3 + 2 * c.numpy().astype(np.int64)).astype(dtype)
        assert np.array_equal(torch.addmm(c, x, y, beta=2, alpha=3).numpy(), both)


def _shapes() -> list[tuple[int, ...]]:
    return [(5,), (40, 33), (33, 1), (1, 50), (7, 300, 3), (4, 5, 6, 7), (2, 1, 90)]


def _variants(array: Any, dtype: str) -> list[Any]:
    """The same elements, contiguous and as the transpose of a contiguous tensor."""
    plain = _tensor(array, dtype)
    if plain.dim() < 2:
        return [plain, _tensor(array, dtype, 2)]
    return [plain, plain.transpose(0, -1).contiguous().transpose(0, -1)]


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "int32", "bool", "complex128"])
def test_gather_and_scatter(dtype: str) -> None:
    for shape in _shapes():
        for dim in range(len(shape)):
            places = tuple(11 if d == dim else n for d, n in enumerate(shape))
            index = random.integers(0, shape[dim], places)
            # Sums of these are exact in every type.
            array = random.integers(0, 2, shape)
            source = random.integers(0, 2, places)
            wanted = np.take_along_axis(array, index, dim)
            summed = array.astype(np.int64)
            put = array.copy()
            for at in np.ndindex(places):
                to = (*at[:dim], index[at], *at[dim + 1 :])
                summed[to] += source[at]
                put[to] = source[at]
            if dtype == "bool":
                summed = np.minimum(summed, 1)
            for i in _variants(index, "int64"):
                for x, s in zip(_variants(array, dtype), _variants(source, dtype), strict=True):
                    assert np.array_equal(_exact(x.gather(dim, i)), wanted)
                    assert np.array_equal(_exact(x.scatter_add(dim, i, s)), summed)
                    assert np.array_equal(_exact(x.scatter(dim, i, s)), put)


def _exact(tensor: Any) -> Any:
    return _double(tensor.real if tensor.is_complex() else tensor)


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16", "int64"])
def test_sums_of_rows_by_index(dtype: str) -> None:
    for width in (1, 5, 64, 131):
        for count in (1, 9, 700):
            index = random.integers(0, 20, count)
            rows = random.integers(0, 2, (count, width))
            wanted = np.zeros((20, width), np.int64)
            np.add.at(wanted, index, rows)
            i, x = torch.from_numpy(index), _tensor(rows, dtype)
            zeros = torch.zeros(20, width, dtype=x.dtype)
            assert np.array_equal(_exact(zeros.index_add(0, i, x)), wanted)
            assert np.array_equal(_exact(zeros.index_put((i,), x, True)), wanted)
            turned = torch.zeros(width, 20, dtype=x.dtype).index_add(1, i, x.t())
            assert np.array_equal(_exact(turned), wanted.T)


def test_an_index_out_of_bounds_is_refused() -> None:
    x = torch.zeros(3, 40)
    for bad in (-1, 3):
        index = torch.zeros(3, 40, dtype=torch.int64)
        index[2, 39] = bad
        for call in (
            x.gather,
            lambda d, i: x.scatter_add(d, i, x),
            lambda d, i: x.scatter(d, i, x),
        ):
            message = f"index {bad} is out of bounds for dimension 0 with size 3"
            with pytest.raises((RuntimeError, IndexError), match=message):
                call(0, index)


def test_results_do_not_depend_on_the_threads() -> None:
    x, index = torch.randn(40000, 3), torch.randint(50, (40000,))
    before = torch.get_num_threads()
    found = []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        found.append(torch.zeros(50, 3).index_add(0, index, x))
    torch.set_num_threads(before)
    assert torch.equal(*found)


def test_sums_of_any_dimensions() -> None:
    for shape in [(6, 50, 7), (1, 4099), (3, 0, 2), (70, 1, 65)]:
        plain = random.standard_normal(shape)
        for order in itertools.permutations(range(len(shape))):
            x = torch.from_numpy(plain).permute(order).contiguous().permute(*np.argsort(order))
            for count in range(1, len(shape) + 1):
                for dims in itertools.combinations(range(len(shape)), count):
                    wanted = plain.sum(dims)
                    bound = 2.0**-50 * np.abs(plain).sum(dims)
                    found = x.sum(dims).numpy()
                    assert found.shape == wanted.shape
                    assert (np.abs(found - wanted) <= bound).all()


def test_nonzero() -> None:
    for shape in [(0,), (1,), (1000,), (33, 65), (4, 1, 7, 90), (3, 0, 2), (2, 128)]:
        for share in (0.0, 0.03, 0.5, 1.0):
            truth = random.random(shape) < share
            wanted = np.argwhere(truth)
            found = torch.from_numpy(truth).nonzero()
            assert np.array_equal(found.numpy(), wanted)
            out = torch.empty(0, dtype=torch.int64)
            torch.nonzero(torch.from_numpy(truth.astype(np.float32)), out=out)
            assert np.array_equal(out.numpy(), wanted)
    assert torch.tensor(2.0).nonzero().shape == (1, 0)


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
def test_padding_and_its_gradient(mode: str) -> None:
    numpy_mode = {"reflect": "reflect", "replicate": "edge"}[mode]
    for padding in [(2, 1, 1, 2), (0, 3, 2, 0), (0, 0, 0, 0)]:
        x = random.standard_normal((2, 3, 5, 9))
        left, right, top, bottom = padding
        pads = ((0, 0), (0, 0), (top, bottom), (left, right))
        places = np.pad(np.arange(x.size).reshape(x.shape), pads, mode=numpy_mode)
        given = torch.from_numpy(x).requires_grad_()
        found = torch.nn.functional.pad(given, padding, mode=mode)
        assert np.array_equal(found.detach().numpy(), x.reshape(-1)[places])
        grad = random.standard_normal(places.shape)
        found.backward(torch.from_numpy(grad))
        wanted = np.zeros(x.size)
        np.add.at(wanted, places.reshape(-1), grad.reshape(-1))
        assert np.allclose(given.grad.numpy().reshape(-1), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_powers(dtype: str) -> None:
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -2.0, 0.5]
    base = _tensor(np.concatenate([random.uniform(0.01, 8, 1009), special, special]), dtype)
    power = _tensor(np.concatenate([random.uniform(-4, 4, 1009), special, special[::-1]]), dtype)
    exponents = (0.5, 2, 3, -1, 2.7, -0.3, 0, 1)
    with np.errstate(all="ignore"):
        pairs = [(base.pow(power), np.power(_double(base), _double(power)))]
        pairs += [
            (base.pow(e), np.power(_double(base), _double(_one(e, dtype)))) for e in exponents
        ]
    for found, wanted in pairs:
        rounded = _double(_tensor(wanted, dtype))  # Overflow is the type's.
        with np.errstate(all="ignore"):
            error = np.abs(_double(found) - wanted)
        good = error <= 4 * _EPSILON[dtype] * np.abs(wanted) + 1e-300
        if dtype == "float16":
            good |= error <= 2.0**-24  # Subnormal numbers.
        same = (_double(found) == rounded) | (np.isnan(_double(found)) & np.isnan(rounded))
        assert (good | same).all()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_powers_of_zero_among_others(dtype: str) -> None:
    for size in (16, 37):
        base = random.choice([0.0, 1.0, 2.0], size)
        power = random.choice([0.0, 1.0, 2.5], size)
        found = _double(_tensor(base, dtype).pow(_tensor(power, dtype)))
        assert np.allclose(found, np.power(base, power), rtol=4 * _EPSILON[dtype], atol=0)
        assert not np.signbit(found).any()
        # A zero that is negative, or that is raised to a negative number, among them.
        base[3], power[3], base[5], power[5] = -0.0, 3, 0.0, -1
        with np.errstate(divide="ignore"):
            wanted = np.power(base, power)
        found = _double(_tensor(base, dtype).pow(_tensor(power, dtype)))
        assert np.allclose(found, wanted, rtol=4 * _EPSILON[dtype], atol=0)
        assert np.signbit(found[3]) and found[5] == np.inf


def test_powers_far_from_one() -> None:
    n = 1000
    cases = [
        (2.0 ** random.uniform(-1000, 1000, n), random.uniform(-1, 1, n)),
        (1 + random.uniform(-1e-3, 1e-3, n), random.uniform(-6e5, 6e5, n)),
        (2.0 ** random.uniform(-1, 1, n), random.uniform(-1100, 1100, n)),
        (-(2.0 ** random.uniform(-3, 3, n)), random.integers(-200, 200, n).astype(float)),
        (np.full(n, 2.0), random.integers(-1080, 1030, n).astype(float)),
        (-random.uniform(1, 2, n), random.uniform(-9, 9, n)),
    ]
    for base, power in cases:
        with np.errstate(all="ignore"):
            wanted = np.power(base, power)
        for step in (1, 2):
            found = _double(_tensor(base, "float64", step).pow(_tensor(power, "float64", step)))
            # Below 2**-1022 neighbours are 2**-1074 apart.
            assert np.allclose(found, wanted, rtol=3 * 2.0**-53, atol=2.0**-1074, equal_nan=True)


def _one(exponent: float, dtype: str) -> Any:
    # 16-bit numbers are raised to a float.
    return torch.tensor(
        float(exponent), dtype=getattr(torch, dtype if "64" in dtype else "float32")
    )


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("name", ["sum", "prod", "norm"])
def test_reductions_accumulate_in_double(dtype: str, name: str) -> None:
    for shape in [(4099,), (5, 777), (70, 65), (3, 130, 9)]:
        x = _tensor(
            1 + random.uniform(-0.1, 0.1, shape) / (shape[-1] if name == "prod" else 1), dtype
        )
        for dim in range(len(shape)):
            for t in _variants_of(x):
                found = getattr(torch, name)(t, dim=dim) if name != "norm" else t.norm(dim=dim)
                wide = _double(x)
                wanted = {
                    "sum": lambda w=wide, d=dim: w.sum(d),
                    "prod": lambda w=wide, d=dim: w.prod(d),
                    "norm": lambda w=wide, d=dim: np.sqrt((w * w).sum(d)),
                }[name]()
                scale = np.abs(wanted) * _EPSILON[dtype] * 4
                assert (np.abs(_double(found) - wanted) <= scale).all()


def _variants_of(x: Any) -> list[Any]:
    if x.dim() < 2:
        return [x]
    return [x, x.transpose(0, -1).contiguous().transpose(0, -1)]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_arithmetic_of_16_bits(dtype: str) -> None:
    for size, steps in itertools.product((5, 100, 1003), ((1, 1), (2, 1), (1, 2), (0, 1), (1, 0))):
        tensors = []
        for step in steps:
            t = _tensor(random.uniform(0.5, 2, size), dtype, max(step, 1))
            tensors.append(t[:1].expand(size) if step == 0 else t)
        a, b = tensors
        x, y = _double(a), _double(b)
        for found, wanted in [(a + b, x + y), (a * b, x * y), (a / b, x / y), (a - b, x - y)]:
            limit = np.abs(wanted) * _EPSILON[dtype] * 1.01 + 2.0**-25
            assert (np.abs(_double(found) - wanted) <= limit).all()
        c = _tensor(random.uniform(0.5, 2, size), dtype)
        wanted = x + 0.5 * y * _double(c)
        found = torch.addcmul(a, b, c, value=0.5)
        assert (np.abs(_double(found) - wanted) <= wanted * _EPSILON[dtype] * 1.01).all()


def _maximum(row: Any, begin: int, kernel: int, dilation: int) -> tuple[Any, int]:
    """The greatest of a window and its place; the last NaN counts as that."""
    places = [p for p in range(begin, begin + kernel * dilation, dilation) if 0 <= p < len(row)]
    best = places[0]
    for place in places:
        if row[place] > row[best] or row[place] != row[place]:
            best = place
    return row[best], best


@pytest.mark.parametrize("dtype", [*_REAL, "uint8", "int32", "int64"])
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_maxima_along_rows(dtype: str, stride: int) -> None:
    """Outputs beside each other: as many as a block has, one less and one more."""
    for outputs, (kernel, padding, dilation) in itertools.product(
        (1, 31, 32, 33, 97), ((1, 0, 1), (3, 1, 1), (4, 2, 3), (70, 35, 1))
    ):
        size = max((outputs - 1) * stride + (kernel - 1) * dilation + 1 - 2 * padding, 2 * padding)
        size = max(size, 1)
        numbers = random.integers(0, 9, (2, 2, size)).astype(np.float64)
        if dtype in _REAL:
            numbers[random.random(numbers.shape) < 0.05] = np.nan
            numbers[0, 0, :3] = -np.inf
        x = _tensor(numbers, dtype)
        values, places = torch.nn.functional.max_pool1d(
            x, kernel, stride, padding, dilation, return_indices=True
        )
        assert (
            torch.nn.functional.max_pool1d(x, kernel, stride, padding, dilation).equal(values)
            or values.isnan().any()
        )
        for row, found, where in zip(
            numbers.reshape(-1, size),
            _double(values).reshape(4, -1),
            places.reshape(4, -1).tolist(),
            strict=True,
        ):
            wanted = [
                _maximum(row, o * stride - padding, kernel, dilation) for o in range(len(found))
            ]
            assert np.array_equal(found, [value for value, _ in wanted], equal_nan=True)
            assert where == [place for _, place in wanted]


def test_maxima_of_one_long_row() -> None:
    """A row that several threads share."""
    for size in (4096, 4097, 50_001):
        numbers = random.standard_normal(size)
        x = torch.from_numpy(numbers).reshape(1, 1, size)
        values, places = torch.nn.functional.max_pool1d(x, 3, 1, 1, return_indices=True)
        padded = np.pad(numbers, 1, constant_values=-np.inf)
        windows = np.lib.stride_tricks.sliding_window_view(padded, 3)
        assert np.array_equal(values.numpy()[0, 0], windows.max(1))
        assert np.array_equal(places.numpy()[0, 0], windows.argmax(1) + np.arange(size) - 1)


@pytest.mark.parametrize("dtype", _REAL)
def test_maxima_of_long_windows(dtype: str) -> None:
    """Adaptive windows of one length and of several: elements are compared in vectors."""
    for size, outputs in itertools.product((63, 64, 130, 401), (1, 2, 3)):
        numbers = random.integers(0, 5, (4, size)).astype(np.float64)
        numbers[1] = -np.inf
        numbers[2, random.integers(0, size, 9)] = np.nan
        numbers[3, size // 2 :] = 7.0
        values, places = torch.nn.functional.adaptive_max_pool1d(
            _tensor(numbers, dtype), outputs, return_indices=True
        )
        for row, found, where in zip(numbers, _double(values), places.tolist(), strict=True):
            for o in range(outputs):
                begin, end = o * size // outputs, -(-(o + 1) * size // outputs)
                value, place = _maximum(row, begin, end - begin, 1)
                assert np.array_equal(found[o], value, equal_nan=True)
                assert where[o] == place


@pytest.mark.parametrize("dtype", [*_REAL, "uint8", "int64"])
def test_maxima_of_channels_that_lie_together(dtype: str) -> None:
    functional = torch.nn.functional
    for channels in (4, 31, 32, 33, 70):
        numbers = random.integers(0, 6, (2, channels, 6, 8)).astype(np.float64)
        if dtype in _REAL:
            numbers[random.random(numbers.shape) < 0.05] = np.nan
            numbers[0, :3] = -np.inf
        plain = _tensor(numbers, dtype)
        last = plain.contiguous(memory_format=torch.channels_last)
        for pool, arguments in (
            (functional.max_pool2d, (2, 2)),
            (functional.max_pool2d, (3, 2, 1, 2)),
            (functional.adaptive_max_pool2d, ((3, 4),)),
            (functional.adaptive_max_pool2d, ((4, 3),)),
        ):
            if pool is functional.adaptive_max_pool2d and dtype not in _REAL:
                continue
            wanted, found = (pool(x, *arguments, return_indices=True) for x in (plain, last))
            assert found[0].is_contiguous(memory_format=torch.channels_last)
            assert np.array_equal(_double(found[0]), _double(wanted[0]), equal_nan=True)
            assert torch.equal(found[1], wanted[1])
            if dtype in _REAL:
                slope = _tensor(random.integers(1, 4, tuple(wanted[0].shape)), dtype)
                inputs = [x.clone().requires_grad_() for x in (plain, last)]
                slopes = [torch.autograd.grad(pool(x, *arguments), x, slope)[0] for x in inputs]
                assert torch.equal(slopes[0], slopes[1])
                assert slopes[1].is_contiguous(memory_format=torch.channels_last)


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_maxima_of_windows_without_elements(layout: torch.memory_format) -> None:
    """The elements of a dilated window may lie in the padding, on both sides of the input."""
    x = torch.ones(2, 40, 2, 2).contiguous(memory_format=layout)
    values, places = torch.nn.functional.max_pool2d(x, 2, 1, 1, 3, return_indices=True)
    assert values.shape == (2, 40, 1, 1)
    assert (values == -math.inf).all()
    assert (places == 2 * 2 + 2).all()
    values, places = torch.nn.functional.max_pool2d(x, (1, 2), 1, (0, 1), (1, 3), True, True)
    assert (values == -math.inf).all()
    assert places[0, 0].tolist() == [[2], [4]]


@pytest.mark.parametrize("dtype", [*_REAL, "int8", "int32", "int64", "complex64"])
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running_totals(dtype: str, name: str) -> None:
    """Lines that are contiguous, in fours and alone, and lines beside each other."""
    for lines, n, inner in itertools.product((1, 3, 4, 9), (1, 5, 30), (1, 2, 63, 65)):
        numbers = random.choice((-1.0, 1.0, 1.0), (lines, n, inner))
        if dtype == "complex64":
            numbers = numbers * 1j
        x = _tensor(numbers, dtype)
        kept = x.clone()
        wanted = getattr(np, name)(numbers, 1)
        found = getattr(x, name)(1)
        real = found.to(torch.complex128 if dtype == "complex64" else torch.float64)
        assert np.array_equal(real.numpy(), wanted)
        assert x.equal(kept)
        assert getattr(x, name + "_")(1).equal(found)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 2.5, math.inf])
def test_distances_of_rows(dtype: str, p: float) -> None:
    for rows, columns in itertools.product((1, 2, 5), (0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 130)):
        a = random.standard_normal((2, rows, columns))
        b = random.standard_normal((2, 3, columns))
        if columns > 2:
            b[:, 0, 1] = a[:, 0, 1]
        x, y = _tensor(a, dtype), _tensor(b, dtype)
        for left, right in ((x, y), (x, x)):
            first, second = _double(left), _double(right)
            sizes = np.abs(first[:, :, None] - second[:, None])
            if columns == 0:
                wanted = np.zeros(sizes.shape[:3])
            elif p == 0:
                wanted = (sizes != 0).sum(-1)
            else:
                wanted = np.linalg.norm(sizes, p, axis=-1)
            found = _double(torch.cdist(left, right, p, "donot_use_mm_for_euclid_dist"))
            assert np.allclose(found, wanted, rtol=64 * _EPSILON[dtype], atol=0)
        if columns > 0:
            x[0, 0, columns // 2] = np.nan
            found = torch.cdist(x, x, p, "donot_use_mm_for_euclid_dist")
            unknown = torch.zeros_like(found, dtype=torch.bool)
            unknown[0, 0] = unknown[0, :, 0] = True
            assert p == 0 or found.isnan().equal(unknown)
        near = x[1]
        all_pairs = torch.cdist(near, near, p, "donot_use_mm_for_euclid_dist")
        above = torch.ones(rows, rows, dtype=torch.bool).triu(1)
        assert torch.pdist(near, p).equal(all_pairs[above])


@pytest.mark.parametrize("dtype", _ALL)
def test_scattering_by_mask(dtype: str) -> None:
    """Masks that are all true, all false and mixed, in and across the blocks of a mask."""
    for size, share in itertools.product((0, 1, 63, 64, 65, 300), (0.0, 0.1, 0.5, 1.0)):
        mask = random.random(size) < share
        numbers = random.integers(0, 2, size).astype(np.float64)
        source = random.integers(0, 2, int(mask.sum()) + 2).astype(np.float64)
        wanted = numbers.copy()
        wanted[mask] = source[: mask.sum()]
        for step in (1, 3):
            x = _tensor(numbers, dtype, step)
            truth, values = torch.from_numpy(mask), _tensor(source, dtype, step)
            assert x.masked_scatter(truth, values).equal(_tensor(wanted, dtype))
            assert x.masked_scatter_(truth, values).equal(_tensor(wanted, dtype))
    x = _tensor(np.zeros((2, 3)), dtype)
    x.masked_scatter_(torch.tensor([True, False, True]), _tensor(np.ones(4), dtype))
    assert x.equal(_tensor([[1, 0, 1], [1, 0, 1]], dtype))
    with pytest.raises(RuntimeError, match="elements of source < number of ones in mask"):
        x.masked_scatter_(torch.ones(2, 3, dtype=torch.bool), _tensor(np.ones(5), dtype))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_gradients_of_average_pooling_are_rounded_once(dtype: str, layout: Any) -> None:
    pool = torch.nn.functional.avg_pool2d
    x = _tensor(random.standard_normal((2, 5, 9, 7)), dtype).contiguous(memory_format=layout)
    wide = x.double().requires_grad_()
    x.requires_grad_()
    out = pool(x, 5, 1, 2)
    slope = _tensor(random.uniform(0.5, 1, out.shape), dtype)
    (found,) = torch.autograd.grad(out, x, slope)
    (wanted,) = torch.autograd.grad(pool(wide, 5, 1, 2), wide, slope.double())
    assert found.is_contiguous(memory_format=layout)
    limit = np.abs(_double(wanted)) * _EPSILON[dtype] * 1.01
    assert (np.abs(_double(found) - _double(wanted)) <= limit).all()


def test_average_pooling_of_channels_last() -> None:
    pool = torch.nn.functional.avg_pool2d
    for channels in (1, 3, 16, 37):
        x = torch.randn(2, channels, 9, 11)
        last = x.contiguous(memory_format=torch.channels_last)
        for options in ({"padding": 1}, {"ceil_mode": True}, {"count_include_pad": False}):
            wanted = pool(x.to(torch.float64), 3, 2, **options)
            found = pool(last, 3, 2, **options)
            assert found.shape == wanted.shape
            assert found.is_contiguous(memory_format=torch.channels_last)
            assert torch.allclose(found.to(torch.float64), wanted, rtol=1e-6, atol=1e-6)
        for function in (
            lambda x: pool(x, 3, 2, 1),
            lambda x: pool(x, 3, 2, count_include_pad=False, divisor_override=5),
            lambda x: torch.nn.functional.adaptive_avg_pool2d(x, (4, 13)),
        ):
            grads = []
            for given in (last, x.to(torch.float64)):
                given = given.detach().requires_grad_()
                result = function(given)
                weight = torch.arange(result.numel(), dtype=given.dtype).reshape(result.shape)
                grads.append(*torch.autograd.grad(result, given, weight / 1000))
            assert grads[0].is_contiguous(memory_format=torch.channels_last)
            assert torch.allclose(grads[0].to(torch.float64), grads[1], rtol=1e-5, atol=1e-5)
    volume = torch.randn(3, 4, 5, 6).contiguous(memory_format=torch.channels_last)
    found = torch.nn.functional.avg_pool3d(volume, 2)
    assert torch.equal(found, torch.nn.functional.avg_pool3d(volume.contiguous(), 2))


def _specials(dtype: str) -> Any:
    """Infinities, NaN, zeros of both signs, the ends of the type and numbers, in every lane."""
    limits = torch.finfo(getattr(torch, dtype))
    ends = [limits.max, limits.tiny, limits.eps, limits.tiny / 2, 90.0, 0.5, 1.0, 2.5]
    some = [np.inf, np.nan, 0.0, *ends, *random.standard_normal(18)]
    return np.tile(np.array([*some, *(-x for x in some)]), 5)


@pytest.mark.parametrize("dtype", _REAL)
def test_comparisons_of_infinities_and_nan(dtype: str) -> None:
    numbers = _specials(dtype)
    for step, shift in itertools.product((1, 2), range(0, numbers.size, 7)):
        a, b = _tensor(numbers, dtype, step), _tensor(np.roll(numbers, shift), dtype, step)
        x, y = _double(a), _double(b)
        for name in ("lt", "le", "gt", "ge", "eq", "ne"):
            wanted = {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y, "eq": x == y}.get(
                name, x != y
            )
            assert np.array_equal(getattr(torch, name)(a, b).numpy(), wanted)
            assert np.array_equal(_double(getattr(torch, name)(a, b).to(a.dtype)), wanted)
        nan = np.isnan(x) | np.isnan(y)
        for found, wanted in [
            (torch.maximum(a, b), np.where(nan, np.nan, np.fmax(x, y))),
            (torch.minimum(a, b), np.where(nan, np.nan, np.fmin(x, y))),
            (torch.fmax(a, b), np.fmax(x, y)),
            (torch.fmin(a, b), np.fmin(x, y)),
            (torch.where(a > b, a, b), np.where(x > y, x, y)),
        ]:
            assert np.array_equal(_double(found), wanted, equal_nan=True)


@pytest.mark.parametrize("dtype", _REAL)
def test_functions_of_infinities_and_nan(dtype: str) -> None:
    numbers = _specials(dtype)
    for step in (1, 2):
        a = _tensor(numbers, dtype, step)
        x = _double(a)
        with np.errstate(all="ignore"):
            exact = {
                "isnan": np.isnan(x),
                "isinf": np.isinf(x),
                "isfinite": np.isfinite(x),
                "signbit": np.signbit(x),
                "sign": np.where(np.isnan(x), 0, np.sign(x)),
                "floor": np.floor(x),
                "ceil": np.ceil(x),
                "round": np.rint(x),
                "trunc": np.trunc(x),
                "abs": np.abs(x),
                "neg": -x,
                "relu": np.where(np.isnan(x), x, np.maximum(x, 0)),
            }
            near = {
                "exp": np.exp(x),
                "log": np.log(x),
                "log2": np.log2(x),
                "log10": np.log10(x),
                "sigmoid": np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x))),
                "tanh": np.tanh(x),
                "sqrt": np.sqrt(x),
                "reciprocal": 1 / x,
            }
        for name, wanted in exact.items():
            found = _double(getattr(torch, name)(a))
            assert np.array_equal(found, wanted, equal_nan=True), name
            # Zeros keep their signs.
            if name in ("floor", "ceil", "round", "trunc", "neg"):
                assert np.array_equal(np.signbit(found[x == 0]), np.signbit(wanted[x == 0])), name
        least = torch.finfo(a.dtype).tiny
        for name, wanted in near.items():
            found = _double(getattr(torch, name)(a))
            rounded = _double(_tensor(wanted, dtype))
            with np.errstate(all="ignore"):
                good = np.abs(found - wanted) <= 6 * _EPSILON[dtype] * np.abs(wanted) + least
            same = (found == rounded) | (np.isnan(found) & np.isnan(wanted))
            assert (good | same).all(), (name, x[~(good | same)], found[~(good | same)])


@pytest.mark.parametrize("dtype", _REAL)
def test_softmax_of_any_dimension(dtype: str) -> None:
    shapes = [(1,), (70,), (33, 5), (4, 37), (3, 10, 70), (2, 3, 4, 17), (0, 3), (5, 0)]
    shapes += [(900, 3), *((7, n) for n in (1, 2, 4, 8, 15, 16, 31, 32, 33))]
    if dtype in ("float16", "bfloat16"):  # Rows that are read in blocks.
        shapes += [(3, 1025), (2, 3001)]
    for shape in shapes:
        for dim in range(len(shape)):
            x = random.standard_normal(shape) * 10
            x[random.random(shape) < 0.2] = -np.inf
            few = x[:1] if shape[-1] > 1000 else x  # A long row is likely to have some.
            few[random.random(few.shape) < 0.01] = np.nan
            a = _tensor(x, dtype)
            wide = _double(a)
            g = _tensor(random.standard_normal(shape), dtype)
            for t, grad in zip(_variants_of(a), _variants_of(g), strict=True):
                for name in ("softmax", "log_softmax"):
                    given = t.detach().requires_grad_()
                    found = getattr(torch, name)(given, dim)
                    found.backward(grad)
                    if not x.size:
                        assert found.shape == given.grad.shape == shape
                        continue
                    with np.errstate(all="ignore"):
                        shifted = wide - wide.max(dim, keepdims=True)
                        total = np.exp(shifted).sum(dim, keepdims=True)
                        y = np.exp(shifted) / total
                        wanted = y if name == "softmax" else shifted - np.log(total)
                        dy = _double(g)
                        slope = (
                            (dy - (dy * y).sum(dim, keepdims=True)) * y
                            if name == "softmax"
                            else dy - y * dy.sum(dim, keepdims=True)
                        )
                    limit = 8 * _EPSILON[dtype]
                    assert np.allclose(
                        _double(found), wanted, rtol=limit, atol=limit, equal_nan=True
                    )
                    loose = (
                        64
                        * _EPSILON[dtype]
                        * max(1, np.nanmax(np.abs(wanted[~np.isinf(wanted)]), initial=1))
                    )
                    assert np.allclose(
                        _double(given.grad), slope, rtol=loose, atol=loose, equal_nan=True
                    )


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64", "complex128"])
def test_copies_of_transposes(dtype: str) -> None:
    for rows, columns in [(32, 32), (33, 70), (101, 64), (64, 47), (3, 100)]:
        array = random.integers(0, 100, (rows, columns + 3))
        x = _tensor(array, dtype)[:, 1 : columns + 1]
        wanted = array[:, 1 : columns + 1].T
        assert np.array_equal(_exact(x.t().contiguous()), wanted)
        out = torch.zeros(columns, rows + 5, dtype=x.dtype)
        out[:, 2 : rows + 2].copy_(x.t())
        assert np.array_equal(_exact(out[:, 2 : rows + 2]), wanted)
        assert not out[:, :2].any() and not out[:, rows + 2 :].any()
        batch = torch.stack([x, x + 1]).transpose(1, 2).contiguous()
        assert np.array_equal(_exact(batch[1]), (wanted + 1))


@pytest.mark.parametrize("dtype", _REAL)
def test_remainders_and_floors_of_quotients(dtype: str) -> None:
    ends = [0.0, np.inf, np.nan, 1.0, 3.0, 0.1, 1e-6, 6e4]
    special = np.array([*ends, *(-x for x in ends)])
    pairs = np.array(list(itertools.product(special, special)))
    size = 3001
    ordinary = random.standard_normal((size, 2)) * np.exp(random.uniform(-6, 6, (size, 2)))
    multiples = random.integers(-40, 40, (size, 2)) / 8
    for given, step in itertools.product((pairs, ordinary, multiples), (1, 2)):
        a, b = (_tensor(given[:, k], dtype, step) for k in range(2))
        x, y = _double(a), _double(b)
        with np.errstate(all="ignore"):
            wanted = {torch.fmod: np.fmod(x, y), torch.remainder: np.mod(x, y)}
            quotient = np.floor(x / y)
        least = 2.0**-25 if dtype == "float16" else 2.0**-149
        for function, exact in wanted.items():
            found = _double(function(a, b))
            with np.errstate(all="ignore"):
                near = np.abs(found - exact) <= 1.01 * _EPSILON[dtype] * np.abs(exact) + least
            same = near | (found == exact) | (np.isnan(found) & np.isnan(exact))
            assert same.all(), (function, x[~same], y[~same], found[~same], exact[~same])
        zeros = _double(torch.fmod(a, b)) == 0
        assert np.array_equal(np.signbit(_double(torch.fmod(a, b)))[zeros], np.signbit(x)[zeros])
        found = _double(torch.floor_divide(a, b))
        usual = np.isfinite(quotient) & (np.abs(quotient) < 1 / (8 * _EPSILON[dtype]))
        # The quotient that the type can hold, next to a whole number, may be that number.
        assert (np.abs(found - quotient)[usual] <= 1).all()
        with np.errstate(all="ignore"):
            whole_rest = usual & (np.abs(x / y - np.rint(x / y)) > 1e-3)
        assert np.array_equal(found[whole_rest], quotient[whole_rest])
        assert np.isnan(found[np.isnan(x) | np.isnan(y)]).all()


@pytest.mark.parametrize("dtype", (*_REAL, *_INTEGERS, "bool"))
def test_sorts_are_stable_and_select_the_first(dtype: str) -> None:
    for rows, n in [(1, 1), (3, 2), (5, 17), (2, 300), (1, 5000), (3, 1500), (0, 4)]:
        numbers = random.integers(-9, 9, (rows, n)).astype(np.float64)
        if dtype in _REAL:
            numbers[random.random((rows, n)) < 0.1] = np.nan
            numbers[random.random((rows, n)) < 0.1] = -np.inf
            numbers *= random.choice([1, -1], (rows, n))  # Zeros of both signs are equal.
        elif dtype in ("uint8", "bool"):
            numbers = np.abs(numbers)
        wide = random.standard_normal((rows, n)) * 1e4 if dtype in _REAL else numbers
        for array in (numbers, wide):
            x = _tensor(array, dtype)
            plain = _double(x)
            for descending in (False, True):
                # NaN is the largest.
                sign = -1 if descending else 1
                nan = np.isnan(plain)
                order = np.lexsort((sign * np.where(nan, 0, plain), sign * nan), axis=1)
                sorted_ = np.take_along_axis(plain, order, 1)
                values, indices = torch.sort(x, dim=1, descending=descending, stable=True)
                assert np.array_equal(indices.numpy(), order)
                assert np.array_equal(_double(values), sorted_, equal_nan=True)
                across = torch.sort(x.t(), dim=0, descending=descending, stable=True)
                assert np.array_equal(across.indices.t().numpy(), order)
                for k in {0, 1, min(3, n), n // 70, n // 2, n}:
                    first = torch.topk(x, k, 1, largest=descending)
                    assert np.array_equal(_double(first.values), sorted_[:, :k], equal_nan=True)
                    taken = np.take_along_axis(plain, first.indices.numpy(), 1)
                    assert np.array_equal(taken, sorted_[:, :k], equal_nan=True)
            if rows and not np.isnan(plain).any():
                found = torch.unique(x, return_inverse=True, return_counts=True)
                for result, wanted in zip(
                    found,
                    np.unique(plain, return_inverse=True, return_counts=True),
                    strict=True,
                ):
                    assert np.array_equal(_double(result).reshape(-1), wanted.reshape(-1))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64", "complex128"])
def test_flips(dtype: str) -> None:
    assert torch.tensor(3).flip(()).item() == 3
    for shape in [(1,), (50,), (3, 40), (4, 1, 17), (2, 3, 5, 16), (0, 3)]:
        array = random.integers(0, 100, shape)
        x = _tensor(array, dtype)
        for count in range(len(shape) + 1):
            for dims in itertools.combinations(range(len(shape)), count):
                wanted = np.flip(array, dims)
                assert np.array_equal(_exact(x.flip(dims)), wanted)
                if len(shape) > 1:
                    turned = x.transpose(0, -1).contiguous().transpose(0, -1)
                    assert np.array_equal(_exact(turned.flip(dims)), wanted)


def test_small_integers_are_those_of_the_longer_division() -> None:
    torch.manual_seed(random.integers(2**31))
    state = torch.get_rng_state()
    raw = torch.empty(1000, dtype=torch.int64).random_(0, 2**27)
    torch.set_rng_state(state)
    small = torch.randint(-3, 5, (1000,))
    assert torch.equal(small, raw % 8 - 3)
    assert int(small.min()) == -3 and int(small.max()) == 4


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bfloat16"])
def test_products_of_batches(dtype: str) -> None:
    for batch, n, k, m in [
        (1, 3, 4, 5),
        (7, 1, 1, 1),
        (50, 16, 16, 16),
        (3, 70, 90, 80),
        (4, 5, 0, 6),
        (0, 2, 3, 4),
    ]:
        x = random.integers(-1, 2, (batch, n, k))
        y = random.integers(-1, 2, (batch, k, m))
        wanted = np.matmul(x, y)
        a, b = _tensor(x, dtype), _tensor(y, dtype)
        turned = [b, b.transpose(1, 2).contiguous().transpose(1, 2), _tensor(y, dtype, 2)]
        for left in (a, a.transpose(1, 2).contiguous().transpose(1, 2), _tensor(x, dtype, 2)):
            for right in turned:
                assert np.array_equal(_double(left.bmm(right)), wanted)
        out = torch.zeros(batch, m, n, dtype=a.dtype).transpose(1, 2)
        torch.bmm(a, b, out=out)
        assert np.array_equal(_double(out), wanted)
        if batch:
            one = a[:1].expand(batch, n, k)
            assert np.array_equal(_double(one.bmm(b)), np.matmul(x[:1], y))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_sums_and_products(dtype: str) -> None:
    limit = 4 * _EPSILON["float32" if dtype == "complex64" else "float64"]
    for size, steps in itertools.product((1, 5, 16, 1003), ((1, 1), (2, 1), (0, 1), (1, 0))):
        tensors = []
        for step in steps:
            parts = random.standard_normal((2, size))
            t = _tensor(parts[0] + 1j * parts[1], dtype, max(step, 1))
            tensors.append(t[:1].expand(size) if step == 0 else t)
        a, b = tensors
        x, y = a.to(torch.complex128).numpy(), b.to(torch.complex128).numpy()
        alpha = 0.5 - 2j
        for found, wanted in [
            (a + b, x + y),
            (a - b, x - y),
            (a * b, x * y),
            (torch.add(a, b, alpha=alpha), x + alpha * y),
            (a * alpha, x * alpha),
        ]:
            error = np.abs(found.to(torch.complex128).numpy() - wanted)
            assert (
                error
                <= limit * (np.abs(x) + 3 * np.abs(y)) * (1 + np.abs(y)) + limit * 3 * np.abs(x)
            ).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_products_of_long_operands(dtype: str) -> None:
    """Few rows or columns: vectors along k, transposes, and parts of k for threads."""
    sizes = [(1, 3), (3, 3), (7, 50), (50, 7), (10, 10), (20, 30), (64, 64), (2, 300)]
    limit = 4 * _EPSILON["float64" if dtype == "float64" else "float32"]
    for (m, n), k in itertools.product(sizes, (5, 70, 300, 1030, 20_000)):
        a = _tensor(random.integers(-4, 5, (m, k)), dtype)
        b = _tensor(random.integers(-4, 5, (k, n)), dtype)
        c = _tensor(random.integers(-4, 5, (m, n)), dtype)
        # Sums of these products are exact in every order.
        product = a.to(torch.complex128).numpy() @ b.to(torch.complex128).numpy()
        for left, right in itertools.product((a, a.mT.contiguous().mT), (b, b.mT.contiguous().mT)):
            assert np.array_equal((left @ right).to(torch.complex128).numpy(), product)
            found = torch.addmm(c, left, right, beta=0.5, alpha=2).to(torch.complex128).numpy()
            wanted = 0.5 * c.to(torch.complex128).numpy() + 2 * product
            assert (np.abs(found - wanted) <= limit * np.abs(wanted)).all()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_inner_products_of_complex_vectors(dtype: str) -> None:
    limit = 4 * _EPSILON["float32" if dtype == "complex64" else "float64"]
    for size, step in itertools.product((0, 1, 7, 64, 1003, 40_000), (1, 2)):
        parts = random.standard_normal((4, size))
        a = _tensor(parts[0] + 1j * parts[1], dtype, step)
        b = _tensor(parts[2] + 1j * parts[3], dtype, step)
        x, y = a.to(torch.complex128).numpy(), b.to(torch.complex128).numpy()
        bound = limit * (np.abs(x) @ np.abs(y) + 1)
        for found, wanted in [
            (torch.dot(a, b), x @ y),
            (torch.vdot(a, b), x.conj() @ y),
            (torch.dot(a, b.conj()), x @ y.conj()),
            (torch.vdot(a.conj(), b), x @ y),
            (torch.vdot(a, b.conj()), (x @ y).conj()),
            (torch.dot(a.conj(), b._neg_view()), -(x.conj() @ y)),
        ]:
            assert np.abs(found.resolve_conj().to(torch.complex128).numpy() - wanted) <= bound


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_lengths_and_angles_of_complex_numbers(dtype: str) -> None:
    real = "float32" if dtype == "complex64" else "float64"
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]
    powers = (1e30, 1e-30) if real == "float32" else (1e300, 1e-300)
    numbers = [complex(x, y) for x in special for y in special]
    parts = random.standard_normal((2, 1009))
    for scale in (1.0, *powers):
        values = np.concatenate([numbers, (parts[0] + 1j * parts[1]) * scale, [3 + 4j, 5 - 12j]])
        for step in (1, 2):
            z = _tensor(values, dtype, step)
            exact = z.to(torch.complex128).numpy()
            for found, wanted in [(z.abs(), np.abs(exact)), (z.angle(), np.angle(exact))]:
                assert np.allclose(
                    _double(found), wanted, rtol=3 * _EPSILON[real], atol=0, equal_nan=True
                )
                signs = np.signbit(_double(found)) == np.signbit(wanted)
                assert (signs | np.isnan(wanted)).all()
            assert z[-2:].abs().tolist() == [5, 13]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_transforms_of_many_lines(dtype: str) -> None:
    """Lines in groups of any number, whose elements lie together, beside other lines or apart."""
    limit = 16 * _EPSILON["float32" if dtype == "complex64" else "float64"]
    fft = torch.fft
    for shape in [(17, 5), (33, 16), (40, 300), (3, 4100), (5, 17, 9), (13, 2, 31), (2, 3, 20, 18)]:
        parts = random.standard_normal((2, *shape))
        dense = _tensor(parts[0] + 1j * parts[1], dtype)
        apart = _tensor(parts[0] + 1j * parts[1], dtype, 2)
        for x in (dense, dense.transpose(0, -1), apart, dense[::2], dense[:1].expand(shape)):
            plain = x.to(torch.complex128).numpy()
            real, plain_real = x.real, plain.real
            pairs = [(fft.fftn(x), np.fft.fftn(plain))]
            for d in range(x.dim()):
                points = x.shape[d]
                pairs += [
                    (fft.fft(x, dim=d), np.fft.fft(plain, axis=d)),
                    (fft.ifft(x, dim=d), np.fft.ifft(plain, axis=d)),
                    (fft.rfft(real, dim=d), np.fft.rfft(plain_real, axis=d)),
                ]
                pairs += [
                    (fft.irfft(x, n=n, dim=d), np.fft.irfft(plain, n=n, axis=d))
                    for n in (points, 2 * points - 1)
                ]
            for found, wanted in pairs:
                error = np.abs(found.to(torch.complex128).numpy() - wanted).max()
                assert error <= limit * np.abs(wanted).max()


def test_norms_of_extreme_numbers() -> None:
    for scale in (1e-30, 1e-20, 1.0, 1e19, 1e25):
        for shape in [(5000,), (3, 700), (700, 3)]:
            x = torch.from_numpy(random.standard_normal(shape) * scale).to(torch.float32)
            wide = _double(x)
            for dim in range(len(shape)):
                found = _double(x.norm(dim=dim))
                wanted = np.sqrt((wide * wide).sum(dim))
                assert np.allclose(found, wanted, rtol=4 * _EPSILON["float32"], atol=0)
    x = torch.zeros(3000)
    assert x.norm() == 0
    x[2000] = float("inf")
    assert x.norm() == float("inf")
    x[5] = float("nan")
    assert torch.isnan(x.norm())


@pytest.mark.parametrize("dtype", [*_REAL, "int64", "complex64"])
def test_reductions_of_all_dimensions_in_any_order(dtype: str) -> None:
    for shape in [(3, 5), (70, 33), (40, 9, 130)]:
        numbers = random.integers(-30, 30, shape).astype(np.float64)
        for x in _variants_of(_tensor(numbers, dtype)):
            # Integers, whose sums are exact in each type that holds these results.
            wide = torch.complex128 if x.is_complex() else torch.float64
            assert x.sum(dtype=wide) == numbers.sum()
            if x.is_complex():
                turned = x * 1j
                assert (turned.sum(-1) == x.sum(-1) * 1j).all()
                assert np.array_equal(_double(x.sum(-1).real), numbers.sum(-1))
                continue
            assert x.amax() == numbers.max()
            assert x.amin() == numbers.min()
            assert x.max() == numbers.max()
            for dim in range(len(shape)):
                assert np.array_equal(_double(x.amax(dim)), numbers.max(dim))
                assert np.array_equal(_double(x.amin(dim)), numbers.min(dim))
            if dtype not in ("float32", "float64"):
                continue
            for dims in [(0,), (1,), tuple(range(len(shape)))]:
                wanted = numbers.var(axis=dims, ddof=1)
                found = _double(x.var(dim=dims))
                assert (np.abs(found - wanted) <= (8 * _EPSILON[dtype] + 1e-13) * wanted).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_extremes_of_16_bits_with_infinities_and_nan(dtype: str) -> None:
    for rows, columns in [(3, 7), (40, 70), (5, 1030)]:
        numbers = random.standard_normal((rows, columns))
        numbers[random.random(numbers.shape) < 0.05] = np.inf
        numbers[random.random(numbers.shape) < 0.05] = -np.inf
        for x in _variants_of(_tensor(numbers, dtype)):
            for dim in (0, 1):
                plain = _double(x)
                assert np.array_equal(_double(x.amax(dim)), plain.max(dim))
                assert np.array_equal(_double(x.amin(dim)), plain.min(dim))
        numbers[rows // 2, columns // 2] = np.nan
        for x in _variants_of(_tensor(numbers, dtype)):
            assert x.amax().isnan()
            assert x.amin().isnan()
            for dim, place in ((0, columns // 2), (1, rows // 2)):
                lost = x.amax(dim).isnan()
                assert lost[place]
                assert lost.sum() == 1


@pytest.mark.parametrize("dtype", [*_ALL])
def test_triangles(dtype: str) -> None:
    for shape in [(1, 1), (5, 3), (3, 40), (2, 3, 17, 20), (2, 0, 3), (0, 3, 3)]:
        numbers = random.integers(1, 2 if dtype == "bool" else 100, shape)
        x = _tensor(numbers, dtype)
        across = _tensor(np.swapaxes(numbers, -1, -2), dtype).mT
        for k in (-100, -3, -1, 0, 1, 2, 100):
            for name in ("tril", "triu"):
                # np.tril takes no empty stacks of matrices.
                rows, columns = np.indices(shape[-2:])
                kept = columns - rows <= k if name == "tril" else columns - rows >= k
                wanted = np.where(kept, numbers, 0)
                for t in (x, across):
                    assert np.array_equal(_exact(getattr(t, name)(k)), wanted)
                    given = t.clone(memory_format=torch.preserve_format)
                    assert getattr(given, name + "_")(k) is given
                    assert np.array_equal(_exact(given), wanted)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int64", "uint8"])
@pytest.mark.parametrize("reduce", ["prod", "amax", "amin"])
def test_reductions_by_index(dtype: str, reduce: str) -> None:
    join = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum}[reduce]
    for shape in [(6,), (5, 37), (37, 5), (4, 3, 20)]:
        start = random.integers(1, 3, shape)
        source = random.integers(1, 3, shape)
        for dim in range(len(shape)):
            along = random.integers(0, shape[dim], shape[dim])
            places = random.integers(0, shape[dim], shape)
            by_row, by_element = start.copy(), start.copy()
            target = np.moveaxis(by_row, dim, 0)
            join.at(target, along, np.moveaxis(source, dim, 0))
            where = list(np.indices(shape))
            where[dim] = places
            join.at(by_element, tuple(where), source)
            for x in _variants_of(_tensor(start, dtype)):
                s = _tensor(source, dtype)
                found = x.index_reduce(dim, torch.from_numpy(along), s, reduce)
                found_each = x.scatter_reduce(dim, torch.from_numpy(places), s, reduce)
                # Products that 8 bits do not hold wrap around; those that bfloat16 rounds are left.
                small = by_row <= 256 if dtype == "bfloat16" else np.full(shape, True)
                each = by_element <= 256 if dtype == "bfloat16" else np.full(shape, True)
                low = 256 if dtype == "uint8" else 1 << 62
                assert np.array_equal(_double(found)[small], (by_row % low)[small])
                assert np.array_equal(_double(found_each)[each], (by_element % low)[each])


@pytest.mark.parametrize("dtype", _REAL)
def test_normalisation_of_short_rows(dtype: str) -> None:
    for length in (1, 3, 8, 16, 24, 31, 33, 100, 260):
        x = _tensor(random.standard_normal((5, length)), dtype)
        weight = _tensor(random.standard_normal(length), dtype)
        plain, w = _double(x), _double(weight)
        centred = plain - plain.mean(1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
        # The rounding of a mean, beside elements that are close to each other.
        near = np.abs(plain).max(1, keepdims=True) / deviation
        for found, wanted in [
            (
                torch.layer_norm(x, (length,), weight, None, 1e-5),
                centred / deviation * w,
            ),
            (
                torch.rms_norm(x, (length,), weight, 1e-5),
                plain / np.sqrt((plain**2).mean(1, keepdims=True) + 1e-5) * w,
            ),
        ]:
            bound = 8 * _EPSILON[dtype] * (np.abs(wanted) + np.abs(w) * (1 + near))
            assert (np.abs(_double(found) - wanted) <= bound).all()


@pytest.mark.parametrize("dtype", _REAL)
def test_normalisation_of_columns(dtype: str) -> None:
    """Batch normalisation of channels that lie side by side, and its gradients."""
    shapes = [(1, 3, 2, 2), (3, 1), (40, 5), (7, 16), (300, 33), (5, 64), (1100, 3), (9, 2500)]
    for rows, channels, *plane in shapes:
        x = _tensor(2 + random.standard_normal((rows, channels, *plane)), dtype)
        grad = _tensor(random.standard_normal(x.shape), dtype)
        weight, bias = (_tensor(random.standard_normal(channels), dtype) for _ in range(2))
        if plane:
            x = x.to(memory_format=torch.channels_last)
        over = (0, *range(2, x.dim()))
        each = (1, channels, *(1 for _ in plane))
        count = x.numel() // channels
        plain, g, w = _double(x), _double(grad), _double(weight).reshape(each)
        mean = plain.mean(over, keepdims=True)
        deviation = np.sqrt(plain.var(over, keepdims=True) + 1e-5)
        normal = (plain - mean) / deviation
        y, found_mean, found_inverse = torch.native_batch_norm(
            x, weight, bias, None, None, True, 0.1, 1e-5
        )
        assert y.stride() == x.stride()
        gradients = torch.ops.aten.native_batch_norm_backward(
            grad, x, weight, None, None, found_mean, found_inverse, True, 1e-5, [True] * 3
        )
        wanted = (
            (g - g.mean(over, keepdims=True) - normal * (g * normal).mean(over, keepdims=True))
            * w
            / deviation
        )
        # The rounding of a mean, beside elements that are close to each other; and of statistics,
        # which are returned in the type of elements.
        near = 1 + (np.abs(plain).max(over, keepdims=True) + 1) / deviation
        limit = 8 * _EPSILON[dtype] * near
        assert (
            np.abs(_double(y) - (normal * w + _double(bias).reshape(each)))
            <= limit * (2 + np.abs(w)) * (1 + np.abs(normal))
        ).all()
        size = np.abs(g).max() * (1 + np.abs(normal).max()) ** 2
        assert (
            np.abs(_double(gradients[0]) - wanted) <= limit * size * np.abs(w) * 4 / deviation
        ).all()
        for found, sums in [(gradients[1], g * normal), (gradients[2], g)]:
            error = np.abs(_double(found) - sums.sum(over))
            assert (error <= (limit * size * count).reshape(-1)).all()


def test_columns_do_not_depend_on_the_threads() -> None:
    x = torch.from_numpy(random.standard_normal((5000, 70)).astype(np.float32))
    found = []
    threads = torch.get_num_threads()
    for count in (1, 2, 3):
        torch.set_num_threads(count)
        found.append(torch.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5))
    torch.set_num_threads(threads)
    for others in found[1:]:
        assert all(torch.equal(a, b) for a, b in zip(found[0], others, strict=True))


@pytest.mark.parametrize("dtype", _REAL)
@pytest.mark.parametrize("step", [1, 2])
def test_error_functions(dtype: str, step: int) -> None:
    # The last are where erfc is subnormal, and 0.
    ends = [np.inf, np.nan, 0.0, 1e-30, 0.46875, 0.47, 3.999, 4.0, 4.001, 6.0, 9.0, 26.0]
    ends += [9.5, 10.0, 26.7, 27.0, 30.0]
    numbers = np.array([*ends, *(-x for x in ends), *(4 * random.standard_normal(2001))])
    x = _tensor(numbers, dtype, step)
    plain = _double(x)
    for function, reference in ((torch.erf, math.erf), (torch.erfc, math.erfc)):
        wanted = np.array([reference(v) for v in plain])
        smallest = {"float64": 2.0**-1074, "float32": 2.0**-149}.get(dtype)
        bound = 8 * _EPSILON[dtype] * np.abs(wanted) + (smallest or torch.finfo(x.dtype).tiny)
        found = _double(function(x))
        assert np.array_equal(np.isnan(found), np.isnan(wanted))
        assert (np.abs(found - wanted) <= bound)[~np.isnan(wanted)].all()


@pytest.mark.parametrize("dtype", _REAL)
@pytest.mark.parametrize("step", [1, 3])
def test_exponential_units_and_interpolation(dtype: str, step: int) -> None:
    for positive in (False, True):
        numbers = 10 * random.standard_normal(2003)
        numbers[:5] = [0, 1e-4, -1e-4, -200, 50]
        x = _tensor(np.abs(numbers) if positive else numbers, dtype, step)
        end = _tensor(random.standard_normal(x.shape), dtype, step)
        weight = _tensor(random.uniform(-1, 2, x.shape), dtype, step)
        a, b, w = _double(x), _double(end), _double(weight)
        elu = np.where(a > 0, a, 1.5 * np.expm1(np.minimum(a, 0)))
        tail = -np.minimum(a, 0) + np.log1p(np.exp(-np.abs(a)))
        size = np.abs(a) + np.abs(b)
        for found, wanted, scale in (
            (torch.nn.functional.elu(x, 1.5), elu, np.abs(elu)),
            (torch.nn.functional.logsigmoid(x), -tail, tail),
            (torch.lerp(x, end, weight), a + w * (b - a), 3 * size),
            (torch.lerp(x, end, 0.25), a + 0.25 * (b - a), size),
        ):
            bound = 8 * _EPSILON[dtype] * scale + torch.finfo(x.dtype).tiny
            assert (np.abs(_double(found) - wanted) <= bound).all()


@pytest.mark.parametrize("dtype", _REAL)
def test_exponential_units_that_grow(dtype: str) -> None:
    # A negative alpha of celu has large exponents, up to infinity.
    numbers = np.array([-1.0, -30.0, -87.9, -88.3, -88.6, -89.0, -700.0, -709.5, -710.0] * 9)
    x = _tensor(numbers, dtype)
    with np.errstate(over="ignore"):
        wanted = -np.expm1(-_double(x))
    largest = torch.finfo(x.dtype).max
    wanted = np.where(np.abs(wanted) > largest * (1 + _EPSILON[dtype]), -np.inf, wanted)
    found = _double(torch.nn.functional.celu(x, -1.0))
    finite = np.isfinite(wanted)
    assert np.array_equal(found[~finite], wanted[~finite])
    found, wanted = found[finite], wanted[finite]
    assert (np.abs(found - wanted) <= 8 * _EPSILON[dtype] * np.abs(wanted)).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", *_INTEGERS])
def test_products_of_matrices_and_vectors(dtype: str) -> None:
    whole = dtype in _INTEGERS
    for m, n in [(1, 1), (5, 3), (33, 64), (70, 1000), (2, 0), (31, 131)]:

        def numbers(*shape: int) -> Any:
            return random.integers(-100 * whole, 100, shape) if whole else random.random(shape)

        low = 0 if dtype == "uint8" else -100
        given = [np.maximum(numbers(*shape), low) for shape in ((m, n), (n,), (m,))]
        matrix, vector, base = (_tensor(x, dtype) for x in given)
        for a in (matrix, matrix.t().contiguous().t(), _tensor(given[0], dtype, 2)):
            for x in (vector, _tensor(given[1], dtype, 3)):
                pairs = [
                    (a @ x, _double(a) @ _double(x)),
                    (
                        torch.addmv(base, a, x, beta=2, alpha=3),
                        2 * _double(base) + 3 * (_double(a) @ _double(x)),
                    ),
                ]
                if n > 0:
                    pairs.append((torch.dot(a[0], x), _double(a)[0] @ _double(x)))
                for found, wanted in pairs:
                    if whole:
                        exact = np.asarray(wanted).astype(np.int64).astype(dtype)
                        assert np.array_equal(found.numpy(), exact)
                    else:
                        bound = 2 * _EPSILON[dtype] * np.abs(wanted)
                        assert (np.abs(_double(found) - wanted) <= bound).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_neighbours(dtype: str) -> None:
    some = np.concatenate([_specials(dtype), random.standard_normal(101)]).astype(dtype)
    a, b = (x.ravel() for x in np.meshgrid(some[:97], some))
    found = torch.nextafter(torch.from_numpy(a.copy()), torch.from_numpy(b.copy()))
    wanted = np.nextafter(a, b)
    assert np.array_equal(found.numpy(), wanted, equal_nan=True)
    assert np.array_equal(
        np.signbit(found.numpy())[wanted == wanted], np.signbit(wanted)[wanted == wanted]
    )


@pytest.mark.parametrize("dtype", _INTEGERS)
def test_shifts_and_bits(dtype: str) -> None:
    limits = torch.iinfo(getattr(torch, dtype))
    bits, low = limits.bits, limits.min
    size = 1003
    x = torch.randint(low, limits.max, (size,), dtype=getattr(torch, dtype))
    shift = torch.randint(-3 if low else 0, min(bits + 4, limits.max), (size,), dtype=x.dtype)

    def wrapped(value: int) -> int:
        value %= 1 << bits
        return value - (1 << bits) if low and value >> (bits - 1) else value

    def left(a: int, n: int) -> int:
        return wrapped(a << n) if 0 <= n < bits else 0

    def right(a: int, n: int) -> int:
        return a >> n if 0 <= n < bits else (-1 if a < 0 else 0)

    pairs = list(zip(x.tolist(), shift.tolist(), strict=True))
    assert (x << shift).tolist() == [left(*pair) for pair in pairs]
    assert (x >> shift).tolist() == [right(*pair) for pair in pairs]
    for step in (1, 2):
        a, b = _tensor(x, dtype, step), _tensor(shift, dtype, step)
        assert (a & b).tolist() == [m & n for m, n in pairs]
        assert (a | b).tolist() == [m | n for m, n in pairs]
        assert (a ^ b[5]).tolist() == [m ^ pairs[5][1] for m, _ in pairs]


def test_truth_values() -> None:
    a, b = (torch.randint(0, 2, (1004,)).to(torch.bool) for _ in range(2))
    for x, y in ((a, b), (a[::2], b[1::2][: a[::2].numel()]), (a, b[3])):
        m, n = np.broadcast_arrays(x.numpy(), y.numpy())
        for found, wanted in (
            (x + y, m | n),
            (torch.add(x, y, alpha=False), m),
            (x * y, m & n),
            (torch.maximum(x, y), m | n),
            (torch.minimum(x, y), m & n),
            (torch.logical_and(x, y), m & n),
            (torch.logical_or(x, y), m | n),
        ):
            assert np.array_equal(found.numpy(), wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
@pytest.mark.parametrize("dims", [2, 3])
def test_images_of_channels_last(dtype: str, dims: int) -> None:
    functional = torch.nn.functional
    pool = functional.max_pool2d if dims == 2 else functional.max_pool3d
    layout = torch.channels_last if dims == 2 else torch.channels_last_3d
    smooth = ["bilinear", "bicubic"] if dims == 2 else ["trilinear"]
    for channels in (1, 3, 16, 37):
        x = _tensor(random.standard_normal((2, channels, *(9, 7, 5)[:dims])), dtype)
        x[0, 0, 2, 3] = np.nan
        last = x.contiguous(memory_format=layout)
        values, places = pool(x, 3, 2, padding=1, return_indices=True)
        values_last, places_last = pool(last, 3, 2, padding=1, return_indices=True)
        assert torch.equal(places, places_last)
        assert np.array_equal(_double(values), _double(values_last), equal_nan=True)
        assert values_last.is_contiguous(memory_format=layout)
        for mode in ("nearest", "nearest-exact", *smooth):
            size = (11, 4, 6)[:dims]
            plain = x.nan_to_num(0.5).requires_grad_()
            other = last.nan_to_num(0.5).detach().requires_grad_()
            found, found_last = (functional.interpolate(t, size, mode=mode) for t in (plain, other))
            assert found_last.is_contiguous(memory_format=layout)
            slope = _tensor(random.standard_normal(found.shape), dtype)
            found.backward(slope)
            found_last.backward(slope.contiguous(memory_format=layout))
            bound = 64 * _EPSILON[dtype]
            assert np.allclose(_double(found), _double(found_last), rtol=0, atol=bound * 4)
            assert np.allclose(_double(plain.grad), _double(other.grad), rtol=bound, atol=bound * 4)


@pytest.mark.parametrize("dtype", _REAL)
@pytest.mark.parametrize("decimals", [-2, 0, 3])
def test_rounding_to_decimals(dtype: str, decimals: int) -> None:
    for size, step in itertools.product(_SIZES, (1, 3)):
        x = random.standard_normal(size) * (1000 if decimals < 0 else 10)
        x[random.random(size) < 0.1] = np.nan
        x[random.random(size) < 0.1] = np.inf
        given = _tensor(x, dtype, step)
        # Steps are rounded where the elements are computed, in float for 16 bits.
        wide = given.double().numpy().astype(np.float64 if dtype == "float64" else np.float32)
        scale = wide.dtype.type(10.0 ** abs(decimals))
        with np.errstate(over="ignore"):
            rounded = (
                np.rint(wide / scale) * scale if decimals < 0 else np.rint(wide * scale) / scale
            )
        wanted = torch.from_numpy(rounded).to(given.dtype)
        found = torch.round(given, decimals=decimals)
        assert np.array_equal(_double(found), _double(wanted), equal_nan=True)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("width", [3, 40, 5000])
def test_sums_by_index_in_rows_of_16_bits(dtype: str, width: int) -> None:
    for length in (2, 17, 300, 2600):
        start, source = random.standard_normal((4, width)), random.standard_normal((4, length))
        index = random.integers(0, width, (4, length))
        rows, parts = _tensor(start, dtype), _tensor(source, dtype)
        found = _double(rows.scatter_add(1, torch.from_numpy(index), parts))
        wanted, size = _double(rows).copy(), np.abs(_double(rows))
        for row in range(4):
            np.add.at(wanted[row], index[row], _double(parts)[row])
            np.add.at(size[row], index[row], np.abs(_double(parts)[row]))
        count = 1 + np.bincount(index.ravel(), minlength=width).max()
        assert (np.abs(found - wanted) <= count * _EPSILON[dtype] * size + 1e-6).all()
        once = rows.index_add(1, torch.from_numpy(index[0]), parts)
        same = rows.scatter_add(1, torch.from_numpy(index[0]).expand(4, length), parts)
        assert torch.equal(once, same)
        with pytest.raises((IndexError, RuntimeError), match="out of (bounds|range)"):
            rows.scatter_add(1, torch.full((4, length), width), parts)
        empty = rows.scatter_add(1, torch.full((4, length), width - 1), parts)
        assert torch.equal(empty[:, : width - 1], rows[:, : width - 1])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_quotients_of_complex_numbers(dtype: str) -> None:
    parts = np.array([0.0, -0.0, 1.5, -2.0, 1e-30, 1e30, np.inf, -np.inf, np.nan])
    special = (parts[:, None] + 0j).repeat(9, 1)
    special.imag = parts
    ends = _tensor(np.stack([x.ravel() for x in np.meshgrid(special, special)]), dtype)
    plain = _tensor(
        random.standard_normal((2, 1003)) + 1j * random.standard_normal((2, 1003)), dtype
    )
    for a, b in (ends, plain):
        found = a / b
        # One element is no vector.
        wanted = torch.stack([x / y for x, y in zip(a, b, strict=True)])
        for part in ("real", "imag"):
            x, y = (getattr(t, part).double().numpy() for t in (found, wanted))
            assert np.array_equal(np.isnan(x), np.isnan(y))
            size = np.abs(wanted.to(torch.complex128).numpy())
            size = np.where(np.isfinite(size), size, 0)
            limit = 8 * _EPSILON["float32" if dtype == "complex64" else "float64"] * size
            with np.errstate(invalid="ignore"):
                good = (x == y) | np.isnan(y) | (np.abs(x - y) <= limit)
            assert good.all(), (a[~good], b[~good], found[~good], wanted[~good])
        assert torch.equal((a[:40] / b[1]).isnan(), (a[:40] / b[1].expand(40)).isnan())


def test_loops_over_short_rows() -> None:
    x = torch.randn(40, 50)
    windows = x.unfold(1, 3, 1)
    array = np.lib.stride_tricks.sliding_window_view(x.numpy(), 3, 1)
    assert np.array_equal(windows.clone().numpy(), array)
    assert np.array_equal((windows * 2).numpy(), array * 2)
    assert np.array_equal((windows + windows[:, :1]).numpy(), array + array[:, :1])
    out = torch.zeros(3, 48, 40).permute(2, 1, 0)
    torch.add(windows, windows[..., :1], out=out)
    assert np.array_equal(out.numpy(), array + array[..., :1])
    assert np.array_equal((windows > 0).numpy(), array > 0)


@pytest.mark.parametrize("windows", [1, 3, 40])
@pytest.mark.parametrize("step", [1, 2, 20, 50])
@pytest.mark.parametrize("size", [1, 3, 20, 47])
def test_gradients_of_windows(windows: int, step: int, size: int) -> None:
    length = (windows - 1) * step + size + int(random.integers(step))
    for shape, dim in (((length,), 0), ((3, length), -1), ((length, 2), 0)):
        x = torch.zeros(shape, dtype=torch.float64, requires_grad=True)
        found = x.unfold(dim, size, step)
        slope = torch.from_numpy(random.standard_normal(found.shape))
        found.backward(slope)
        wanted = np.zeros(shape)
        rows = np.moveaxis(wanted, dim, 0)
        parts = np.moveaxis(slope.numpy(), dim % len(shape), 0)
        for place in range(windows):
            for i in range(size):
                rows[place * step + i] += parts[place][..., i]
        np.testing.assert_allclose(x.grad.numpy(), wanted, rtol=1e-12, atol=1e-12)


def test_means_by_index() -> None:
    for dim in (0, 1):
        start, source = random.standard_normal((2, 6, 9))
        index = random.integers(0, start.shape[dim], start.shape[dim])
        for include in (True, False):
            found = torch.from_numpy(start).index_reduce(
                dim, torch.from_numpy(index), torch.from_numpy(source), "mean", include_self=include
            )
            wanted, rows = np.moveaxis(start.copy(), dim, 0), np.moveaxis(source, dim, 0)
            for place in set(index.tolist()):
                parts = rows[index == place]
                if include:
                    parts = np.concatenate([wanted[place : place + 1], parts])
                wanted[place] = parts.mean(0)
            assert np.allclose(np.moveaxis(found.numpy(), dim, 0), wanted)


def test_unsafe_splits_share_memory_that_autograd_does_not_watch() -> None:
    x = torch.arange(6.0)
    for parts in (x.unsafe_split(2), x.unsafe_split_with_sizes([1, 5]), x.unsafe_chunk(3)):
        assert parts[0].data_ptr() == x.data_ptr()
        assert torch.equal(torch.cat(list(parts)), x)
    watched = torch.arange(6.0, requires_grad=True)
    first, _ = watched.unsafe_split(3)
    first.mul_(2)
    first.sum().backward()
    assert torch.equal(watched.grad, torch.tensor([2.0, 2, 2, 0, 0, 0]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gamma_functions_by_their_recurrences(dtype: str) -> None:
    x = _tensor(random.uniform(-5, 20, 37), dtype)
    after = _double(x + 1)
    tolerance = 1e-4 if dtype == "float32" else 1e-9
    y = _double(x)
    for found, wanted in (
        (torch.lgamma(x), [math.lgamma(v) for v in y]),
        (torch.digamma(x + 1) - torch.digamma(x), 1 / y),
        (torch.polygamma(2, x + 1) - torch.polygamma(2, x), 2 / y**3),
    ):
        size = np.abs(wanted) + 1 + np.abs(y - np.round(y)) ** -3.0 + np.abs(after)
        assert (np.abs(_double(found) - wanted) <= tolerance * size).all()


@pytest.mark.parametrize("dtype", (*_REAL, "int32", "int64"))
def test_reductions_of_short_rows(dtype: str) -> None:
    sizes = [*itertools.product((1, 2, 63, 64, 65, 300), (1, 2, 3, 10, 23, 24, 25))]
    sizes += itertools.product(
        (1, 3, 66), (7, 8, 9, 15, 16, 17, 33, 48, 63, 65, 100, 255, 257, 390)
    )
    for rows, n in sizes:
        numbers = random.integers(-4, 5, (rows, n)).astype(np.float64)
        numbers[:, 0] += 5  # No row of zeros.
        if dtype in _REAL:
            numbers = numbers / 4
        a = _tensor(numbers, dtype)
        wide = _double(a)
        wanted = {
            "sum": wide.sum(1),
            "amax": wide.max(1),
            "amin": wide.min(1),
            "any": (wide != 0).any(1),
        }
        if dtype in ("float32", "float64"):
            wanted["norm"] = np.linalg.norm(wide, axis=1)
            least = np.abs(wide).min(1)
            assert np.array_equal(_double(a.norm(p=-math.inf, dim=1)), least)
            assert np.allclose(_double(a.norm(p=1, dim=1)), np.abs(wide).sum(1), rtol=1e-6)
            assert np.allclose(_double(a.mT.norm(dim=0)), wanted["norm"], rtol=1e-6)
        powers = _tensor(2.0 ** random.integers(-1, 2, (rows, n)) if dtype in _REAL else a, dtype)
        if n < 30:
            products = _double(powers).prod(1)
            if dtype in _REAL:  # float16 has no 2**-25.
                products = _double(_tensor(products, dtype))
            assert np.array_equal(_double(powers.prod(1)), products)
        for name, expected in wanted.items():
            found = getattr(a, name)(dim=1)
            limit = 4 * _EPSILON.get(dtype, 0.0)
            assert np.allclose(_double(found), expected, rtol=limit, atol=0), (name, rows, n)
    if dtype in _REAL:
        a = _tensor(random.standard_normal((100, 5)), dtype)
        a[7, 3] = math.nan
        for name in ("sum", "amax", "amin", "prod"):
            assert getattr(a, name)(1).isnan().nonzero().flatten().tolist() == [7]
        for n, place in itertools.product((16, 37, 300), (0, 15, -1)):
            b = _tensor(random.standard_normal((20, n)), dtype)
            b[7, place] = math.nan
            for name in ("sum", "amax", "amin", "prod", "norm"):
                assert getattr(b, name)(dim=1).isnan().nonzero().flatten().tolist() == [7]


@pytest.mark.parametrize("dtype", (*_REAL, "int8", "int32", "int64"))
def test_reductions_of_few_columns(dtype: str) -> None:
    for rows, columns in itertools.product((31, 32, 33, 127, 128, 700), (1, 2, 3, 5, 8, 31, 32)):
        numbers = random.integers(0, 2, (rows, columns)).astype(np.float64)
        numbers[rows // 2] = -3
        a = _tensor(numbers, dtype)
        assert np.array_equal(_double(a.sum(0, dtype=torch.float64)), numbers.sum(0))
        limit = 2 * _EPSILON.get(dtype, 0.0)
        assert np.allclose(_double(a.sum(0)), numbers.sum(0), rtol=limit, atol=0)
        assert np.array_equal(_double(a.amax(0)), numbers.max(0))
        assert np.array_equal(_double(a.amin(0)), numbers.min(0))
        sums = a.cumsum(0, dtype=torch.float64)
        assert np.array_equal(_double(sums), numbers.cumsum(0))
    # So many rows that each thread has its own.
    numbers = random.integers(-3, 4, (40003, 5)).astype(np.float64)
    a = _tensor(numbers, dtype)
    wanted = numbers.sum(0)
    if dtype not in ("float16", "bfloat16"):
        assert np.array_equal(_double(a.sum(0)), wanted)
    else:
        assert np.allclose(_double(a.sum(0)), wanted, rtol=2 * _EPSILON[dtype], atol=0)
    if dtype in _REAL:
        a[39999, 2] = math.nan
        for name in ("sum", "amax", "amin"):
            assert getattr(a, name)(0).isnan().tolist() == [False, False, True, False, False]
        fine = random.standard_normal((30001, 3))
        b = _tensor(fine, dtype)
        exact = _double(b).sum(0)
        size = np.abs(_double(b)).sum(0)
        error = np.abs(_double(b.sum(0)) - exact)
        assert (error <= 2 * _EPSILON[dtype] * np.abs(exact) + 4e-9 * size).all()


@pytest.mark.parametrize("dtype", (*_REAL, "int32", "int64", "complex64", "complex128"))
def test_reductions_of_many_matrices_of_few_columns(dtype: str) -> None:
    for rows, columns in itertools.product((7, 8, 40, 71), (1, 2, 3, 8, 16, 24, 33, 100)):
        numbers = random.integers(-1, 3, (3, rows, columns)).astype(np.float64)
        wanted = numbers.sum(1)
        if dtype.startswith("complex"):
            parts = numbers + 1j * random.integers(-1, 3, numbers.shape)
            a = torch.from_numpy(parts.astype(dtype))
            assert np.array_equal(a.sum(1).numpy(), parts.sum(1).astype(dtype))
            assert np.array_equal(a.mT.sum((0, 2)).numpy(), parts.sum((0, 1)).astype(dtype))
            assert np.array_equal(a.sum().numpy(), parts.sum().astype(dtype))
            assert np.array_equal(a.sum((), keepdim=True).numpy().ravel()[0], parts.sum())
            assert np.array_equal(a.real.sum(dtype=a.dtype).numpy(), numbers.sum().astype(dtype))
            continue
        a = _tensor(numbers, dtype)
        assert np.array_equal(_double(a.sum(1)), wanted)
        assert np.array_equal(_double(a.permute(2, 0, 1).sum(2)), wanted.T)
        assert np.array_equal(_double(a.amax(1)), numbers.max(1))
        assert np.array_equal(_double(a.amin(1, keepdim=True)), numbers.min(1, keepdims=True))
        # Rows with something between them, and rows that are one.
        few = min(columns, 5)
        assert np.array_equal(_double(a[..., :few].sum(1)), wanted[:, :few])
        assert np.array_equal(_double(a[0, :, :few].sum(0)), wanted[0, :few])
        repeated = a[:, :1, :few].expand(3, rows, few)
        assert np.array_equal(_double(repeated.sum(1)), rows * numbers[:, 0, :few])


@pytest.mark.parametrize("dtype", _ALL)
def test_cumulative_sums_along_any_dimension(dtype: str) -> None:
    shapes = ((5,), (3, 1), (7, 70), (70, 7), (4, 5, 66), (2, 130, 3), (0, 3), (3, 0))
    for shape in (*shapes, (5, 8), (3, 33), (9, 2), (9, 5)):
        numbers = random.integers(0, 2, shape).astype(np.float64)
        a = _tensor(numbers, dtype)
        for dim in range(len(shape)):
            found = a.cumsum(dim)
            wide = found.real if found.is_complex() else found
            assert np.array_equal(_double(wide), numbers.cumsum(dim))
            signs = 1 - 2 * numbers if dtype not in ("bool", "uint8") else numbers
            products = _tensor(signs, dtype).cumprod(dim)
            wide = products.real if products.is_complex() else products
            assert np.array_equal(_double(wide), signs.cumprod(dim))


def test_running_totals_near_the_ends_of_a_type() -> None:
    # Sums of some elements overflow; none of those from the first one on does.
    large = 1.5e308
    sums = torch.tensor([large, -large, -large] + [0.0] * 20, dtype=torch.float64).cumsum(0)
    assert sums[:3].tolist() == [large, 0, -large] and sums.isfinite().all()
    for dtype, factor in ((torch.float32, 1e30), (torch.bfloat16, 1e30), (torch.float16, 6e4)):
        small = 1 / torch.tensor(factor, dtype=dtype).item()
        x = torch.tensor([small, small, factor, factor] * 6, dtype=dtype)
        wanted = np.cumprod(_double(x)).astype(np.float32)
        assert np.allclose(
            _double(x.cumprod(0)), _double(torch.tensor(wanted).to(dtype)), rtol=1e-2
        )
    ends = torch.tensor([2**31 - 1, 1, 1] * 9, dtype=torch.int32)
    assert ends.cumsum(0, dtype=torch.int32)[1].item() == -(2**31)
    assert ends.cumsum(0)[1].item() == 2**31


@pytest.mark.parametrize("dtype", _ALL)
def test_short_rows_of_strided_operands(dtype: str) -> None:
    sizes = [*itertools.product((3, 255, 256, 257, 1000), (1, 2, 5, 12, 13)), (3, 255), (2, 700)]
    for rows, n in sizes:
        numbers = random.integers(0, 2, (rows, 2 * n)).astype(np.float64)
        a = _tensor(numbers, dtype)
        b = _tensor(random.integers(0, 2, (rows, 1)), dtype)
        first, second = a[:, :n], a[:, 1::2]
        assert ((first * second).to(torch.complex128)).equal(
            first.to(torch.complex128) * second.to(torch.complex128)
        )
        assert (first == b).equal(first.contiguous() == b.expand(rows, n).contiguous())
        out = torch.zeros(rows, 2 * n, dtype=a.dtype)[:, n:]
        torch.mul(first, b, out=out)
        assert out.equal(first.contiguous() * b.expand(rows, n).contiguous())


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_strided_elements_of_16_bits_are_computed_as_dense_ones(dtype: str) -> None:
    functions = (
        torch.exp,
        torch.sqrt,
        lambda x: torch.nn.functional.celu(x, 0.5),
        lambda x: torch.maximum(x, x.flip(-1)),
        lambda x: torch.addcmul(x, x, x, value=2),
        lambda x: x.add_(1),
    )
    for length in (1, 2, 15, 16, 17, 33, 127, 128, 129, 300):
        x = random.standard_normal((5, length))
        x[random.random(x.shape) < 0.1] = np.nan
        plain = _tensor(x, dtype)
        for function in functions:
            wanted = _double(function(plain.clone()))
            for given in (
                _tensor(x, dtype, 2),
                _tensor(x.T, dtype).t(),
                torch.cat([plain, plain], 1)[:, :length],
                plain[:, :1].expand(5, length),
            ):
                if given.stride(-1) == 0:
                    if function is functions[-1]:
                        continue  # It writes to its argument.
                    wanted = _double(function(given.contiguous()))
                assert np.array_equal(_double(function(given)), wanted, equal_nan=True)


@pytest.mark.parametrize("dtype", _ALL)
def test_elements_that_are_all_the_same_in_memory(dtype: str) -> None:
    functions = [torch.logical_not, lambda x: x == x[:1], lambda x: torch.where(x != 0, x, x)]
    if dtype != "bool":
        functions += [lambda x: -x, lambda x: x * x[:1]]
    if dtype in _REAL:
        functions += [torch.exp, torch.floor, lambda x: torch.addcmul(x, x, x)]
    for value, length in itertools.product((0, 1, 3), (1, 2, 15, 16, 17, 300)):
        x = _tensor(np.array([value]), dtype).expand(length)
        for function in functions:
            found = function(x)
            assert found.shape == x.shape
            assert found.is_contiguous()
            wanted = function(x.contiguous()).to(torch.complex128)
            room = 2 * _EPSILON.get(dtype, 0) * wanted.abs()
            assert ((found.to(torch.complex128) - wanted).abs() <= room).all()
        # Results that are not dense, and of a type that another is computed in.
        out = torch.full((length, 2), 7, dtype=torch.uint8)[:, 0]
        torch.logical_not(x, out=out)
        assert out.tolist() == [int(value == 0)] * length


def test_nonzero_in_long_rows_with_little_in_them() -> None:
    for width in (63, 64, 65, 128, 1000):
        truth = np.zeros((5, width), bool)
        truth[0, 0] = truth[2, width - 1] = truth[4, width // 2] = True
        for given in (torch.from_numpy(truth), _tensor(truth, "bool", 2)):
            assert np.array_equal(given.nonzero().numpy(), np.argwhere(truth))


@pytest.mark.parametrize("dtype", ("float16", "bfloat16"))
def test_gradients_of_16_bits_that_meet_are_rounded_once(dtype: str) -> None:
    def corner(x: Any) -> Any:
        return torch.nn.functional.pad(x, (40, 0, 40, 0), mode="replicate")

    def shared(x: Any) -> Any:
        return torch.nn.functional.max_pool2d(x, 3, 1)

    def volume(x: Any) -> Any:
        return torch.nn.functional.max_pool3d(x.unsqueeze(2), (1, 3, 3), 1)

    for function in (corner, shared, volume):
        x = _tensor(random.standard_normal((2, 3, 9, 8)), dtype).requires_grad_()
        found = function(x)
        slope = _tensor(random.standard_normal(found.shape), dtype)
        (given,) = torch.autograd.grad(found, x, slope)
        wide = x.detach().double().requires_grad_()
        (wanted,) = torch.autograd.grad(function(wide), wide, slope.double())
        assert given.dtype == x.dtype
        # Sums of 1,681 floats, and one rounding.
        room = _EPSILON[dtype] * wanted.abs() * 1.01 + 1e-3
        assert ((given.double() - wanted).abs() <= room).all()


@pytest.mark.parametrize("dtype", (*_REAL, "int32", "int64", "bool"))
def test_reductions_of_repeated_and_distant_elements(dtype: str) -> None:
    for rows, n in itertools.product((1, 3, 40), (1, 5, 63, 64, 65, 513, 1100)):
        numbers = random.integers(0 if dtype == "bool" else -1, 2, (rows, n)).astype(np.float64)
        plain = _tensor(numbers, dtype)
        if plain.is_floating_point() and n > 5:
            plain[0, n // 2] = math.nan
        for given in (
            _tensor(plain.to(torch.float64).numpy(), dtype, 3),
            plain.t().contiguous().t(),
            plain[:1].expand(40, n),
            plain[:, :1].expand(rows, 70),
            plain[:1, :1].expand(90, 70),
            plain[:1].expand(3, 4, n).transpose(0, 1),
        ):
            wide = given.contiguous().to(torch.float64)
            for dim in (None, *range(given.dim())):
                for name in ("sum", "amax", "amin", "nansum"):
                    function = getattr(torch, name)
                    dims = tuple(range(given.dim())) if dim is None else dim
                    found = function(given, dim=dims)
                    wanted = function(wide, dim=dims)
                    limit = 2 * _EPSILON.get(dtype, 0)
                    assert torch.allclose(
                        found.to(torch.float64), wanted, rtol=limit, atol=0, equal_nan=True
                    )


@pytest.mark.parametrize("dtype", (*_REAL, "int64", "bool"))
def test_sorts_of_what_is_in_order(dtype: str) -> None:
    for n, descending in itertools.product((1, 2, 7, 300), (False, True)):
        rows = [np.arange(n) > n // 2, np.zeros(n), np.ones(n), np.arange(n) % 100]
        rows.append(np.where(np.arange(n) % 2 == 0, -0.0, 0.0))
        for row in rows:
            row = np.sort(row.astype(np.float64), kind="stable")
            if descending:
                row = row[::-1].copy()
            x = _tensor(row, dtype)
            if x.is_floating_point() and n > 2:
                x[0 if descending else -1] = math.nan
            values, places = x.sort(descending=descending)
            assert places.tolist() == list(range(n))
            assert torch.equal(values.nan_to_num(5), x.nan_to_num(5))
            assert torch.equal(values.signbit(), x.signbit())
            k = (n + 1) // 2
            values, places = x.topk(k, largest=descending)
            assert places.tolist() == list(range(k))
            assert torch.equal(values.nan_to_num(5), x[:k].nan_to_num(5))


@pytest.mark.parametrize("dtype", _ALL)
def test_choices_by_a_condition(dtype: str) -> None:
    for size in (1, 15, 64, 65, 301):
        # Any byte but 0 is true.
        bytes_ = torch.from_numpy(random.integers(0, 3, 2 * size).astype(np.uint8) * 64)
        numbers = random.integers(0, 2 if dtype == "bool" else 100, (2, 2 * size))
        for step in (1, 2):
            condition = bytes_.view(torch.bool)[: size * step : step]
            truth = bytes_.numpy()[: size * step : step] != 0
            x, y = (_tensor(n, dtype)[: size * step : step] for n in numbers)
            first, second = (_exact(t) for t in (x, y))
            for a, wanted_a in ((x, first), (x[0], first[0]), (x[:1].expand(size), first[0])):
                for b, wanted_b in ((y, second), (y[0], second[0])):
                    wanted = np.where(truth, wanted_a, wanted_b)
                    assert np.array_equal(_exact(torch.where(condition, a, b)), wanted)
                    out = torch.zeros(3 * size, dtype=x.dtype)[::3]
                    torch.where(condition, a, b, out=out)
                    assert np.array_equal(_exact(out), wanted)
            filled = x.clone().masked_fill_(condition, y[0].item())
            assert np.array_equal(_exact(filled), np.where(truth, second[0], first))


@pytest.mark.parametrize("dtype", (*_REAL, *_INTEGERS))
def test_comparisons_with_one_number(dtype: str) -> None:
    for size, step in itertools.product((1, 15, 64, 65, 301), (1, 2)):
        x = _tensor(random.integers(0, 5, size), dtype, step)
        wide = _double(x)
        one = x[-1].clone()
        value = float(one)
        for given in (one, int(value)):
            assert np.array_equal((x == given).numpy(), wide == value)
            assert np.array_equal((x != given).numpy(), wide != value)
            assert np.array_equal((x < given).numpy(), wide < value)
            assert np.array_equal((given >= x).numpy(), value >= wide)
        assert np.array_equal((one == x).numpy(), wide == value)
        assert np.array_equal((one > x).numpy(), value > wide)
        assert np.array_equal(torch.logical_not(x).numpy(), wide == 0)
        out = torch.ones(3 * size, dtype=torch.bool)[::3]
        assert np.array_equal(torch.logical_not(x, out=out).numpy(), wide == 0)


@pytest.mark.parametrize("dtype", _REAL)
def test_signs(dtype: str) -> None:
    x = _tensor(np.array([0.0, -0.0, 1e-7, -1e-7, np.inf, -np.inf, 3, -2] * 9), dtype)
    wanted = np.sign(_double(x))
    for step in (1, 2):
        for function in (torch.sign, torch.sgn):
            assert np.array_equal(_double(function(_tensor(_double(x), dtype, step))), wanted)
    assert torch.sign(torch.full((40,), math.nan, dtype=x.dtype)).tolist() == [0.0] * 40


@pytest.mark.parametrize("dtype", ("float16", "bfloat16"))
def test_elements_of_16_bits_are_rounded_after_each_sum(dtype: str) -> None:
    values = np.concatenate(
        [random.standard_normal(400) * 2.0 ** random.integers(-24, 15, 400), [np.inf, np.nan, 7e-8]]
    )
    a, b = _tensor(values, dtype), _tensor(values[::-1], dtype)
    wanted = (a.float() + b.float()).to(a.dtype)
    place = torch.arange(len(values)).flip(0)
    back = a.flip(0)
    for found in (
        back.index_add(0, place, b.clone()).flip(0),
        back.scatter_add(0, place, b.clone()).flip(0),
        back.put(place, b, accumulate=True).flip(0),
        back.index_put((place,), b, accumulate=True).flip(0),
    ):
        assert torch.equal(found.isnan(), wanted.isnan())
        numbers = ~wanted.isnan()
        # Elements of one place take part in the sum: place i has a[i], and b[i] comes there.
        assert torch.equal(found[numbers], wanted[numbers])
    numbers = _tensor(random.random(400), dtype)
    sums = numbers.cumsum(0)
    exact = np.cumsum(_double(numbers))
    assert np.allclose(_double(sums), exact, rtol=2 * _EPSILON[dtype], atol=0)


@pytest.mark.parametrize("dtype", (*_REAL, "int64", "bool"))
def test_extremes_with_their_places(dtype: str) -> None:
    for shape in [(1, 1), (5, 3), (40, 33), (3, 700), (700, 3), (4, 600)]:
        numbers = random.integers(-20, 20, shape).astype(np.float64)
        a = _tensor(numbers, dtype)
        if a.is_floating_point():
            a[random.random(shape) < 0.02] = math.nan
        wide = _double(a)
        for t in (a, a.t().contiguous().t(), torch.stack((a, a), -1)[..., 0]):
            for dim, name in itertools.product((0, 1), ("max", "min")):
                values, places = getattr(t, name)(dim)
                wanted = getattr(np, "arg" + name)(wide, dim)  # NaN first, then the first place.
                assert np.array_equal(places.numpy(), wanted)
                assert torch.equal(
                    values.isnan(), t.gather(dim, places.unsqueeze(dim)).squeeze(dim).isnan()
                )
                assert np.array_equal(
                    _double(values),
                    np.take_along_axis(wide, np.expand_dims(wanted, dim), dim).squeeze(dim),
                    equal_nan=True,
                )


def _layouts(shape: tuple[int, ...], dtype: str) -> list[Any]:
    """Tensors that broadcast to the shape: dense, repeated along each dimension, apart."""
    numbers = random.integers(-3, 4, (*shape, 2)).astype(np.float64)
    if dtype == "bool":
        numbers = numbers > 0
    full = torch.from_numpy(numbers).to(getattr(torch, dtype))
    found = [full[..., 0].contiguous(), full[..., 0]]
    for dim in range(len(shape)):
        found.append(full[..., 0].narrow(dim, 0, 1).contiguous())
        found.append(full[..., 0].select(dim, 0).contiguous().unsqueeze(dim).expand(shape))
    wide = torch.from_numpy(np.concatenate([numbers[..., 0]] * 2, -1)).to(full.dtype)
    found.append(wide[..., : shape[-1]])  # rows with something between them
    return found


@pytest.mark.parametrize("dtype", _ALL)
def test_operands_that_repeat_short_rows(dtype: str) -> None:
    functions = [torch.eq, torch.logical_or]
    if dtype == "bool":
        functions += [torch.bitwise_and, torch.logical_xor]
    elif not dtype.startswith("complex"):
        functions += [torch.maximum, torch.sub, torch.lt, torch.ge]
    else:
        functions += [torch.mul, torch.sub]
    for shape in ((7, 5), (9, 1, 3), (45, 3, 22), (6, 50, 17), (2, 3, 40, 2), (5, 130), (300, 40)):
        operands = _layouts(shape, dtype)
        for function in functions:
            for first, second in itertools.product(operands, operands):
                wanted = function(first.expand(shape).clone(), second.expand(shape).clone())
                assert torch.equal(function(first, second).expand(shape), wanted)
        mask = random.integers(0, 2, shape) > 0
        for first in operands:
            chosen = torch.where(torch.from_numpy(mask[..., :1].copy()), first, operands[0])
            places = np.broadcast_to(mask[..., :1], shape).copy()
            dense = [first.expand(shape).clone(), operands[0]]
            assert torch.equal(chosen, torch.where(torch.from_numpy(places), *dense))
            changed = operands[0].clone()
            changed.copy_(first)
            assert torch.equal(changed, first.expand(shape))
            assert torch.equal(
                first.expand(shape).to(torch.complex128), changed.to(torch.complex128)
            )


def _any_strides(shape: tuple[int, ...], dtype: str) -> Any:
    """A tensor that broadcasts to the shape: its dimensions lie in any order, some are 1."""
    sizes = [1 if random.random() < 0.3 else n for n in shape]
    order = list(random.permutation(len(shape)))
    step = int(random.integers(1, 3))
    numbers = random.integers(0, 2, [sizes[d] for d in order]).astype(np.float64)
    return _tensor(numbers, dtype, step).permute([order.index(d) for d in range(len(shape))])


@pytest.mark.parametrize("dtype", _ALL)
def test_short_rows_of_any_strides(dtype: str) -> None:
    # Small integers, whose sums and products are exact in every type.
    for _ in range(60):
        shape = tuple(int(n) for n in random.integers(1, 8, int(random.integers(2, 6))))
        a, b, c = (_any_strides(shape, dtype) for _ in range(3))
        x, y, z = (t.to(torch.complex128).numpy() for t in (a, b, c))
        wanted = x * y + z if dtype != "bool" else (x * y + z) != 0
        assert np.array_equal((a * b + c).to(torch.complex128).numpy(), wanted)
        assert np.array_equal(torch.where(a != 0, b, c).to(torch.complex128), np.where(x, y, z))
    # Enough elements for every thread to begin within a row.
    a = _any_strides((3, 1700, 1, 5, 7), dtype)
    b, c = _any_strides((3, 1700, 3, 1, 7), dtype), _any_strides((1, 1700, 3, 5, 1), dtype)
    x, y, z = (t.to(torch.complex128).numpy() for t in (a, b, c))
    found = torch.where(a != 0, b, c).to(torch.complex128)
    assert np.array_equal(found, np.where(x != 0, y, z))


@pytest.mark.parametrize("dtype", _ALL)
def test_joined_tensors_of_few_elements(dtype: str) -> None:
    for shape in ((1,), (5,), (3, 1), (2, 7), (2, 1, 3), (4, 3, 2), (1, 2, 1, 40)):
        arrays = [random.integers(0, 2, shape).astype(np.float64) for _ in range(4)]
        plain = [_tensor(array, dtype) for array in arrays]
        turned = plain[2].transpose(0, -1).contiguous().transpose(0, -1)
        apart = [plain[0], _tensor(arrays[1], dtype, 2), turned, plain[3]]
        for tensors in (plain, apart, plain[:1]):
            given = [_double(t.real if t.is_complex() else t) for t in tensors]
            for dim in range(-len(shape) - 1, len(shape) + 1):
                stacked = torch.stack(tensors, dim)
                assert stacked.dtype == plain[0].dtype and stacked.is_contiguous()
                assert torch.equal(stacked, torch.from_numpy(np.stack(given, dim)).to(plain[0]))
            for dim in range(-len(shape), len(shape)):
                joined = torch.cat([*tensors, torch.empty(0, dtype=plain[0].dtype)], dim)
                assert torch.equal(joined, torch.from_numpy(np.concatenate(given, dim)).to(joined))
    if dtype.startswith("complex"):
        z = torch.tensor([1 + 2j, 3 - 1j], dtype=getattr(torch, dtype))
        assert torch.stack([z.conj(), z]).tolist() == [[1 - 2j, 3 + 1j], [1 + 2j, 3 - 1j]]
        assert torch.stack([z.conj().imag, z.imag]).tolist() == [[-2, 1], [2, -1]]
        assert torch.cat([z, z.conj()]).tolist() == [1 + 2j, 3 - 1j, 1 - 2j, 3 + 1j]
    wide, narrow = torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.float32)
    assert torch.stack([narrow, wide]).dtype == torch.float64
    images = [torch.randn(1, 2, 3, 4).to(memory_format=torch.channels_last) for _ in range(2)]
    assert torch.cat(images).is_contiguous(memory_format=torch.channels_last)
    leaf = torch.ones(3, requires_grad=True)
    torch.stack([leaf, 2 * leaf]).sum().backward()
    assert leaf.grad is not None and leaf.grad.tolist() == [3, 3, 3]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "int8", "int64"])
def test_middles_and_modes(dtype: str) -> None:
    for rows, n in [(1, 1), (3, 2), (5, 7), (4, 46), (2, 300), (2, 1001)]:
        numbers = random.integers(-4, 5, (rows, n)).astype(np.float64)
        a = _tensor(numbers, dtype)
        if a.is_floating_point():
            a[random.random((rows, n)) < 0.1] = math.nan
            a[random.random((rows, n)) < 0.2] = -0.0
        wide = _double(a)
        values, places = a.mode(1)
        for row in range(rows):
            known = wide[row][~np.isnan(wide[row])]
            if known.size:
                choices, counts = np.unique(known + 0.0, return_counts=True)
                assert float(values[row]) == choices[counts.argmax()]
                assert int(places[row]) == np.flatnonzero(wide[row] == float(values[row]))[-1]
            else:
                assert math.isnan(float(values[row]))
            ordered = np.sort(wide[row])  # NaN last
            k = int(random.integers(1, n + 1))
            value, place = a[row].kthvalue(k)
            assert np.array_equal(float(value), ordered[k - 1], equal_nan=True)
            assert np.array_equal(wide[row][int(place)], float(value), equal_nan=True)
            median = math.nan if known.size < n else ordered[(n - 1) // 2]
            assert np.array_equal(float(a[row].median()), median, equal_nan=True)
            assert np.array_equal(float(a[row].median(0)[0]), median, equal_nan=True)
            if a.is_floating_point() and known.size:
                middle = np.sort(known)[(known.size - 1) // 2]
                assert float(a[row].nanmedian()) == middle
                assert float(a[row].nanmedian(0)[0]) == middle


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int16", "uint8", "bool"])
@pytest.mark.parametrize("size", [1, 15, 16, 17, 1023, 1024, 1025, 3001])
def test_every_second_element(dtype: str, size: int) -> None:
    numbers = random.integers(0, 2, (3, size)).astype(np.float64)
    first, second = (_tensor(numbers[i], dtype, 2) for i in range(2))
    # The storage ends with the last element.
    alone = torch.zeros(2 * size - 1, dtype=first.dtype)[::2]
    alone.copy_(first)
    assert torch.equal(torch.eq(alone, first), torch.ones(size, dtype=torch.bool))
    for function in (torch.maximum, torch.eq, torch.logical_xor, torch.add):
        assert torch.equal(function(first, second), function(first.clone(), second.clone()))
    third = _tensor(numbers[2], "bool", 2)
    wanted = torch.where(third.clone(), first.clone(), second.clone())
    assert torch.equal(torch.where(third, first, second), wanted)
    if dtype not in ("bool", "uint8", "int16"):
        assert torch.equal(torch.exp(first), torch.exp(first.clone()))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_comparisons_of_all_numbers_of_16_bits(dtype: str) -> None:
    bits = np.arange(1 << 16, dtype=np.uint16).view(np.int16)
    numbers = torch.from_numpy(bits.copy()).view(getattr(torch, dtype))
    others = numbers[torch.from_numpy(random.permutation(1 << 16))]
    wide, wide_others = numbers.float().numpy(), others.float().numpy()
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        function, wanted = getattr(torch, name), getattr(np, _NAMES[name])
        assert np.array_equal(function(numbers, others).numpy(), wanted(wide, wide_others))
        assert np.array_equal(function(numbers, numbers).numpy(), wanted(wide, wide))
        for number in (0.0, -0.0, math.inf, -math.inf, math.nan, 1.5):
            assert np.array_equal(function(numbers, number).numpy(), wanted(wide, number))
    assert np.array_equal(torch.logical_not(numbers).numpy(), wide == 0)
    assert np.array_equal(
        torch.logical_and(numbers, others).numpy(), (wide != 0) & (wide_others != 0)
    )
    assert np.array_equal(torch.isposinf(numbers).numpy(), np.isposinf(wide))
    assert np.array_equal(torch.isneginf(numbers).numpy(), np.isneginf(wide))


_NAMES = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}


@pytest.mark.parametrize("dtype", _REAL)
def test_random_numbers_are_one_stream(dtype: str) -> None:
    kind = getattr(torch, dtype)
    for size in (1, 15, 100, 623, 625, 5003):
        for draw in (
            lambda out: out.uniform_(-2, 3),
            lambda out: out.uniform_(0, 1),
            lambda out: out.bernoulli_(0.3),
            lambda out: out.random_(0, 100),
        ):
            torch.manual_seed(size)
            together = draw(torch.empty(size, dtype=kind))
            after = torch.randint(1 << 20, (3,))
            torch.manual_seed(size)
            alone = torch.stack([draw(torch.empty((), dtype=kind)) for _ in range(size)])
            assert torch.equal(together, alone)
            assert torch.equal(torch.randint(1 << 20, (3,)), after)
            torch.manual_seed(size)
            apart = draw(torch.empty((size, 2), dtype=kind)[:, 0])
            assert torch.equal(together, apart)


def test_uniform_numbers_stay_below_their_end() -> None:
    for dtype in (torch.float16, torch.bfloat16):
        numbers = torch.empty(100_000, dtype=dtype).uniform_(-1, 0)
        assert (numbers < 0).all() and (numbers >= -1).all()
        numbers.uniform_(3, 5)
        assert (numbers < 5).all() and (numbers >= 3).all()
        assert abs(numbers.double().mean().item() - 4) < 0.02


def test_known_uniform_numbers() -> None:
    """Of PyTorch 2.13 for the seed, after more draws than the engine has words."""
    torch.manual_seed(123)
    torch.rand(1000)
    assert torch.rand(2).tolist() == [0.48486459255218506, 0.30533069372177124]
    wide = torch.rand(2, dtype=torch.float64)
    assert wide.tolist() == [0.43875079442751364, 0.9704045009679442]
    assert torch.rand(2, dtype=torch.float16).tolist() == [0.6689453125, 0.68994140625]
    assert torch.randn(32, dtype=torch.float16)[-2:].tolist() == [0.84326171875, 1.8583984375]


@pytest.mark.parametrize("dtype", [*_REAL, "int32", "complex64"])
def test_cross_products_of_any_dimension(dtype: str) -> None:
    for shape, dim in (((3,), 0), ((5, 3), 1), ((3, 40), 0), ((18, 3, 18), 1), ((2, 3, 4, 3), -1)):
        numbers = random.integers(-9, 10, (2, *shape)).astype(np.float64)
        first, second = (torch.from_numpy(n).to(getattr(torch, dtype)) for n in numbers)
        wanted = np.cross(*numbers, axis=dim)
        assert np.array_equal(_double(torch.linalg.cross(first, second, dim=dim).real), wanted)
        moved = first.transpose(0, -1).contiguous().transpose(0, -1)
        found = torch.linalg.cross(moved, second.expand(shape), dim=dim)
        assert np.array_equal(_double(found.real), wanted)
        out = first.clone()
        torch.linalg.cross(out, second, dim=dim, out=out)
        assert np.array_equal(_double(out.real), wanted)
    one = torch.arange(3.0).expand(4, 3)
    assert torch.equal(torch.linalg.cross(one, one + 1), torch.tensor([-1.0, 2, -1]).expand(4, 3))


@pytest.mark.parametrize("dtype", _REAL)
@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "nearest"])
def test_upsampling_of_small_planes(dtype: str, mode: str) -> None:
    kind = getattr(torch, dtype)
    for size, wanted in (((4, 4), (7, 3)), ((3, 5), (2, 2)), ((1, 2), (9, 15)), ((4, 6), (20, 40))):
        planes = torch.from_numpy(random.integers(-4, 5, (2, 700, *size)).astype(np.float64))
        given = planes.to(kind, copy=True).requires_grad_()
        found = torch.nn.functional.interpolate(given, size=wanted, mode=mode)
        one = planes[1:, 3:4].clone().requires_grad_()
        alone = torch.nn.functional.interpolate(one, size=wanted, mode=mode)
        scale = 16 * _EPSILON[dtype] * 8
        np.testing.assert_allclose(_double(found[1:, 3:4]), _double(alone), rtol=0, atol=scale)
        found.sum().backward()
        alone.sum().backward()
        np.testing.assert_allclose(
            _double(given.grad[1:, 3:4]),
            _double(one.grad),
            rtol=8 * _EPSILON[dtype],
            atol=scale * 4,
        )


@pytest.mark.parametrize("dtype", _ALL)
def test_tensors_that_repeat_their_elements(dtype: str) -> None:
    """What moves elements, of rows and columns that are expanded, as of their copies."""
    places = torch.from_numpy(random.integers(0, 40, 60))
    for shape in ((40, 1), (1, 40), (1, 1)):
        numbers = random.integers(-2 if dtype != "uint8" else 0, 3, shape).astype(np.float64)
        given = _tensor(numbers, dtype).expand(40, 40)
        plain = _tensor(np.broadcast_to(numbers, (40, 40)).copy(), dtype)
        for use in (
            lambda x: x.clone(memory_format=torch.contiguous_format),
            lambda x: torch.empty(40, 40, dtype=x.dtype).copy_(x),
            lambda x: torch.cat([x, x], 1),
            lambda x: x.flip(0),
            lambda x: x.flip(0, 1),
            lambda x: x.flip(1),
            lambda x: x.index_select(0, places),
            lambda x: x.index_select(1, places),
            lambda x: x.t().index_select(0, places),
        ):
            assert torch.equal(use(given), use(plain))
        if "complex" in dtype:
            continue
        for dim, descending in itertools.product((0, 1), (False, True)):
            found = given.sort(dim=dim, descending=descending, stable=True)
            wanted = plain.sort(dim=dim, descending=descending, stable=True)
            assert torch.equal(found.values, wanted.values)
            assert torch.equal(found.indices, wanted.indices)


@pytest.mark.parametrize("dtype", _ALL)
def test_equal_tensors(dtype: str) -> None:
    for size in ((5,), (100, 100)):
        numbers = random.integers(0, 2, size).astype(np.float64)
        given = _tensor(numbers, dtype)
        assert torch.equal(given, given)
        assert torch.equal(given, given.clone())
        assert torch.equal(given, given[...])
        for place in ((0,) * len(size), tuple(n - 1 for n in size)):
            other = numbers.copy()
            other[place] = 1 - other[place]
            assert not torch.equal(given, _tensor(other, dtype))
        if len(size) > 1:
            assert torch.equal(given, given.t()) == np.array_equal(numbers, numbers.T)
            assert not torch.equal(_tensor(np.eye(100, k=1), dtype), _tensor(np.eye(100), dtype))
        if dtype in (*_REAL, "complex64", "complex128"):
            given[-1] = math.nan
            assert not torch.equal(given, given)
        if "complex" in dtype:
            other = _tensor(numbers, dtype) * 1j
            assert torch.equal(other, other.conj()) == (not numbers.any())


@pytest.mark.parametrize("dtype", _REAL)
def test_sums_that_pass_over_nan(dtype: str) -> None:
    kind = getattr(torch, dtype)
    for holes in (0, 1, 300):
        numbers = random.integers(-3, 4, (7, 50)).astype(np.float64)
        numbers.flat[random.integers(0, numbers.size, holes)] = math.nan
        given = _tensor(numbers, dtype)
        assert given.nansum().item() == np.nansum(numbers)
        for dim in (0, 1):
            assert np.array_equal(_double(given.nansum(dim)), np.nansum(numbers, dim))
        assert given.nansum(dtype=torch.float64).item() == np.nansum(numbers)
    given = torch.tensor([math.inf, -math.inf, 1.0, math.nan], dtype=kind)
    assert given.nansum().isnan() and given[1:].nansum() == -math.inf


@pytest.mark.parametrize("dtype", (*_REAL, "int64", "bool"))
def test_running_extremes(dtype: str) -> None:
    for shape in ((300,), (5, 300), (2, 9, 3), (2, 9, 1)):
        numbers = random.integers(0, 5 if dtype != "bool" else 2, shape).astype(np.float64)
        if dtype in _REAL:
            numbers.flat[random.integers(0, numbers.size, 2)] = math.nan
        given = _tensor(numbers, dtype)
        for dim, (function, better) in itertools.product(
            range(len(shape)), ((torch.cummax, np.greater_equal), (torch.cummin, np.less_equal))
        ):
            lines = np.moveaxis(numbers, dim, -1)
            values, indices = lines.copy(), np.zeros(lines.shape, np.int64)
            for k in range(1, lines.shape[-1]):
                best, new = values[..., k - 1], lines[..., k]
                change = np.isnan(new) | (~np.isnan(best) & better(new, best))
                values[..., k] = np.where(change, new, best)
                indices[..., k] = np.where(change, k, indices[..., k - 1])
            found = function(given, dim)
            assert np.array_equal(
                np.moveaxis(_double(found.values), dim, -1), values, equal_nan=True
            )
            assert np.array_equal(np.moveaxis(found.indices.numpy(), dim, -1), indices)


@pytest.mark.parametrize("dtype", ("float16", "bfloat16"))
def test_angles_of_all_numbers_of_16_bits(dtype: str) -> None:
    given = torch.arange(-(2**15), 2**15).to(torch.int16).view(getattr(torch, dtype))
    wanted = torch.where(given < 0, torch.tensor(math.pi).to(given.dtype), torch.zeros_like(given))
    wanted = torch.where(given.isnan(), given, wanted)
    assert torch.equal(given.angle().view(torch.int16), wanted.view(torch.int16))


@pytest.mark.parametrize("dtype", ("float32", "float64", "float16", "complex64", "int64"))
def test_outer_products_are_added(dtype: str) -> None:
    numbers, column, row = (
        random.integers(-3, 4, size).astype(np.float64) for size in ((9, 70), 9, 70)
    )
    base, x, y = (_tensor(a, dtype) for a in (numbers, column, row))
    for beta, alpha in itertools.product((0, 1, 2), (1, 3)):
        wanted = beta * numbers + alpha * np.outer(column, row)
        for given in (base, base.t().contiguous().t(), base[:1]):
            found = torch.addr(given, x, y, beta=beta, alpha=alpha)
            if given.size(0) == 1:
                wanted = beta * numbers[:1] + alpha * np.outer(column, row)
            assert found.dtype == base.dtype
            assert np.array_equal(_double(found.real if found.is_complex() else found), wanted)


def test_elements_taken_from_tensors_of_any_strides() -> None:
    x = torch.arange(1200).reshape(30, 40).t()
    index = torch.tensor([0, 1, 31, -1, 1199, -1200])
    assert torch.equal(x.take(index), x.contiguous().view(-1)[index])
    assert torch.equal(x[None].expand(2, -1, -1).take(index + 1200), x.contiguous().view(-1)[index])
    for wrong in (1200, -1201, 10**6):
        with pytest.raises(IndexError, match="out of bounds|out of range"):
            x.take(torch.tensor([wrong]))
    y = x.double().requires_grad_()
    y.take(index).sum().backward()
    assert y.grad.sum() == 6 and y.grad[0, 0] == 2


@pytest.mark.parametrize("dtype", _REAL)
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact"])
def test_gradients_of_nearest_elements(dtype: str, mode: str) -> None:
    interpolate = torch.nn.functional.interpolate
    for size, wanted in itertools.product((1, 7, 20, 64), (1, 5, 20, 64, 100, 128)):
        numbers = random.integers(-2, 3, (3, 2, size)).astype(np.float64)
        x = _tensor(numbers, dtype).requires_grad_()
        y = interpolate(x, size=wanted, mode=mode)
        places = interpolate(torch.arange(size)[None, None].double(), size=wanted, mode=mode)
        grad = random.integers(-2, 3, y.shape).astype(np.float64)
        y.backward(_tensor(grad, dtype))
        sums = np.zeros((3, 2, size))
        np.add.at(sums, (slice(None), slice(None), places.flatten().long().numpy()), grad)
        assert np.array_equal(_double(x.grad), sums), (size, wanted)
    image = _tensor(random.integers(-2, 3, (2, 3, 20, 30)), dtype).requires_grad_()
    interpolate(image, scale_factor=2, mode=mode).sum().backward()
    assert np.array_equal(_double(image.grad), np.full((2, 3, 20, 30), 4.0))


@pytest.mark.parametrize("dtype", _REAL)
def test_group_norm_of_elements_without_further_dimensions(dtype: str) -> None:
    for batch, channels, groups in ((4, 12, 3), (4, 12, 1), (5, 12, 12), (64, 4096, 4), (1, 40, 2)):
        tensors = [_tensor(random.standard_normal(n), dtype) for n in (channels, channels)]
        x = _tensor(random.standard_normal((batch, channels)), dtype)
        flat = [t.requires_grad_() for t in (x, *tensors)]
        wide = [t.detach().double().requires_grad_() for t in flat]
        y = torch.nn.functional.group_norm(flat[0], groups, flat[1], flat[2], 1e-3)
        rows = wide[0].reshape(batch, groups, -1)
        centred = rows - rows.mean(-1, keepdim=True)
        normal = centred / (centred.square().mean(-1, keepdim=True) + 1e-3).sqrt()
        wanted = normal.reshape(batch, channels) * wide[1] + wide[2]
        grad = _tensor(random.standard_normal((batch, channels)), dtype)
        y.backward(grad)
        wanted.backward(grad.double())
        tolerance = 32 * _EPSILON[dtype]
        assert np.allclose(_double(y), _double(wanted), rtol=tolerance, atol=tolerance)
        for found, other in zip(flat, wide, strict=True):
            scale = max(float(other.grad.abs().max()), 1e-3**-0.5)
            assert np.allclose(
                _double(found.grad), _double(other.grad), rtol=tolerance, atol=tolerance * scale
            )


@pytest.mark.parametrize("dtype", _REAL)
def test_random_numbers_of_tensors_whose_elements_are_apart(dtype: str) -> None:
    kind = getattr(torch, dtype)
    for shape in ((40, 3), (3, 700), (2, 5, 90)):
        torch.manual_seed(3)
        dense = torch.empty(shape, dtype=kind).uniform_(-1, 2)
        after = torch.rand(1)
        for wide in (
            torch.zeros(*shape, 2, dtype=kind)[..., 0],
            torch.zeros(*shape[:-1], shape[-1] + 1, dtype=kind)[..., 1:],
        ):
            torch.manual_seed(3)
            assert torch.equal(wide.uniform_(-1, 2), dense)
            assert torch.equal(torch.rand(1), after)
