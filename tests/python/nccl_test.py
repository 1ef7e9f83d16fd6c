"""torch.cuda.nccl: what it takes and hands on, in builds with and without NCCL, without a GPU."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch.cuda import nccl

HAS_NCCL = getattr(torch._C, "_cuda_ncclVersion", lambda: 0)() != 0


class OnGpu(torch.Tensor):
    """A tensor of the processor that says it is on GPU `number`."""

    number: int

    is_cuda = property(lambda self: True)  # type: ignore[assignment]
    device = property(lambda self: torch.device("cuda", self.number))  # type: ignore[assignment]


def on_gpu(
    number: int, size: int = 6, dtype: torch.dtype = torch.float32, step: int = 1
) -> torch.Tensor:
    t = torch.zeros(size * step, dtype=dtype)[::step].as_subclass(OnGpu)
    t.number = number  # type: ignore[attr-defined]
    return t


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The calls of the bindings, which this fixture replaces by a list."""
    seen: list[tuple[Any, ...]] = []
    fake = SimpleNamespace(
        _cuda_ncclVersion=lambda: 22809,
        _cuda_ncclUniqueId=lambda: bytes(128),
        _cuda_nccl=lambda *args: seen.append(args),
    )
    monkeypatch.setattr(nccl, "_C", fake)
    return seen


def test_what_is_handed_on(calls: list[tuple[Any, ...]]) -> None:
    a, b = on_gpu(0), on_gpu(1)
    c, d = on_gpu(0), on_gpu(1)
    twice = [on_gpu(0, 12), on_gpu(1, 12)]
    halves = [on_gpu(0, 3), on_gpu(1, 3)]
    nccl.all_reduce([a, b])
    nccl.all_reduce((a, b), (c, d), op=nccl.MAX)
    nccl.broadcast([a, b], root=1)
    nccl.reduce([a, b], root=1, op=nccl.AVG)
    nccl.reduce([a, b], c)
    nccl.all_gather([a, b], twice)
    nccl.reduce_scatter([a, b], halves, op=nccl.PROD)

    def same(left: Any, right: Any) -> bool:
        if isinstance(right, list):
            return len(left) == len(right) and all(map(same, left, right))
        return left is right or (not isinstance(right, torch.Tensor) and left == right)

    expected = [
        [0, [a, b], [a, b], 0, 0],
        [0, [a, b], [c, d], 2, 0],
        [1, [a, b], [a, b], 0, 1],
        [2, [a, b], [None, b], 4, 1],
        [2, [a, b], [c, None], 0, 0],
        [3, [a, b], twice, 0, 0],
        [4, [a, b], halves, 1, 0],
    ]
    assert same([list(call) for call in calls], expected)
    assert nccl.version() == (2, 28, 9)
    assert len(nccl.unique_id()) == 128
    assert nccl.is_available([a, b])
    assert not nccl.is_available([a, torch.zeros(6)])


A, B = on_gpu(0), on_gpu(1)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: nccl.all_reduce(A), TypeError, "should be a collection of tensors, not OnGpu"),
        (lambda: nccl.all_reduce([]), ValueError, "inputs should be at least one tensor"),
        (lambda: nccl.all_reduce([A, 3]), TypeError, r"inputs\[1\] should be a tensor, not int"),
        (
            lambda: nccl.all_reduce([A, torch.zeros(6)]),
            ValueError,
            r"inputs\[1\] should be on a GPU, but it is on cpu",
        ),
        (
            lambda: nccl.all_reduce([A, on_gpu(0)]),
            ValueError,
            r"GPUs that differ, but inputs\[1\] is the second on cuda:0",
        ),
        (
            lambda: nccl.all_reduce([A, on_gpu(1, step=2)]),
            ValueError,
            r"inputs\[1\] should be contiguous: pass inputs\[1\].contiguous\(\)",
        ),
        (
            lambda: nccl.all_reduce([A, on_gpu(1, 5)]),
            ValueError,
            r"inputs\[0\] has 6 elements of torch.float32 and inputs\[1\] has 5 of torch.float32",
        ),
        (
            lambda: nccl.all_reduce([A, B], [A]),
            ValueError,
            "2 inputs want as many outputs, but there are 1",
        ),
        (
            lambda: nccl.all_reduce([A, B], [B, A]),
            ValueError,
            r"outputs\[0\] should be on cuda:0 like its input, not cuda:1",
        ),
        (
            lambda: nccl.all_gather([A, B], [A, B]),
            ValueError,
            "outputs should have 12 elements of torch.float32, but they have 6",
        ),
        (
            lambda: nccl.reduce_scatter([A, B], [A, B]),
            ValueError,
            "outputs should have 6 / 2 elements of torch.float32, but they have 6",
        ),
        (
            lambda: nccl.broadcast([A, B], root=2),
            ValueError,
            "root should be the number of an input, 0 to 1, not 2",
        ),
        (lambda: nccl.all_reduce([A, B], op=5), ValueError, "SUM, PROD, .*, 0 to 4, not 5"),
        (
            lambda: nccl.all_reduce([A, B], streams=[None]),
            ValueError,
            "2 tensors want as many streams, but there are 1",
        ),
        (lambda: nccl.all_reduce([A, B], comms=[1]), ValueError, "comms are not taken"),
    ],
)
def test_wrong_arguments(
    call: Callable[[], None],
    error: type[Exception],
    message: str,
    calls: list[tuple[Any, ...]],
) -> None:
    with pytest.raises(error, match=message):
        call()
    assert calls == []


@pytest.mark.skipif(HAS_NCCL, reason="this build has NCCL")
def test_without_nccl_the_option_is_named() -> None:
    for call in (
        nccl.version,
        nccl.unique_id,
        lambda: nccl.all_reduce([A, B]),
    ):
        with pytest.raises(RuntimeError, match="this build has no NCCL.*--config=cuda --nccl"):
            call()
    assert not nccl.is_available([A, B])


@pytest.mark.skipif(not HAS_NCCL, reason="this build has no NCCL")
def test_the_library_is_the_pinned_one() -> None:
    assert nccl.version() >= (2, 28, 9)
    with pytest.raises(RuntimeError, match="NCCL has no type for ComplexFloat: convert to uint8"):
        nccl.all_reduce([on_gpu(0, 2, torch.complex64)])
