"""An extension of the stable headers alone: its kernels, its calls of operators, and its errors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

torch.ops.load_library(os.environ["EXTENSION"])
ops = torch.ops.stable_test


@pytest.mark.parametrize("size", [(), (0,), (1000,), (7, 11)])
def test_a_kernel_over_memory(size: tuple[int, ...]) -> None:
    x = torch.randn(size)
    torch.testing.assert_close(ops.scaled(x, 1.7).double(), x.double() * 1.7, rtol=1e-6, atol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
def test_accessors_of_strided_tensors(dtype: torch.dtype) -> None:
    x = torch.randint(-9, 9, (5, 8)).to(dtype)[:, ::2]
    y = torch.randint(-9, 9, (5, 4)).to(dtype).t()
    assert ops.add_transposed(x, y).tolist() == (x + y.t()).tolist()


def test_every_kind_of_argument() -> None:
    found = ops.describe(
        -(2**40), True, 0.1, "a\0b ü", torch.device("cuda", 3), torch.complex64, torch.strided,
        torch.channels_last, [3, -1], ["x", ""], None, [1, 2], torch.ones(2),
        [torch.ones(3), None], torch.Generator(),
    )  # fmt: skip
    expected = "-1099511627776 1 0.1 a\0b ü 1:3 ComplexFloat 0 2 i3 i-1 tx t 0 2 1 3 -1 1"
    assert found == expected


def test_several_results_and_writes() -> None:
    x = torch.randn(5, 2)
    first, rest, parts = ops.split(x, 2)
    assert rest == 3
    assert torch.equal(first, x[:2])
    assert first.data_ptr() == x.data_ptr()
    assert torch.equal(parts[0], x[2:])
    assert parts[1].data_ptr() == x.data_ptr()
    expected = 2 * x
    assert ops.double_(x) is None
    assert torch.equal(x, expected)


def test_calls_of_operators() -> None:
    x = torch.randn(3, 4, dtype=torch.float64)
    expected = [
        x @ x.t(), x.amax(1), x.amax((0, 1), True), x.sum(0, True), x.sum(), x.sum(0),
        F.pad(x, (1, 2), "constant", 7.0), x.reshape(-1), x.view(-1, 1), x.flatten(), x, x[-1],
        x.float(), x, x.t(), torch.full((2, 2), 1.5, dtype=torch.float64),
        torch.full((2, 3), 2.5, dtype=torch.float64), torch.zeros_like(x),
    ]  # fmt: skip
    found = ops.operators(x)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-12)


def test_memory_of_the_extension() -> None:
    before = ops.deletions()
    x = ops.owned(6)
    view = x[2:]
    del x
    assert (view.tolist(), ops.deletions()) == ([2, 3, 4, 5], before)
    del view
    assert ops.deletions() == before + len("owner")


def test_errors_are_exceptions_of_python() -> None:
    x = torch.randn(3, 4)
    with pytest.raises(RuntimeError, match="expected scalar type Float but found Double"):
        ops.scaled(x.double(), 2.0)
    with pytest.raises(RuntimeError, match="scaled: expected a contiguous tensor"):
        ops.scaled(x.t(), 2.0)
    with pytest.raises(RuntimeError, match="\"add_transposed\" not implemented for 'Short'"):
        ops.add_transposed(x.short(), x.t().short())
    with pytest.raises(RuntimeError, match=r"cannot be multiplied.*\(originally from"):
        ops.wrong_shape(x)
    with pytest.raises(RuntimeError, match="Could not find schema for aten::no_such_operator"):
        ops.wrong_operator(x)
    with pytest.raises(RuntimeError, match="schema has 2 args, but the kernel to box has 1"):
        ops.wrong_count(x, 1)
    with pytest.raises(RuntimeError, match="The stable ABI has no form for values of type Scalar"):
        ops.scalar(x, 2)
    with pytest.raises(RuntimeError, match="the number 4294967296 does not fit into 32 bits"):
        ops.narrow_number(2**32)
    assert ops.narrow_number(-7) == -7
    with pytest.raises(RuntimeError, match="no chunk works"):
        ops.fail_in_parallel(64)


def test_functions_of_the_c_interface() -> None:
    x = torch.randn(4, 3).t()
    index = torch.tensor([[1, 0, 2, 2], [0, 1, 1, 0], [2, 2, 0, 1]])
    copy, written, scattered, reduced, put = ops.by_handles(x, index)
    assert torch.equal(copy, x)
    assert copy.stride() == x.stride()
    # Rows that share memory share it in the copy too.
    windows = torch.arange(5.0).unfold(0, 3, 1).as_strided((3, 4), (1, 0))
    shared = ops.by_handles(windows, index)[0]
    assert torch.equal(shared, windows)
    assert (shared.stride(), shared.untyped_storage().nbytes()) == ((1, 0), 12)
    assert torch.equal(written, x)
    assert torch.equal(scattered, x.scatter(0, index, x))
    assert torch.equal(reduced, x.scatter_reduce(0, index, x, "amax", include_self=False))
    expected = x.index_put((torch.arange(3)[:, None], index[0]), x, accumulate=True)
    torch.testing.assert_close(put, expected)
    assert ops.dtypes() == [15, 5, 9, 10, 6, 7, 0, 1, 2, 3, 4, 11]


def test_checks_and_warnings_of_the_c_interface() -> None:
    with pytest.warns(UserWarning, match="n is 3"):
        ops.check_and_warn(3)
    with pytest.warns(UserWarning), pytest.raises(RuntimeError, match="expected n > 0, but got -2"):
        ops.check_and_warn(-2)
    with pytest.warns(UserWarning), pytest.raises(RuntimeError):
        ops.check_and_warn(1)
    with pytest.raises(RuntimeError, match="expected a handle, but got a null pointer"):
        ops.null_stream()


@pytest.mark.skipif(torch.accelerator.current_accelerator() is not None, reason="has one")
def test_a_build_without_an_accelerator_says_so() -> None:
    for call in (ops.current_device, ops.native_handle):
        with pytest.raises(RuntimeError, match="this build has no accelerator"):
            call()
    with pytest.raises(RuntimeError, match="(?i)pinned memory|no CUDA|CUDA"):
        ops.pinned(4)


def test_an_extension_for_an_older_version() -> None:
    """It works here, and needs no function that came later: it would not load there."""
    path = Path(os.environ["OLDER_EXTENSION"])
    torch.ops.load_library(path)
    x = torch.randn(3, 4, dtype=torch.float64)
    torch.testing.assert_close(torch.ops.stable_older.twice(x), 2 * x.sum())
    symbols = path.read_bytes()
    assert b"torch_call_dispatcher" in symbols
    for newer in (b"torch_exception_get_what", b"torch_from_blob", b"torch_library_def_with_tags"):
        assert newer not in symbols
        assert newer in Path(os.environ["EXTENSION"]).read_bytes()
    with pytest.raises(RuntimeError, match="aoti_torch_aten_subtract_Tensor.*API call failed at"):
        torch.ops.stable_older.twice(torch.ones(2, dtype=torch.bool))
