"""torch.func: derivatives against their formulas, maps against loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import func, nn


def _random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64)


def test_gradients_nest() -> None:
    x = _random(3).abs() + 0.5

    def f(x: torch.Tensor) -> torch.Tensor:
        return (x**4).sum()

    torch.testing.assert_close(func.grad(f)(x), 4 * x**3)
    second = func.grad(lambda x: func.grad(f)(x).sum())(x)
    torch.testing.assert_close(second, 12 * x**2)
    third = func.grad(lambda x: func.grad(lambda x: func.grad(f)(x).sum())(x).sum())(x)
    torch.testing.assert_close(third, 24 * x)


def test_an_inner_gradient_sees_what_the_outer_follows() -> None:
    x, y = _random(), _random()
    mixed = func.grad(lambda x: func.grad(lambda y: (x * y) ** 2)(y))(x)
    torch.testing.assert_close(mixed, 4 * x * y)


def test_results_need_gradients_only_where_something_outside_does() -> None:
    x = _random(2)
    assert not func.grad(lambda x: (x**2).sum())(x).requires_grad
    weight = _random(2).requires_grad_()
    result = func.grad(lambda x: (weight**2 * x).sum())(x)
    result.sum().backward()
    torch.testing.assert_close(weight.grad, 2 * weight.detach())
    outer = x.clone().requires_grad_()
    func.grad(lambda x: (x**3).sum())(outer).sum().backward()
    torch.testing.assert_close(outer.grad, 6 * x)


def test_structures_and_aux() -> None:
    a, b = _random(2), _random(2)
    (da, rest), (value, aux) = func.grad_and_value(
        lambda a, other: ((a * other["b"]).sum(), a + 1), argnums=(0, 1), has_aux=True
    )(a, {"b": b})
    torch.testing.assert_close(da, b)
    torch.testing.assert_close(rest["b"], a)
    torch.testing.assert_close(value, a @ b)
    torch.testing.assert_close(aux, a + 1)
    assert not aux.requires_grad


def test_products_with_the_jacobian() -> None:
    matrix, x, v, u = _random(3, 2), _random(2), _random(2), _random(3)

    def f(x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(matrix @ x)

    jacobian = (1 - torch.tanh(matrix @ x) ** 2)[:, None] * matrix
    output, vjp_fn = func.vjp(f, x)
    torch.testing.assert_close(output, f(x))
    torch.testing.assert_close(vjp_fn(u), (u @ jacobian,))
    output, product = func.jvp(f, (x,), (v,))
    torch.testing.assert_close(product, jacobian @ v)
    torch.testing.assert_close(func.linearize(f, x)[1](v), jacobian @ v)
    torch.testing.assert_close(func.jacrev(f)(x), jacobian)
    torch.testing.assert_close(func.jacfwd(f)(x), jacobian)


def test_jacobians_of_structures() -> None:
    a, b = _random(2), _random(3)
    found = func.jacrev(lambda a, b: {"outer": a[:, None] * b, "sum": b.sum()}, argnums=(0, 1))(
        a, b
    )
    eye = torch.eye(2, dtype=torch.float64)
    torch.testing.assert_close(found["outer"][0], torch.einsum("ik,j->ijk", eye, b))
    torch.testing.assert_close(found["sum"][0], torch.zeros_like(a))
    torch.testing.assert_close(found["sum"][1], torch.ones_like(b))
    assert func.jacrev(lambda x: x[:0])(a).shape == (0, 2)


def test_hessian() -> None:
    x, matrix = _random(3), _random(3, 3)
    torch.testing.assert_close(func.hessian(lambda x: x @ matrix @ x)(x), matrix + matrix.T)


def test_a_map_is_a_loop() -> None:
    x, y = _random(4, 3), _random(3, 4)
    found = func.vmap(
        lambda x, y, k: (x @ y, {"k": k * x}), in_dims=(0, 1, None), out_dims=(0, -1)
    )(x, y, 2.0)
    torch.testing.assert_close(found[0], torch.stack([x[i] @ y[:, i] for i in range(4)]))
    torch.testing.assert_close(found[1]["k"], 2 * x.T)
    assert torch.vmap(lambda x: x * 2)(x[:0]).shape == (0, 3)
    assert torch.vmap(lambda x: x.sum(), in_dims=-1)(x).shape == (3,)


def test_gradients_of_each_sample() -> None:
    layer = nn.Linear(3, 1).double()
    x, target = _random(5, 3), _random(5, 1)
    parameters = {name: value.detach() for name, value in layer.named_parameters()}

    def loss(parameters: Any, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return ((func.functional_call(layer, parameters, (x,)) - target) ** 2).sum()

    found = func.vmap(func.grad(loss), in_dims=(None, 0, 0))(parameters, x, target)
    residual = 2 * (layer(x) - target).detach()
    torch.testing.assert_close(found["weight"], residual[:, :, None] * x[:, None, :])
    torch.testing.assert_close(found["bias"], residual)


def test_an_ensemble() -> None:
    models = [nn.Linear(2, 3) for _ in range(4)]
    parameters, buffers = func.stack_module_state(models)
    x = torch.randn(2)
    found = func.vmap(lambda p: func.functional_call(models[0], p, (x,)))(parameters)
    torch.testing.assert_close(found, torch.stack([model(x) for model in models]))
    assert buffers == {}
    assert parameters["weight"].requires_grad


def test_random_numbers_in_a_map() -> None:
    x = torch.zeros(3)
    draw: Callable[[torch.Tensor], torch.Tensor] = lambda x: x + torch.randn(())  # noqa: E731
    with pytest.raises(
        RuntimeError, match="called random operation while in randomness error mode"
    ):
        torch.vmap(draw)(x)
    same = torch.vmap(draw, randomness="same")(x)
    assert same.unique().numel() == 1
    assert torch.vmap(draw, randomness="different")(x).unique().numel() == 3


@pytest.mark.parametrize(
    ("use", "kind", "message"),
    [
        (
            lambda: func.grad(lambda x: x)(torch.ones(2)),
            RuntimeError,
            "to return a scalar Tensor, got tensor with 1 dims",
        ),
        (
            lambda: func.grad(lambda x: x.sum(), argnums=1)(torch.ones(2)),
            RuntimeError,
            "Got argnum=1, but only 1 positional inputs",
        ),
        (
            lambda: func.grad(lambda x: x.sum(), argnums=(0, 0))(torch.ones(2)),
            RuntimeError,
            "argnums elements must be unique",
        ),
        (
            lambda: func.jvp(lambda x: x, torch.ones(2), torch.ones(2)),
            RuntimeError,
            "Expected primals and tangents to be tuples",
        ),
        (
            lambda: func.vmap(lambda x: 3)(torch.ones(2)),
            ValueError,
            "must only return Tensors, got type <class 'int'>",
        ),
        (
            lambda: func.vmap(lambda x, y: x)(torch.ones(2), torch.ones(3)),
            ValueError,
            r"same size in the mapped dimension, got sizes \[2, 3\]",
        ),
        (
            lambda: func.vmap(lambda x: x, in_dims=2)(torch.ones(2)),
            ValueError,
            "expected in_dim to satisfy -1 <= in_dim < 1",
        ),
        (
            lambda: func.vmap(lambda x: x, in_dims=(0, 0))(torch.ones(2)),
            ValueError,
            "in_dims is not compatible with the structure of inputs",
        ),
        (
            lambda: func.vmap(lambda x: x, randomness="none")(torch.ones(2)),
            RuntimeError,
            "Only allowed values for randomness",
        ),
    ],
)
def test_messages(use: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        use()


def test_parameters_and_buffers_in_dicts_of_their_own() -> None:
    layer = nn.BatchNorm1d(3).eval()
    parameters = {name: torch.randn(3) for name, _ in layer.named_parameters()}
    buffers = {"running_mean": torch.randn(3), "running_var": torch.rand(3) + 1}
    x = torch.randn(4, 3)
    found = func.functional_call(layer, (parameters, buffers), (x,))
    torch.testing.assert_close(found, func.functional_call(layer, parameters | buffers, (x,)))
    with pytest.raises(ValueError, match=r"\['bias', 'weight'\] appeared in multiple dictionaries"):
        func.functional_call(layer, (parameters, parameters), (x,))
    with pytest.raises(ValueError, match="Expected parameters_and_buffers to be a dict, or a list"):
        func.functional_call(layer, 3, (x,))  # type: ignore[arg-type]


def test_a_tensor_under_a_name_that_the_module_has_not() -> None:
    class Scaled(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * getattr(self, "scale", 1)

    module = nn.Sequential(Scaled())
    x = torch.ones(2)
    assert func.functional_call(module, {"0.scale": x * 3}, (x,)).tolist() == [3.0, 3.0]
    assert not hasattr(module[0], "scale")
    for wrong in ({"0.scale": 5}, {"0": x}):
        with pytest.raises(TypeError, match="is not an instance of torch.Tensor"):
            func.functional_call(module, wrong, (x,))  # type: ignore[arg-type]


class _Holder(torch.nn.Module):
    """A layer, a number beside it, and on demand itself under another name."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)

    def forward(self, x: torch.Tensor) -> tuple[Any, ...]:
        return self.layer(x), tuple(self.parameters())


