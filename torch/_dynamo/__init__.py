"""Names of the compiler of Python programs, which is not here; see `torch.compiler`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from torch import _absent
from torch._dynamo import eval_frame as eval_frame
from torch._dynamo.eval_frame import OptimizedModule
from torch._tensor import Tensor
from torch.compiler import (
    allow_in_graph,
    assume_constant_result,
    compile,
    disable,
    is_compiling,
    list_backends,
    reset,
    substitute_in_graph,
)

# Options of the compiler; they can be set and change nothing.
config = SimpleNamespace(cache_size_limit=8, recompile_limit=8, suppress_errors=False)


def optimize(*args: Any, **kwargs: Any) -> Any:
    """A decorator that changes nothing, after the warning of `torch.compile`."""
    return compile


def graph_break(msg: str = "") -> None:
    """Changes nothing."""


def mark_dynamic(
    t: Any,
    index: Any,
    *,
    hint_override: int | None = None,
    min: int | None = None,
    max: int | None = None,
    specialize_on: list[Any] | None = None,
) -> None:
    """Changes nothing."""


def maybe_mark_dynamic(t: Any, index: Any) -> None:
    """Changes nothing."""


def mark_static(t: Any, index: Any = None) -> None:
    """Changes nothing."""


def mark_static_address(t: Any, guard: bool = False) -> None:
    """Changes nothing; TypeError for what is no tensor."""
    if not isinstance(t, Tensor):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t)}")


disallow_in_graph = forbid_in_graph = run = disable

__getattr__ = _absent.names_of(__name__, _absent.COMPILE, functions="explain export")

__all__ = [
    "OptimizedModule",
    "allow_in_graph",
    "assume_constant_result",
    "config",
    "disable",
    "disallow_in_graph",
    "forbid_in_graph",
    "graph_break",
    "is_compiling",
    "list_backends",
    "mark_dynamic",
    "mark_static",
    "mark_static_address",
    "maybe_mark_dynamic",
    "optimize",
    "reset",
    "run",
    "substitute_in_graph",
]
