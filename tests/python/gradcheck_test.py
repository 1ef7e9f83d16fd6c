"""torch.autograd.gradcheck and its family: what they find, and batches of vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd import Function, gradcheck, gradgradcheck
from torch.autograd.gradcheck import GradcheckError

X = torch.tensor([[0.3, -1.2], [2.0, 0.7], [-0.4, 1.1]], dtype=torch.float64)
Z = torch.complex(X[:2], X[1:])


def leaf(value: Tensor) -> Tensor:
    return value.clone().requires_grad_()


@pytest.mark.parametrize("fast", [False, True])
def test_right_gradients_pass(fast: bool) -> None:
    assert gradcheck(torch.sin, leaf(X), fast_mode=fast, check_batched_grad=True)
    assert gradcheck(lambda a, b: (a @ b).exp(), (leaf(Z), leaf(Z)), fast_mode=fast)
    assert gradcheck(lambda z: (z.real, z * z), (leaf(Z),), fast_mode=fast)
    assert gradcheck(lambda x: torch.complex(x, x * x), (leaf(X),), fast_mode=fast)
    assert gradcheck(lambda x: (x.max(0)[0], x.argmax()), (leaf(X),), fast_mode=fast)
    assert gradcheck(lambda x: (), (leaf(X),), fast_mode=fast)
    assert gradgradcheck(lambda x: x**3, leaf(X), fast_mode=fast)
    assert gradgradcheck(lambda z: (z * z.conj()).real, leaf(Z), fast_mode=fast)
    vectors = leaf(torch.ones(3, 2, dtype=torch.float64))
    assert gradgradcheck(torch.exp, leaf(X), vectors, fast_mode=fast)


def hooked(hook: Callable[[Any], Any]) -> Callable[[Tensor], Tensor]:
    def function(x: Tensor) -> Tensor:
        y = x.clone()
        y.register_hook(hook)
        return y

    return function


class Tripled(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * 3


class Turned(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 1j

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * 1j  # wrong: the conjugate of 1j


class Unsteady(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 1

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * (1 + torch.rand_like(grad) * 1e-7)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("function", "x", "message"),
    [
        (Tripled.apply, X, "Jacobian mismatch for output 0 with respect to input 0"),
        (Turned.apply, Z, "While considering the imaginary part of complex outputs only"),
        (hooked(lambda g: g + 0.01), X, "Jacobian mismatch"),
        (hooked(lambda g: g + 1e-7), X, "backward not multiplied by grad_output"),
        (Unsteady.apply, X, "Backward is not reentrant"),
        (lambda x: torch.tensor([x.sum().item()]), X, "Numerical gradient for function expected"),
    ],
)
def test_wrong_gradients_are_found(
    fast: bool, function: Callable[..., Any], x: Tensor, message: str
) -> None:
    with pytest.raises(GradcheckError, match=message):
        gradcheck(function, leaf(x), fast_mode=fast)
    assert not gradcheck(function, leaf(x), fast_mode=fast, raise_exception=False)


def test_tolerance_of_unsteady_gradients() -> None:
    assert gradcheck(Unsteady.apply, leaf(X), nondet_tol=1e-5)


def test_a_wrong_second_derivative_is_found() -> None:
    class Cube(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            (x,) = ctx.saved_tensors
            return grad * 3 * x.detach() ** 2

    assert gradcheck(Cube.apply, leaf(X))
    with pytest.raises(GradcheckError, match="Jacobian mismatch"):
        gradgradcheck(Cube.apply, leaf(X))


def test_undefined_gradients_must_be_handled() -> None:
    def fragile(gradient: Tensor | None) -> None:
        if gradient is None:
            raise RuntimeError("no gradient")

    with (
        pytest.warns(UserWarning, match="New undefined gradient support checking"),
        pytest.raises(GradcheckError, match="handle undefined output grads"),
    ):
        gradcheck(hooked(fragile), leaf(X))
    assert gradcheck(hooked(fragile), leaf(X), check_undefined_grad=False)


def test_inputs_that_cannot_be_checked() -> None:
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(torch.sin, X)
    with pytest.raises(RuntimeError, match="The 0th input has a dimension with stride 0"):
        gradcheck(torch.sin, leaf(X[:1]).expand(3, 2))
    with pytest.warns(UserWarning, match="Input #0 requires gradient and is not a double"):
        assert gradcheck(torch.sin, leaf(X.float()), eps=1e-2, atol=1e-2)
    with pytest.raises(AssertionError, match="the same shape when inputs are perturbed"):
        gradcheck(lambda x: torch.cat([x, x]) if x.sum() > 2.5 else x, leaf(X))
    with pytest.raises(ValueError, match="nothing to check without check_backward_ad"):
        gradcheck(torch.sin, leaf(X), check_backward_ad=False)


@pytest.mark.parametrize("name", ["check_batched_forward_grad", "check_forward_ad"])
def test_what_goes_forward_is_refused(name: str) -> None:
    options: dict[str, Any] = {name: True}
    with pytest.raises(NotImplementedError, match=rf"gradcheck\({name}=True\) is not implemented"):
        gradcheck(torch.sin, leaf(X), **options)
    with pytest.raises(NotImplementedError, match="check_fwd_over_rev=True"):
        gradgradcheck(torch.sin, leaf(X), check_fwd_over_rev=True)


def test_a_batch_of_vectors() -> None:
    x, y = leaf(X), leaf(X[0])
    out = x * y
    vectors = torch.stack([torch.ones(3, 2), torch.arange(6).reshape(3, 2)]).double()
    batched = torch.autograd.grad(out, (x, y), vectors, is_grads_batched=True, retain_graph=True)
    for k, vector in enumerate(vectors):
        alone = torch.autograd.grad(out, (x, y), vector, retain_graph=True)
        for together, single in zip(batched, alone, strict=True):
            assert torch.equal(together[k], single)
    (unused,) = torch.autograd.grad(
        out, leaf(X), vectors, is_grads_batched=True, allow_unused=True, retain_graph=True
    )
    assert unused is None
    torch.autograd.grad(out, x, vectors, is_grads_batched=True)
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(out, x, vectors, is_grads_batched=True)


def test_batches_that_do_not_fit() -> None:
    x = leaf(X)
    with pytest.raises(RuntimeError, match="first dimension of each grad_output as the batch"):
        torch.autograd.grad(x * 2, x, torch.ones(3, 2), is_grads_batched=True)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar"):
        torch.autograd.grad(x * 2, x, is_grads_batched=True)
    with pytest.raises(RuntimeError, match="first dimensions of one size"):
        torch.autograd.grad(x * 2, x, torch.ones(0, 3, 2), is_grads_batched=True)
