"""The groups of outputs, one Bazel action each.

A group is a function from `Context` to files. The modules of a group are imported when the group
is asked for, so that `--generate headers` never runs the autograd code.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping

from tools.codegen.context import Context, GeneratedFile

Emitter = Callable[[Context], Iterable[GeneratedFile]]


def _from_module(name: str, function: str = "files") -> Emitter:
    """A function of a module of this package."""

    def emit(context: Context) -> Iterable[GeneratedFile]:
        module = importlib.import_module(f"tools.codegen.{name}")
        emitter: Emitter = getattr(module, function)
        return emitter(context)

    return emit


GROUPS: Mapping[str, Emitter] = {
    "operator_headers": _from_module("headers", "operator_headers"),
    "tensor_headers": _from_module("headers", "tensor_headers"),
    "sources": _from_module("sources"),
    "autograd": _from_module("autograd"),
    "python": _from_module("python_bindings"),
    "pyi": _from_module("python_stubs"),
}

# What the command line calls `headers`, as torchgen does.
ALIASES: Mapping[str, tuple[str, ...]] = {"headers": ("operator_headers", "tensor_headers")}


def expand(groups: Iterable[str]) -> tuple[str, ...]:
    """The groups that names and aliases stand for, in order."""
    return tuple(g for name in groups for g in ALIASES.get(name, (name,)))
