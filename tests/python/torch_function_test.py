"""The protocol `__torch_function__`: classes, modes, and torch.overrides."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar, cast

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn, overrides
from torch._C import DisableTorchFunctionSubclass
from torch.overrides import BaseTorchFunctionMode, TorchFunctionMode


class Plain(Tensor):
    """Inherits Tensor's `__torch_function__`."""


class Logged(Tensor):
    """Notes the names of the calls."""

    calls: ClassVar[list[str | None]] = []

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        cls.calls.append(overrides.resolve_name(func))
        return super().__torch_function__(func, types, args, kwargs)


class Foreign:
    """No tensor; answers every call by its name and arguments."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func.__name__, types, args, kwargs or {}


class Silent:
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return NotImplemented


class Record(TorchFunctionMode):
    """Notes every function that it gets."""

    def __init__(self) -> None:
        self.functions: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.functions.append(func)
        return func(*args, **(kwargs or {}))


def plain(*shape: int) -> Any:
    return torch.randn(*shape).as_subclass(Plain)


SURVIVE: list[Callable[[Any], Any]] = [
    lambda x: torch.add(x, 1),
    lambda x: torch.add(torch.ones(3, 3), x),
    lambda x: torch.cat([torch.ones(1, 3), x]),
    lambda x: torch.linalg.inv(x + 9 * torch.eye(3)),
    lambda x: torch.special.expit(x),
    lambda x: torch.fft.fft(x),
    lambda x: x.add(1),
    lambda x: x.sum(0),
    lambda x: x.to(torch.float64),
    lambda x: x.detach(),
    lambda x: x.T,
    lambda x: x.data,
    lambda x: x + 1,
    lambda x: 1 - x,
    lambda x: torch.ones(3, 3) * x,
    lambda x: x @ x,
    lambda x: torch.ones(3, 3) @ x,
    lambda x: x**2,
    lambda x: 2**x,
    lambda x: -x,
    lambda x: abs(x),
    lambda x: x == 1,
    lambda x: torch.ones(3, 3) < x,
    lambda x: ~(x > 0),
    lambda x: x[0],
    lambda x: x[:, None, 1:],
    lambda x: x[x > 0],
    lambda x: x[[0, 1]],
    lambda x: x.add_(1),
    lambda x: x.__iadd__(torch.ones(3, 3)),
    lambda x: F.relu(x),
    lambda x: F.softmax(x, -1),
    lambda x: F.linear(x, torch.ones(2, 3)),
    lambda x: F.mse_loss(torch.ones(3, 3), x),
    lambda x: F.dropout(x),
    lambda x: F.pad(x, (1, 1)),
    lambda x: x.norm(),
    lambda x: torch.norm(x),
    lambda x: x.split(2)[1],
    lambda x: torch.split(x, 2)[0],
    lambda x: x.unbind()[2],
    lambda x: next(iter(x)),
    lambda x: torch.max(x, 0).values,
    lambda x: torch.zeros_like(x),
    lambda x: x.new_zeros(2),
    lambda x: torch.where(x > 0, x, 0.0),
    lambda x: nn.Linear(3, 2)(x),
    lambda x: copy.copy(x),
    lambda x: torch.einsum("ij,kj->ik", x, torch.ones(2, 3)),
    lambda x: torch.ops.aten.add.Tensor(x, x),
]


@pytest.mark.parametrize("function", SURVIVE)
def test_a_subclass_survives(function: Callable[[Any], Any]) -> None:
    x = plain(3, 3)
    torch.manual_seed(0)
    result = function(x)
    assert type(result) is Plain
    with DisableTorchFunctionSubclass():
        torch.manual_seed(0)
        assert type(result.as_subclass(Tensor)) is Tensor
    if function(torch.ones(3, 3)) is not None:
        assert type(function(torch.ones(3, 3))) is Tensor


def test_values_are_those_of_the_tensor() -> None:
    x = plain(3, 3)
    base = x.as_subclass(Tensor)
    assert type(base) is Tensor
    assert base.data_ptr() == x.data_ptr()
    torch.testing.assert_close((x @ x + 1).as_subclass(Tensor), base @ base + 1)
    x += 1
    x[0] = 5.0
    assert type(x) is Plain
    assert torch.equal(base[0], torch.full((3,), 5.0))
    assert x.shape == (3, 3)
    assert x.tolist() == base.tolist()
    assert float(x[0, 0]) == 5.0


def test_gradients_pass() -> None:
    x = torch.randn(3, requires_grad=True)
    s = x.as_subclass(Plain)
    (s * s).sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(x.grad, 2 * x.detach())
    leaf = plain(3).requires_grad_()
    assert type(leaf) is Plain
    (leaf * 2).sum().backward()
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [2, 2, 2]


def test_types_that_do_not_know_each_other() -> None:
    class Left(Tensor):
        pass

    class Right(Tensor):
        pass

    class Below(Left):
        pass

    a, b, c = (torch.ones(2).as_subclass(cls) for cls in (Left, Right, Below))
    with pytest.raises(TypeError, match="__torch_function__ handlers returned NotImplemented"):
        torch.add(a, b)
    with pytest.raises(TypeError, match="unsupported operand type"):
        _ = a + b
    # A subclass is asked first.
    assert type(torch.add(a, c)) is Below
    assert type(c + a) is Below


def test_a_disabled_class_counts_as_tensor() -> None:
    class Disabled(Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    x = torch.ones(2).as_subclass(Disabled)
    assert type(x + 1) is Tensor
    assert not overrides.has_torch_function((x,))
    assert type(nn.Parameter(torch.ones(2)) * 1) is Tensor


def test_objects_that_are_no_tensors() -> None:
    f: Any = Foreign()
    silent: Any = Silent()
    result: Any = torch.add(f, 1, alpha=2)
    name, types, args, kwargs = result
    assert (name, types, args, kwargs) == ("add", (Foreign,), (f, 1), {"alpha": 2})
    assert torch.cat([torch.ones(1), f], dim=0)[0] == "cat"
    assert F.relu(f)[0] == "relu"
    assert torch.nn.init.uniform_(f)[0] == "uniform_"
    assert (torch.ones(1) + f)[0] == "add"
    assert torch.ones(1).add(f)[1] == (Foreign,)
    assert torch.add(torch.ones(1), 1, out=f)[3]["out"] is f
    with pytest.raises(TypeError, match=r"torch\.add'; all __torch_function__ handlers returned"):
        torch.add(silent, 1)
    with pytest.raises(TypeError, match="no implementation found for 'torch.nn.functional.*relu'"):
        F.relu(silent)


def test_what_the_method_is_told() -> None:
    Logged.calls.clear()
    x = torch.ones(2).as_subclass(Logged)
    _ = x + 1
    _ = 1 + x
    _ = x.shape
    _ = x.grad
    x.requires_grad = False
    torch.mul(x, 2)
    x.mul(2)
    F.relu(x)
    x[0] = 1
    assert Logged.calls == [
        "torch.Tensor.add",
        "torch.Tensor.add",
        "torch.Tensor.shape.__get__",
        "torch.Tensor.grad.__get__",
        "torch.Tensor.requires_grad.__set__",
        "torch.mul",
        "torch.Tensor.mul",
        "torch.nn.functional.relu",
        "torch.Tensor.__setitem__",
    ]


def test_disabled_in_a_block_and_on_this_thread_only() -> None:
    x = plain(2)
    seen = []
    with DisableTorchFunctionSubclass():
        assert type(x + 1) is Tensor
        with DisableTorchFunctionSubclass():
            pass
        assert type(x + 1) is Tensor
        thread = threading.Thread(target=lambda: seen.append(type(x + 1)))
        thread.start()
        thread.join()
    assert seen == [Plain]
    assert type(x + 1) is Plain
    with pytest.raises(KeyError), DisableTorchFunctionSubclass():
        raise KeyError
    assert torch._C._is_torch_function_enabled()


def test_modes_see_all_calls_and_nest() -> None:
    outer, inner = Record(), Record()
    with outer, inner:
        y = torch.ones(2)
        z = y + 1
        F.relu(z)
        torch.ops.aten.add.Tensor(y, y)
    assert torch.ones in inner.functions
    assert Tensor.add in inner.functions
    assert F.relu in inner.functions
    assert torch.ops.aten.add.Tensor in [*inner.functions]
    # What inner calls goes on to outer.
    assert inner.functions == outer.functions[: len(inner.functions)] or set(
        inner.functions
    ) <= set(outer.functions)
    count = len(outer.functions)
    torch.ones(2)
    assert len(outer.functions) == count

    class Replace(TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if func is torch.ones:
                return -1
            return func(*args, **(kwargs or {}))

    with Replace():
        assert torch.ones(3) == -1
        with BaseTorchFunctionMode():
            assert torch.ones(3) == -1
        with DisableTorchFunctionSubclass():
            assert torch.ones(3) == -1
        with torch._C.DisableTorchFunction():
            assert torch.ones(3).tolist() == [1, 1, 1]
    assert torch.ones(1).tolist() == [1]


def test_modes_see_tensors_made_of_data() -> None:
    record = Record()
    with record:
        torch.tensor([1.0])
        torch.as_tensor([1.0], dtype=torch.float64)
    assert record.functions == [torch.tensor, torch.as_tensor]
    # The class of the data has no say.
    Logged.calls.clear()
    torch.as_tensor([1.0])
    assert type(torch.tensor(torch.ones(()).as_subclass(Logged).item())) is Tensor
    assert "torch.tensor" not in Logged.calls


def test_an_index_of_another_class_is_asked() -> None:
    y = torch.arange(4.0)
    index = torch.tensor([2, 0]).as_subclass(Plain)
    assert type(y[index]) is Plain
    assert type(y[None, index]) is Plain
    assert y[index].tolist() == [2, 0]
    y[index] = torch.tensor([7.0, 8.0])
    assert y.tolist() == [8, 1, 7, 3]
    foreign: Any = Foreign()
    result: Any = y[foreign]
    assert result == ("__getitem__", (Foreign,), (y, foreign), {})


def test_modes_end_with_an_exception_and_belong_to_a_thread() -> None:
    record = Record()
    with pytest.raises(ZeroDivisionError), record:
        raise ZeroDivisionError
    assert torch._C._len_torch_function_stack() == 0
    found: list[int] = []
    with record:
        thread = threading.Thread(target=lambda: found.append(torch._C._len_torch_function_stack()))
        thread.start()
        thread.join()
    assert found == [0]
    with pytest.raises(NotImplementedError, match="Bare has no __torch_function__"):
        type("Bare", (TorchFunctionMode,), {})().__torch_function__(torch.add, ())
    with pytest.raises(RuntimeError, match="no active TorchFunctionMode"):
        torch._C._pop_torch_function_stack()


def test_a_mode_goes_before_classes() -> None:
    order: list[str] = []

    class Mode(TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            order.append(f"mode {[t.__name__ for t in types]}")
            return func(*args, **(kwargs or {}))

    class Class(Tensor):
        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            order.append("class")
            return super().__torch_function__(func, types, args, kwargs)

    x = torch.ones(2).as_subclass(Class)
    with Mode():
        torch.add(x, 1)
    assert order == ["mode ['Class']", "class"]


def test_has_and_handle() -> None:
    x, t = Foreign(), torch.ones(1)
    assert overrides.has_torch_function((t, x))
    assert overrides.has_torch_function([x])
    assert not overrides.has_torch_function((t, 1, None))
    assert overrides.has_torch_function_unary(x)
    assert not overrides.has_torch_function_unary(t)
    assert overrides.has_torch_function_variadic(t, x)
    assert not overrides.has_torch_function_variadic(t, t)
    assert overrides.is_tensor_like(x)
    assert not overrides.is_tensor_like(3)

    def double(value: Any) -> Any:
        if overrides.has_torch_function_unary(value):
            return overrides.handle_torch_function(double, (value,), value)
        return value + value

    assert double(x) == ("double", (Foreign,), (x,), {})
    assert double(t).tolist() == [2]
    with BaseTorchFunctionMode():
        assert overrides.has_torch_function_unary(t)
    with pytest.raises(TypeError, match="no implementation found for '.*double' on types"):
        overrides.handle_torch_function(double, (Silent(),), Silent())

    @overrides.wrap_torch_function(lambda a: (a,))
    def triple(a: Any) -> Any:
        return 3 * a

    assert triple(x)[0] == "triple"
    assert triple(2) == 6


def test_what_can_be_overridden() -> None:
    functions = overrides.get_overridable_functions()
    assert torch.add in functions[torch]
    assert Tensor.add in functions[Tensor]
    assert F.relu in functions[F]
    assert torch.tensor not in functions[torch]
    testing = overrides.get_testing_overrides()
    assert testing[torch.add](1, 2) == -1
    # Every function that is listed asks a foreign object.
    asked = 0
    for owner in (torch.special, torch.linalg, F):
        for function in functions.get(owner, []):
            assert function(Foreign())[1] == (Foreign,)
            asked += 1
    assert asked > 60
    assert overrides.is_tensor_method_or_property(Tensor.add)
    grad: Any = Tensor.grad
    assert overrides.is_tensor_method_or_property(grad.__get__)
    assert not overrides.is_tensor_method_or_property(torch.add)
    assert overrides.resolve_name(len) is None


def test_names_are_those_of_pytorch() -> None:
    names = {
        torch.add: "torch.add",
        torch.empty: "torch.empty",
        torch.tensor: "torch.tensor",
        torch.split: "torch.functional.split",
        F.relu: "torch.nn.functional.relu",
        Tensor.__or__: "torch.Tensor.__or__",
        Tensor.__eq__: "torch.Tensor.__eq__",
        Tensor.__format__: "torch.Tensor.__format__",
        Tensor.__reduce_ex__: "torch.Tensor.__reduce_ex__",
    }
    assert {f: overrides.resolve_name(f) for f in names} == names


def test_functions_written_in_python_stay_functions() -> None:
    assert F.relu.__name__ == "relu"
    assert F.relu.__module__.startswith("torch.nn.functional")
    assert list(inspect.signature(F.relu).parameters) == ["input", "inplace"]
    assert inspect.isroutine(F.relu)
    assert pickle.loads(pickle.dumps(F.relu)) is F.relu
    assert copy.deepcopy(F.relu) is F.relu
    assert "relu" in repr(F.relu)
    assert Tensor.norm.__get__(torch.ones(4))().item() == 2
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        F.relu()


def test_printing_and_files(tmp_path: Any) -> None:
    x = torch.arange(3.0).as_subclass(Plain)
    assert repr(x) == "Plain([0., 1., 2.])"
    assert f"{x}" == repr(x)
    loaded = pickle.loads(pickle.dumps(x))
    assert type(loaded) is Plain
    assert loaded.tolist() == [0, 1, 2]
    torch.save(x, tmp_path / "x.pt")
    assert type(torch.load(tmp_path / "x.pt", weights_only=False)) is Plain


def test_doctests_of_the_module() -> None:
    for module in (overrides, torch._torch_function):
        results = doctest.testmod(module, extraglobs={"torch": torch})
        assert results.attempted > 0
        assert results.failed == 0


def test_a_function_written_in_python_has_what_functions_have() -> None:
    function = cast(FunctionType, torch.meshgrid)
    assert "indexing" in (function.__kwdefaults__ or {})
    assert function.__code__.co_name == "meshgrid"
    assert function.__globals__["__name__"] == function.__module__ == "torch.functional"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = function.nothing  # type: ignore[attr-defined]
