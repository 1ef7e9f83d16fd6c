"""Optimisers against the update rules written out in NumPy."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)


def gradients(steps: int) -> list[np.ndarray]:
    generator = np.random.default_rng()
    return [generator.normal(size=4) for _ in range(steps)]


def run(make: Any, grads: list[np.ndarray]) -> np.ndarray:
    parameter = torch.nn.Parameter(torch.ones(4, dtype=torch.float64))
    optimizer = make([parameter])
    for grad in grads:
        parameter.grad = torch.from_numpy(grad.copy())
        optimizer.step()
    return parameter.detach().numpy()


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("momentum", [0.0, 0.9])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_sgd(momentum: float, decay: float, nesterov: bool) -> None:
    if nesterov and momentum == 0:
        pytest.skip("Nesterov's rule needs a momentum")
    grads = gradients(5)
    x, velocity = np.ones(4), None
    for g in grads:
        g = g + decay * x
        velocity = g if velocity is None else momentum * velocity + g
        step = g + momentum * velocity if nesterov else velocity
        x = x - 0.1 * (step if momentum else g)
    actual = run(
        lambda p: torch.optim.SGD(
            p, lr=0.1, momentum=momentum, weight_decay=decay, nesterov=nesterov
        ),
        grads,
    )
    np.testing.assert_allclose(actual, x, rtol=1e-12)


def rms(x: np.ndarray) -> float:
    return float(np.sqrt((x**2).mean()))


@pytest.mark.parametrize("sizes", [(4,), (3, 4), (2, 3, 4)])
@pytest.mark.parametrize(("decay", "maximize", "lr"), [(0.0, False, 0.01), (0.1, True, 2.0)])
def test_adafactor(sizes: tuple[int, ...], decay: float, maximize: bool, lr: float) -> None:
    generator = np.random.default_rng()
    x = generator.normal(size=sizes)
    parameter = torch.nn.Parameter(torch.from_numpy(x.copy()))
    optimizer = torch.optim.Adafactor(
        [parameter], lr=lr, eps=(1e-5, 1e-2), d=1.5, weight_decay=decay, maximize=maximize
    )
    row = col = v = np.zeros(1)
    for t in range(1, 6):
        g = generator.normal(size=sizes)
        parameter.grad = torch.from_numpy(g.copy())
        optimizer.step()
        g = -g if maximize else g
        share = t**-0.8
        size = max(1e-2, rms(x)) * min(lr, 1 / np.sqrt(t))
        x = x * (1 - lr * decay)
        if len(sizes) > 1:
            row = row + share * ((g**2).mean(-1, keepdims=True) - row)
            col = col + share * ((g**2).mean(-2, keepdims=True) - col)
            v = row @ col / np.maximum(row.mean(-2, keepdims=True), 1e-5)
        else:
            v = v + share * (g**2 - v)
        update = g / np.sqrt(np.maximum(v, 1e-10))
        x = x - size * update / max(1.0, rms(update) / 1.5)
    np.testing.assert_allclose(parameter.detach().numpy(), x, rtol=1e-9)
    state = set(optimizer.state_dict()["state"][0])
    assert state == {"step", "variance"} if len(sizes) == 1 else {"step", "row_var", "col_var"}


@pytest.mark.parametrize("sizes", [(3, 5), (6, 2)])
@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("adjust", [None, "match_rms_adamw"])
def test_muon(sizes: tuple[int, int], nesterov: bool, adjust: str | None) -> None:
    """The steps' directions have the gradient's singular vectors, and values of about 1."""
    generator = np.random.default_rng()
    x = generator.normal(size=sizes).astype(np.float32)
    parameter = torch.nn.Parameter(torch.from_numpy(x.copy()))
    optimizer = torch.optim.Muon(
        [parameter], lr=0.5, weight_decay=0.2, momentum=0.9, nesterov=nesterov, adjust_lr_fn=adjust
    )
    mean = np.zeros(sizes)
    rows, columns = sizes
    factor = np.sqrt(max(1, rows / columns)) if adjust is None else 0.2 * np.sqrt(max(sizes))
    for _ in range(3):
        g = generator.normal(size=sizes).astype(np.float32)
        before = parameter.detach().double().numpy()
        parameter.grad = torch.from_numpy(g.copy())
        optimizer.step()
        mean = mean + 0.1 * (g - mean)
        update = g + 0.9 * (mean - g) if nesterov else mean
        u, s, vt = np.linalg.svd(update / np.linalg.norm(update), full_matrices=False)
        for _ in range(5):
            s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
        expected = before * (1 - 0.5 * 0.2) - 0.5 * factor * (u * s) @ vt
        # The polynomial is computed in bfloat16.
        np.testing.assert_allclose(parameter.detach().numpy(), expected, atol=0.06 * factor)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("Adafactor", {"lr": -1.0}, "Learning rate should be >= 0 but is: -1.0"),
        ("Adafactor", {"beta2_decay": 0.1}, "beta2_decay should be <= 0 but is: 0.1"),
        ("Adafactor", {"eps": (-1.0, 0.0)}, "epsilon1 should be >= 0 but is: -1.0"),
        ("Adafactor", {"eps": (None, -1.0)}, "epsilon2 should be >= 0 but is: -1.0"),
        ("Adafactor", {"d": 0.5}, "Clipping threshold d should be >= 1 but is: 0.5"),
        ("Adafactor", {"weight_decay": -1.0}, "weight_decay should be >= 0 but is: -1.0"),
        ("Adafactor", {"lr": torch.ones(2)}, "Tensor lr must be 1-element"),
        ("Muon", {"lr": -1.0}, "Learning rate should be >= 0 but is: -1.0"),
        ("Muon", {"lr": torch.ones(2)}, "Tensor lr must be 1-element"),
        ("Muon", {"momentum": -1.0}, "momentum should be >= 0 but is: -1.0"),
        ("Muon", {"weight_decay": -1.0}, "weight decay should be >= 0 but is: -1.0"),
        ("Muon", {"adjust_lr_fn": "no"}, "Adjust learning rate function no is not supported"),
    ],
)
def test_options_of_adafactor_and_muon(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(torch.optim, name)([torch.nn.Parameter(torch.ones(2, 2))], **options)


def test_parameters_of_adafactor_and_muon() -> None:
    with pytest.raises(ValueError, match="only supports 2D parameters whereas we found"):
        torch.optim.Muon([torch.nn.Parameter(torch.ones(2))])
    for name in ("Adafactor", "Muon"):
        parameter = torch.nn.Parameter(torch.ones(2, 2, dtype=torch.complex64))
        parameter.grad = torch.ones_like(parameter)
        with pytest.raises(RuntimeError, match=f"{name} does not support complex parameters"):
            getattr(torch.optim, name)([parameter]).step()
    parameter = torch.nn.Parameter(torch.ones(2, 2))
    parameter.grad = torch.ones(2, 2)
    for options, message in (
        ({"ns_steps": 100}, "Number of steps must be less than 100"),
        ({"ns_coefficients": (1.0, 2.0)}, "Coefficients must be a tuple of exactly 3 values"),
    ):
        with pytest.raises(ValueError, match=message):
            torch.optim.Muon([parameter], **options).step()


@pytest.mark.parametrize("amsgrad", [False, True])
@pytest.mark.parametrize("decoupled", [False, True])
def test_adam(amsgrad: bool, decoupled: bool) -> None:
    grads = gradients(6)
    x, m, v, largest = np.ones(4), np.zeros(4), np.zeros(4), np.zeros(4)
    for t, g in enumerate(grads, 1):
        if decoupled:
            x = x * (1 - 0.01 * 0.1)
        else:
            g = g + 0.1 * x
        m = 0.8 * m + 0.2 * g
        v = 0.95 * v + 0.05 * g * g
        largest = np.maximum(largest, v)
        second = (largest if amsgrad else v) / (1 - 0.95**t)
        x = x - 0.01 * (m / (1 - 0.8**t)) / (np.sqrt(second) + 1e-8)
    cls = torch.optim.AdamW if decoupled else torch.optim.Adam
    actual = run(
        lambda p: cls(p, lr=0.01, betas=(0.8, 0.95), weight_decay=0.1, amsgrad=amsgrad), grads
    )
    np.testing.assert_allclose(actual, x, rtol=1e-10)


COMPLEX = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    "Adam": {"lr": 0.1, "amsgrad": True, "weight_decay": 0.1},
    "AdamW": {"lr": 0.1},
    "Adamax": {},
    "NAdam": {},
    "RAdam": {"lr": 0.1},
    "RMSprop": {"centered": True, "momentum": 0.5},
    "Adagrad": {"initial_accumulator_value": 0.3},
    "Adadelta": {"lr": 0.5},
    "Rprop": {"lr": 0.1},
    "ASGD": {"lr": 0.1},
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_parameters_step_as_their_parts(name: str) -> None:
    values = torch.randn(3, 4, dtype=torch.complex128)
    whole = torch.nn.Parameter(values.clone())
    parts = torch.nn.Parameter(torch.view_as_real(values).clone())
    make: Any = getattr(torch.optim, name)
    optimizer, expected = make([whole], **COMPLEX[name]), make([parts], **COMPLEX[name])
    for step in range(7):
        grad = torch.randn(3, 4, dtype=torch.complex128)
        whole.grad, parts.grad = grad, torch.view_as_real(grad).clone()
        optimizer.step()
        expected.step()
        torch.testing.assert_close(torch.view_as_real(whole), parts)
        state = optimizer.state[whole]
        shapes = {k: v.shape for k, v in state.items() if isinstance(v, torch.Tensor) and v.dim()}
        assert set(shapes.values()) <= {whole.shape}
        if step == 3:
            # The state in files is complex, as PyTorch's is.
            saved = optimizer.state_dict()
            optimizer = make([whole], **COMPLEX[name])
            optimizer.load_state_dict(saved)


def test_groups_and_state() -> None:
    a, b = torch.nn.Parameter(torch.ones(1)), torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=0.1, momentum=0.9)
    for p in (a, b):
        p.grad = torch.ones(1)
    optimizer.step()
    assert a.item() == pytest.approx(0.9)
    assert b.item() == pytest.approx(0.5)
    state = optimizer.state_dict()
    assert state["param_groups"][1]["lr"] == 0.5
    assert state["param_groups"][1]["params"] == [1]
    other = torch.optim.SGD([{"params": [a]}, {"params": [b]}], lr=1.0, momentum=0.9)
    other.load_state_dict(state)
    assert other.param_groups[1]["lr"] == 0.5
    assert other.state[b]["momentum_buffer"].item() == 1.0


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="optimizer got an empty parameter list"):
        torch.optim.SGD([], lr=0.1)
    with pytest.raises(ValueError, match="Invalid learning rate: -1"):
        torch.optim.Adam([torch.nn.Parameter(torch.ones(1))], lr=-1)
    with pytest.raises(ValueError, match="can't optimize a non-leaf Tensor"):
        torch.optim.SGD([torch.ones(1, requires_grad=True) * 2], lr=0.1)


def test_training_lowers_the_loss() -> None:
    generator = np.random.default_rng()
    inputs = torch.from_numpy(generator.normal(size=(64, 3)).astype(np.float32))
    target = inputs @ torch.tensor([[1.0], [-2.0], [0.5]])
    net = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(100):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(inputs), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 1e-3 * losses[0] + 1e-6


@pytest.mark.parametrize("line_search", [None, "strong_wolfe"])
def test_lbfgs_solves_a_quadratic_equation(line_search: str | None) -> None:
    random = np.random.default_rng()
    a = random.standard_normal((6, 6))
    matrix = torch.from_numpy(a @ a.T + np.eye(6))
    right = torch.from_numpy(random.standard_normal(6))
    x, y = torch.zeros(2, 2).double().requires_grad_(), torch.zeros(2).double().requires_grad_()
    optimizer = torch.optim.LBFGS([x, y], max_iter=100, line_search_fn=line_search)

    def closure() -> Any:
        optimizer.zero_grad()
        v = torch.cat([x.reshape(-1), y])
        loss = v.dot(matrix @ v) / 2 - v.dot(right)
        loss.backward()
        return loss

    first = optimizer.step(closure)
    assert first.item() == 0
    solution = np.linalg.solve(matrix.numpy(), right.numpy())
    found = torch.cat([x.detach().reshape(-1), y.detach()]).numpy()
    np.testing.assert_allclose(found, solution, atol=1e-4)


def test_lbfgs_follows_a_curved_valley() -> None:
    """Rosenbrock's function, where steps of fixed size go astray."""
    x = torch.tensor([-1.2, 1.0]).double().requires_grad_()
    optimizer = torch.optim.LBFGS([x], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        loss.backward()
        return loss

    optimizer.step(closure)
    np.testing.assert_allclose(x.detach().numpy(), [1, 1], atol=1e-4)
    saved = optimizer.state_dict()
    assert 0 < saved["state"][0]["n_iter"] < 100
    torch.optim.LBFGS([x]).load_state_dict(saved)


@pytest.mark.parametrize("line_search", [None, "strong_wolfe"])
def test_lbfgs_of_complex_numbers_is_that_of_their_parts(line_search: str | None) -> None:
    target = torch.randn(3, 2, dtype=torch.float64)
    z = torch.zeros(3, dtype=torch.complex128, requires_grad=True)
    parts = torch.zeros(3, 2, dtype=torch.float64, requires_grad=True)
    rate = torch.tensor(0.1, dtype=torch.float64)
    for param in (z, parts):
        optimizer = torch.optim.LBFGS([param], lr=rate, line_search_fn=line_search)  # type: ignore[arg-type]

        def closure(param: Any = param, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            real = torch.view_as_real(param) if param.is_complex() else param
            loss = ((real - target) ** 4).sum() + (real**2).sum()
            loss.backward()
            return loss

        optimizer.step(closure)
    torch.testing.assert_close(torch.view_as_real(z), parts)
    assert parts.abs().max() > 0


def test_lbfgs_refuses() -> None:
    x = torch.zeros(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        torch.optim.LBFGS([x], line_search_fn="golden")
    with pytest.raises(ValueError, match="LBFGS doesn't support per-parameter options"):
        torch.optim.LBFGS([{"params": [x]}, {"params": [torch.zeros(1, requires_grad=True)]}])
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'closure'"):
        torch.optim.LBFGS([x]).step()  # type: ignore[call-arg]


@pytest.mark.parametrize("line_search", [None, "strong_wolfe"])
def test_lbfgs_counts_its_calls(line_search: str | None) -> None:
    x = torch.tensor([-1.2, 1.0]).double().requires_grad_()
    calls: list[float] = []

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        loss.backward()
        calls.append(loss.item())
        return loss

    # Steps of fixed size need no loss after the last one.
    optimizer = torch.optim.LBFGS([x], lr=1e-3, max_iter=4, line_search_fn=line_search)
    optimizer.step(closure)
    if line_search is None:
        assert len(calls) == 4
    assert optimizer.state_dict()["state"][0]["func_evals"] == len(calls)
    optimizer = torch.optim.LBFGS([x], max_iter=50, max_eval=3, line_search_fn=line_search)
    calls.clear()
    optimizer.step(closure)
    assert 3 <= len(calls) <= 4


class Scaled(torch.optim.Optimizer):
    """One that defines `step` itself."""

    def __init__(self, params: Any) -> None:
        super().__init__(params, {"lr": 0.5})

    def step(self, closure: Any = None, scale: float = 1.0) -> Any:
        for group in self.param_groups:
            for param in group["params"]:
                param.data.sub_(param.grad, alpha=group["lr"] * scale)
        return "stepped"


def test_hooks_of_any_step() -> None:
    param = torch.nn.Parameter(torch.ones(1))
    param.grad = torch.ones(1)
    seen: list[Any] = []
    before = register_optimizer_step_pre_hook(lambda o, args, kwargs: seen.append(type(o)))
    after = register_optimizer_step_post_hook(lambda o, args, kwargs: seen.append(len(args)))
    optimizer = Scaled([param])
    optimizer.register_step_pre_hook(lambda o, args, kwargs: (args, {"scale": 4.0}))
    assert optimizer.step() == "stepped"
    assert param.item() == -1.0
    torch.optim.LBFGS([param]).step(lambda: param.sum())
    before.remove()
    after.remove()
    optimizer.step()
    assert seen == [Scaled, 1, torch.optim.LBFGS, 2]
    optimizer.register_step_pre_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple of .new_args, new_kwargs"):
        optimizer.step()


def test_options_that_cannot_work_are_refused() -> None:
    param = torch.nn.Parameter(torch.ones(1))
    with pytest.raises(NotImplementedError, match="without steps that autograd records"):
        torch.optim.SGD([param], differentiable=True)
    for kind in (torch.optim.Adam, torch.optim.LBFGS):
        with pytest.raises(ValueError, match="Tensor lr must be 1-element"):
            kind([param], lr=torch.ones(2))  # type: ignore[arg-type]


def test_lists_of_tensors_by_device_and_dtype() -> None:
    from torch.utils._foreach_utils import _group_tensors_by_device_and_dtype

    first = [torch.ones(1), torch.ones(1, dtype=torch.float64), torch.zeros(2)]
    groups = _group_tensors_by_device_and_dtype([first, ["a", "b", "c"], []], with_indices=True)
    cpu = torch.device("cpu")
    lists, places = groups[cpu, torch.float32]
    assert lists[0][1] is first[2]
    assert (lists[1:], places) == ([["a", "c"], []], [0, 2])
    assert groups[cpu, torch.float64][0][1] == ["b"]
    with pytest.raises(RuntimeError, match="must have one length, but got"):
        _group_tensors_by_device_and_dtype([first, first[:1]])


def test_a_parameter_that_is_listed_twice_warns() -> None:
    parameter = torch.nn.Parameter(torch.ones(1))
    with pytest.warns(UserWarning, match="a parameter group with duplicate parameters"):
        torch.optim.SGD([parameter, parameter], lr=0.1)


def test_sgd_without_momentum_has_no_state() -> None:
    for dtype, fused in ((torch.float32, False), (torch.complex64, False), (torch.float32, True)):
        parameter = torch.nn.Parameter(torch.ones(2, dtype=dtype))
        parameter.grad = torch.ones_like(parameter)
        optimizer = torch.optim.SGD([parameter], lr=0.5, fused=fused)
        optimizer.step()
        assert optimizer.state_dict()["state"] == {}
        assert parameter.tolist() == [0.5, 0.5]


def test_the_state_of_no_parameter_is_saved_under_its_name() -> None:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1)
    optimizer.state["note"] = 3  # type: ignore[index]
    assert optimizer.state_dict()["state"] == {"note": 3}


def test_lbfgs_goes_on_after_a_step_that_ended_at_once() -> None:
    parameter = torch.nn.Parameter(torch.tensor([0.5]))
    optimizer = torch.optim.LBFGS([parameter], tolerance_change=1e3)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (parameter**2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    assert parameter.item() == 0.5
    state = optimizer.state_dict()["state"][0]
    assert state["prev_flat_grad"].item() == 1.0
    assert state["t"] == 1.0
    optimizer.step(closure)


def test_an_optimizer_that_holds_another() -> None:
    """It makes the parts of an optimizer that it needs itself, as packages of optimizers do."""
    from collections import OrderedDict

    class Twice(torch.optim.Optimizer):
        def __init__(self, optimizer: torch.optim.Optimizer) -> None:
            self._optimizer_step_pre_hooks = OrderedDict()
            self._optimizer_step_post_hooks = OrderedDict()
            self._patch_step_function()
            self.optimizer = optimizer
            self.defaults = optimizer.defaults

        def step(self, closure: Any = None) -> None:
            self.optimizer.step()
            self.optimizer.step()

    weight = torch.nn.Parameter(torch.zeros(1))
    weight.grad = torch.ones(1)
    twice = Twice(torch.optim.SGD([weight], lr=0.5))
    order: list[str] = []
    twice.register_step_pre_hook(lambda *_: order.append("before"))
    twice.register_step_post_hook(lambda *_: order.append("after"))
    twice.step()
    assert (weight.item(), order) == (-1.0, ["before", "after"])


def test_options_that_each_group_must_give() -> None:
    from torch.optim.optimizer import Optimizer, required

    class Plain(Optimizer):
        def __init__(self, params: Any, lr: Any = required) -> None:
            super().__init__(params, {"lr": lr})

    weight = torch.nn.Parameter(torch.ones(1))
    assert Plain([{"params": [weight], "lr": 0.5}]).param_groups[0]["lr"] == 0.5
    with pytest.raises(ValueError, match="didn't specify a value of required optimization .* lr$"):
        Plain([weight])


@pytest.mark.parametrize(
    "name",
    [
        "Adadelta",
        "Adafactor",
        "Adagrad",
        "Adam",
        "AdamW",
        "Adamax",
        "ASGD",
        "NAdam",
        "RAdam",
        "RMSprop",
        "Rprop",
    ],
)
def test_numbers_of_steps_in_old_files(name: str) -> None:
    def trained(steps: int, reload: bool) -> torch.Tensor:
        weight = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
        optimizer = getattr(torch.optim, name)([weight])
        for step in range(steps):
            weight.grad = weight.detach() * (step + 1)
            optimizer.step()
            if reload:
                state = copy.deepcopy(optimizer.state_dict())
                for values in state["state"].values():
                    values["step"] = int(values["step"].item())
                optimizer.load_state_dict(state)
        return weight.detach()

    assert torch.equal(trained(3, reload=True), trained(3, reload=False))


def test_all_parameters_have_names_or_none_has() -> None:
    one, two = torch.nn.Parameter(torch.ones(1)), torch.nn.Parameter(torch.ones(1))
    with pytest.raises(ValueError, match="with/without names. Some param names are missing"):
        torch.optim.SGD([("one", one), two])
    named, unnamed = {"params": [("one", one)]}, {"params": [two]}
    for groups, which in (([named, unnamed], "without"), ([unnamed, named], "with")):
        with pytest.raises(ValueError, match=f"cannot add param group {which} names to the optim"):
            torch.optim.SGD(groups)


def test_lbfgs_without_a_gradient() -> None:
    """A tolerance that nothing reaches lets it step where the gradient is zero."""
    weight = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.LBFGS([weight], tolerance_grad=-float("inf"))
    assert optimizer.step(lambda: torch.tensor(10.0)).item() == 10
    assert weight.tolist() == [1, 1]


def test_options_of_a_group_that_the_optimizer_does_not_know() -> None:
    """Rprop has no weight decay, and a group that asks for it is kept and not obeyed."""
    steps = []
    for options in ({}, {"weight_decay": 0.5}):
        weight = torch.nn.Parameter(torch.tensor([3.0, -3.0]))
        optimizer = torch.optim.Rprop([{"params": [weight], **options}])
        for grad in (1.0, -0.5):
            weight.grad = torch.full_like(weight, grad)
            optimizer.step()
        steps.append(weight.tolist())
    assert steps[0] == steps[1]
    assert optimizer.param_groups[0]["weight_decay"] == 0.5


def test_a_rate_that_is_a_tensor_of_one_element() -> None:
    found = []
    for rate in (torch.tensor(0.5), torch.tensor([0.5])):
        weight = torch.nn.Parameter(torch.ones(3))
        weight.grad = torch.tensor([1.0, 2.0, -1.0])
        torch.optim.Adam([weight], lr=rate).step()
        found.append(weight.tolist())
    assert found[0] == found[1] == pytest.approx([0.5, 0.5, 1.5])


@pytest.mark.parametrize("name", ["Adam", "AdamW"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"betas": (0, 0.9)}, "betas must be either both floats or both Tensors"),
        ({"betas": (torch.tensor(0.5), 0.9)}, "betas must be either both floats or both Tensors"),
        (
            {"lr": torch.tensor(0.1), "foreach": True},
            "lr as a Tensor is not supported for capturable",
        ),
        (
            {"betas": (torch.tensor(0.5), torch.tensor(0.9)), "foreach": True},
            r"betas\[0\] as a Tensor is not supported for capturable=False and foreach=True",
        ),
    ],
)
def test_tensors_among_options_of_adam(name: str, options: dict[str, Any], message: str) -> None:
    weight = torch.nn.Parameter(torch.ones(3))
    with pytest.raises(ValueError, match=message):
        getattr(torch.optim, name)([weight], **options)
    getattr(torch.optim, name)([weight], **options | {"foreach": None, "betas": (0.5, 0.9)})


def test_betas_that_are_tensors() -> None:
    found = []
    for betas in ((0.5, 0.75), (torch.tensor(0.5), torch.tensor([0.75]))):
        weight = torch.nn.Parameter(torch.ones(3))
        weight.grad = torch.tensor([1.0, 2.0, -1.0])
        optimizer = torch.optim.Adam([weight], betas=betas)
        optimizer.step()
        optimizer.step()
        found.append(weight.tolist())
    assert found[0] == found[1]
