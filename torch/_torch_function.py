"""Calls that belong to another class than Tensor: how `__torch_function__` is asked.

`torch.overrides` is the public face. Functions and methods of torch._C ask by themselves
(torch/csrc/utils/torch_function.h); those written in Python do when `overridable` decorates them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from torch import _C

F = TypeVar("F", bound=Callable[..., Any])

_SUBCLASSES_DISABLED, _ALL_DISABLED = 1, 2


class _TorchFunctionState:
    """A `with` block in which this thread asks fewer classes; blocks may be nested."""

    _state: int

    def __enter__(self) -> None:
        disabled = _C._is_torch_function_all_disabled()
        self._before = _C._set_torch_function_state(_ALL_DISABLED if disabled else self._state)

    def __exit__(self, *exc: object) -> None:
        _C._set_torch_function_state(self._before)


class DisableTorchFunctionSubclass(_TorchFunctionState):
    """A `with` block in which subclasses of Tensor count as Tensor; modes stay active."""

    _state = _SUBCLASSES_DISABLED


class DisableTorchFunction(_TorchFunctionState):
    """A `with` block in which neither classes nor modes are asked."""

    _state = _ALL_DISABLED


def overrides(argument: Any) -> bool:
    """Whether the class of `argument` wants the calls that take it."""
    implementation = getattr(type(argument), "__torch_function__", None)
    if implementation is None or implementation is _C._disabled_torch_function_impl:
        return False
    from torch import Tensor

    return type(argument) is not Tensor


def overloaded_arguments(candidates: Iterable[Any]) -> list[Any]:
    """One argument of each class, in the order in which classes are asked.

    That is the order of the call, but a subclass goes before its base classes; as NumPy's
    protocol does it (NEP 18).
    """
    types: set[type] = set()
    found: list[Any] = []
    for argument in candidates:
        cls = type(argument)
        if cls in types:
            continue
        types.add(cls)
        position = len(found)
        for i, other in enumerate(found):
            if issubclass(cls, type(other)):
                position = i
                break
        found.insert(position, argument)
    return found


class _WithoutInnermostMode:
    """A `with` block without the innermost mode, which it gives: a mode is not asked by itself."""

    def __enter__(self) -> Any:
        self._mode = _C._pop_torch_function_stack()
        return self._mode

    def __exit__(self, *exc: object) -> None:
        _C._push_on_torch_function_stack(self._mode)


def dispatch(
    func: Callable[..., Any],
    candidates: Iterable[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
) -> Any:
    """What the mode or the classes of `candidates` make of a call; NotImplemented if nothing."""
    overloaded = overloaded_arguments(candidates)
    types = tuple(type(argument) for argument in overloaded)
    call = (func, types, args) if kwargs is None else (func, types, args, kwargs)
    if _C._is_torch_function_mode_enabled():
        with _WithoutInnermostMode() as mode:
            result = mode.__torch_function__(*call)
        if result is not NotImplemented:
            return result
    for argument in overloaded:
        result = argument.__torch_function__(*call)
        if result is not NotImplemented:
            return result
    return NotImplemented


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Asks the classes of `relevant_args` for the result of `public_api(*args, **kwargs)`.

    Raises TypeError when all of them return NotImplemented.

    Example::

        >>> def double(x):
        ...     if torch.overrides.has_torch_function_unary(x):
        ...         return torch.overrides.handle_torch_function(double, (x,), x)
        ...     return x + x
        >>> double(torch.ones(2))
        tensor([2., 2.])
    """
    candidates = [argument for argument in relevant_args if overrides(argument)]
    result = dispatch(public_api, candidates, args, kwargs)
    if result is NotImplemented:
        name = f"{public_api.__module__}.{public_api.__name__}"
        types = [type(a) for a in overloaded_arguments(candidates)]
        raise TypeError(
            f"no implementation found for '{name}' on types that implement __torch_function__: "
            f"{types}"
        )
    return result


def overridable(function: F) -> F:
    """Makes a function in Python ask `__torch_function__` of its arguments, and modes, first."""
    return functools.update_wrapper(_C._Overridable(function), function)  # type: ignore[return-value]


def convert(result: Any, cls: type) -> Any:
    """Tensors of `result`, and in its tuples and lists, as objects of `cls`."""
    from torch import Tensor

    if cls is Tensor:
        return result
    if isinstance(result, Tensor) and not isinstance(result, cls):
        return result.as_subclass(cls)
    if isinstance(result, (tuple, list)):
        return type(result)([convert(item, cls) for item in result])
    return result


# Where PyTorch has them.
_C.DisableTorchFunction = DisableTorchFunction  # type: ignore[misc, assignment]
_C.DisableTorchFunctionSubclass = DisableTorchFunctionSubclass  # type: ignore[misc, assignment]
