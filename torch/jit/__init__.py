"""TorchScript's names. There is no compiler: programs run in Python, as with PYTORCH_JIT=0.

`script` and `trace` return what they are given, after one warning, and decorators change nothing.
What needs a compiled program, such as `save` and `freeze`, refuses.
"""

from __future__ import annotations

import builtins
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin

from torch import _absent
from torch.nn import Module

_T = TypeVar("_T")


class Error(RuntimeError):
    """An error in a compiled program."""


class TracerWarning(Warning):
    """What a trace warns of."""


class ScriptModule(Module):
    """A module whose methods marked by `script_method` would be compiled: a module."""


class RecursiveScriptModule(ScriptModule):
    """What `script` of a module returns in PyTorch; here that is the module itself."""


class TracedModule(ScriptModule):
    """What `trace` of a module returns in PyTorch; here that is the module itself."""


class TopLevelTracedModule(TracedModule):
    """The same for the module that was given to `trace`."""


ScriptFunction = _absent.absent_class(__name__, "ScriptFunction", _absent.JIT)


class Attribute:
    """A value with the type that TorchScript would give it.

    Args:
        value: the value.
        type: its type, for readers alone.
    """

    def __init__(self, value: Any, type: Any) -> None:
        self.value = value
        self.type = type


@cache
def _warn(name: str) -> None:
    if os.environ.get("PYTORCH_JIT") != "0":
        said = "the program runs in Python. PYTORCH_JIT=0 in the environment ends this warning"
        what = _absent.JIT.what
        warnings.warn(f"torch.jit.{name}: this release is without {what}; {said}", stacklevel=3)


def script(
    obj: _T,
    optimize: bool | None = None,
    _frames_up: int = 0,
    _rcb: Any = None,
    example_inputs: Any = None,
) -> _T:
    """`obj` itself, after one warning: the program runs in Python.

    Args:
        obj: a function, a module or a class.
        optimize, _frames_up, _rcb, example_inputs: not looked at.
    """
    _warn("script")
    return obj


def trace(func: _T, example_inputs: Any = None, *args: Any, **kwargs: Any) -> _T:
    """`func` itself, after one warning: the program runs in Python.

    Args:
        func: a function or a module, which is not called.
        example_inputs, *args, **kwargs: not looked at.
    """
    _warn("trace")
    return func


def trace_module(mod: _T, inputs: Any, *args: Any, **kwargs: Any) -> _T:
    """`mod` itself, after one warning: the program runs in Python.

    Args:
        mod: a module, which is not called.
        inputs, *args, **kwargs: not looked at.
    """
    _warn("trace_module")
    return mod


def _unchanged(fn: _T) -> _T:
    """`fn` itself: nothing is compiled."""
    return fn


export = interface = script_if_tracing = script_method = unused = _overload = _overload_method = (
    _unchanged
)


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """A decorator, with or without arguments, that changes nothing.

    Args:
        drop: the function, or what PyTorch's decorator takes.
        **kwargs: not looked at.
    """
    return drop if callable(drop) else _unchanged


def is_scripting() -> bool:
    """Whether this is a compiled program: never."""
    return False


def is_tracing() -> bool:
    """Whether a trace is being recorded: never."""
    return False


def annotate(the_type: Any, the_value: _T) -> _T:
    """The value; TorchScript would give it the type.

    Args:
        the_type: not looked at.
        the_value: any value.

    Example::

        >>> torch.jit.annotate(int, 3)
        3
    """
    return the_value


def isinstance(obj: Any, target_type: Any) -> bool:
    """Whether an object is of a type. What stands in brackets counts too: `List[int]` looks into
    the list.

    Args:
        obj: anything.
        target_type: a type, or a tuple of types.

    Example::

        >>> torch.jit.isinstance([1, 2], list[int]), torch.jit.isinstance([1, "a"], list[int])
        (True, False)
    """
    if builtins.isinstance(target_type, tuple):
        return any(isinstance(obj, one) for one in target_type)
    origin, inner = get_origin(target_type), get_args(target_type)
    if origin is None:
        return builtins.isinstance(obj, target_type)
    if origin in (Union, UnionType):  # `Optional[int]`, `int | None`
        return any(isinstance(obj, one) for one in inner)
    if not builtins.isinstance(obj, origin):
        return False
    if origin is dict:
        key, value = inner
        return all(isinstance(k, key) and isinstance(v, value) for k, v in obj.items())
    if origin is tuple and Ellipsis not in inner:
        return len(obj) == len(inner) and all(map(isinstance, obj, inner))
    return all(isinstance(one, inner[0]) for one in obj)


def fork(func: Callable[..., _T], *args: Any, **kwargs: Any) -> Any:
    """Calls a function at once, and gives its result as a future.

    Args:
        func: the function.
        *args, **kwargs: its arguments.

    Returns:
        A future that is done. An error of the function is raised here.

    Example::

        >>> torch.jit.wait(torch.jit.fork(max, 1, 2))
        2
    """
    from torch.futures import Future

    future: Any = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future: Any) -> Any:
    """The result of a future.

    Args:
        future: what `fork` returned.
    """
    return future.wait()


@contextmanager
def optimized_execution(should_optimize: bool) -> Iterator[None]:
    """Changes nothing."""
    yield


class strict_fusion:
    """Changes nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass


def set_fusion_strategy(strategy: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Changes nothing; there is nothing to fuse."""
    return []


def enable_onednn_fusion(enabled: bool) -> None:
    """Changes nothing; there is nothing to fuse."""


def onednn_fusion_enabled() -> bool:
    """Whether compiled programs are fused: never."""
    return False


__getattr__ = _absent.names_of(
    __name__,
    _absent.JIT,
    classes="CompilationUnit ONNXTracedModule ScriptWarning",
    functions="_get_trace_graph export_opnames freeze jit_module_from_flatbuffer"
    " last_executed_optimized_graph load optimize_for_inference run_frozen_optimizations save"
    " save_jit_module_to_flatbuffer",
)

__all__ = [
    "Attribute",
    "Error",
    "Final",
    "RecursiveScriptModule",
    "ScriptFunction",
    "ScriptModule",
    "TopLevelTracedModule",
    "TracedModule",
    "TracerWarning",
    "annotate",
    "enable_onednn_fusion",
    "export",
    "fork",
    "ignore",
    "interface",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "onednn_fusion_enabled",
    "optimized_execution",
    "script",
    "script_if_tracing",
    "script_method",
    "set_fusion_strategy",
    "strict_fusion",
    "trace",
    "trace_module",
    "unused",
    "wait",
]
