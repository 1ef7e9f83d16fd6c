"""The groups of outputs, one Bazel action each.

A group is a function from `Context` to files. The modules of a group are imported when the group
is asked for, so that `--generate headers` never runs the autograd code.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping

from tools.codegen.backends import OUTPUTS
from tools.codegen.context import Context, GeneratedFile

Emitter = Callable[[Context], Iterable[GeneratedFile]]


def _from_module(name: str, function: str = "files", *arguments: str) -> Emitter:
    """A function of a module of this package, which takes the arguments before the context."""

    def emit(context: Context) -> Iterable[GeneratedFile]:
        module = importlib.import_module(f"tools.codegen.{name}")
        files: Iterable[GeneratedFile] = getattr(module, function)(*arguments, context)
        return files

    return emit


GROUPS: Mapping[str, Emitter] = {
    "operator_headers": _from_module("headers", "operator_headers"),
    "tensor_headers": _from_module("headers", "tensor_headers"),
    "sources": _from_module("sources"),
    "declarations_yaml": _from_module("declarations"),
    "autograd": _from_module("autograd"),
    "python": _from_module("python_bindings"),
    "pyi": _from_module("python_stubs"),
    "docstrings": _from_module("docstrings"),
    **{f"{b}_headers": _from_module("headers", "backend_headers", b) for b in OUTPUTS.values()},
    **{f"{b}_sources": _from_module("registrations", "backend_files", b) for b in OUTPUTS.values()},
}

# What the command line calls `headers`, as torchgen does.
ALIASES: Mapping[str, tuple[str, ...]] = {"headers": ("operator_headers", "tensor_headers")}
# The groups whose outputs a backend adds to.
_OF_BACKENDS = {"operator_headers": "headers", "sources": "sources"}


def expand(groups: Iterable[str], flags: Iterable[str] = ()) -> tuple[str, ...]:
    """The groups that names, aliases and backend flags stand for, in order, each once."""
    flags = tuple(flags)
    result: dict[str, None] = {}
    for name in groups:
        for group in ALIASES.get(name, (name,)):
            result[group] = None
            if group in _OF_BACKENDS:
                result |= {f"{OUTPUTS[flag]}_{_OF_BACKENDS[group]}": None for flag in flags}
    return tuple(result)
