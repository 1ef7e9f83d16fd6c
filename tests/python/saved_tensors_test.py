"""Hooks on what is saved for the backward pass."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks


def test_tensors_are_packed_and_unpacked() -> None:
    packed: list[Tensor] = []
    unpacked: list[int] = []

    def pack(tensor: Tensor) -> int:
        packed.append(tensor.clone())
        return len(packed) - 1

    def unpack(index: int) -> Tensor:
        unpacked.append(index)
        return packed[index]

    a = torch.randn(3, requires_grad=True)
    b = torch.randn(3, requires_grad=True)
    with saved_tensors_hooks(pack, unpack):
        product = a * b  # Saves both.
        result = product.exp()  # Saves its result.
    assert len(packed) == 3
    assert unpacked == []
    result.sum().backward()
    assert sorted(unpacked) == [0, 1, 2]
    assert a.grad is not None
    assert b.grad is not None
    expected = (a * b).exp().detach()
    assert torch.allclose(a.grad, expected * b.detach())
    assert torch.allclose(b.grad, expected * a.detach())


def test_pack_gets_the_tensor_itself() -> None:
    weight = torch.nn.Parameter(torch.ones(3))
    found: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        found.append(tensor)
        return tensor.detach()

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        product = weight * weight
        result = product.exp()
    assert any(tensor is weight for tensor in found)
    assert any(tensor.grad_fn is result.grad_fn for tensor in found)
    result.sum().backward()
    assert torch.equal(weight.grad, 2 * result)


def test_what_unpack_returns_is_used() -> None:
    a = torch.randn(4, requires_grad=True)
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: 2 * tensor):
        result = a * a
    result.sum().backward()
    assert a.grad is not None
    assert torch.allclose(a.grad, 4 * a.detach())


def test_second_derivatives_go_through_what_was_unpacked() -> None:
    a = torch.randn(4, requires_grad=True)
    with saved_tensors_hooks(lambda tensor: tensor.tolist(), torch.tensor):
        result = a * a * a
        (first,) = torch.autograd.grad(result.sum(), a, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), a)
    assert torch.allclose(second, 6 * a.detach(), rtol=1e-4)


def test_the_innermost_pair_is_in_effect() -> None:
    calls: list[str] = []

    def pair(name: str) -> saved_tensors_hooks:
        return saved_tensors_hooks(
            lambda tensor: (calls.append(name), tensor)[1], lambda tensor: tensor
        )

    a = torch.ones(2, requires_grad=True)
    with pair("outer"):
        a.exp()
        with pair("inner"):
            a.exp()
        a.exp()
    a.exp()
    assert calls == ["outer", "inner", "outer"]


def test_hooks_count_no_versions() -> None:
    a = torch.ones(2, requires_grad=True)
    with saved_tensors_hooks(lambda tensor: tensor.clone(), lambda tensor: tensor):
        result = a.exp()
        squared = result * result
    with torch.no_grad():
        result.zero_()
    squared.sum().backward()
    assert a.grad is not None
    assert torch.allclose(a.grad, 2 * torch.ones(2).exp() ** 2)


def test_pack_may_not_change_its_input() -> None:
    a = torch.ones(2, requires_grad=True)
    with (
        saved_tensors_hooks(lambda tensor: tensor.mul_(2), lambda tensor: tensor),
        pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input"),
    ):
        a.exp()


def test_unpack_returns_a_tensor() -> None:
    a = torch.ones(2, requires_grad=True)
    with saved_tensors_hooks(lambda tensor: 7, lambda packed: packed):  # type: ignore[arg-type]
        result = a.exp()
    with pytest.raises(TypeError, match="expected to be a Tensor but got result of type int"):
        result.sum().backward()


def test_an_error_of_a_hook_is_the_error_of_the_operation() -> None:
    def refuse(value: Any) -> Any:
        raise KeyError("refused")

    a = torch.ones(2, requires_grad=True)
    with saved_tensors_hooks(refuse, refuse), pytest.raises(KeyError, match="refused"):
        a.exp()


def test_the_graph_is_released_with_its_packed_tensors() -> None:
    a = torch.ones(2, requires_grad=True)
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        result = a.exp().sum()
    result.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        result.backward()


def test_hooks_can_be_forbidden() -> None:
    with (
        disable_saved_tensors_hooks("not here"),
        pytest.raises(RuntimeError, match="not here"),
        saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor),
    ):
        pass
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        pass


def test_save_on_cpu() -> None:
    a = torch.randn(3, requires_grad=True)
    with save_on_cpu():
        result = a * a
    result.sum().backward()
    assert a.grad is not None
    assert torch.allclose(a.grad, 2 * a.detach())


def test_hooks_close_without_arguments() -> None:
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x)
    hooks.__enter__()
    hooks.__exit__()
    with torch.autograd.graph.save_on_cpu(False, device_type="cuda"):
        x = torch.ones(2, requires_grad=True)
        (x * x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2, 2]
