"""torch.utils.checkpoint: when the repetition ends, and what it is compared with."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from torch.utils.checkpoint import (
    CheckpointError,
    DefaultDeviceType,
    checkpoint,
    checkpoint_sequential,
    create_selective_checkpoint_contexts,
    detach_variable,
    get_device_states,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
    set_device_states,
)


class Steps:
    """A function that notes how far it came."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        self.seen.append("begin")
        y = x.sin().cos()
        self.seen.append("end")
        return y * 2


@pytest.mark.parametrize("early_stop", [True, False])
@pytest.mark.parametrize("block", [None, True, False])
def test_where_the_repetition_ends(early_stop: bool, block: bool | None) -> None:
    x, steps = torch.randn(3, requires_grad=True), Steps()

    def run() -> Any:
        return checkpoint(steps, x, use_reentrant=False, early_stop=early_stop)

    if block is None:
        run().sum().backward()
    else:
        with set_checkpoint_early_stop(block):
            run().sum().backward()
    stops = early_stop if block is None else block
    assert steps.seen == ["begin", "end", "begin", *([] if stops else ["end"])]
    reference = x.detach().double().requires_grad_()
    (reference.sin().cos() * 2).sum().backward()
    assert x.grad is not None and reference.grad is not None
    torch.testing.assert_close(x.grad.double(), reference.grad, rtol=1e-5, atol=1e-6)


def test_a_repetition_that_saves_others() -> None:
    x = torch.randn(2, requires_grad=True)
    calls: list[int] = []

    def other_shape(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return (x if len(calls) % 2 else torch.cat([x, x])).sin().sum()

    with pytest.raises(CheckpointError) as caught:
        checkpoint(other_shape, x, use_reentrant=False).backward()
    assert str(caught.value) == (
        "torch.utils.checkpoint: Recomputed values for the following tensors have different "
        "metadata than during the forward pass.\ntensor at position 0:\nsaved metadata: {'shape': "
        "torch.Size([2]), 'dtype': torch.float32, 'device': device(type='cpu')}\nrecomputed "
        "metadata: {'shape': torch.Size([4]), 'dtype': torch.float32, 'device': "
        "device(type='cpu')}\n."
    )

    def fewer(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return x.sin().cos() if len(calls) % 2 else x.sin()

    calls.clear()
    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        checkpoint(fewer, x, use_reentrant=False).sum().backward()


def test_arguments_that_are_refused() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="determinism_check should be one of"):
        checkpoint(torch.sin, x, use_reentrant=False, determinism_check="no")
    with pytest.raises(ValueError, match="Passing `context_fn` or `debug` is only supported"):
        checkpoint(torch.sin, x, use_reentrant=True, debug=True)
    with pytest.raises(NotImplementedError, match="records no trace of operators"):
        checkpoint(torch.sin, x, use_reentrant=False, debug=True)
    with pytest.raises(NotImplementedError, match="records no trace"):
        set_checkpoint_debug_enabled(True).__enter__()
    with pytest.raises(ValueError, match="Unexpected keyword arguments: k"):
        checkpoint_sequential([torch.sin], 1, x, use_reentrant=False, k=2)
    with pytest.raises(NotImplementedError, match="without modes that see the operators below"):
        create_selective_checkpoint_contexts([])
    with pytest.raises(RuntimeError, match="Only tuple of tensors is supported"):
        detach_variable(x)  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        checkpoint(torch.sin, x)


def test_helpers_of_programs() -> None:
    x = torch.randn(2, requires_grad=True) * 2
    values: Any = detach_variable((x, 3))
    assert values[0].is_leaf and values[0].requires_grad and values[1] == 3
    assert get_device_states(x, 3) == ([], [])
    set_device_states([], [])
    kind = DefaultDeviceType.get_device_type()
    assert kind == ("cuda" if torch.cuda.is_available() else "cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checkpoint_sequential([torch.sin, torch.cos], 2, x, use_reentrant=True)


def test_a_reentrant_checkpoint_refuses_grad() -> None:
    """Its inner pass would add to gradients that nobody asked for."""
    x, weight = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)

    def run() -> torch.Tensor:
        return checkpoint(lambda y: (y * weight).sin(), x, use_reentrant=True).sum()

    with pytest.raises(RuntimeError, match=r"incompatible with .grad\(\) or passing an `inputs`"):
        torch.autograd.grad(run(), x)
    with pytest.raises(RuntimeError, match="pass use_reentrant=False"):
        run().backward(inputs=[x])
    assert weight.grad is None
    run().backward()
    torch.testing.assert_close(weight.grad, x * torch.cos(x * weight))


def test_what_was_repeated_is_given_out_once() -> None:
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> Any:
            _, y = ctx.saved_tensors
            seen.append(y)
            with pytest.raises(CheckpointError, match="already unpacked once"):
                _ = ctx.saved_tensors
            return grad * y, None

    seen: list[torch.Tensor] = []
    x, y = torch.randn(2, requires_grad=True), torch.randn(2)
    checkpoint(Product.apply, x, y, use_reentrant=False).sum().backward()
    assert seen[0].data_ptr() == y.data_ptr(), "what needs no gradient is not copied"
    assert torch.equal(x.grad, y)


class Gpus:
    """Two generators of GPUs, of which only the states exist."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.states = {0: torch.tensor([10]), 1: torch.tensor([11])}
        monkeypatch.setattr(torch.cuda, "device_count", lambda: len(self.states))
        monkeypatch.setattr(torch.cuda, "get_rng_state", lambda device: self.states[device].clone())
        monkeypatch.setattr(torch.cuda, "set_rng_state", self.set_state)

    def set_state(self, state: torch.Tensor, device: int) -> None:
        self.states[device] = state.clone()

    def draw(self, device: int) -> int:
        self.states[device] += 1
        return int(self.states[device])


@pytest.mark.parametrize("use_reentrant", [False, True])
@pytest.mark.parametrize("preserve", [False, True])
def test_gpus_draw_the_same_numbers_again(
    monkeypatch: pytest.MonkeyPatch, use_reentrant: bool, preserve: bool
) -> None:
    gpus = Gpus(monkeypatch)
    monkeypatch.setattr(
        torch.utils.checkpoint, "get_device_states", lambda *args: ([1], [gpus.states[1].clone()])
    )
    drawn: list[int] = []

    def draws(x: torch.Tensor) -> torch.Tensor:
        drawn.append(gpus.draw(1))
        return x.exp()

    x = torch.ones(1, requires_grad=True)
    y = checkpoint(draws, x, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    gpus.draw(1)
    y.backward()
    assert drawn == ([12, 12] if preserve else [12, 14])
    assert gpus.states[1].item() == (13 if preserve else 14)


def test_forks_of_random_numbers_know_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    gpus = Gpus(monkeypatch)
    several = "CUDA reports that you have 2 available devices, and you have used fork_rng"
    with pytest.warns(UserWarning, match=several), torch.random.fork_rng():
        gpus.draw(0)
        gpus.draw(1)
    assert {k: v.item() for k, v in gpus.states.items()} == {0: 10, 1: 11}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with torch.random.fork_rng(devices=[0]):
            gpus.draw(0)
            gpus.draw(1)
        with torch.random.fork_rng(enabled=False):
            gpus.draw(1)
        with torch.random.fork_rng(devices=(), device_type="cuda:1"):
            gpus.draw(0)
    assert {k: v.item() for k, v in gpus.states.items()} == {0: 11, 1: 13}
    absent = torch.random.fork_rng(device_type="privateuseone")
    with pytest.raises(RuntimeError, match="torch has no module of `privateuseone`"), absent:
        pass
