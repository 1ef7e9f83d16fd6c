"""The list of outputs as Starlark, which Bazel reads before anything is generated.

It is plain data: which headers each operator has, which files each group has, and which generated
headers each source includes, as the emitters declare it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tools.codegen.context import GENERATED, Context, GeneratedFile
from tools.codegen.includes import Includes, Operators, by_pattern
from tools.codegen.starlark import starlark

# Every operator has these.
_COMMON = ("", "_ops", "_native")


@dataclass(slots=True)
class _Outputs:
    """What the list says, while the outputs are read."""

    files: dict[str, list[str]] = field(default_factory=dict)
    # By group, and by what comes behind the operator's name: the operators that have this header.
    headers: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    includes: dict[str, Includes] = field(default_factory=dict)


def output_list(context: Context, groups: Mapping[str, Iterable[GeneratedFile]]) -> str:
    """`OPERATORS`, their `HEADERS`, `FILES` by group, and `INCLUDES` by source."""
    outputs = _Outputs()
    structured = frozenset(group.root_name for group in context.structured.values())
    operators = Operators(frozenset(context.roots), structured)
    for group, group_files in groups.items():
        for file in group_files:
            _note(outputs, group, file, operators)
    named = bool(outputs.headers)
    return f'''\
"""Outputs of the generator. {GENERATED}

Refresh: ./bazelw run //tools:update
"""

# Base names of all operators. Each, X, has ops/X.h, ops/X_ops.h and ops/X_native.h.
{_starlark("OPERATORS", sorted(context.roots) if named else [])}
# Operators that have ops/X_cpu_dispatch.h and the like: by group, and by what stands behind X.
{_starlark("HEADERS", outputs.headers)}
# All other outputs by group.
{_starlark("FILES", {group: sorted(paths) for group, paths in outputs.files.items()})}
# The generated headers that a source reads, below aten/src/ATen: by path with {{}} for the name.
{_starlark("INCLUDES", outputs.includes)}
GENERATED_FILES = struct(
    files = FILES,
    headers = HEADERS,
    includes = INCLUDES,
    operators = OPERATORS,
)
'''


def _note(outputs: _Outputs, group: str, file: GeneratedFile, operators: Operators) -> None:
    if file.operator is not None:
        name = file.path.rpartition("/")[2]
        suffix = name.removeprefix(file.operator).removesuffix(".h")
        outputs.files.setdefault(group, [])
        headers = outputs.headers.setdefault(group, {})
        if suffix not in _COMMON:
            headers.setdefault(suffix, []).append(file.operator)
        return
    outputs.files.setdefault(group, []).append(file.path)
    if file.path.endswith(".cpp"):
        outputs.includes[file.path] = by_pattern(operators.closures(file.headers()), operators)


def _starlark(name: str, value: object) -> str:
    return f"{name} = {starlark(value)}\n"
