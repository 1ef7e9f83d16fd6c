"""Tensors that change places, and conversions of modules that do so."""

from __future__ import annotations

import weakref
from collections.abc import Iterator

import pytest
import torch
from torch import nn


@pytest.fixture(name="swapping")
def _swapping() -> Iterator[None]:
    torch.__future__.set_swap_module_params_on_conversion(True)
    yield
    torch.__future__.set_swap_module_params_on_conversion(False)


class Marked(torch.Tensor):
    pass


def test_everything_of_a_tensor_changes_places() -> None:
    values, others = torch.randn(2, 3), torch.randn(4)
    a = values.clone().as_subclass(Marked)
    b = others.clone().requires_grad_()
    a.note = "a"  # type: ignore[attr-defined]
    seen: list[float] = []
    b.register_hook(lambda grad: seen.append(float(grad[0])))
    torch.utils.swap_tensors(a, b)
    assert (type(a), type(b)) == (torch.Tensor, Marked)
    assert torch.equal(a.detach(), others)
    assert torch.equal(b, values)
    assert b.note == "a" and not hasattr(a, "note")  # type: ignore[attr-defined]
    assert a.requires_grad and not b.requires_grad
    (a * 3).sum().backward()
    assert seen == [3.0]
    assert a.grad is not None and b.grad is None


def test_what_somebody_else_uses_does_not_change_places() -> None:
    a = torch.ones(2)
    reference = weakref.ref(a)
    with pytest.raises(RuntimeError, match="Cannot swap t1 because it has weakref associated"):
        torch.utils.swap_tensors(a, torch.ones(2))
    del reference
    b = torch.ones(2, requires_grad=True)
    saved = b * b
    with pytest.raises(RuntimeError, match="Expected use_count of t2 to be 1 or 2 with an Accumul"):
        torch.utils.swap_tensors(a, b)
    del saved

    class Slots(torch.Tensor):
        __slots__ = ("more",)

    with pytest.raises(RuntimeError, match="if they have different slots"):
        torch.utils.swap_tensors(a, torch.ones(2).as_subclass(Slots))


def test_a_graph_of_before_is_refused() -> None:
    a = torch.ones(2, requires_grad=True)
    loss = a.sum()
    torch.utils.swap_tensors(a, torch.zeros(2, requires_grad=True))
    with pytest.raises(RuntimeError, match="AccumulateGrad node that was poisoned by swap_tensors"):
        loss.backward()


@pytest.mark.usefixtures("swapping")
def test_conversions_keep_the_parameters() -> None:
    assert torch.__future__.get_swap_module_params_on_conversion()
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    model(torch.randn(4, 3)).sum().backward()
    before = dict(model.named_parameters())
    expected = {name: (p.detach().double(), p.grad) for name, p in before.items()}
    model.double()
    for name, parameter in model.named_parameters():
        assert parameter is before[name]
        value, grad = expected[name]
        assert torch.equal(parameter.detach(), value)
        assert grad is not None and parameter.grad is not None
        assert torch.equal(parameter.grad, grad.double())


@pytest.mark.usefixtures("swapping")
def test_loading_swaps() -> None:
    layer = nn.Linear(3, 2)
    weight = layer.weight
    state = {name: torch.randn_like(value) for name, value in layer.state_dict().items()}
    layer.load_state_dict(state)
    assert layer.weight is weight and isinstance(weight, nn.Parameter)
    assert torch.equal(weight.detach(), state["weight"])


@pytest.mark.usefixtures("swapping")
def test_a_parameter_in_use_says_so() -> None:
    layer = nn.Linear(3, 2)
    view = layer.weight.view(6)
    with pytest.raises(RuntimeError, match="Couldn't swap torch.FloatTensor: Expected use_count"):
        layer.double()
    assert view.dtype == layer.weight.dtype == torch.float32
