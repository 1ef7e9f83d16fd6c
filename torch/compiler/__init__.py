"""What programs ask of `torch.compile`. There is no compiler: functions run as they are.

`torch.compile` returns what it is given, after one warning, as with `TORCH_COMPILE_DISABLE=1` in
PyTorch.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from torch import _absent

_T = TypeVar("_T")


@cache
def _warn() -> None:
    if os.environ.get("TORCH_COMPILE_DISABLE") != "1":
        warnings.warn(
            f"torch.compile: this release is without {_absent.COMPILE.what}; the function runs as it is. TORCH_COMPILE_DISABLE=1 in the environment ends this warning",
            stacklevel=3,
        )


def compile(
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    disable: bool = False,
) -> Any:
    """`model` itself, after one warning; the options change nothing.

    Args:
        model: a function or a module; without one the result is a decorator.
        fullgraph, dynamic, backend, mode, options: not looked at.
        disable: whether there is no warning.

    Raises:
        RuntimeError: both `mode` and `options`, as in PyTorch.
    """
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    if model is None:
        return compile if not disable else _unchanged
    if not disable:
        _warn()
    return model


def _unchanged(fn: _T) -> _T:
    """`fn` itself: nothing is compiled."""
    return fn


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """A function that is not compiled: the function itself.

    Args:
        fn: a function or a module; without one the result is a decorator.
        recursive, reason: not looked at.

    Example::

        >>> torch.compiler.disable(len) is len
        True
    """
    return _unchanged if fn is None else fn


allow_in_graph = assume_constant_result = substitute_in_graph = nested_compile_region = _unchanged


def is_compiling() -> bool:
    """Whether a program is being compiled: never."""
    return False


is_dynamo_compiling = is_exporting = is_compiling


def list_backends(exclude_tags: tuple[str, ...] = ("debug", "experimental")) -> list[str]:
    """The names of compilers: none.

    Args:
        exclude_tags: not looked at.

    Example::

        >>> torch.compiler.list_backends()
        []
    """
    return []


def reset() -> None:
    """Forgets what was compiled: nothing."""


def cudagraph_mark_step_begin() -> None:
    """Changes nothing; there are no CUDA graphs of compiled programs."""


@contextmanager
def set_stance(stance: str = "default", **kwargs: Any) -> Iterator[None]:
    """A context manager that changes nothing: nothing is compiled.

    Args:
        stance, **kwargs: not looked at.
    """
    yield


__getattr__ = _absent.names_of(
    __name__,
    _absent.COMPILE,
    functions="load_cache_artifacts load_compiled_function save_cache_artifacts wrap_numpy",
)

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "list_backends",
    "nested_compile_region",
    "reset",
    "set_stance",
    "substitute_in_graph",
]