def test_functional_call_of_a_module_that_contains_itself() -> None:
    model = _Holder()
    model.layer.outer = model
    weight, before = torch.tensor([[2.0]]), model.layer.weight
    names = {"layer.outer.layer.weight": weight, "layer.bias": torch.tensor([1.0])}
    found, _ = func.functional_call(model, names, torch.ones(1, 1), tie_weights=False)
    assert found.item() == 3
    assert model.layer.weight is before


def test_functional_call_with_a_parameter_that_the_module_lacks() -> None:
    model = _Holder()
    extra, plain = torch.nn.Parameter(torch.ones(1)), torch.ones(1)
    _, seen = func.functional_call(
        model, {"layer.extra": extra, "layer.x": plain}, torch.ones(1, 1)
    )
    assert [id(p) for p in seen] == [id(p) for p in (*model.layer.parameters(), extra)]
    assert not hasattr(model.layer, "extra")
    assert not hasattr(model.layer, "x")


def test_the_older_name_of_functional_call_warns() -> None:
    layer = torch.nn.Linear(1, 1, bias=False)
    with pytest.warns(FutureWarning, match="Please use `torch.func.functional_call`"):
        found = torch.nn.utils.stateless.functional_call(
            layer, {"weight": torch.tensor([[3.0]])}, torch.ones(1, 1)
        )
    assert found.item() == 3


