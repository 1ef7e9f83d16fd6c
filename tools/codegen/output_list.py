"""The list of outputs as Starlark, which Bazel reads before anything is generated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tools.codegen.context import GENERATED, GeneratedFile
from tools.codegen.includes import generated_includes


def output_list(roots: Iterable[str], groups: Mapping[str, Iterable[GeneratedFile]]) -> str:
    """`OPERATORS`, `GENERATED_FILES` by group, `GENERATED_OPERATOR_DEPS` by source."""
    roots = tuple(roots)
    known = frozenset(roots)
    files = {name: sorted(file.path for file in group) for name, group in groups.items()}
    deps = {
        file.path: sorted(generated_includes(file.render(), known))
        for group in groups.values()
        for file in group
        if file.path.endswith(".cpp")
    }
    return (
        f'"""Outputs of the generator. {GENERATED}\n\nRefresh: ./bazelw run //tools:update\n"""\n\n'
        + "# Base names; each has its headers in //aten/src/ATen/ops.\n"
        + starlark_list("OPERATORS", sorted(roots))
        + "\n# Paths from the repository root, by group.\n"
        + starlark_dict("GENERATED_FILES", files)
        + "\n# The generated headers that a generated source reads, below aten/src/ATen.\n"
        + starlark_dict("GENERATED_OPERATOR_DEPS", deps)
    )


def starlark_list(name: str, values: Iterable[str]) -> str:
    """A list, one value a line, as buildifier leaves it."""
    lines = "".join(f'    "{value}",\n' for value in values)
    return f"{name} = [\n{lines}]\n" if lines else f"{name} = []\n"


def starlark_dict(name: str, table: Mapping[str, Iterable[str]]) -> str:
    """A dict of lists with sorted keys."""
    lines = []
    for key, values in sorted(table.items()):
        items = "".join(f'        "{value}",\n' for value in values)
        lines.append(f'    "{key}": [\n{items}    ],\n' if items else f'    "{key}": [],\n')
    body = "".join(lines)
    return f"{name} = {{\n{body}}}\n" if body else f"{name} = {{}}\n"
