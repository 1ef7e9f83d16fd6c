"""Optimisers with `fused=True` against those without, one tensor at a time and in float64."""

from __future__ import annotations

from typing import Any

import pytest
import torch

# Less than a vector, not a multiple of one, empty, large enough for two threads.
SIZES = [(3,), (5, 7), (0,), (40000,), ()]
TOLERANCE = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.bfloat16: 3e-2,
    torch.float16: 4e-3,
}

CASES: list[tuple[Any, dict[str, Any]]] = [
    (torch.optim.Adam, {}),
    (torch.optim.Adam, {"weight_decay": 0.1, "amsgrad": True, "betas": (0.8, 0.95)}),
    (torch.optim.Adam, {"maximize": True, "eps": 1e-3}),
    (torch.optim.AdamW, {"weight_decay": 0.2}),
    (torch.optim.AdamW, {"amsgrad": True, "maximize": True}),
    (torch.optim.SGD, {}),
    (torch.optim.SGD, {"weight_decay": 0.1, "maximize": True}),
    (torch.optim.SGD, {"momentum": 0.9, "dampening": 0.3}),
    (torch.optim.SGD, {"momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
]


def parameters(dtype: torch.dtype) -> list[torch.nn.Parameter]:
    tensors = [torch.randn(size).to(dtype) for size in SIZES]
    tensors.append(torch.randn(6, 4).to(dtype).t())  # dense, in another order
    tensors.append(torch.randn(6, 8).to(dtype)[:, ::2])  # with gaps
    return [torch.nn.Parameter(t) for t in tensors]


def step(optimizer: Any, params: list[torch.nn.Parameter], grads: list[torch.Tensor]) -> None:
    for param, grad in zip(params, grads, strict=True):
        param.grad = grad.clone(memory_format=torch.preserve_format)
    optimizer.step()


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize(("optimizer", "options"), CASES)
def test_fused_is_the_same_rule(optimizer: Any, options: Any, dtype: torch.dtype) -> None:
    ours = parameters(dtype)
    theirs = [torch.nn.Parameter(p.detach().double().clone()) for p in ours]
    fused = optimizer(ours, lr=0.01, fused=True, **options)
    plain = optimizer(theirs, lr=0.01, **options)
    for _ in range(4):
        # None so small that its square is none of float16's.
        grads = [torch.rand(p.shape).add(0.5).mul(torch.randn(p.shape).sign()) for p in ours]
        step(fused, ours, [grad.to(dtype) for grad in grads])
        step(plain, theirs, [grad.to(dtype).double() for grad in grads])
    tolerance = TOLERANCE[dtype]
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a.double(), b, rtol=tolerance, atol=tolerance)
        for name, value in plain.state[b].items():
            torch.testing.assert_close(
                fused.state[a][name].double(), value.double(), rtol=tolerance, atol=tolerance
            )


@pytest.mark.parametrize("optimizer", [torch.optim.Adam, torch.optim.SGD])
def test_it_steps_what_has_a_gradient(optimizer: Any) -> None:
    a, b = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2).double())
    fused = optimizer([a, b], lr=0.5, fused=True)
    a.grad = torch.ones(2)
    fused.step()
    assert torch.equal(b, torch.ones(2).double())
    b.grad = torch.ones(2).double()
    fused.step()
    assert fused.state[b].get("step", torch.ones(())).item() == 1
    assert not torch.equal(b, torch.ones(2).double())


def test_state_goes_from_one_kind_to_the_other() -> None:
    param = torch.nn.Parameter(torch.ones(3))
    plain = torch.optim.Adam([param], lr=0.1)
    param.grad = torch.ones(3)
    plain.step()
    twin = torch.nn.Parameter(param.detach().clone())
    fused = torch.optim.Adam([twin], lr=0.1, fused=True)
    state = plain.state_dict()
    state["param_groups"][0]["fused"] = True
    fused.load_state_dict(state)
    twin.grad = torch.ones(3)
    fused.step()
    plain.step()
    torch.testing.assert_close(twin, param)
    assert fused.state[twin]["step"].item() == 2


