"""Every function gives the same result, and writes the same, for a tensor and for one of the same
elements whose conjugate or negative is in memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from tests.python import dtypes
from torch import Tensor

# Their results are memory that nobody has written.
_UNINITIALISED = {"empty_like", "new_empty", "new_empty_strided", "resize_", "resize_as_"}
# They look at memory or at bits, and say so.
_OF_MEMORY = {"view_as_real", "view", "is_set_to", "resolve_conj", "resolve_neg"}


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
        values.append(torch.tensor(result) if isinstance(result, bool | int | float) else torch.ones(1))
    return values


def check(function: Any, dtype: str, make: Callable[[Tensor], Tensor]) -> int:
    call = dtypes.callable_of(function)
    count = 0
    for positional, keyword in dtypes.working_calls(function, dtype, tries=150, enough=4):
        values = list(keyword.values())
        if not any(make(t).is_conj() or make(t).is_neg() for t in tensors([*positional, values])):
            continue
        plain = [changed(value, Tensor.clone) for value in positional]
        named = {name: changed(value, Tensor.clone) for name, value in keyword.items()}
        try:
            expected = outcome(call, plain, named)
        except Exception:  # A refusal of the values, which are others in each call.
            continue
        bits = [changed(value, make) for value in positional]
        named = {name: changed(value, make) for name, value in keyword.items()}
        found = outcome(call, bits, named)
        what = f"{function.name}{tuple(positional)}{keyword} of {dtype}"
        assert len(found) == len(expected), what
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape, what
            torch.testing.assert_close(
                one.resolve_conj().resolve_neg(),
                other.resolve_conj().resolve_neg(),
                equal_nan=True,
                msg=lambda text: f"{what}: {text}",
            )
        count += 1
    return count


FUNCTIONS = [f for f in dtypes.functions() if f.name not in _UNINITIALISED | _OF_MEMORY]


@pytest.mark.parametrize(
    ("dtype", "make"),
    [("complex64", conjugate), ("complex64", both), ("float32", negative), ("int64", negative)],
    ids=["conjugate", "both", "negative", "integer"],
)
@pytest.mark.parametrize("inference", [False, True], ids=["", "inference"])
def test_bits_change_nothing(
    dtype: str, make: Callable[[Tensor], Tensor], inference: bool
) -> None:
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
