"""torch.autograd.Function."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.autograd import Function, gradcheck


class Cube(Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 3 * x * x * grad


def test_gradient() -> None:
    x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    y = Cube.apply(x)
    assert type(y.grad_fn).__name__ == "CubeBackward"
    assert repr(y) == ("tensor([ 1., -8.], dtype=torch.float64, grad_fn=<CubeBackward>)")
    assert gradcheck(Cube.apply, (x,))


def test_double_backward() -> None:
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert second.item() == 6 * 2.0


def test_arguments_that_are_no_tensors() -> None:
    class Scale(Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, factor: float) -> torch.Tensor:
            ctx.factor = factor
            assert ctx.needs_input_grad == (True, False)
            return x * factor

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
            return grad * ctx.factor, None

    x = torch.ones(2, requires_grad=True)
    Scale.apply(x, 5.0).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]


def test_setup_context() -> None:
    class Double(Function):
        @staticmethod
        def forward(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.count = len(inputs)

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
            assert ctx.count == 1
            return grad * 2

    x = torch.ones(1, requires_grad=True)
    Double.apply(x).backward()
    assert x.grad.item() == 2.0


def test_wrong_number_of_gradients() -> None:
    class Bad(Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> Any:
            return grad, grad

    x = torch.ones(1, requires_grad=True)
    with pytest.raises(
        RuntimeError, match=r"returned an incorrect number of gradients \(expected 1, got 2\)"
    ):
        Bad.apply(x).backward()


def test_errors_keep_their_type() -> None:
    class Fails(Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> Any:
            raise KeyError("from backward")

    x = torch.ones(1, requires_grad=True)
    with pytest.raises(KeyError, match="from backward"):
        Fails.apply(x).backward()


def test_nothing_recorded_without_grad() -> None:
    assert Cube.apply(torch.ones(2)).grad_fn is None
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert not Cube.apply(x).requires_grad


def test_saved_variables_is_the_old_name() -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
            (x,) = ctx.saved_variables
            result: torch.Tensor = 2 * x * grad
            return result

    x = torch.tensor(3.0, requires_grad=True)
    with pytest.warns(DeprecationWarning, match="use 'saved_tensors'"):
        Square.apply(x).backward()
    assert x.grad is not None and x.grad.item() == 6


def test_setup_context_sees_arguments_that_a_call_leaves_out() -> None:
    class Power(torch.autograd.Function):
        @staticmethod
        def forward(x: torch.Tensor, n: int = 3) -> torch.Tensor:
            return x**n

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            x, ctx.n = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> Any:
            (x,) = ctx.saved_tensors
            return grad * ctx.n * x ** (ctx.n - 1), None

    for call, wanted in (
        (lambda x: Power.apply(x), 12.0),
        (lambda x: Power.apply(x, 2), 4.0),
        (lambda x: Power.apply(x, n=4), 32.0),
    ):
        x = torch.tensor(2.0, requires_grad=True)
        call(x).backward()
        assert x.grad.item() == wanted
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        Power.apply()
    assert Power.generate_vmap_rule is False and hasattr(Power, "vmap")


def test_arguments_by_name() -> None:
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, by: float = 1.0, plus: Any = 0) -> torch.Tensor:
            ctx.by = by
            return x * by + plus

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> Any:
            return grad * ctx.by, None, grad

    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    result = Scaled.apply(plus=y, x=x)
    result.backward()
    assert (result.item(), x.grad.item(), y.grad.item()) == (5.0, 1.0, 1.0)
    assert Scaled.apply(x, by=4.0).item() == 8
    with pytest.raises(TypeError, match="unexpected keyword argument 'by2'"):
        Scaled.apply(x, by2=4.0)

    class WithName(torch.autograd.Function):
        @staticmethod
        def forward(x: torch.Tensor, *, by: float = 1.0) -> torch.Tensor:
            return x * by

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

    # It has no place, and was left out in silence.
    with pytest.raises(TypeError, match="unexpected keyword argument 'by'"):
        WithName.apply(x, by=4.0)


def test_callbacks_at_the_end_of_a_backward_pass() -> None:
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
            engine = torch.autograd.Variable._execution_engine
            engine.queue_callback(lambda: seen.append(x.grad))
            return grad

    seen: list[torch.Tensor | None] = []
    x = torch.ones(2, requires_grad=True)
    Same.apply(x).sum().backward()
    assert len(seen) == 1 and seen[0] is x.grad, "the gradient is there when it is called"


def test_what_a_node_saved_has_no_name() -> None:
    node = torch.ones(2, requires_grad=True).exp().grad_fn
    for name in ("_saved_result", "_raw_saved_result"):
        assert not hasattr(node, name)
        with pytest.raises(AttributeError, match=f"no attribute '{name}': this release is without"):
            getattr(node, name)
    with pytest.raises(AttributeError, match="no attribute 'other'$"):
        node.other  # noqa: B018
