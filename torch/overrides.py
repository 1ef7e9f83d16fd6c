"""Classes and modes that take over calls of torch: the `__torch_function__` protocol.

A class with a class method `__torch_function__(cls, func, types, args=(), kwargs=None)` gets every
call of a function of torch, method or property of a tensor that one of its objects is an argument
of. Subclasses of Tensor inherit one that calls `func` and gives tensors of the subclass. A
`TorchFunctionMode` gets all calls of a `with` block. The protocol is that of NumPy's NEP 18.

    >>> class Units(torch.Tensor):
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         print(torch.overrides.resolve_name(func))
    ...         return super().__torch_function__(func, types, args, kwargs)
    >>> type(torch.ones(2).as_subclass(Units) + 1).__name__
    torch.Tensor.add
    'Units'
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

import torch
from torch import _C, _absent
from torch._torch_function import handle_torch_function as handle_torch_function
from torch._torch_function import overloaded_arguments as _overloaded_arguments
from torch._torch_function import overrides as _overrides

F = TypeVar("F", bound=Callable[..., Any])

has_torch_function = _C._has_torch_function
has_torch_function_unary = _C._has_torch_function_unary
has_torch_function_variadic = _C._has_torch_function_variadic


class TorchFunctionMode:
    """A `with` block whose calls of torch all go to `__torch_function__(self, func, types, args,
    kwargs)`. Inside that method the mode is not active; `func(*args, **kwargs)` goes on.

    Example::

        >>> class Count(torch.overrides.TorchFunctionMode):
        ...     calls = 0
        ...     def __torch_function__(self, func, types, args=(), kwargs=None):
        ...         self.calls += 1
        ...         return func(*args, **(kwargs or {}))
        >>> with Count() as count:
        ...     _ = torch.ones(2) + 1
        >>> count.calls
        2
    """

    inner: ClassVar[TorchFunctionMode]

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} has no __torch_function__: define __torch_function__(self, func, types, args=(), kwargs=None)"
        )

    def __enter__(self) -> TorchFunctionMode:
        _C._push_on_torch_function_stack(self)
        return self

    def __exit__(self, *exc: object) -> None:
        _C._pop_torch_function_stack()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> TorchFunctionMode:
        """A mode of this class; older programs write `with Mode.push():`.

        Args:
            *args, **kwargs: those of the class.
        """
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that changes nothing."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        return func(*args, **(kwargs or {}))


def _get_current_function_mode() -> Any:
    count = _C._len_torch_function_stack()
    return _C._get_function_stack_at(count - 1) if count else None


def _get_current_function_mode_stack() -> list[Any]:
    return [_C._get_function_stack_at(i) for i in range(_C._len_torch_function_stack())]


@contextmanager
def _enable_torch_function() -> Iterator[None]:
    """A block in which classes and modes are asked again, inside one that switched it off."""
    before = _C._set_torch_function_state(0)
    try:
        yield
    finally:
        _C._set_torch_function_state(before)


def _get_overloaded_args(
    relevant_args: Any, get_type_fn: Callable[[Any], type] = type
) -> list[Any]:
    """The arguments whose classes are asked, in that order."""
    del get_type_fn
    return _overloaded_arguments(a for a in relevant_args if _overrides(a))


def is_tensor_like(inp: Any) -> bool:
    """Whether `inp` is a tensor or has `__torch_function__`.

    Example::

        >>> torch.overrides.is_tensor_like(torch.ones(2)), torch.overrides.is_tensor_like(2)
        (True, False)
    """
    return type(inp) is torch.Tensor or hasattr(inp, "__torch_function__")


def wrap_torch_function(dispatcher: Callable[..., Any]) -> Callable[[F], F]:
    """Makes a function ask `__torch_function__` of what `dispatcher`, called with the same
    arguments, returns.

    Example::

        >>> @torch.overrides.wrap_torch_function(lambda a: (a,))
        ... def twice(a):
        ...     return a + a
        >>> twice(torch.ones(1))
        tensor([2.])
    """

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(call, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate


# What functions may be overridden.


def _modules() -> dict[str, Any]:
    from torch.nn import functional, init

    return {
        "torch": torch,
        "torch.functional": torch.functional,
        "torch.nn.functional": functional,
        "torch.nn.init": init,
        "torch.fft": torch.fft,
        "torch.linalg": torch.linalg,
        "torch.special": torch.special,
        "torch.Tensor": torch.Tensor,
    }


_IMPLEMENTED_BY_C = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)


def _property(cls: type, name: str) -> Any:
    return getattr(cls, name)


@functools.cache
def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Functions whose results Tensor's `__torch_function__` leaves as they are: what a tensor of a
    subclass holds need not be of that class."""
    tensor = torch.Tensor
    return {
        _property(tensor, "_base").__get__,
        _property(tensor, "grad").__get__,
        _property(tensor, "_grad").__get__,
    }