def adam(**changed: Any) -> None:
    arguments: dict[str, Any] = {
        "self": [torch.ones(2)],
        "grads": [torch.ones(2)],
        "exp_avgs": [torch.ones(2)],
        "exp_avg_sqs": [torch.ones(2)],
        "max_exp_avg_sqs": [],
        "state_steps": [torch.ones(())],
        "lr": 0.1,
        "amsgrad": False,
        "grad_scale": None,
        "found_inf": None,
    }
    arguments.update(changed)
    lists = [arguments.pop(name) for name in list(arguments)[:6]]
    torch._fused_adam_(
        *lists, beta1=0.9, beta2=0.99, weight_decay=0.0, eps=1e-8, maximize=False, **arguments
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"grads": []}, "_fused_adam_: grads has 0 tensors for 1 parameters"),
        (
            {"grads": [torch.ones(3)]},
            r"grads\[0\] is Float \[3\] on cpu, its parameter Float \[2\]",
        ),
        ({"exp_avgs": [torch.ones(2).half()]}, r"exp_avgs\[0\] is Half \[2\]"),
        ({"grads": [torch.ones(2, device="meta")]}, r"grads\[0\] is Float \[2\] on meta"),
        ({"amsgrad": True}, "max_exp_avg_sqs has 0 tensors for 1 parameters"),
        ({"max_exp_avg_sqs": [torch.ones(2)]}, "max_exp_avg_sqs are for amsgrad=True"),
        ({"state_steps": []}, "state_steps has 0 tensors for 1 parameters"),
        ({"state_steps": [torch.ones(2)]}, r"a step is one number on cpu, not \[2\] on cpu"),
        ({"lr": torch.ones(2)}, r"lr is one number, not \[2\]"),
        ({"grad_scale": torch.ones(2)}, r"grad_scale is one float, not Float \[2\]"),
        ({"found_inf": torch.ones(1, device="meta")}, "expected found_inf on cpu, where"),
        ({"self": [torch.ones(2).int()]}, "parameters are floating-point tensors, not Int"),
    ],
)
def test_lists_that_do_not_fit_are_named(changed: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        adam(**changed)


def test_sgd_refuses_momenta_that_do_not_fit() -> None:
    def sgd(momenta: list[torch.Tensor], momentum: float) -> None:
        torch._fused_sgd_(
            [torch.ones(2)],
            [torch.ones(2)],
            momenta,
            weight_decay=0.0,
            momentum=momentum,
            lr=0.1,
            dampening=0.0,
            nesterov=False,
            maximize=False,
            is_first_step=False,
        )

    with pytest.raises(RuntimeError, match="momentum_buffer_list has 0 tensors for 1 parameters"):
        sgd([], 0.9)
    with pytest.raises(RuntimeError, match="momentum_buffer_list is for a momentum"):
        sgd([torch.ones(2)], 0.0)


def test_options_that_do_not_go_together_are_named() -> None:
    param = torch.nn.Parameter(torch.ones(1))
    for optimizer in (torch.optim.Adam, torch.optim.AdamW, torch.optim.SGD, torch.optim.Adagrad):
        with pytest.raises(RuntimeError, match="`fused` does not support `differentiable`"):
            optimizer([param], fused=True, differentiable=True)
        with pytest.raises(RuntimeError, match="`fused` and `foreach` cannot be `True` together"):
            optimizer([param], fused=True, foreach=True)
    number = torch.ones(1, dtype=torch.complex64, requires_grad=True)
    number.grad = torch.ones(1, dtype=torch.complex64)
    with pytest.raises(RuntimeError, match="requires all the params to be floating point Tensors"):
        torch.optim.Adam([number], fused=True).step()
    nowhere = torch.ones(1, device="meta", requires_grad=True)
    nowhere.grad = torch.ones(1, device="meta")
    for optimizer in (torch.optim.Adam, torch.optim.SGD, torch.optim.Adagrad):
        with pytest.raises(RuntimeError, match="supported devices.* but torch.float32 and meta"):
            optimizer([nowhere], fused=True).step()


def test_additions_to_lists() -> None:
    tensors = [torch.ones(2), torch.ones(3).double(), torch.ones(1).int()]
    torch._foreach_add_(tensors, 2)
    assert [t[0].item() for t in tensors] == [3, 3, 3]
    torch._foreach_add_(tensors[:2], torch.tensor(0.5))
    assert [t[0].item() for t in tensors] == [3.5, 3.5, 3]
    with pytest.raises(RuntimeError, match="Tensor list must have at least one tensor"):
        torch._foreach_add_([], 1)
    with pytest.raises(RuntimeError, match="scalar tensor expected to be 0 dim but it has 1"):
        torch._foreach_add_(tensors, torch.ones(1))
    with pytest.raises(RuntimeError, match="derivative for aten::_foreach_add_ is not implemented"):
        torch._foreach_add_([torch.ones(1, requires_grad=True)], 1)
