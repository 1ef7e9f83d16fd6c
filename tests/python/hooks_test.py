"""Hooks of modules and of tensors, and what becomes of them in unusual places."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest
import torch
from torch import nn

Pair = namedtuple("Pair", ["first", "second"])


def watched(module: nn.Module) -> list[tuple[Any, Any]]:
    calls: list[tuple[Any, Any]] = []
    module.register_full_backward_hook(lambda _, gi, go: calls.append((gi, go)))
    return calls


def test_full_backward_hook_without_an_input_that_requires_grad() -> None:
    layer = nn.Linear(2, 3)
    calls = watched(layer)
    x = torch.randn(4, 2)
    seen: list[bool] = []
    layer.register_forward_pre_hook(lambda _, args: seen.append(args[0].requires_grad))
    out = layer(x)
    assert not x.requires_grad
    out.sum().backward()
    ((grad_input, grad_output),) = calls
    assert grad_input == (None,)
    assert torch.equal(grad_output[0], torch.ones(4, 3))
    assert layer.weight.grad is not None

    layer.register_full_backward_hook(lambda _, gi, go: (torch.ones(4, 2),))
    with pytest.raises(RuntimeError, match="where no input requires gradient should always return"):
        layer(x).sum().backward()


def test_inputs_that_need_no_gradient_stay_so() -> None:
    class Product(nn.Module):
        def forward(self, a: Any, b: Any, number: int) -> Any:
            assert a.requires_grad and not b.requires_grad
            return a * b * number

    module = Product()
    calls = watched(module)
    a = torch.randn(3, dtype=torch.float64, requires_grad=True)
    b = torch.randn(3, dtype=torch.float64)
    module(a, b, 2).sum().backward()
    ((grad_input, _),) = calls
    assert grad_input[1] is None and grad_input[2] is None
    torch.testing.assert_close(grad_input[0], 2 * b)


def test_outputs_that_are_named_tuples_and_dicts() -> None:
    class Two(nn.Module):
        def forward(self, x: Any) -> Any:
            return Pair(x * 2, x * 3)

    module = Two()
    calls = watched(module)
    x = torch.randn(3, requires_grad=True)
    out = module(x)
    assert isinstance(out, Pair)
    (out.first.sum() + out.second.sum()).backward()
    ((grad_input, grad_output),) = calls
    assert torch.equal(grad_input[0], torch.full((3,), 5.0))
    assert len(grad_output) == 2

    class Named(nn.Module):
        def forward(self, x: Any) -> Any:
            return {"y": x * 2}

    named = Named()
    watched(named)
    with pytest.warns(UserWarning, match="should be a Tensor or a tuple of Tensors"):
        named(x)["y"].sum().backward()


def test_wrong_number_of_gradients_from_a_hook() -> None:
    layer = nn.Linear(2, 2)
    layer.register_full_backward_pre_hook(lambda _, go: (go[0], go[0]))
    with pytest.raises(RuntimeError, match="pre hook returned an invalid number of grad_output"):
        layer(torch.randn(1, 2)).sum().backward()


def test_always_called_hooks_run_once_where_another_hook_fails() -> None:
    layer = nn.Linear(2, 2)
    calls: list[str] = []

    def fails(*_: Any) -> None:
        raise ValueError("no")

    layer.register_forward_hook(lambda *_: calls.append("first"), always_call=True)
    layer.register_forward_hook(fails)
    layer.register_forward_hook(lambda *_: calls.append("last"), always_call=True)
    with pytest.raises(ValueError, match="no"):
        layer(torch.randn(1, 2))
    assert calls == ["first", "last"]


def test_tensor_hooks_stay_with_the_value_before_an_operation_in_place() -> None:
    a = torch.ones(2, requires_grad=True)
    b = a * 2
    before: list[Any] = []
    after: list[Any] = []
    b.register_hook(lambda grad: before.append(grad.tolist()))
    b.retain_grad()
    b.mul_(3)
    b.register_hook(lambda grad: after.append(grad.tolist()))
    b.sum().backward()
    assert before == [[3.0, 3.0]]
    assert after == [[1.0, 1.0]]
    assert b.grad is not None and b.grad.tolist() == [1.0, 1.0]  # Of the value that b has now.
    assert a.grad is not None and a.grad.tolist() == [6.0, 6.0]


def test_retain_grad_of_a_base_that_a_view_changed() -> None:
    a = torch.ones(2, requires_grad=True)
    b = a * 2
    b.retain_grad()
    view = b[:1]
    view.mul_(5)
    b.sum().backward()
    assert b.grad is not None and b.grad.tolist() == [1.0, 1.0]
    assert a.grad is not None and a.grad.tolist() == [10.0, 2.0]


def test_a_hook_keeps_size_and_dtype_of_the_gradient() -> None:
    def gradient(hook: Any, of_node: bool = False) -> Any:
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        if of_node:
            assert y.grad_fn is not None
            y.grad_fn.register_prehook(hook)
        else:
            x.register_hook(hook)
        y.sum().backward()
        return x.grad

    # One element would be taken for the gradient of three.
    with pytest.raises(RuntimeError, match="hook '<lambda>' has changed the size of value"):
        gradient(lambda g: g[:1])
    types = r"\(was torch.FloatTensor got torch.DoubleTensor\)"
    with pytest.raises(
        RuntimeError, match="hook '<lambda>' has changed the type of value " + types
    ):
        gradient(lambda g: g.double())
    with pytest.raises(RuntimeError, match="hook '<lambda>' has changed the size of value"):
        gradient(lambda g: (g[0][:1],), of_node=True)
    assert gradient(lambda g: g * 3).tolist() == [6.0, 6.0, 6.0]
    assert gradient(lambda g: (g[0] * 3,), of_node=True).tolist() == [6.0, 6.0, 6.0]
