"""Hooks of all modules, hooks of the last node, and hooks around state dicts."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.modules import module as every


def network() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 2), nn.Tanh())


def test_forward_hooks_of_all_modules_go_first() -> None:
    order: list[str] = []
    net = network()
    net[1].register_forward_pre_hook(lambda m, a: order.append("own pre"))
    net[1].register_forward_hook(lambda m, a, o: order.append("own"))
    handles = [
        every.register_module_forward_pre_hook(lambda m, a: order.append(f"pre {m._get_name()}")),
        every.register_module_forward_hook(lambda m, a, o: order.append(m._get_name())),
    ]
    assert every._has_any_global_hook()
    net(torch.ones(1, 2))
    assert order == [
        "pre Sequential",
        "pre Linear",
        "Linear",
        "pre Tanh",
        "own pre",
        "Tanh",
        "own",
        "Sequential",
    ]
    for handle in handles:
        handle.remove()
    assert not every._has_any_global_hook()
    order.clear()
    net(torch.ones(1, 2))
    assert order == ["own pre", "own"]


def test_they_replace_arguments_and_results() -> None:
    layer = nn.Identity()
    x = torch.ones(2)
    with every.register_module_forward_pre_hook(lambda m, a: 2 * a[0]):
        assert layer(x).tolist() == [2, 2]
    with every.register_module_forward_hook(lambda m, a, o: o + 1):
        assert layer(x).tolist() == [2, 2]

    def named(m: Any, args: Any, kwargs: Any, output: Any) -> Any:
        return kwargs

    with every.register_module_forward_hook(named, with_kwargs=True):
        assert layer(input=x) == {"input": x}
    assert layer(x) is x


def test_hooks_that_run_after_errors() -> None:
    class Fails(nn.Module):
        def forward(self) -> None:
            raise KeyError("forward")

    seen: list[Any] = []
    with (
        every.register_module_forward_hook(lambda m, a, o: seen.append(o), always_call=True),
        pytest.raises(KeyError, match="forward"),
    ):
        Fails()()
    assert seen == [None]
    with (
        every.register_module_forward_hook(lambda m, a, o: 1 / 0, always_call=True),
        pytest.warns(UserWarning, match="silenced as another error was raised"),
        pytest.raises(KeyError, match="forward"),
    ):
        Fails()()


def test_backward_hooks_of_all_modules() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    order: list[tuple[str, bool]] = []

    def hook(module: Any, grad_input: Any, grad_output: Any) -> None:
        order.append(("back", module is net[1]))

    def pre(module: Any, grad_output: Any) -> Any:
        order.append(("pre", module is net[1]))
        return (grad_output[0] * 2,)

    x = torch.ones(1, 2, requires_grad=True)
    net(x).sum().backward()
    assert x.grad is not None
    plain = x.grad.clone()
    x.grad = None
    with (
        every.register_module_full_backward_hook(hook),
        every.register_module_full_backward_pre_hook(pre),
    ):
        net(x).sum().backward()
    assert order.count(("pre", True)) == 1
    assert order.count(("back", True)) == 1
    assert len(order) == 6
    # The network and both layers double the gradient.
    torch.testing.assert_close(x.grad, 8 * plain)
    with pytest.raises(RuntimeError, match="Cannot use both regular backward hooks and full"):
        every.register_module_backward_hook(hook)
    every._global_is_full_backward_hook = None


def test_hooks_of_the_last_node() -> None:
    layer = nn.Tanh()
    seen: list[Any] = []
    handle = layer.register_backward_hook(lambda m, gi, go: seen.append((m, gi, go)))
    x = torch.zeros(2, requires_grad=True)
    layer(x).sum().backward()
    ((module, grad_input, grad_output),) = seen
    assert module is layer
    assert grad_input[0].tolist() == [1, 1]
    assert grad_output[0].tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="Cannot use both regular backward hooks and full"):
        layer.register_full_backward_hook(lambda m, gi, go: None)
    handle.remove()

    class Twice(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x.exp().sin()

    both = Twice()
    both.register_backward_hook(lambda m, gi, go: (gi[0] * 5,))
    with pytest.warns(FutureWarning, match="the forward contains multiple autograd Nodes"):
        result = both(x)
    x.grad = None
    result.sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(x.grad, 5 * torch.cos(torch.ones(2)))
    with pytest.raises(RuntimeError, match="Cannot use both"):
        full = nn.Tanh()
        full.register_full_backward_hook(lambda m, gi, go: None)
        full.register_backward_hook(lambda m, gi, go: None)


def test_hooks_of_registrations() -> None:
    names: list[str] = []

    def note(module: Any, name: str, value: Any) -> None:
        names.append(name)

    with (
        every.register_module_parameter_registration_hook(note),
        every.register_module_module_registration_hook(note),
        every.register_module_buffer_registration_hook(note),
    ):
        holder = nn.Module()
        holder.layer = nn.Linear(1, 1)
        holder.register_buffer("buffer", torch.ones(1))
        holder.buffer = torch.zeros(1)
    assert names == ["weight", "bias", "layer", "buffer", "buffer"]
    with every.register_module_buffer_registration_hook(lambda m, n, v: 2 * v):
        holder.register_buffer("other", torch.ones(1))
    assert holder.other.item() == 2


def test_hooks_around_state_dicts() -> None:
    layer = nn.Linear(1, 1)
    told: list[Any] = []
    layer._register_load_state_dict_pre_hook(lambda state, prefix, *rest: told.append(prefix))
    layer._register_load_state_dict_pre_hook(
        lambda module, state, prefix, *rest: told.append(module), with_module=True
    )
    layer.register_load_state_dict_pre_hook(lambda module, *rest: told.append(module))
    layer.load_state_dict(layer.state_dict())
    assert told == ["", layer, layer]

    def changed(module: Any, state: Any, prefix: str, meta: Any) -> Any:
        return {"only": 1}

    layer._register_state_dict_hook(changed)
    assert layer.state_dict() == {"only": 1}
    other = nn.Linear(1, 1)
    other.register_state_dict_post_hook(changed)
    with pytest.raises(RuntimeError, match="post-hook must return None"):
        other.state_dict()
    with pytest.raises(RuntimeError, match="previously registered via register_state_dict_post"):
        other._register_state_dict_hook(changed)
