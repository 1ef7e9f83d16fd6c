"""Corners of automatic differentiation where a wrong gradient would be silent."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.autograd.function import once_differentiable


@pytest.mark.parametrize("name", ["max", "min", "median"])
def test_the_only_extreme_value_is_nan(name: str) -> None:
    x = torch.tensor([1.0, math.nan, 3.0], requires_grad=True)
    getattr(x, name)().backward()
    assert x.grad is not None and x.grad.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("p", [0.5, 1.5, 3.0])
def test_distances_of_equal_coordinates_have_finite_gradients(p: float) -> None:
    x = torch.tensor([[0.0, 1.0], [2.0, 2.0]], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([[0.0, 3.0], [2.0, 2.0]], dtype=torch.float64)
    torch.cdist(x, y, p=p).sum().backward()
    assert x.grad is not None and bool(x.grad.isfinite().all())


def test_in_place_on_a_view_across_dtypes() -> None:
    x = torch.randn(3, dtype=torch.complex128)
    a = x.clone().requires_grad_()
    b = a * 1
    torch.view_as_real(b)[:, 0].mul_(3)  # The real parts.
    b.abs().square().sum().backward()
    # |3 re + i im|^2 has the gradient 2 (9 re + i im).
    assert a.grad is not None
    torch.testing.assert_close(a.grad, torch.complex(18 * x.real, 2 * x.imag))

    r = torch.randn(3, 2, dtype=torch.float64)
    c = r.clone().requires_grad_()
    d = c * 1
    torch.view_as_complex(d)[1:].mul_(2)
    d.square().sum().backward()
    assert c.grad is not None
    torch.testing.assert_close(c.grad, 2 * r * torch.tensor([[1.0], [4.0], [4.0]]))


def test_view_that_a_function_returned_is_not_changed_in_place() -> None:
    class Slice(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x[:1]

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return torch.cat([grad, grad])

    x = torch.ones(2, requires_grad=True)
    out = Slice.apply(x * 1)  # type: ignore[attr-defined]
    message = "view was created inside a custom Function"
    with pytest.raises(RuntimeError, match=message):
        out.mul_(2)
    with torch.no_grad():
        out = Slice.apply(x * 1)  # type: ignore[attr-defined]
    assert not out.requires_grad


def test_gradients_of_outputs_that_are_not_differentiable() -> None:
    seen: list[Any] = []

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, materialize: bool) -> Any:
            ctx._materialize_non_diff_grads = materialize
            index = torch.tensor([0])
            ctx.mark_non_differentiable(index)
            return x * 2, index

        @staticmethod
        def backward(ctx: Any, grad: Any, none: Any) -> Any:
            seen.append(none)
            return grad * 2, None

    x = torch.ones(1, requires_grad=True)
    for materialize in (True, False):
        Two.apply(x, materialize)[0].sum().backward()  # type: ignore[attr-defined]
    assert seen[0].tolist() == [0]
    assert seen[1] is None


def test_once_differentiable_refuses_the_second_derivative_alone() -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    x = torch.tensor([3.0], requires_grad=True)
    fourth = Square.apply(x).square().sum()  # type: ignore[attr-defined]
    (first,) = torch.autograd.grad(fourth, x, create_graph=True)
    assert first.tolist() == [4 * 27.0]
    with pytest.raises(RuntimeError, match="differentiate twice a function that was marked"):
        first.sum().backward()


def test_a_generator_runs_in_its_mode_and_its_caller_does_not() -> None:
    @torch.no_grad()
    def numbers() -> Iterator[bool]:
        yield torch.is_grad_enabled()
        try:
            yield torch.is_grad_enabled()
        finally:
            inside.append(torch.is_grad_enabled())

    inside: list[bool] = []
    for enabled in numbers():
        assert not enabled
        assert torch.is_grad_enabled()
    generator = numbers()
    next(generator), next(generator)
    generator.close()  # type: ignore[attr-defined]
    assert inside == [False, False]


def test_resizing_counts_as_a_change() -> None:
    x = torch.ones(3)
    x.resize_(3)
    assert x._version == 0
    x.resize_(5)
    assert x._version == 1
    x.resize_as_(torch.ones(2))
    assert x._version == 2


def test_a_saved_tensor_that_was_detached_in_place() -> None:
    a = torch.ones(1, requires_grad=True).clone()
    b = a.sin()
    a.detach_()
    with pytest.raises(RuntimeError, match="saved tensor that has been detached in-place"):
        b.backward()


def test_equal_rows_among_many_have_finite_gradients() -> None:
    # So many rows that the distances come from one matrix product.
    x = torch.randn(1, 40, 16, dtype=torch.float64)
    y = x.clone()
    weight = torch.randn(1, 40, 40, dtype=torch.float64)
    x.requires_grad_()
    (torch.cdist(x, y) * weight).sum().backward()
    with torch.no_grad():
        difference = x[0, :, None] - y[0]
        lengths = difference.norm(dim=-1, keepdim=True)
        unit = torch.where(lengths > 1e-6, difference / lengths.clamp(min=1e-300), 0.0)
        expected = (unit * weight[0, :, :, None]).sum(1)
    assert x.grad is not None
    torch.testing.assert_close(x.grad[0], expected, rtol=0, atol=1e-5)


class Doubled(torch.autograd.Function):
    """Changes its input; `kept` says what is returned."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, kept: bool) -> torch.Tensor:
        ctx.mark_dirty(x)
        x.mul_(2)
        return x if kept else x.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return grad * 2, None