@functools.cache
def get_ignored_functions() -> set[Callable[..., Any]]:
    """Public functions that do not ask: they make tensors out of none, or state facts of torch."""
    tensor = torch.Tensor
    names = [
        "typename",
        "is_tensor",
        "is_storage",
        "set_default_tensor_type",
        "set_default_device",
        "get_default_device",
        "set_rng_state",
        "get_rng_state",
        "manual_seed",
        "initial_seed",
        "seed",
        "save",
        "load",
        "set_printoptions",
        "from_dlpack",
        "get_default_dtype",
        "get_num_threads",
        "set_num_threads",
        "arange",
        "as_tensor",
        "asarray",
        "from_file",
        "full",
        "empty",
        "empty_permuted",
        "empty_strided",
        "eye",
        "frombuffer",
        "from_numpy",
        "linspace",
        "logspace",
        "normal",
        "ones",
        "promote_types",
        "rand",
        "randn",
        "randint",
        "randperm",
        "range",
        "scalar_tensor",
        "tensor",
        "tril_indices",
        "triu_indices",
        "vander",
        "zeros",
        "bartlett_window",
        "blackman_window",
        "hamming_window",
        "hann_window",
        "kaiser_window",
        "can_cast",
        "compile",
        "set_autocast_enabled",
        "is_autocast_enabled",
        "is_autocast_cache_enabled",
        "set_autocast_cache_enabled",
        "autocast_increment_nesting",
        "autocast_decrement_nesting",
        "clear_autocast_cache",
        "is_grad_enabled",
        "set_grad_enabled",
        "no_grad",
        "enable_grad",
        "inference_mode",
        "is_inference_mode_enabled",
        "compiled_with_cxx11_abi",
        "use_deterministic_algorithms",
        "are_deterministic_algorithms_enabled",
        "is_deterministic_algorithms_warn_only_enabled",
        "get_deterministic_debug_mode",
        "set_deterministic_debug_mode",
        "set_float32_matmul_precision",
        "get_float32_matmul_precision",
        "set_default_dtype",
        "is_anomaly_enabled",
        "set_anomaly_enabled",
        "is_anomaly_check_nan_enabled",
        "get_autocast_dtype",
        "set_autocast_dtype",
        "broadcast_shapes",
    ]
    ignored = {getattr(torch, name) for name in names if hasattr(torch, name)}
    methods = "__new__ __init__ __init_subclass__ __hash__ __dir__ __getattribute__ __setattr__ "
    methods += "__delattr__ __torch_function__ __reduce__ __sizeof__ __subclasshook__ __iter__ "
    methods += "as_subclass _make_subclass __class_getitem__ __getstate__ __delitem__"
    return ignored | {getattr(tensor, name) for name in methods.split() if hasattr(tensor, name)}


def _is_public(owner: Any, name: str) -> bool:
    if owner is torch.Tensor:
        return inspect.getattr_static(owner, name, None) is not vars(object).get(name)
    return not name.startswith("_")


@functools.cache
def _overridable_functions() -> tuple[dict[Any, list[Callable[..., Any]]], dict[Any, str]]:
    ignored = get_ignored_functions()
    functions: dict[Any, list[Callable[..., Any]]] = {}
    names: dict[Any, str] = {}
    for namespace, owner in _modules().items():
        for name in dir(owner):
            if not _is_public(owner, name):
                continue
            found = inspect.getattr_static(owner, name, None) if owner is torch.Tensor else None
            if isinstance(found, (types.GetSetDescriptorType, property)):
                get: Any = getattr(found, "__get__", None)
                functions.setdefault(owner, []).append(get)
                names[get] = f"{namespace}.{name}.__get__"
                names[getattr(found, "__set__", None)] = f"{namespace}.{name}.__set__"
                continue
            value: Any = getattr(owner, name, None)
            if not isinstance(value, _IMPLEMENTED_BY_C) and not _decorated(value):
                continue
            if value not in ignored and value not in names:
                functions.setdefault(owner, []).append(value)
            if names.get(value, "torch.").count(".") == 1:
                # The module that defines a function names it, and `torch` what only it has.
                names[value] = f"{namespace}.{name}"
    return functions, names


def _decorated(value: Any) -> bool:
    """Whether `overridable` made a function."""
    return isinstance(value, _C._Overridable)


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """The functions that ask `__torch_function__`, by the module or class that they are in.

    Example::

        >>> torch.add in torch.overrides.get_overridable_functions()[torch]
        True
    """
    return _overridable_functions()[0]


def resolve_name(f: Callable[..., Any]) -> str | None:
    """The name of a function of torch that `__torch_function__` can get; None for others.

    Example::

        >>> torch.overrides.resolve_name(torch.Tensor.add)
        'torch.Tensor.add'
    """
    if isinstance(f, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(f)
    return _overridable_functions()[1].get(f)


@functools.cache
def get_testing_overrides() -> dict[Callable[..., Any], Callable[..., Any]]:
    """A function for each that may be overridden, which takes the same arguments and returns -1."""
    functions = _overridable_functions()[0]
    return {f: (lambda *args, **kwargs: -1) for found in functions.values() for f in found}


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether `func`, as `__torch_function__` gets it, is a method or property of Tensor.

    Example::

        >>> torch.overrides.is_tensor_method_or_property(torch.Tensor.add)
        True
    """
    name = getattr(func, "__name__", None)
    return name in ("__get__", "__set__") or func in _tensor_methods()


@functools.cache
def _tensor_methods() -> set[Callable[..., Any]]:
    return set(get_overridable_functions()[torch.Tensor])


__getattr__ = _absent.explain(__name__)

__all__ = [
    "BaseTorchFunctionMode",
    "TorchFunctionMode",
    "get_default_nowrap_functions",
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]
