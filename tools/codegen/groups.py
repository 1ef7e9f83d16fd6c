"""The groups of outputs, one Bazel action each.

A group is a function from `Context` to files. The modules of a group are imported when the group
is asked for, so that `--generate headers` never runs the autograd code.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping

from tools.codegen.context import Context, GeneratedFile

Emitter = Callable[[Context], Iterable[GeneratedFile]]


def _from_module(name: str) -> Emitter:
    """The function `files` of a module of this package."""

    def emit(context: Context) -> Iterable[GeneratedFile]:
        module = importlib.import_module(f"tools.codegen.{name}")
        files: Emitter = module.files
        return files(context)

    return emit


GROUPS: Mapping[str, Emitter] = {
    "headers": _from_module("headers"),
    "sources": _from_module("sources"),
    "autograd": _from_module("autograd"),
    "python": _from_module("python_bindings"),
    "pyi": _from_module("python_stubs"),
}
