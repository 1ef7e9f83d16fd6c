"""torch.amp.GradScaler, and the operators it is made of, against the rule written out."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

INF, NAN = math.inf, math.nan


def unscale(grads: list[torch.Tensor], factor: float) -> float:
    found = torch.zeros(1)
    torch._amp_foreach_non_finite_check_and_unscale_(grads, found, torch.tensor([factor]))
    return found.item()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_gradients_are_multiplied_and_infinities_found(dtype: torch.dtype) -> None:
    values = torch.randn(37).to(dtype)
    transposed = torch.randn(5, 4).to(dtype).t()
    grads = [values.clone(), transposed.clone(memory_format=torch.preserve_format)[::2]]
    expected = [values * 0.5, transposed[::2] * 0.5]
    assert unscale(grads, 0.5) == 0
    for got, want in zip(grads, expected, strict=True):
        assert torch.equal(got, want)
    for bad in (INF, -INF, NAN):
        values[36] = bad
        assert unscale([torch.ones(3), values.clone()], 1.0) == 1
    assert unscale([], 1.0) == 0


def update(scale: float, tracker: int, found: float, interval: int = 3) -> tuple[float, int]:
    scale_tensor, tracker_tensor = torch.tensor([scale]), torch.tensor([tracker]).int()
    torch._amp_update_scale_(
        scale_tensor, tracker_tensor, torch.tensor([float(found)]), 2.0, 0.5, interval
    )
    return scale_tensor.item(), tracker_tensor.item()


def test_the_rule_of_the_scale() -> None:
    assert update(8.0, 0, 0) == (8.0, 1)
    assert update(8.0, 2, 0) == (16.0, 0)
    assert update(8.0, 2, 1) == (4.0, 0)
    assert update(2.0**127, 2, 0) == (2.0**127, 0)  # twice that is infinite


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([torch.ones(1)], torch.zeros(2), torch.ones(1)), "found_inf must be a 1-element tensor"),
        (([torch.ones(1)], torch.zeros(1), torch.ones(2)), "inv_scale must be a 1-element tensor"),
        (([torch.ones(1)], torch.zeros(1).double(), torch.ones(1)), "found_inf must be a float"),
        (([torch.ones(1)], torch.zeros(1), torch.ones(1).double()), "inv_scale must be a float"),
        (([torch.ones(1).int()], torch.zeros(1), torch.ones(1)), "not implemented for 'Int'"),
        (
            ([torch.ones(1)], torch.zeros(1), torch.ones(1, device="meta")),
            "expected the scaled gradients, found_inf and inv_scale on one device",
        ),
    ],
)
def test_unscale_refuses(arguments: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        torch._amp_foreach_non_finite_check_and_unscale_(*arguments)


@pytest.mark.parametrize(
    ("scale", "tracker", "found", "message"),
    [
        (torch.ones(1), torch.zeros(1).long(), torch.zeros(1), "growth_tracker must be an int"),
        (torch.ones(2), torch.zeros(1).int(), torch.zeros(1), "current_scale must be a 1-element"),
        (torch.ones(1).half(), torch.zeros(1).int(), torch.zeros(1), "must be a float tensor"),
        (torch.ones(1), torch.zeros(1).int(), torch.zeros(2), "found_inf must be a 1-element"),
        (torch.ones(1), torch.zeros(1).int(), torch.zeros(1, device="meta"), "on one device"),
    ],
)
def test_update_scale_refuses(
    scale: torch.Tensor, tracker: torch.Tensor, found: torch.Tensor, message: str
) -> None:
    with pytest.raises(RuntimeError, match=message):
        torch._amp_update_scale_(scale, tracker, found, 2.0, 0.5, 1)


def training(fused: bool, scaler: Any, bad_step: int | None) -> torch.Tensor:
    """Four steps; at one of them, if any, a gradient is infinite."""
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, fused=fused)
    for step in range(4):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 3)).square().sum()
        if step == bad_step:
            loss = loss * INF
        if scaler is None:
            if step != bad_step:
                loss.backward()
                optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
    return model.weight.detach()


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("bad_step", [None, 0, 2])
def test_training_is_that_without_a_scale(fused: bool, bad_step: int | None) -> None:
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=2)
    scaled = training(fused, scaler, bad_step)
    torch.testing.assert_close(scaled, training(False, None, bad_step))
    # Up after every two good steps, down at the bad one.
    assert scaler.get_scale() == {None: 256.0, 0: 64.0, 2: 64.0}[bad_step]


def test_unscale_clips_real_gradients() -> None:
    weight = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    scaler.scale(weight.sum()).backward()
    scaler.unscale_(optimizer)
    assert weight.grad is not None
    assert torch.equal(weight.grad, torch.ones(3))
    with pytest.raises(RuntimeError, match="unscale_.. has already been called on this optimizer"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="step.. has already been called since"):
        scaler.step(optimizer)
    with pytest.raises(RuntimeError, match="unscale_.. is being called after step"):
        scaler.unscale_(optimizer)
    scaler.update()
    assert torch.equal(weight.detach(), torch.zeros(3))


def test_mistakes_are_named() -> None:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
    scaler = torch.amp.GradScaler("cpu")
    with pytest.raises(RuntimeError, match="Attempted step but _scale is None"):
        scaler.step(optimizer)
    scaler.scale(torch.ones(1))
    with pytest.raises(AssertionError, match="No inf checks were recorded for this optimizer"):
        scaler.step(optimizer)
    with pytest.raises(AssertionError, match="No inf checks were recorded prior to update"):
        scaler.update()
    with pytest.raises(RuntimeError, match="Closure use is not currently supported"):
        scaler.step(optimizer, closure=lambda: None)
    with pytest.raises(ValueError, match="outputs must be a Tensor or an iterable"):
        scaler.scale(3)
    with pytest.raises(ValueError, match="growth factor must be > 1"):
        torch.amp.GradScaler("cpu", growth_factor=1.0)
    with pytest.raises(ValueError, match="backoff factor must be < 1"):
        torch.amp.GradScaler("cpu", backoff_factor=1.0)
    half = torch.nn.Parameter(torch.ones(1).half())
    half.grad = torch.ones(1).half()
    with pytest.raises(ValueError, match="Attempting to unscale FP16 gradients"):
        scaler.unscale_(torch.optim.SGD([half], lr=1.0))


def test_state_survives() -> None:
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=5)
    a, b = scaler.scale([torch.ones(1), torch.ones(1)])
    assert a.item() == b.item() == 8.0
    scaler.update(4.0)
    state = scaler.state_dict()
    other = torch.amp.GradScaler("cpu")
    other.load_state_dict(state)
    assert other.state_dict() == state
    assert other.scale(torch.ones(1)).item() == 4.0
    off = torch.amp.GradScaler("cpu", enabled=False)
    assert off.state_dict() == {}
    assert off.scale(torch.ones(1)).item() == 1.0
    with pytest.raises(RuntimeError, match="The source state dict is empty"):
        other.load_state_dict({})


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_warns_and_does_nothing() -> None:
    with pytest.warns(UserWarning, match="GradScaler is enabled, but CUDA is not available"):
        assert not torch.amp.GradScaler().is_enabled()


def test_the_state_of_each_optimizer() -> None:
    """What trainers outside of this package read."""
    weight = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    states = scaler._per_optimizer_states
    assert states[id(optimizer)] == {
        "stage": torch.amp.grad_scaler.OptState.READY,
        "found_inf_per_device": {},
    }
    scaler.scale(weight.sum()).backward()
    scaler.unscale_(optimizer)
    assert states[id(optimizer)]["stage"] is torch.amp.grad_scaler.OptState.UNSCALED
    assert weight.grad.tolist() == [1, 1]
    weight.grad[1] = float("inf")
    start = torch.zeros(1)
    found = scaler._unscale_grads_(optimizer, torch.tensor(2.0), start, False)
    assert {str(device): value.item() for device, value in found.items()} == {"cpu": 1.0}
    assert start.item() == 0 and weight.grad.tolist() == [2, float("inf")]


def test_an_optimizer_that_takes_the_scaler() -> None:
    class Own(torch.optim.SGD):
        _step_supports_amp_scaling = True
        scaler: Any = None

        def step(self, closure: Any = None, *, grad_scaler: Any = None) -> None:
            assert not hasattr(self, "grad_scale")
            self.scaler = grad_scaler

    weight = torch.nn.Parameter(torch.ones(2))
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0)
    optimizer = Own([weight])
    scaler.scale(weight.sum()).backward()
    with pytest.warns(FutureWarning, match="going to stop passing itself as a keyword argument"):
        scaler.step(optimizer)
    assert optimizer.scaler is scaler