def test_what_a_function_changes_must_be_returned_and_no_leaf() -> None:
    leaf = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in"):
        Doubled.apply(leaf, True)
    with pytest.raises(RuntimeError, match="Some elements marked as dirty .* were not returned"):
        Doubled.apply(torch.ones(2, requires_grad=True).clone(), False)
    x = torch.ones(2, requires_grad=True)
    Doubled.apply(x.clone(), True).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0, 2.0]


class Flat(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.view(-1)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad.view(2, 2)


def test_a_view_made_by_a_function_without_gradients_is_not_changed_with_them() -> None:
    x = torch.ones(2, 2, requires_grad=True)
    with torch.no_grad():
        flat = Flat.apply(x)
    assert flat._is_view() and flat.requires_grad and flat.grad_fn is None
    with pytest.raises(RuntimeError, match="view was created inside a custom Function"):
        flat.mul_(2)


def test_grad_of_nothing() -> None:
    total = torch.ones(2, requires_grad=True).sum()
    with pytest.raises(RuntimeError, match=r"`inputs` argument to `grad\(\)` cannot be empty"):
        torch.autograd.grad(total, [])


def test_a_view_retains_its_gradient_after_its_base_changed() -> None:
    base = torch.ones(2, requires_grad=True).clone()
    first, second = base[:], base[:]
    first.retain_grad()
    second.retain_grad()
    base.mul_(2)
    (first + 3 * second).sum().backward()
    assert first.grad is not None and first.grad.tolist() == [1.0, 1.0]
    assert second.grad is not None and second.grad.tolist() == [3.0, 3.0]


def test_a_parameter_of_another_size_while_an_old_graph_lives() -> None:
    parameter = torch.nn.Parameter(torch.ones(5))
    old = torch.cat([parameter, parameter])
    with torch.no_grad():
        parameter.set_(parameter[1:])
    torch.cat([parameter, parameter]).sum().backward()
    assert parameter.grad is not None and parameter.grad.tolist() == [2.0] * 4
    assert old.shape == (10,)


def test_post_hooks_of_a_leaf_see_its_gradient() -> None:
    leaf = torch.rand(3, requires_grad=True)
    accumulate = leaf.view_as(leaf).grad_fn.next_functions[0][0]  # type: ignore[union-attr]
    leaf.register_hook(lambda grad: grad - 2)
    accumulate.register_prehook(lambda grads: (grads[0] / 5,))

    def add_half(x: torch.Tensor) -> None:
        assert x.grad is not None
        x.grad += 0.5

    def ten_times(grad_inputs: Any, grad_outputs: Any) -> None:
        leaf.grad = grad_outputs[0] * 10

    leaf.register_post_accumulate_grad_hook(add_half)
    accumulate.register_hook(ten_times)
    leaf.sum().backward()
    assert leaf.grad is not None
    torch.testing.assert_close(leaf.grad, torch.full((3,), ((1 - 2) / 5 + 0.5) * 10))


def test_complex_powers_of_negative_numbers() -> None:
    base = -torch.ones(2, dtype=torch.float64)
    exponent = torch.randn(2, dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(lambda e: torch.pow(base, e), exponent)


def test_a_real_number_copied_into_a_complex_one() -> None:
    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    out = torch.empty(3, dtype=torch.complex128)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (out.copy_(x) * 1j).sum().imag.backward()
    assert x.grad is not None and x.grad.tolist() == [1.0] * 3


def test_a_node_counts_its_arguments() -> None:
    x = torch.ones(1, requires_grad=True)
    node: Any = (x**2).grad_fn
    for arguments in ((), (x.detach(), x.detach())):
        with pytest.raises(TypeError, match="expected 1 arguments, got . instead"):
            node(*arguments)
    assert node(x.detach()).item() == 2


def test_hooks_of_a_tensor_cannot_be_deleted() -> None:
    x = torch.ones(1, requires_grad=True)
    with pytest.raises(RuntimeError, match="Deletion of _backwards_hooks not allowed"):
        del x._backward_hooks


def test_an_array_of_a_tensor_that_requires_a_gradient() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="Can't call numpy.. on Tensor that requires grad"):
        x.numpy()
    with torch.no_grad():
        assert x.numpy().tolist() == [1, 1]


def test_versions_of_inference_tensors_stay() -> None:
    with torch.inference_mode():
        x = torch.ones(2)
        torch.autograd.graph.increment_version(x)
    torch.autograd.graph.increment_version(x)
    assert x.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["relu_", "sigmoid_", "exp_", "tanh_"])
