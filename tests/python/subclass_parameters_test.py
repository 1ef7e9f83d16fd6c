"""Parameters, buffers and copies of tensors of subclasses."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn


class Kept(torch.Tensor):
    """Its operations give its class."""

    def new_empty(self, *args: Any, **kwargs: Any) -> Any:
        return super().new_empty(*args, **kwargs).as_subclass(Kept)


class Lost(torch.Tensor):
    """Its operations give plain tensors."""

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        result = super().__torch_function__(func, types, args, kwargs or {})
        return result.as_subclass(torch.Tensor) if isinstance(result, torch.Tensor) else result


def test_a_parameter_of_a_subclass_is_of_it() -> None:
    layer = nn.Module()
    layer.weight = nn.Parameter(torch.ones(2).as_subclass(Kept))
    weight: Any = next(layer.parameters())
    assert type(weight) is Kept
    assert isinstance(weight, nn.Parameter) and weight.requires_grad
    assert repr(weight) == "Parameter(Kept([1., 1.], requires_grad=True))"
    assert not isinstance(torch.ones(1).as_subclass(Kept), nn.Parameter)


def test_a_subclass_that_is_lost_is_refused() -> None:
    message = "Creating a Parameter from an instance of type Lost requires that detach"
    with pytest.raises(RuntimeError, match=message):
        nn.Parameter(torch.ones(2).as_subclass(Lost))


def test_a_buffer_has_the_class_of_its_values() -> None:
    buffer = nn.Buffer(torch.ones(2), persistent=False)
    assert type(buffer) is torch.Tensor
    assert isinstance(buffer, nn.Buffer) and not isinstance(torch.ones(2), nn.Buffer)
    layer = nn.Module()
    layer.state = buffer
    assert [name for name, _ in layer.named_buffers()] == ["state"]
    assert list(layer.state_dict()) == []


def test_a_copy_of_a_subclass() -> None:
    x = torch.randn(3).as_subclass(Kept)
    x.notes = ["a"]  # type: ignore[attr-defined]
    y = copy.deepcopy(x)
    assert type(y) is Kept and torch.equal(y, x)
    assert y.notes == ["a"] and y.notes is not x.notes  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match=r"subclass types that implement new_empty\(\)"):
        copy.deepcopy(torch.ones(2).as_subclass(Lost))


def test_copies_share_memory_as_the_originals_do() -> None:
    whole = torch.arange(6.0)
    copied = copy.deepcopy([whole, whole[2:4], whole.view(2, 3).t()])
    copied[0][2] = 50
    assert float(copied[1][0]) == 50 and float(copied[2][2, 0]) == 50
    assert float(whole[2]) == 2
    assert copied[2].stride() == (1, 3)
    conjugated = torch.randn(2, dtype=torch.complex64).conj()
    assert torch.equal(copy.deepcopy(conjugated), conjugated)
