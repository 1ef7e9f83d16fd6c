"""functorch: former names of torch.func, and modules as functions of their state."""

from __future__ import annotations

import doctest
import functools
from typing import Any

import pytest
import torch
from torch import nn

import functorch

pytestmark = pytest.mark.filterwarnings("ignore:We've integrated functorch:FutureWarning")


def test_former_names_warn_and_are_those_of_torch_func() -> None:
    x = torch.randn(3, dtype=torch.float64)
    with pytest.warns(FutureWarning, match="`functorch.grad` is deprecated.*`torch.func.grad`"):
        torch.testing.assert_close(functorch.grad(lambda y: y.sin().sum())(x), x.cos())
    with pytest.warns(FutureWarning, match="Please use `torch.vmap` instead") as warned:
        functorch.vmap(torch.sin)(x)
    assert warned[0].filename == __file__
    torch.testing.assert_close(functorch.jacrev(torch.sin)(x), x.cos().diag())
    torch.testing.assert_close(functorch.hessian(lambda y: y.pow(3).sum())(x), (6 * x).diag())


def test_a_module_as_a_function() -> None:
    shared = nn.Linear(3, 3)
    model = nn.Sequential(shared, nn.Tanh(), shared).double()
    x = torch.randn(5, 3, dtype=torch.float64)
    function, parameters = functorch.make_functional(model)
    assert function.param_names == ("0.weight", "0.bias")
    assert all(p.is_meta for p in function.stateless_model.parameters())
    torch.testing.assert_close(function(parameters, x), model(x))
    torch.testing.assert_close(function([p * 0 for p in parameters], x), torch.zeros_like(x))
    # The parameters are copies.
    with torch.no_grad():
        parameters[0].zero_()
    assert model[0].weight.any()
    by_sample = functorch.vmap(
        functorch.grad(lambda p, y: function(p, y).sum()), in_dims=(None, 0)
    )(parameters, x)
    whole = torch.autograd.grad(function(parameters, x).sum(), parameters)
    for each, total in zip(by_sample, whole, strict=True):
        torch.testing.assert_close(each.sum(0), total)
    assert not any(p.requires_grad for p in functorch.make_functional(model, True)[1])
    with pytest.raises(RuntimeError, match="Please use make_functional_with_buffers"):
        functorch.make_functional(nn.BatchNorm1d(3))
    with pytest.raises(ValueError, match="zip"):
        function(parameters[:1], x)


def test_buffers_change_in_what_is_given() -> None:
    norm, x = nn.BatchNorm1d(3), torch.randn(5, 3)
    function, parameters, buffers = functorch.make_functional_with_buffers(norm)
    result = function(parameters, buffers, x)
    assert buffers[2].item() == 1
    assert norm.num_batches_tracked is not None and norm.num_batches_tracked.item() == 0
    torch.testing.assert_close(result, norm(x))


def test_an_ensemble() -> None:
    models, x = [nn.Linear(2, 3) for _ in range(4)], torch.randn(2)
    function, parameters, buffers = functorch.combine_state_for_ensemble(models)
    assert buffers == () and all(p.is_leaf and p.requires_grad for p in parameters)
    together = functorch.vmap(function, (0, 0, None))(parameters, buffers, x)
    torch.testing.assert_close(together, torch.stack([model(x) for model in models]))
    for wrong, message in (
        ([], "Expected at least one model, got 0"),
        ([models[0], nn.Linear(2, 3).eval()], "the same training/eval mode"),
        ([models[0], nn.Tanh()], "of the same class"),
    ):
        with pytest.raises(RuntimeError, match=f"combine_state_for_ensemble: .*{message}"):
            functorch.combine_state_for_ensemble(wrong)


def test_what_is_absent_says_so() -> None:
    from functorch.compile import memory_efficient_fusion

    with pytest.raises(NotImplementedError, match=r"without .*use torch\.func"):
        memory_efficient_fusion(lambda x: x)
    with pytest.raises(NotImplementedError, match="functorch.make_fx"):
        functorch.make_fx(lambda x: x)
    assert not hasattr(functorch, "nothing")


def test_no_tensor_is_a_wrapper() -> None:
    from torch._C import _functorch as wrappers
    from torch._functorch import vmap

    from functorch import dim

    x = torch.ones(2)
    seen: list[Any] = []

    def look(entry: torch.Tensor) -> torch.Tensor:
        seen.append(wrappers.is_batchedtensor(entry))
        return entry * 2

    torch.func.vmap(torch.func.grad(lambda v: look(v).sum()))(torch.ones(3, 2))
    assert seen == [False] * 3
    for kind in ("gradtrackingtensor", "legacy_batchedtensor", "functionaltensor"):
        assert getattr(wrappers, f"is_{kind}")(x) is False
    assert wrappers.is_functorch_wrapped_tensor(x) is False
    assert (wrappers.maybe_get_level(x), wrappers.maybe_get_bdim(x)) == (-1, -1)
    assert wrappers.maybe_current_level() is None
    assert wrappers.peek_interpreter_stack() is None
    assert not torch._C._are_functorch_transforms_active()  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match="No wrappers present!"):
        wrappers.get_unwrapped(x)
    for refuses in (wrappers._add_batch_dim, vmap._maybe_remove_batch_dim):
        with pytest.raises(NotImplementedError, match=r"use torch\.func"):
            refuses(x, 0, 0)
    assert vmap._get_name(functools.partial(torch.dot, x)) == "functools.partial(dot, ...)"
    assert not isinstance(x, dim.Tensor)


def test_examples() -> None:
    results = doctest.testmod(functorch, extraglobs={"functorch": functorch, "torch": torch})
    assert results.attempted >= 3 and results.failed == 0
