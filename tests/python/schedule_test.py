"""Optimisers beyond Adam by their papers' formulas in NumPy, and schedules of learning rates."""

from __future__ import annotations

import gc
import math
import pickle
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.optim import lr_scheduler as schedulers

STEPS = 6


def run(make: Callable[..., torch.optim.Optimizer], grads: list[np.ndarray]) -> np.ndarray:
    parameter = torch.nn.Parameter(torch.ones(4, dtype=torch.float64))
    optimizer = make([parameter])
    for grad in grads:
        parameter.grad = torch.from_numpy(grad.copy())
        optimizer.step()
    return parameter.detach().numpy()


def rmsprop(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    s["v"] = 0.9 * s.get("v", 0) + 0.1 * g * g
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["b"] = 0.5 * s.get("b", 0) + g / (np.sqrt(s["v"] - s["m"] ** 2) + 1e-8)
    return x - 0.1 * s["b"]


def adagrad(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    s["v"] = s.get("v", 0.5) + g * g
    return x - 0.1 / (1 + (t - 1) * 0.2) * g / (np.sqrt(s["v"]) + 1e-10)


def adadelta(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    s["v"] = 0.8 * s.get("v", 0) + 0.2 * g * g
    delta = np.sqrt(s.get("d", 0) + 1e-6) / np.sqrt(s["v"] + 1e-6) * g
    s["d"] = 0.8 * s.get("d", 0) + 0.2 * delta * delta
    return x - 0.5 * delta


def adamax(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["u"] = np.maximum(0.99 * s.get("u", 0), abs(g) + 1e-8)
    return x - 0.1 / (1 - 0.9**t) * s["m"] / s["u"]


def nadam(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    mu, after = (0.9 * (1 - 0.5 * 0.96 ** (k * 0.004)) for k in (t, t + 1))
    s["p"] = s.get("p", 1.0) * mu
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.99 * s.get("v", 0) + 0.01 * g * g
    root = np.sqrt(s["v"] / (1 - 0.99**t)) + 1e-8
    return x - 0.1 * ((1 - mu) / (1 - s["p"]) * g + after / (1 - s["p"] * after) * s["m"]) / root


def radam(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.8 * s.get("v", 0) + 0.2 * g * g
    most = 2 / (1 - 0.8) - 1
    length = most - 2 * t * 0.8**t / (1 - 0.8**t)
    mean = s["m"] / (1 - 0.9**t)
    if length <= 5:
        return x - 0.1 * mean
    ratio = (length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)
    return x - 0.1 * mean * math.sqrt(ratio * (1 - 0.8**t)) / (np.sqrt(s["v"]) + 1e-8)


def rprop(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    product = g * s.get("g", 0)
    size = s.get("s", np.full(4, 0.1))
    size = np.where(product > 0, size * 1.2, np.where(product < 0, size * 0.5, size))
    s["s"] = np.clip(size, 1e-6, 50)
    s["g"] = np.where(product < 0, 0, g)
    return x - np.sign(s["g"]) * s["s"]


def asgd(x: np.ndarray, g: np.ndarray, s: dict[str, Any], t: int) -> np.ndarray:
    eta = s.get("eta", 0.1)
    s["eta"] = 0.1 / (1 + 1e-4 * 0.1 * t) ** 0.75
    return x * (1 - 1e-4 * eta) - eta * g


O = torch.optim  # noqa: E741
RULES: dict[str, tuple[Callable[..., torch.optim.Optimizer], Callable[..., np.ndarray]]] = {
    "RMSprop": (lambda p: O.RMSprop(p, 0.1, 0.9, momentum=0.5, centered=True), rmsprop),
    "Adagrad": (lambda p: O.Adagrad(p, 0.1, 0.2, initial_accumulator_value=0.5), adagrad),
    "Adadelta": (lambda p: O.Adadelta(p, 0.5, 0.8), adadelta),
    "Adamax": (lambda p: O.Adamax(p, 0.1, (0.9, 0.99)), adamax),
    "NAdam": (lambda p: O.NAdam(p, 0.1, (0.9, 0.99)), nadam),
    "RAdam": (lambda p: O.RAdam(p, 0.1, (0.9, 0.8)), radam),
    "Rprop": (lambda p: O.Rprop(p, 0.1), rprop),
    "ASGD": (lambda p: O.ASGD(p, 0.1), asgd),
}


@pytest.mark.parametrize("name", RULES)
def test_rule(name: str) -> None:
    make, rule = RULES[name]
    generator = np.random.default_rng()
    grads = [generator.normal(size=4) for _ in range(STEPS)]
    x, state = np.ones(4), {}
    for t, g in enumerate(grads, 1):
        x = rule(x, g, state, t)
    np.testing.assert_allclose(run(make, grads), x, rtol=1e-6)


@pytest.mark.parametrize("name", RULES)
def test_state_goes_on_where_it_was(name: str) -> None:
    make, _ = RULES[name]
    grads = [torch.from_numpy(g) for g in np.random.default_rng().normal(size=(STEPS, 4))]
    straight = torch.nn.Parameter(torch.ones(4, dtype=torch.float64))
    broken = torch.nn.Parameter(torch.ones(4, dtype=torch.float64))
    first, second = make([straight]), make([broken])
    for index, grad in enumerate(grads):
        if index == STEPS // 2:
            state = second.state_dict()
            second = make([broken])
            second.load_state_dict(state)
        straight.grad, broken.grad = grad.clone(), grad.clone()
        first.step()
        second.step()
    torch.testing.assert_close(broken, straight)


def optimizer(rate: float = 1.0) -> torch.optim.Optimizer:
    return torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], rate, momentum=0.5)


def cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * part)) / 2


SCHEDULES: dict[str, tuple[Callable[..., Any], Callable[[int], float]]] = {
    "StepLR": (lambda o: schedulers.StepLR(o, 3, 0.5), lambda t: 0.5 ** (t // 3)),
    "MultiStepLR": (
        lambda o: schedulers.MultiStepLR(o, [2, 5, 5], 0.5),
        lambda t: 0.5 ** ((t >= 2) + 2 * (t >= 5)),
    ),
    "ExponentialLR": (lambda o: schedulers.ExponentialLR(o, 0.9), lambda t: 0.9**t),
    "ConstantLR": (lambda o: schedulers.ConstantLR(o, 0.5, 3), lambda t: 0.5 if t < 3 else 1.0),
    "LinearLR": (
        lambda o: schedulers.LinearLR(o, 0.2, 0.8, 4),
        lambda t: 0.2 + 0.6 * min(t, 4) / 4,
    ),
    "PolynomialLR": (
        lambda o: schedulers.PolynomialLR(o, 6, 2),
        lambda t: (1 - min(t, 6) / 6) ** 2,
    ),
    "LambdaLR": (lambda o: schedulers.LambdaLR(o, lambda t: 1 / (t + 1)), lambda t: 1 / (t + 1)),
    "MultiplicativeLR": (
        lambda o: schedulers.MultiplicativeLR(o, lambda t: 0.5),
        lambda t: 0.5**t,
    ),
    "CosineAnnealingLR": (
        lambda o: schedulers.CosineAnnealingLR(o, 4, 0.1),
        lambda t: cosine(1, 0.1, t / 4),
    ),
    "CosineAnnealingWarmRestarts": (
        lambda o: schedulers.CosineAnnealingWarmRestarts(o, 2, 2, 0.1),
        lambda t: cosine(1, 0.1, t / 2 if t < 2 else (t - 2) / 4 if t < 6 else (t - 6) / 8),
    ),
    "OneCycleLR": (
        lambda o: schedulers.OneCycleLR(o, 2.0, 11, pct_start=0.5, div_factor=10),
        lambda t: cosine(0.2, 2, t / 4.5) if t <= 4.5 else cosine(2, 2e-5, (t - 4.5) / 5.5),
    ),
    "CyclicLR": (
        lambda o: schedulers.CyclicLR(o, 0.1, 1.1, 4),
        lambda t: 0.1 + (1 - abs(t / 4 % 2 - 1)),
    ),
    "SequentialLR": (
        lambda o: schedulers.SequentialLR(
            o, [schedulers.ConstantLR(o, 0.1, 9), schedulers.ExponentialLR(o, 0.9)], [3]
        ),
        lambda t: 0.1 if t < 3 else 0.9 ** (t - 3),
    ),
    "ChainedScheduler": (
        lambda o: schedulers.ChainedScheduler(
            [schedulers.ConstantLR(o, 0.5, 2), schedulers.ExponentialLR(o, 0.9)]
        ),
        lambda t: (0.5 if t < 2 else 1.0) * 0.9**t,
    ),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedule(name: str) -> None:
    make, rate = SCHEDULES[name]
    stepped = optimizer()
    schedule = make(stepped)
    for t in range(10):
        assert stepped.param_groups[0]["lr"] == pytest.approx(rate(t), rel=1e-9), t
        stepped.step()
        schedule.step()
        assert schedule.get_last_lr() == [stepped.param_groups[0]["lr"]]


@pytest.mark.parametrize("name", [n for n in SCHEDULES if n != "ChainedScheduler"])
def test_schedule_goes_on_where_it_was(name: str) -> None:
    make, rate = SCHEDULES[name]
    first = optimizer()
    schedule = make(first)
    for _ in range(4):
        first.step()
        schedule.step()
    second = optimizer()
    other = make(second)
    second.load_state_dict(first.state_dict())
    other.load_state_dict(schedule.state_dict())
    for t in range(4, 9):
        assert second.param_groups[0]["lr"] == pytest.approx(rate(t), rel=1e-9), t
        second.step()
        other.step()


@pytest.mark.parametrize(
    "make",
    [
        lambda o, e: schedulers.ExponentialLR(o, 0.9, last_epoch=e),
        lambda o, e: schedulers.LinearLR(o, 0.3, 1.0, 9, last_epoch=e),
        lambda o, e: schedulers.PolynomialLR(o, 9, 2.0, last_epoch=e),
        lambda o, e: schedulers.MultiplicativeLR(o, lambda step: 1 - step / 100, last_epoch=e),
        lambda o, e: schedulers.StepLR(o, 3, last_epoch=e),
    ],
)
def test_a_schedule_that_starts_late_keeps_the_rates_that_it_finds(make: Any) -> None:
    steps = 4
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    scheduler = make(optimizer, -1)
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
    group = {"params": [torch.zeros(1)], **{k: optimizer.param_groups[0][k] for k in ("lr",)}}
    late = torch.optim.SGD([{**group, "initial_lr": 1.0}], lr=1.0)
    follower = make(late, steps - 1)
    for _ in range(4):
        assert late.param_groups[0]["lr"] == pytest.approx(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
        late.step()
        follower.step()


def test_a_sequence_has_no_place_for_a_plateau() -> None:
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    parts: Any = [schedulers.ConstantLR(optimizer), schedulers.ReduceLROnPlateau(optimizer)]
    with pytest.raises(ValueError, match="does not support `ReduceLROnPlateau` .* at index 1"):
        schedulers.SequentialLR(optimizer, parts, [3])


def test_plateau() -> None:
    stepped = optimizer()
    schedule = schedulers.ReduceLROnPlateau(stepped, patience=1, cooldown=1, min_lr=0.05)
    rates = []
    for value in [5, 4, 4, 4, 4, 4, 4, 3, 3, 3]:
        schedule.step(value)
        rates.append(round(stepped.param_groups[0]["lr"], 9))
    assert rates == [1, 1, 1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05]
    with pytest.raises(ValueError, match="Factor should be < 1.0"):
        schedulers.ReduceLROnPlateau(stepped, factor=1.0)


def test_order_of_steps() -> None:
    stepped = optimizer()
    schedule = schedulers.StepLR(stepped, 1)
    with pytest.warns(UserWarning, match="Detected call of `lr_scheduler.step..` before `optim"):
        schedule.step()
    stepped = optimizer()
    schedule = schedulers.StepLR(stepped, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stepped.step()
        schedule.step()


def test_momentum_cycles_against_the_rate() -> None:
    stepped = optimizer()
    schedule = schedulers.OneCycleLR(stepped, 1.0, 10)
    momenta = []
    for _ in range(9):
        momenta.append(stepped.param_groups[0]["momentum"])
        stepped.step()
        schedule.step()
    assert momenta[0] == 0.95
    assert min(momenta) == pytest.approx(0.85)
    with pytest.raises(ValueError, match="optimizer must support momentum or beta1"):
        schedulers.OneCycleLR(torch.optim.Adagrad(stepped.param_groups[0]["params"]), 1.0, 10)


def test_hooks_and_names() -> None:
    parameter = torch.nn.Parameter(torch.ones(1))
    stepped = torch.optim.SGD([("weight", parameter)], 0.1)
    calls: list[str] = []
    stepped.register_step_pre_hook(lambda o, a, k: calls.append("before"))
    handle = stepped.register_step_post_hook(lambda o, a, k: calls.append("after"))
    stepped.register_load_state_dict_post_hook(lambda o: calls.append("loaded"))
    stepped.step()
    handle.remove()
    stepped.step()
    state = stepped.state_dict()
    assert state["param_groups"][0]["param_names"] == ["weight"]
    stepped.load_state_dict(state)
    assert calls == ["before", "after", "before", "loaded"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: O.RMSprop(p, -1), "Invalid learning rate: -1"),
        (lambda p: O.Adagrad(p, lr_decay=-1), "Invalid lr_decay value: -1"),
        (lambda p: O.Adadelta(p, rho=2), "Invalid rho value: 2"),
        (lambda p: O.Rprop(p, etas=(2, 1)), "Invalid eta values: 2, 1"),
        (lambda p: O.NAdam(p, betas=(1, 0)), "Invalid beta parameter at index 0: 1"),
        (lambda p: schedulers.LinearLR(O.SGD(p), 0), "Starting multiplicative factor expected"),
        (lambda p: schedulers.OneCycleLR(O.SGD(p), 1.0), "You must define either total_steps OR"),
        (lambda p: schedulers.SequentialLR(O.SGD(p), [], []), "expects at least one scheduler"),
    ],
)
def test_bad_options(call: Callable[..., Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call([torch.nn.Parameter(torch.ones(1))])


def test_a_rate_that_is_a_tensor_stays_that_tensor() -> None:
    rate = torch.tensor(0.5)
    numbers, tensors = (torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=lr)
                        for lr in (0.5, rate))  # fmt: skip
    schedules = []
    for optimizer in (numbers, tensors):
        first = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.1, total_iters=2)
        second = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        schedules.append(torch.optim.lr_scheduler.SequentialLR(optimizer, [first, second], [2]))
    for _ in range(5):
        assert tensors.param_groups[0]["lr"] is rate
        assert abs(rate.item() - numbers.param_groups[0]["lr"]) < 1e-6
        assert abs(float(schedules[1].get_last_lr()[0]) - schedules[0].get_last_lr()[0]) < 1e-6
        for optimizer, schedule in zip((numbers, tensors), schedules, strict=True):
            optimizer.step()
            schedule.step()


def optimizer_of(rate: Any, **kwargs: Any) -> torch.optim.SGD:
    parameter = torch.nn.Parameter(torch.zeros(1))
    parameter.grad = torch.ones(1)
    return torch.optim.SGD([parameter], lr=rate, momentum=0.5, **kwargs)


@pytest.mark.parametrize("make", [schedulers.OneCycleLR, schedulers.CyclicLR])
def test_a_tensor_that_changes_afterwards_changes_no_schedule(make: Any) -> None:
    def rates(change: bool) -> list[float]:
        top, bottom = torch.tensor(0.5), torch.tensor(0.9)
        optimizer = optimizer_of(0.1)
        kwargs = {"max_lr": top, "max_momentum": bottom}
        kwargs |= {"total_steps": 9} if make is schedulers.OneCycleLR else {"base_lr": 0.1}
        schedule = make(optimizer, **kwargs)
        if change:
            top.mul_(3)
            bottom.mul_(0.5)
        found = []
        for _ in range(5):
            optimizer.step()
            schedule.step()
            group = optimizer.param_groups[0]
            found += [float(group["lr"]), float(group["momentum"])]
        return found

    assert rates(change=True) == rates(change=False)


def test_a_cycle_after_another_schedule_has_its_own_base() -> None:
    optimizer = optimizer_of(0.5)
    schedulers.CosineAnnealingLR(optimizer, T_max=20)
    cycle = schedulers.CyclicLR(optimizer, base_lr=0.1, max_lr=0.3, step_size_up=2)
    found = []
    for _ in range(12):
        optimizer.step()
        cycle.step()
        found.append(optimizer.param_groups[0]["lr"])
    assert min(found) == pytest.approx(0.1) and max(found) == pytest.approx(0.3)


def test_a_group_that_comes_after_reduce_on_plateau() -> None:
    def worse(least: Any) -> torch.optim.Optimizer:
        optimizer = optimizer_of(0.4)
        schedule = schedulers.ReduceLROnPlateau(optimizer, patience=0, factor=0.5, min_lr=least)
        optimizer.add_param_group({"params": [torch.nn.Parameter(torch.zeros(1))], "lr": 0.2})
        schedule.step(1.0)
        schedule.step(2.0)
        return optimizer

    assert [group["lr"] for group in worse(0.15).param_groups] == [0.2, 0.15]
    with pytest.raises(RuntimeError, match=r"param groups .*\(2\) differs .*\(1\).*`min_lrs`"):
        worse([0.1])


def test_a_step_that_was_put_in_place_of_the_counted_one_warns() -> None:
    optimizer = optimizer_of(0.4)
    schedule = schedulers.StepLR(optimizer, 2)
    optimizer.step = lambda: None  # type: ignore[assignment, misc]
    with pytest.warns(UserWarning, match=r"`optimizer.step\(\)` has been overridden"):
        schedule.step()


def test_a_scheduled_optimizer_holds_not_itself() -> None:
    optimizer = optimizer_of(0.4)
    schedule = schedulers.StepLR(optimizer, 2)
    optimizer.step()
    schedule.step()
    gone = weakref.ref(optimizer)
    gc.disable()
    try:
        del optimizer, schedule
        assert gone() is None
    finally:
        gc.enable()


def rates(make: Callable[[torch.optim.Optimizer], Any], steps: int) -> list[float]:
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=0.05, momentum=0.9)
    scheduler = make(optimizer)
    found = []
    for _ in range(steps):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


def test_a_sequence_begins_with_a_chain() -> None:
    """The chain's schedulers take their first steps back, as others do."""

    def make(optimizer: torch.optim.Optimizer) -> Any:
        linear = schedulers.LinearLR(optimizer, 0.1, total_iters=5)
        constant = schedulers.ConstantLR(optimizer, 0.1, total_iters=5)
        chain = schedulers.ChainedScheduler([linear, constant])
        later = schedulers.ConstantLR(optimizer, 0.5, total_iters=5)
        return schedulers.SequentialLR(optimizer, [chain, later], [5])

    expected = [0.05 * 0.1 * (0.1 + 0.18 * i) for i in range(5)] + [0.025] * 5
    np.testing.assert_allclose(rates(make, 10), expected, rtol=1e-12)


def test_cyclic_states_have_no_functions() -> None:
    class Scale:
        def __init__(self) -> None:
            self.factor = 0.5

        def __call__(self, x: float) -> float:
            return self.factor

    def make(**options: Any) -> Any:
        optimizer = torch.optim.SGD([torch.zeros(1)], lr=0.1, momentum=0.9)
        return schedulers.CyclicLR(optimizer, 0.01, 0.1, step_size_up=2, **options)

    halved, plain = make(mode="triangular2"), make()
    plain.load_state_dict(pickle.loads(pickle.dumps(halved.state_dict())))
    assert (plain.mode, plain.scale_fn(3)) == ("triangular2", 0.25)
    state = pickle.loads(pickle.dumps(make(scale_fn=lambda x: 0.25).state_dict()))
    other = make(scale_fn=lambda x: 0.75)
    other.load_state_dict(state)
    assert other.scale_fn(1) == 0.75
    scale = Scale()
    state = pickle.loads(pickle.dumps(make(scale_fn=scale).state_dict()))
    scale.factor = 2.0
    restored = make(scale_fn=scale)
    restored.load_state_dict(state)
    assert restored.scale_fn(1) == 0.5


def test_one_cycle_reads_states_of_earlier_releases() -> None:
    kind = schedulers.OneCycleLR

    def make(strategy: str) -> Any:
        optimizer = torch.optim.SGD([torch.zeros(1)], lr=0.1, momentum=0.9)
        return kind(optimizer, 1.0, total_steps=10, anneal_strategy=strategy)

    old = make("linear")
    state = old.state_dict()
    del state["_anneal_func_type"], old._anneal_func_type
    state["anneal_func"] = kind._annealing_cos
    old.load_state_dict(state)
    new = make("cos")
    for _ in range(5):
        for scheduler in (old, new):
            scheduler.optimizer.step()
            scheduler.step()
        assert old.get_last_lr() == new.get_last_lr()


def test_schedulers_know_who_asks_for_rates() -> None:
    class Warns(schedulers.LRScheduler):
        def get_lr(self) -> list[float]:
            seen.append(self._get_lr_called_within_step)
            if self.last_epoch == 2:
                raise ValueError("no rate")
            return [0.5 for _ in self.base_lrs]

    seen: list[bool] = []
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    scheduler = Warns(optimizer)
    scheduler.get_lr()
    optimizer.step()
    scheduler.step()
    assert seen == [True, False, True]
    with pytest.raises(ValueError, match="no rate"):
        scheduler.step()
    assert scheduler.state_dict()["_get_lr_called_within_step"] is False


ALL = [
    lambda optimizer: schedulers.LambdaLR(optimizer, lambda step: 0.9**step),
    lambda optimizer: schedulers.MultiplicativeLR(optimizer, lambda _: 0.9),
    lambda optimizer: schedulers.StepLR(optimizer, 2),
    lambda optimizer: schedulers.MultiStepLR(optimizer, [2]),
    lambda optimizer: schedulers.ExponentialLR(optimizer, 0.9),
    lambda optimizer: schedulers.ConstantLR(optimizer),
    lambda optimizer: schedulers.LinearLR(optimizer),
    lambda optimizer: schedulers.PolynomialLR(optimizer),
    lambda optimizer: schedulers.CosineAnnealingLR(optimizer, 4),
    lambda optimizer: schedulers.CosineAnnealingWarmRestarts(optimizer, 4),
    lambda optimizer: schedulers.OneCycleLR(optimizer, 1.0, total_steps=9),
    lambda optimizer: schedulers.CyclicLR(optimizer, 0.1, 1.0),
]


@pytest.mark.parametrize("make", ALL)
def test_rates_are_asked_for_by_get_last_lr(make: Callable[[Any], Any]) -> None:
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0, momentum=0.9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler = make(optimizer)
        for _ in range(3):
            optimizer.step()
            scheduler.step()
    with pytest.warns(UserWarning, match=r"please use `get_last_lr\(\)`") as seen:
        scheduler.get_lr()
    assert [one.filename for one in seen] == [__file__]


def test_a_step_to_an_epoch_warns() -> None:
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    step = schedulers.StepLR(optimizer, 2)
    optimizer.step()
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step..` was not nec"):
        step.step(2)
    assert step.get_last_lr() == [0.1]
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step..` was not nec"):
        schedulers.ReduceLROnPlateau(optimizer).step(1.0, epoch=3)


@pytest.mark.parametrize("second", ALL)
def test_a_sequence_starts_schedules_without_a_warning(second: Callable[[Any], Any]) -> None:
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0, momentum=0.9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = schedulers.ConstantLR(optimizer)
        sequence = schedulers.SequentialLR(optimizer, [first, second(optimizer)], [2])
        for _ in range(4):
            optimizer.step()
            sequence.step()
    assert sequence._schedulers[1].last_epoch == 2