def test_second_derivatives_of_what_changed_a_view_in_place(name: str) -> None:
    def changed(root: torch.Tensor) -> torch.Tensor:
        base = root.clone()
        getattr(base.narrow(0, 1, 2), name)()
        return base

    x = torch.tensor([0.5, -1.5, 1.25, -0.75], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(changed, [x])
    assert torch.autograd.gradgradcheck(changed, [x])


def test_out_of_functions_that_are_made_of_others_takes_no_gradient() -> None:
    x = torch.randn(4, requires_grad=True)
    out = torch.empty(4, dtype=torch.complex64)
    message = "functions with out=... arguments don't support automatic differentiation"
    with pytest.raises(RuntimeError, match=message):
        torch.fft.fft(x, out=out)
    with pytest.raises(RuntimeError, match=message):
        torch.fft.fft(x.detach(), out=out.clone().requires_grad_())
    with torch.no_grad():
        assert torch.fft.fft(x, out=out) is out


def test_changes_in_place_made_of_other_functions_take_a_gradient() -> None:
    x = torch.tensor([2.5, 3.5], dtype=torch.float64, requires_grad=True)
    (x * 1).mvlgamma_(2).sum().backward()
    expected = torch.digamma(x.detach()) + torch.digamma(x.detach() - 0.5)
    torch.testing.assert_close(x.grad, expected)


def test_a_view_that_is_a_leaf_is_not_changed_through_another_view() -> None:
    # The graph would lose the leaf: its gradient stayed None.
    leaf = torch.arange(3.0).view(3).requires_grad_()
    message = "a view of a leaf Variable that requires grad is being used in an in-place operation"
    with pytest.raises(RuntimeError, match=message):
        leaf.view(3).mul_(2)
    with pytest.raises(RuntimeError, match=message):
        leaf.view(3)[0] = 1
    with pytest.raises(RuntimeError, match=message):
        leaf.mul_(2)
    with torch.no_grad():
        leaf.view(3).mul_(2)
    assert leaf.tolist() == [0.0, 2.0, 4.0]
    other = (leaf * 1).view(3).mul_(2)
    other.sum().backward()
    assert leaf.grad is not None and leaf.grad.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("value", [True, -0.0, 3, 1 + 2j, float("nan")])
def test_increment_version_changes_no_element(value: Any) -> None:
    for x in (torch.tensor(value), torch.tensor([value, value]), torch.tensor([])):
        before = x.clone()
        torch.autograd.graph.increment_version(x)
        assert x._version == 1
        assert str(x) == str(before)


def test_gradients_of_other_shapes_and_kinds_are_refused() -> None:
    x = torch.ones(2, requires_grad=True)
    outputs = [2 * x, 3 * x, 1j * x]
    right = [torch.ones(2), torch.ones(2), torch.ones(2, dtype=torch.complex64)]
    for place, wrong, message in (
        (1, torch.ones(3), r"Mismatch in shape: grad_output\[1\] has a shape of torch.Size"),
        (2, torch.ones(2), r"dtype: grad_output\[2\] has a dtype of torch.float32 and output\[2\]"),
        (0, right[2], r"dtype: grad_output\[0\] has a dtype of torch.complex64 and output\[0\]"),
    ):
        given = [*right[:place], wrong, *right[place + 1 :]]
        with pytest.raises(RuntimeError, match=message):
            torch.autograd.grad(outputs, x, given)
    assert torch.autograd.grad(outputs, x, right)[0].tolist() == [5, 5]


def test_grad_modes_print() -> None:
    with torch.set_grad_enabled(False) as _:
        assert repr(torch.set_grad_enabled(True)) == (
            "torch.autograd.grad_mode.set_grad_enabled(mode=True)"
        )


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.unsqueeze_(0),
        lambda v: v.t_(),
        lambda v: v.squeeze_(),
        lambda v: v.transpose_(0, 1),
        lambda v: v.swapaxes_(0, 1).unsqueeze_(1),
    ],
)
@pytest.mark.parametrize("view", [lambda x: x[:, 1:], lambda x: x.view_as(x).narrow(0, 0, 2)])
def test_a_view_that_changes_its_shape_leaves_its_base_alone(view: Any, change: Any) -> None:
    leaf = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)

    def grad(in_place: bool) -> torch.Tensor:
        x = leaf * 2
        v = view(x)
        before = x.grad_fn
        change(v)
        assert x.grad_fn is before
        if in_place:
            v.sigmoid_()
        else:
            # The same without changes in place: the base by its parts.
            mask = torch.zeros_like(x)
            change_of_mask = view(mask)
            change_of_mask.fill_(1)
            x = torch.where(mask > 0, x.sigmoid(), x)
            v = view(x)
            v = change(v.clone())
        weights = torch.arange(1.0, 1 + v.numel(), dtype=torch.float64).view(v.shape)
        (found,) = torch.autograd.grad((v * weights).sum() + (x * x).sum(), leaf)
        return found

    torch.testing.assert_close(grad(True), grad(False))


def test_parts_of_complex_numbers_in_inference_mode() -> None:
    x = torch.ones(2, dtype=torch.complex64, requires_grad=True)
    pairs = torch.ones(2, 2, requires_grad=True)
    with torch.inference_mode():
        views = [x.real, x.imag, torch.view_as_real(x), x.conj().real]
        views.append(torch.view_as_complex(pairs))
    assert not any(view.is_inference() for view in views)
    assert all(view.requires_grad for view in views)


@pytest.mark.parametrize(
    "call",
    [
        lambda out: torch.zeros(2, out=out),
        lambda out: torch.full((2,), 3.0, out=out),
        lambda out: torch.linspace(0, 1, 2, out=out),
        lambda out: torch.eq(torch.ones(2), 1, out=out),
        lambda out: torch.special.bessel_j0(torch.ones(2), out=out),
        lambda out: torch.add(torch.ones(2), 1, out=out),
    ],
)
def test_out_has_no_gradient(call: Any) -> None:
    out = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="out=... arguments don't support automatic differentia"):
        call(out)
    assert out.tolist() == [1, 1]
    with torch.no_grad():
        call(out)
