"""Modes of autograd, hooks on several tensors, derivatives of functions."""

from __future__ import annotations

import contextlib
import gc
import warnings
import weakref
from typing import Any

import pytest
import torch
from torch.autograd import functional, graph


def test_anomaly_mode_names_the_forward() -> None:
    x = torch.tensor([-1.0, 4.0], requires_grad=True)
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"):
        mode = torch.autograd.detect_anomaly()
    with mode:
        assert torch.is_anomaly_enabled()
        loss = x.sqrt().sum()
        with (
            pytest.warns(
                UserWarning,
                match=r"(?s)Error detected in SqrtBackward0. Traceback of forward call that caused "
                r"the error:.*loss = x.sqrt\(\).sum\(\)",
            ),
            pytest.raises(
                RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th outp"
            ),
        ):
            loss.backward()
    assert not torch.is_anomaly_enabled()
    x.sqrt().sum().backward()
    assert x.grad is not None


class Inducing(torch.autograd.Function):
    """Its backward makes a node that goes wrong in its turn."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return grad * (x.sqrt() * 0)


class _Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad * 2


@pytest.mark.parametrize("twice", [lambda x: x * 2, _Twice.apply])
def test_metadata_lives_as_long_as_the_node(twice: Any) -> None:
    class Note:
        pass

    x = torch.ones(2, requires_grad=True)
    y = twice(x)
    note = Note()
    y.grad_fn.metadata["note"] = note
    alive = weakref.ref(note)
    del note
    gc.collect()
    assert y.grad_fn.metadata == {"note": alive()}
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2, 2]
    del y
    gc.collect()
    assert alive() is None
    with torch.autograd.set_detect_anomaly(True):
        y = twice(x)
        entries = y.grad_fn.metadata["traceback_"]
    assert all(entry.startswith("  File ") and entry.endswith("\n") for entry in entries)
    assert any("in test_metadata_lives_as_long_as_the_node" in entry for entry in entries)


def test_anomaly_mode_of_a_second_derivative() -> None:
    x = torch.tensor([0.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        (grad,) = torch.autograd.grad(Inducing.apply(x), x, create_graph=True)
        with (
            pytest.warns(
                UserWarning,
                match=r"(?s)Error detected in SqrtBackward0.*Previous calculation was induced by "
                r"\S*InducingBackward. Traceback of forward call that induced the previous calcul"
                r"ation:.*Inducing.apply\(x\)",
            ),
            pytest.raises(RuntimeError, match="returned nan values"),
        ):
            grad.backward()


def test_anomaly_mode_without_the_check_for_nan() -> None:
    x = torch.tensor([-1.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        assert not torch.is_anomaly_check_nan_enabled()
        x.sqrt().sum().backward()
    assert x.grad is not None
    assert x.grad.isnan().all()


def test_errors_outside_the_recorded_forward() -> None:
    x = torch.tensor([-1.0], requires_grad=True)
    loss = x.sqrt().sum()
    with (
        torch.autograd.set_detect_anomaly(True),
        pytest.warns(UserWarning, match="No forward pass information available"),
        pytest.raises(RuntimeError, match="returned nan values"),
    ):
        loss.backward()


def test_inference_mode() -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled()
        y = x * 2
        assert y.is_inference()
        assert not y.requires_grad
        with torch.inference_mode(False):
            assert not torch.is_inference_mode_enabled()
            assert (x * 2).requires_grad
    assert not torch.is_inference_mode_enabled()
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        _ = y._version
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        x * y
    assert (x * y.clone()).requires_grad

    # A view of a tensor from outside stays such a tensor, so that layers work on their weights.
    with torch.inference_mode():
        assert not x.detach().reshape(1, 2).t().is_inference()
        assert torch.nn.Linear(2, 3)(y.reshape(1, 2)).is_inference()
    layer = torch.nn.Linear(2, 2)
    with torch.inference_mode():
        assert layer(layer(x)).is_inference()

    @torch.inference_mode()
    def double(value: torch.Tensor) -> torch.Tensor:
        return value * 2

    assert double(x).is_inference()


def test_post_accumulate_hooks() -> None:
    x = torch.ones(2, requires_grad=True)
    seen: list[list[float]] = []
    handle = x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.tolist()))
    (x * 2).sum().backward()
    (x * 3).sum().backward()
    handle.remove()
    x.sum().backward()
    assert seen == [[2, 2], [5, 5]]
    # A hook may return the tensor itself, and nothing else.
    same = x.register_post_accumulate_grad_hook(lambda p: p)
    x.sum().backward()
    same.remove()
    other = x.register_post_accumulate_grad_hook(lambda p: p.grad)
    with pytest.raises(RuntimeError, match="post accumulate grad hooks should return None"):
        x.sum().backward()
    other.remove()
    x.register_post_accumulate_grad_hook(lambda p: 5)
    with pytest.raises(TypeError, match="expected Variable, but hook returned 'int'"):
        x.sum().backward()
    with pytest.raises(RuntimeError, match="cannot be registered on non-leaf tensors"):
        (x * 2).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        torch.ones(1).register_post_accumulate_grad_hook(print)


def test_multi_grad_hooks() -> None:
    a, b = (torch.ones(1, requires_grad=True) for _ in range(2))
    seen: list[object] = []
    handle = graph.register_multi_grad_hook(
        (a, b), lambda grads: seen.append([g if g is None else g.item() for g in grads])
    )
    (a * 2 + b * 3).backward()
    (b * 4).backward()
    handle.remove()
    (a * 2 + b * 3).backward()
    assert seen == [[2, 3], [None, 4]]
    seen.clear()
    with graph.register_multi_grad_hook((a, b), lambda g: seen.append(g.item()), mode="any"):
        (a * 5 + b * 5).backward()
    assert seen == [5]
    with pytest.raises(ValueError, match="Expects mode to be one of"):
        graph.register_multi_grad_hook((a, b), print, mode="some")


def test_gradient_edges() -> None:
    x = torch.ones(1, requires_grad=True)
    assert graph.get_gradient_edge(x).node.variable is x
    assert "Mul" in graph.get_gradient_edge(x * 2).node.name()
    with pytest.raises(RuntimeError, match="does not require gradients"):
        graph.get_gradient_edge(torch.ones(1))
    before = x.detach()._version
    graph.increment_version(x.detach())
    assert x._version == before + 1


def cube(x: torch.Tensor) -> torch.Tensor:
    return (x**3).sum()


def test_jacobian_and_hessian() -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0, 5.0])
    jacobian = functional.jacobian(lambda a, b: (a.sum() * b, (a * a).sum()), (x, y))
    assert jacobian[0][0].tolist() == [[3, 3], [4, 4], [5, 5]]
    assert jacobian[0][1].tolist() == [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
    assert jacobian[1][0].tolist() == [2, 4]
    assert jacobian[1][1].tolist() == [0, 0, 0]
    assert functional.hessian(cube, x).tolist() == [[6, 0], [0, 12]]
    leaf = x.clone().requires_grad_()
    functional.jacobian(lambda a: a**3, leaf, create_graph=True).sum().backward()
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [6, 12]


def test_products_with_vectors() -> None:
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, -1.0])
    full = functional.jacobian(lambda a: a.sum() * a, x)
    torch.manual_seed(0)
    assert torch.allclose(functional.vjp(lambda a: a.sum() * a, x, v)[1], v @ full)
    assert torch.allclose(functional.jvp(lambda a: a.sum() * a, x, v)[1], full @ v)
    assert functional.vhp(cube, x, v)[1].tolist() == [6, -12]
    assert functional.hvp(cube, x, v)[1].tolist() == [6, -12]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: functional.vjp(torch.exp, x), "The vector v can only be None if the user-provi"),
        (lambda x: functional.vjp(torch.exp, x, torch.ones(3)), "v has invalid size: should be"),
        (lambda x: functional.hessian(torch.exp, x), "should contain a single element"),
        (
            lambda x: functional.jacobian(lambda a: torch.ones(1), x, strict=True),
            "Output 0 of the user-provided function does not require gradients",
        ),
        (
            lambda x: functional.jacobian(lambda a: torch.ones(1).requires_grad_(), x, strict=True),
            "Output 0 of the user-provided function is independent of input 0",
        ),
        (
            lambda x: functional.jacobian(lambda a, b: (b, a), (x, x), strict=True),
            "Output 0 of the user-provided function is independent of input 0",
        ),
        (
            lambda x: functional.vjp(lambda a: a * 2, x, x, create_graph=True, strict=True),
            "jacobian of the user-provided function is independent of input 0. This is not allowed",
        ),
        (
            lambda x: functional.jvp(lambda a: a * 2, x, x, create_graph=True, strict=True),
            "jacobian of the user-provided function is independent of input 0. This is not allowed",
        ),
        (
            lambda x: functional.hessian(lambda a, b: (a * a).sum(), (x, x), strict=True),
            "jacobian of the user-provided function with respect to input 1 is independent",
        ),
        (
            lambda x: functional.hessian(lambda a: a.sum(), x, strict=True),
            "jacobian of the user-provided function with respect to input 0 is independent",
        ),
        (
            lambda x: functional.hvp(lambda a: a.sum(), x, x, strict=True),
            "jacobian of the user-provided function with respect to input 0 is independent",
        ),
        (
            lambda x: functional.jacobian(torch.exp, x, strict=True, vectorize=True),
            "`strict=True` and `vectorized=True` are not supported together",
        ),
        (
            lambda x: functional.jacobian(torch.exp, x, strategy="forward-mode"),
            "only supported when `vectorize=True`",
        ),
        (lambda x: functional.vjp(torch.exp, x, (x, x)), "v should contain a single Tensor"),
    ],
)
def test_refusals_of_functional(call: object, message: str) -> None:
    with pytest.raises((RuntimeError, NotImplementedError), match=message):
        call(torch.ones(2))  # type: ignore[operator]
    with pytest.raises(TypeError, match="must be either a Tensor or a tuple of Tensors"):
        functional.jacobian(lambda a: 3, torch.ones(1))
    with pytest.raises(TypeError, match="The inputs given to hvp must be either"):
        functional.hvp(torch.sum, (torch.ones(1), 3))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="Expected strategy to be either"):
        functional.jacobian(torch.exp, torch.ones(1), strategy="sideways")


def test_strategies_have_the_same_values() -> None:
    x = torch.tensor([0.5, 2.0])
    expected = functional.jacobian(torch.exp, x)
    forward = functional.jacobian(torch.exp, x, vectorize=True, strategy="forward-mode")
    assert torch.equal(forward, expected)
    second = functional.hessian(cube, x, vectorize=True, outer_jacobian_strategy="forward-mode")
    assert torch.equal(second, functional.hessian(cube, x))


def test_default_device() -> None:
    with torch.device("meta"):
        assert torch.ones(1).is_meta
        assert torch.tensor([1.0]).is_meta
        assert torch.nn.Linear(1, 1).weight.is_meta
        with torch.device("cpu"):
            assert torch.ones(1).is_cpu
        assert torch.arange(3).is_meta
        assert torch.ones(1, device="cpu").new_ones(1).is_cpu
    assert torch.ones(1).is_cpu
    torch.set_default_device("meta")
    try:
        assert torch.get_default_device() == torch.device("meta")
        assert torch.rand(2).is_meta
        assert torch.ones(1, device="cpu").to(torch.float64).is_cpu
    finally:
        torch.set_default_device(None)
    assert torch.rand(2).is_cpu


def test_limits_of_dtypes() -> None:
    info = torch.finfo(torch.float16)
    assert (info.max, info.min, info.bits) == (65504.0, -65504.0, 16)
    assert torch.tensor(1.0 + torch.finfo(torch.bfloat16).eps).bfloat16().item() > 1
    assert torch.finfo().dtype == "float32"
    assert torch.iinfo(torch.int8).min == -128
    assert torch.iinfo(torch.uint64).max == 2**64 - 1
    with pytest.raises(TypeError, match="requires a floating point input type"):
        torch.finfo(torch.int8)
    with pytest.raises(TypeError, match="requires an integer input type"):
        torch.iinfo(torch.float32)


def test_generators_are_copied() -> None:
    first = torch.Generator().manual_seed(1)
    second = first.clone_state()
    assert torch.rand(3, generator=first).equal(torch.rand(3, generator=second))
    torch.manual_seed(2)
    with torch.random.fork_rng():
        inside = torch.rand(1)
    assert torch.rand(1).equal(inside)


def test_contexts_of_packages_decorate_functions() -> None:
    from torch.utils import _contextlib

    depth: list[int] = []

    class Deeper(_contextlib._DecoratorContextManager):
        def __init__(self, by: int) -> None:
            self.by = by

        def clone(self) -> Any:
            return Deeper(self.by)

        def __enter__(self) -> None:
            depth.append(self.by)

        def __exit__(self, *args: object) -> None:
            depth.pop()

    class Plain(_contextlib._NoParamDecoratorContextManager):
        def __enter__(self) -> None:
            depth.append(1)

        def __exit__(self, *args: object) -> None:
            depth.pop()

    @Deeper(3)
    @Plain
    def look(x: int) -> list[int]:
        return [x, *depth]

    assert look(7) == [7, 3, 1]

    @Deeper(2)
    def numbers() -> Any:
        sent = yield list(depth)
        yield sent, list(depth)

    generator = numbers()
    assert next(generator) == [2]
    assert depth == []
    assert generator.send("a") == ("a", [2])
    assert _contextlib.context_decorator(lambda: Plain(), lambda: list(depth))() == [1]
    assert _contextlib.context_decorator(contextlib.nullcontext(), lambda: list(depth))() == []
    with pytest.raises(AssertionError, match="is both callable and also a valid context manager"):
        _contextlib.context_decorator(Plain(), look)
    with pytest.raises(RuntimeError, match="Cannot decorate classes; it is ambiguous"):
        _contextlib.context_decorator(lambda: Plain(), Plain)
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):
        decorated = Deeper(4)(type("Built", (), {"__init__": lambda self: self.note()}))
    decorated.note = lambda self: setattr(self, "seen", list(depth))
    assert decorated().seen == [4]
    assert torch.no_grad().clone().mode is False
    assert isinstance(torch.enable_grad(), _contextlib._DecoratorContextManager)


def test_no_warnings_outside_the_mode() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (torch.ones(1, requires_grad=True) * 2).backward()


def test_an_edge_without_a_gradient_has_no_zeros() -> None:
    x, y = torch.rand(2, requires_grad=True), torch.rand(2, requires_grad=True)
    used, other = graph.get_gradient_edge(x), graph.get_gradient_edge(y)
    both = torch.autograd.grad((x * 2).sum(), (used, y), materialize_grads=True)
    assert [g.tolist() for g in both] == [[2, 2], [0, 0]]
    with pytest.raises(RuntimeError, match="materialize_grads cannot be used when the given input"):
        torch.autograd.grad((x * 2).sum(), (x, other), materialize_grads=True)


@pytest.mark.parametrize("requires_grad", [False, True])
def test_views_of_inference_tensors_outside_of_the_mode(requires_grad: bool) -> None:
    x = torch.rand(2, 3, requires_grad=requires_grad)
    with torch.inference_mode():
        y = x * 2
    wanted = x.detach().numpy() * 2
    views = {
        "index": (y[0], wanted[0]),
        "view": (y.view(6), wanted.reshape(6)),
        "view_as": (y.view_as(x), wanted),
        "transpose": (y.transpose(0, 1), wanted.T),
        "split": (y.split(1)[1], wanted[1:]),
        "expand": (y.unsqueeze(0).expand(2, -1, -1)[1], wanted),
        "detach": (y.detach(), wanted),
    }
    for name, (view, expected) in views.items():
        assert view.is_inference() and not view.requires_grad and not view._is_view(), name
        assert view.data_ptr() >= y.data_ptr() and (view.numpy() == expected).all(), name
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside Inference"):
        y[0].zero_()
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        _ = y.view(6)._version


def test_nodes_are_instances_of_a_class() -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return 2 * x

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
            return 2 * grad

    x = torch.ones(2, requires_grad=True)
    for y in (x.sin(), Double.apply(x)):
        assert isinstance(y.grad_fn, graph.Node)
        assert isinstance(y.grad_fn.next_functions[0][0], graph.Node)
    assert not isinstance(x, graph.Node) and not issubclass(Double, graph.Node)
    with pytest.raises(TypeError, match="abstract"):
        graph.Node()  # type: ignore[abstract]
