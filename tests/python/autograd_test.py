"""Gradients from Python."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch


def leaf(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def test_accumulation() -> None:
    x = leaf(1, 2)
    for _ in range(3):
        (x * x).sum().backward()
    assert x.grad.tolist() == [3 * 2.0, 3 * 4.0]


def test_names_of_nodes() -> None:
    x = leaf(1, 2)
    y = x.sigmoid()
    assert type(y.grad_fn).__name__ == "SigmoidBackward0"
    assert y.grad_fn.name() == "SigmoidBackward0"
    ((parent, number),) = y.grad_fn.next_functions
    assert type(parent).__name__ == "AccumulateGrad"
    assert number == 0
    assert parent.variable is x
    assert y.grad_fn is y.grad_fn
    for result, name in [
        (x + 1, "AddBackward0"),
        (1 - x, "RsubBackward1"),
        (x**2, "PowBackward0"),
        (x / 2, "DivBackward0"),
        (2 / x, "MulBackward0"),
        (x[0], "SelectBackward0"),
        (-x, "NegBackward0"),
    ]:
        assert type(result.grad_fn).__name__ == name


def test_backward_twice() -> None:
    x = leaf(1)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_retain_graph() -> None:
    x = leaf(3)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 12.0


def test_no_grad() -> None:
    x = leaf(1)
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
    assert (x * 2).requires_grad

    @torch.no_grad()
    def decorated() -> bool:
        return (x * 2).requires_grad

    assert not decorated()


def test_version_check() -> None:
    x = leaf(1, 2)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_inplace_on_leaf() -> None:
    with pytest.raises(
        RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"
    ):
        leaf(1).add_(1)


def test_setitem_is_differentiable() -> None:
    x = leaf(1, 2, 3)
    y = x * 1
    y[1] = 10.0
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 0.0, 1.0]


def test_tensor_hooks() -> None:
    x = leaf(1)
    seen = []
    handle = x.register_hook(lambda g: seen.append(g.item()))
    y = x * 2
    y.register_hook(lambda g: g * 10)
    y.sum().backward()
    assert seen == [20.0]
    assert x.grad.item() == 20.0
    handle.remove()
    (x * 2).sum().backward()
    assert seen == [20.0]


def test_node_hooks() -> None:
    x = leaf(1)
    y = x * 3
    calls = []
    y.grad_fn.register_hook(
        lambda inputs, outputs: calls.append((inputs[0].item(), outputs[0].item()))
    )
    y.sum().backward()
    assert calls == [(3.0, 1.0)]


def test_grad() -> None:
    x, z = leaf(2), leaf(5)
    (dx,) = torch.autograd.grad((x * x).sum(), x)
    assert dx.item() == 4.0
    assert x.grad is None
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad((x * x).sum(), z)
    assert torch.autograd.grad((x * x).sum(), z, allow_unused=True) == (None,)


def test_only_scalars_imply_a_gradient() -> None:
    with pytest.raises(
        RuntimeError, match="grad can be implicitly created only for scalar outputs"
    ):
        (leaf(1, 2) * 2).backward()
    with pytest.raises(
        RuntimeError,
        match="element 0 of tensors does not require grad and does not have a grad_fn",
    ):
        torch.ones(1).backward()


def test_assigning_grad() -> None:
    x = leaf(1, 2)
    with pytest.raises(RuntimeError, match="attempting to assign a gradient of size"):
        x.grad = torch.ones(3, dtype=torch.float64)
    with pytest.raises(TypeError, match="assigned grad expected to be a Tensor or None"):
        x.grad = 3
    x.grad = torch.ones(2, dtype=torch.float64)
    x.grad = None
    assert x.grad is None


def test_detach_and_data() -> None:
    x = leaf(1, 2)
    assert not x.detach().requires_grad
    assert x.detach().data_ptr() == x.data_ptr()
    x.data = torch.zeros(2, dtype=torch.float64)
    assert x.tolist() == [0.0, 0.0]
    assert x.is_leaf
    y = x * 2
    assert not y.is_leaf
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf"):
        y.requires_grad = False


@pytest.mark.parametrize(
    ("call", "node"),
    [
        (lambda x: x * 2, "MulBackward0"),
        (lambda x: 2 * x, "MulBackward0"),
        (lambda x: x + 1, "AddBackward0"),
        (lambda x: x / 2, "DivBackward0"),
        (lambda x: 1 / x, "MulBackward0"),
        (lambda x: x - 1, "SubBackward0"),
        (lambda x: 1 - x, "RsubBackward1"),
        (lambda x: x % 2, "RemainderBackward0"),
        (lambda x: torch.add(x, 2), "AddBackward0"),
        (lambda x: torch.sub(x, 2), "SubBackward0"),
        (lambda x: torch.mul(x, 2), "MulBackward0"),
        (lambda x: torch.div(x, 2), "DivBackward0"),
        (lambda x: torch.rsub(x, 1), "RsubBackward1"),
        (lambda x: torch.remainder(x, 2), "RemainderBackward0"),
    ],
)
def test_nodes_of_operators_with_numbers(call: Any, node: str) -> None:
    x = torch.ones(3, requires_grad=True)
    assert type(call(x).grad_fn).__name__ == node


@pytest.mark.parametrize(
    "factory",
    [
        lambda: torch.zeros(3),
        lambda: torch.ones(3),
        lambda: torch.full((3,), 2.0),
        lambda: torch.rand(3),
        lambda: torch.randn(3),
        lambda: torch.randperm(3),
        lambda: torch.arange(3),
        lambda: torch.eye(3),
        lambda: torch.scalar_tensor(2.0),
        lambda: torch.zeros_like(torch.ones(3)),
        lambda: torch.rand_like(torch.ones(3)),
        lambda: torch.ones(3).new_zeros(2),
        lambda: torch.ones(3).new_full((2,), 1.0),
        lambda: torch.zeros(3, requires_grad=True),
    ],
)
def test_new_tensors_are_unchanged(factory: Any) -> None:
    x = factory()
    assert x._version == 0
    x.detach().fill_(1)
    assert x._version == 1


@pytest.mark.parametrize("dim", [0, -1])
@pytest.mark.parametrize("keepdim", [False, True])
def test_the_mean_of_a_tensor_without_dimensions(dim: int, keepdim: bool) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    x.mean(dim, keepdim=keepdim).backward()
    assert x.grad.item() == 1


@pytest.mark.parametrize("shape", [(2, 3), (4, 3, 2), (0, 3)])
def test_gradients_lie_in_memory_like_their_leaves(shape: tuple[int, ...]) -> None:
    x = torch.zeros(shape).transpose(0, -1).requires_grad_()
    for other in (torch.ones(()), torch.ones(x.shape)):
        x.grad = None
        (x * other).sum().backward()
        assert x.grad.shape == x.shape
        assert x.grad.stride() == x.stride()
    gaps = torch.zeros(4, 6)[:, ::2].requires_grad_()
    gaps.exp().sum().backward()
    assert gaps.grad.is_contiguous()


def test_as_strided_of_a_tensor_that_overlaps_itself() -> None:
    # Elements 0, 5, 5 and 10 of the memory: the middle one has two names, and gaps around it.
    memory = torch.arange(11, dtype=torch.float64)
    x = memory.as_strided((2, 2), (5, 5)).requires_grad_()
    x.as_strided((3,), (5,)).sum().backward()
    assert x.grad.tolist() == [[1.0, 0.5], [0.5, 1.0]]
    x.as_strided((0, 3), (5, 1)).sum().backward()
    assert x.grad.tolist() == [[1.0, 0.5], [0.5, 1.0]]


@pytest.mark.parametrize(
    ("size", "stride", "offset"),
    [((4, 3), (1, 4), 0), ((2, 3), (6, 1), 2), ((3, 3), (1, 1), 1)],
)
@pytest.mark.parametrize("transposed", [False, True])
def test_as_strided(
    size: tuple[int, ...], stride: tuple[int, ...], offset: int, transposed: bool
) -> None:
    values = torch.randn(4, 3, dtype=torch.float64)
    x = (values.t().contiguous().t() if transposed else values).requires_grad_()
    weight = torch.randn(size, dtype=torch.float64, requires_grad=True)

    def loss(x: torch.Tensor) -> torch.Tensor:
        return (x.as_strided(size, stride, offset) ** 3 * weight).sum()

    # The memory, and where each element of x lies in it.
    memory = x.detach().as_strided((12,), (1,)).clone().requires_grad_()
    place = torch.arange(12).as_strided(x.shape, x.stride())
    index = sum(
        (torch.arange(n) * s).view([-1 if i == d else 1 for i in range(len(size))])
        for d, (n, s) in enumerate(zip(size, stride, strict=True))
    )
    wanted = (memory[index + offset] ** 3 * weight).sum()
    (found_first,) = torch.autograd.grad(loss(x), x, create_graph=True)
    (wanted_first,) = torch.autograd.grad(wanted, memory, create_graph=True)
    torch.testing.assert_close(found_first, wanted_first[place])
    (found_second,) = torch.autograd.grad((found_first**2).sum(), x)
    (wanted_second,) = torch.autograd.grad((wanted_first**2).sum(), memory)
    torch.testing.assert_close(found_second, wanted_second[place])


def test_floor_division_has_no_derivative() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"derivative for aten::floor_divide is not implemented"):
        (x // 2).sum().backward()


def test_old_arguments_of_grad_and_backward() -> None:
    x = torch.tensor([2.0], requires_grad=True)
    (grad,) = torch.autograd.grad(x**2, x, create_graph=True, only_inputs=True)
    assert grad.item() == 4.0
    with pytest.warns(FutureWarning, match="only_inputs argument is deprecated"):
        torch.autograd.grad(x**2, x, only_inputs=False)
    with pytest.warns(FutureWarning, match="`grad_variables` is deprecated"):
        torch.autograd.backward(x * 3, grad_variables=torch.tensor([2.0]))
    assert x.grad is not None
    assert x.grad.item() == 6.0
    with (
        pytest.warns(FutureWarning),
        pytest.raises(RuntimeError, match="arguments both passed to `backward"),
    ):
        torch.autograd.backward(x * 3, x, grad_variables=x)


@pytest.mark.parametrize("create_graph", [False, True])
def test_zeros_in_place_of_no_gradient(create_graph: bool) -> None:
    x, y = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
    grads = torch.autograd.grad(
        (x**2).sum(), [x, y], create_graph=create_graph, materialize_grads=True
    )
    assert grads[1].tolist() == [0.0, 0.0, 0.0]
    assert grads[1].requires_grad is create_graph


@pytest.mark.parametrize("how", ["scatter", "index"])
def test_second_derivatives_of_a_product_of_two_zeros_are_refused(how: str) -> None:
    x = torch.ones(2, requires_grad=True)
    source = torch.tensor([0.0, 0.0, 3.0], requires_grad=True)
    places = torch.tensor([0, 0, 1])
    if how == "scatter":
        product = x.scatter_reduce(0, places, source, "prod")
    else:
        product = x.index_reduce(0, places, source, "prod")
    (grad,) = torch.autograd.grad(product.sum(), source, create_graph=True)
    assert grad.tolist() == [0, 0, 1]
    with pytest.raises(RuntimeError, match=f"{how}_reduce.*Double backward is unsupported for"):
        grad.sum().backward()


def test_grad_of_a_tensor_that_is_no_leaf_warns() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    with pytest.warns(UserWarning, match="of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert x.grad is None and x.detach().grad is None
        y.retain_grad()
        assert y.grad is None


def test_backward_that_makes_a_cycle_warns_once() -> None:
    torch.autograd._warn_of_cycles.cache_clear()
    x = torch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="will create a reference cycle between the parameter"):
        (x**2).sum().backward(create_graph=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (x**2).sum().backward(create_graph=True)
    x.grad = None
