"""Every function gives the same result, and writes the same, for a tensor and for one of the same
elements whose conjugate or negative is in memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.python import dtypes

# Their results are memory that nobody has written.
_UNINITIALISED = {"empty_like", "new_empty", "new_empty_strided", "resize_", "resize_as_"}
# They look at memory, and say so.
_OF_MEMORY = {"view_as_real", "view", "view_copy"}
# What the tests make are views, which these refuse.
_OF_VIEWS = {"detach_"}
# The random strides name one element twice, and which write is the last one is nobody's promise.
_OVERLAPPING = {"as_strided_scatter"}


def conjugate(tensor: Tensor) -> Tensor:
    return tensor.conj_physical().conj() if tensor.is_complex() else tensor.clone()


def negative(tensor: Tensor) -> Tensor:
    if tensor.dtype == torch.bool or tensor.numel() == 0:
        return tensor.clone()
    return tensor.neg()._neg_view()


def both(tensor: Tensor) -> Tensor:
    return negative(tensor.conj_physical()).conj()


def changed(value: Any, make: Callable[[Tensor], Tensor]) -> Any:
    """Arguments with other tensors of the same elements."""
    if isinstance(value, Tensor):
        return make(value)
    if isinstance(value, list):
        return [changed(item, make) for item in value]
    return value


def with_imaginary_parts(tensor: Tensor) -> Tensor:
    return tensor + torch.rand(tensor.shape) * 0.3j if tensor.is_complex() else tensor.clone()


def shown(value: Any) -> str:
    """An argument in an error: a tensor by its shape."""
    if isinstance(value, Tensor):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, dict):
        return ", ".join(f"{name}={shown(item)}" for name, item in value.items())
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    return repr(value)


def tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors(item)


def outcome(
    call: Callable[..., Any], positional: list[Any], keyword: dict[str, Any]
) -> list[Tensor]:
    """The results of a call and its arguments after it."""
    torch.manual_seed(0)
    result = call(*positional, **keyword)
    values = [*tensors(result), *tensors(positional), *tensors(list(keyword.values()))]
    if not isinstance(result, Tensor | list | tuple):
        values.append(
            torch.tensor(result) if isinstance(result, bool | int | float) else torch.ones(1)
        )
    return values


def same(a: list[Tensor], b: list[Tensor]) -> bool:
    return len(a) == len(b) and all(
        torch.equal(x.nan_to_num(), y.nan_to_num()) for x, y in zip(a, b, strict=True)
    )


def check(function: Any, dtype: str, make: Callable[[Tensor], Tensor]) -> int:
    call = dtypes.callable_of(function)
    count = 0
    for positional, keyword in dtypes.working_calls(function, dtype, tries=150, enough=4):
        arguments: list[Any] = [positional, list(keyword.values())]
        if not any(make(t).is_conj() or make(t).is_neg() for t in tensors(arguments)):
            continue
        for values in (with_imaginary_parts, Tensor.clone):
            given: list[Any] = changed(arguments, values)

            def called(
                make: Callable[[Tensor], Tensor], given: list[Any] = given, keyword: Any = keyword
            ) -> list[Tensor]:
                first, rest = changed(given, make)
                return outcome(call, first, dict(zip(keyword, rest, strict=True)))

            try:
                expected, again = called(Tensor.clone), called(Tensor.clone)
            except Exception:  # A refusal of the values: another function wants real ones.
                continue
            break
        else:
            continue
        if not same(expected, again):  # Memory that nobody has written.
            continue
        found = called(make)
        what = f"{function.name}({shown(positional)}, {shown(keyword)}) of {dtype}"
        assert len(found) == len(expected), what
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape, what
            torch.testing.assert_close(
                one.resolve_conj().resolve_neg(),
                other.resolve_conj().resolve_neg(),
                equal_nan=True,
                msg=f"{what}: {one} and not {other}",
            )
        count += 1
    return count


LEFT_OUT = _UNINITIALISED | _OF_MEMORY | _OF_VIEWS | _OVERLAPPING
FUNCTIONS = [f for f in dtypes.functions() if f.name not in LEFT_OUT]


@pytest.mark.parametrize(
    ("dtype", "make"),
    [("complex64", conjugate), ("complex64", both), ("float32", negative), ("int64", negative)],
    ids=["conjugate", "both", "negative", "integer"],
)
@pytest.mark.parametrize("inference", [False, True], ids=["", "inference"])
def test_bits_change_nothing(dtype: str, make: Callable[[Tensor], Tensor], inference: bool) -> None:
    checked = 0
    wrong = []
    mode = torch.inference_mode if inference else torch.no_grad
    with warnings.catch_warnings(), mode():
        warnings.simplefilter("ignore")
        for function in FUNCTIONS:
            try:
                checked += check(function, dtype, make) > 0
            except Exception as error:  # All of them are wanted at once.
                wrong.append(f"{function.name}: {type(error).__name__}: {error}")
    assert not wrong, f"{len(wrong)} functions:\n" + "\n".join(line[:600] for line in wrong)
    assert checked > 350