def _set_first(x: torch.Tensor, b: torch.Tensor) -> None:
    x[0] = b[0]


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (lambda x, b: x.add_(b), "add_"),
        (lambda x, b: x.lerp_(b, 0.5), "lerp_"),
        (lambda x, b: x.addcmul_(b, b), "addcmul_"),
        (lambda x, b: x[1:].copy_(b[1:]), "copy_"),
        (_set_first, "copy_"),
        (lambda x, b: x.index_put_((torch.tensor([0]),), b[:1]), "index_put_"),
        (lambda x, b: x.masked_fill_(b > b.mean(), 5.0), "masked_fill_"),
        (lambda x, b: torch.mul(b, 2, out=x), "mul"),
        (lambda x, b: torch._foreach_add_([x], [b]), "add_"),
        (lambda x, b: x.fill_(b.sum().item()), "fill_"),
        (lambda x, b: torch.vmap(lambda one: x.mul_(one))(b), "mul_"),
    ],
)
def test_maps_refuse_entries_that_write_different_values(
    write: Callable[[torch.Tensor, torch.Tensor], Any], name: str
) -> None:
    batch, x = _random(4, 3), torch.ones(3, dtype=torch.float64)

    def f(x: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        write(x, b)
        return x * b

    for call in (
        lambda: torch.vmap(lambda b: f(x, b))(batch),
        lambda: torch.vmap(f, in_dims=(None, 0))(x, batch),
    ):
        with pytest.raises(RuntimeError, match=rf"vmap: aten::{name}\(self, \*extra_args\) is not"):
            call()
        assert x.tolist() == [1, 1, 1]


def test_maps_write_once_what_all_entries_write() -> None:
    batch, counter = _random(4, 3), torch.zeros(())

    def f(b: torch.Tensor) -> torch.Tensor:
        before = counter.clone()
        counter.add_(1)
        return b * before + counter

    assert torch.equal(torch.vmap(f)(batch), torch.ones(4, 3).double())
    assert counter == 1
    layer = nn.BatchNorm1d(3)
    with pytest.raises(RuntimeError, match="vmap: aten::batch_norm"):
        torch.vmap(layer)(torch.randn(4, 5, 3))
    assert layer.running_mean is not None and layer.running_mean.tolist() == [0, 0, 0]
    assert torch.vmap(layer.eval())(torch.randn(4, 5, 3)).shape == (4, 5, 3)


def test_maps_write_to_entries_and_to_what_they_make() -> None:
    batch = _random(4, 3)
    wanted = batch * 2 + 1
    changed = batch.clone()
    torch.vmap(lambda b: b.mul_(2).add_(1))(changed)
    assert torch.equal(changed, wanted)
    changed = batch.t().contiguous()
    torch.vmap(lambda b: b.mul_(2).add_(1), in_dims=1)(changed)
    assert torch.equal(changed.t(), wanted)
    made = torch.vmap(lambda b: torch.ones(3, dtype=torch.float64).add_(b).add_(b))
    torch.testing.assert_close(made(batch), wanted)
    gradients = torch.vmap(lambda b: func.grad(lambda c: (c * c).sum())(b).add_(1))
    torch.testing.assert_close(gradients(batch), wanted)
    sums = torch.vmap(lambda a: torch.vmap(lambda b: b.clone().add_(a))(batch))(batch)
    torch.testing.assert_close(sums, batch[:, None] + batch)


def test_maps_refuse_writes_that_they_cannot_take_back() -> None:
    batch, leaf = _random(4, 3), torch.ones(3, dtype=torch.float64, requires_grad=True)
    followed = leaf * 1
    with pytest.raises(RuntimeError, match="`self` requires grad and is not being vmapped over"):
        torch.vmap(lambda b: followed.mul_(2) * b)(batch)
    assert followed.tolist() == [1, 1, 1]
    x = torch.ones(2, 3)
    with pytest.raises(RuntimeError, match=r"aten::t_\(self\) is not possible"):
        torch.vmap(lambda b: x.t_().sum() * b)(batch)
    assert x.shape == (2, 3)
    # Entries of an expanded batch share their memory.
    with pytest.raises(RuntimeError, match="aten::mul_"):
        torch.vmap(lambda b, c: b.mul_(c))(torch.ones(1, 3).double().expand(4, 3), batch)


@pytest.mark.parametrize(
    "derivative",
    [
        lambda f, x: func.grad(lambda x: f(x).sum())(x),
        lambda f, x: func.vjp(f, x)[0],
        lambda f, x: func.vjp(f, x)[1](torch.ones_like(x))[0],
        lambda f, x: func.jvp(f, (x,), (torch.ones_like(x),))[0],
        lambda f, x: func.jvp(f, (x,), (torch.ones_like(x),))[1],
        lambda f, x: func.jacrev(f)(x),
        lambda f, x: func.hessian(lambda x: f(x).sum())(x),
    ],
)
def test_in_no_grad_a_derivative_is_a_constant(derivative: Callable[..., torch.Tensor]) -> None:
    x, w = _random(3).requires_grad_(), _random(3).requires_grad_()
    expected = derivative(lambda x: x**3 * w, x)
    assert expected.requires_grad
    with torch.no_grad():
        found = derivative(lambda x: x**3 * w, x)
    assert not found.requires_grad
    torch.testing.assert_close(found, expected.detach())


def test_a_product_in_no_grad_of_a_vjp_outside() -> None:
    w = _random(3).requires_grad_()
    _, product = func.vjp(lambda x: x**3 * w, _random(3))
    with torch.no_grad():
        assert not product(torch.ones(3, dtype=torch.float64))[0].requires_grad


def test_the_graph_stays_for_all_entries_of_a_batch() -> None:
    """PyTorch goes backward once for all entries."""
    x = _random(3).requires_grad_()
    rows = torch.eye(3, dtype=torch.float64)

    def product(y: torch.Tensor) -> Any:
        return lambda v: torch.autograd.grad(y, x, v)[0]

    y = x.sin()
    torch.testing.assert_close(func.vmap(product(y))(rows), x.detach().cos().diag())
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        torch.autograd.grad(y.sum(), x)
    y = x.sin()
    nested = func.vmap(func.vmap(product(y)))(torch.stack([rows, 2 * rows]))
    torch.testing.assert_close(nested[1], 2 * x.detach().cos().diag())


def test_the_former_name_of_vmap_lets_none_through() -> None:
    from torch._vmap_internals import _vmap

    x, v = _random(2).requires_grad_(), _random(4, 2)
    y = (x.exp(), x.detach().requires_grad_())
    product = _vmap(
        lambda v: torch.autograd.grad(y[0], y[::-1] + (x,), v, allow_unused=True),
        allow_none_pass_through=True,
    )
    unused, _, found = product(v)
    assert unused is None
    torch.testing.assert_close(found, v * x.detach().exp())
    torch.testing.assert_close(_vmap(torch.exp)(v), v.exp())
