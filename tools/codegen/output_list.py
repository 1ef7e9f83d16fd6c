"""The list of outputs as Starlark, which Bazel reads before anything is generated.

Each operator stands in it once, if it is in an output of the groups. Most sources are shards: an
operator is in the shard that the hash of its name says, and includes the same kinds of headers
there as its neighbours. So the list says which kinds of outputs an operator has, and
`tools/rules/generated_files.bzl` knows the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tools.codegen.context import GENERATED, Context, GeneratedFile, shard_of
from tools.codegen.includes import (
    TENSOR_CLASS,
    Operators,
    generated_includes,
    included_headers,
    words,
)

_OPERATOR_HEADER = re.compile(r".*/ops/(\w+)\.h")
_SHARD = re.compile(r"(.*)_(\d+)\.cpp")

# What the list does not say: sources of every operator, and of every structured one.
_ALL_OPERATORS = "Operators"
_OF_STRUCTURED = ("CompositeExplicitAutogradNonFunctional", "Meta")


@dataclass(slots=True)
class _Outputs:
    """What the list says, while the outputs are read."""

    # By operator: its headers' suffixes, and by source the suffixes of those that it includes.
    headers: dict[str, list[str]]
    sources: dict[str, dict[str, str]]
    shards: dict[str, dict[str, int]] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)
    # By source with its shards, the texts of these.
    texts: dict[str, list[str]] = field(default_factory=dict)
    explicit: dict[str, str] = field(default_factory=dict)


def output_list(context: Context, groups: Mapping[str, Iterable[GeneratedFile]]) -> str:
    """`OPERATORS` by kinds of outputs, `SHARDS` and `FILES` by group, `INCLUDES` by source."""
    names = frozenset(context.roots)
    outputs = _Outputs({root: [] for root in sorted(names)}, {root: {} for root in names})
    for group, group_files in groups.items():
        for file in group_files:
            _note_file(outputs, group, file, names)
    structured = frozenset(group.root_name for group in context.structured.values())
    operators = Operators(names, structured)
    for stem, texts in outputs.texts.items():
        _note_source(outputs, stem, texts, operators)
    usual = _usual_suffixes(outputs.sources)
    by_kinds: dict[str, list[str]] = {}
    for root in outputs.headers:
        kinds = _kinds(outputs.headers[root], outputs.sources[root], usual)
        if kinds:
            by_kinds.setdefault(" ".join(kinds), []).append(root)
    operators_by_kinds = {kinds: " ".join(roots) for kinds, roots in by_kinds.items()}
    files = {group: sorted(paths) for group, paths in outputs.files.items()}
    return f'''\
"""Outputs of the generator. {GENERATED}

Refresh: ./bazelw run //tools:update
"""

# Base names of operators by kinds of outputs: headers besides X.h, X_ops.h and X_native.h, and
# sources that include the operator's headers, besides Operators. CPU means X_cpu_dispatch.h and
# RegisterCPU; structured means X_meta.h, Meta and CompositeExplicitAutogradNonFunctional.
{_starlark_table("OPERATORS", operators_by_kinds)}
# The headers of its operators that a source includes: `ops` for X_ops.h, `dispatch` for that of its
# dispatch key. Where they are others, the kind of source above names them after a colon.
{_starlark_table("USUAL", usual)}
# Sharded sources by group: paths without number, and how many there are.
{_starlark_nested("SHARDS", outputs.shards)}
# All other outputs by group, except the operators' headers.
{starlark_dict("FILES", files)}
# The generated headers of sources that do not follow the rule: those that formulas call.
{_starlark_table("INCLUDES", outputs.explicit)}
GENERATED_FILES = struct(
    files = FILES,
    includes = INCLUDES,
    operators = OPERATORS,
    shards = SHARDS,
    usual = USUAL,
)
'''


def _note_file(outputs: _Outputs, group: str, file: GeneratedFile, names: frozenset[str]) -> None:
    header = _OPERATOR_HEADER.fullmatch(file.path)
    if header:
        outputs.files.setdefault(group, [])
        root, suffix = Operators(names).split(header[1])
        if suffix not in ("", "ops", "native"):
            outputs.headers[root].append(suffix)
        return
    shard = _SHARD.fullmatch(file.path)
    if shard:
        counts = outputs.shards.setdefault(group, {})
        counts[shard[1]] = counts.get(shard[1], 0) + 1
    else:
        outputs.files.setdefault(group, []).append(file.path)
    if file.path.endswith(".cpp"):
        stem = shard[1] if shard else file.path
        outputs.texts.setdefault(stem, []).append(file.render())


def _note_source(outputs: _Outputs, stem: str, texts: list[str], operators: Operators) -> None:
    """Notes what a source includes: by its operators if it follows the rule, else in full."""
    sharded = not stem.endswith(".cpp")
    found: dict[str, set[str]] = {}
    regular = True
    for index, text in enumerate(texts):
        expected = {TENSOR_CLASS}
        for header in included_headers(text):
            root, suffix = operators.split(header)
            regular = regular and (not sharded or shard_of(root, len(texts)) == index)
            found.setdefault(root, set()).add(suffix or "functions")
            expected |= operators.closure(header)
        regular = regular and expected == generated_includes(text, operators)
    if regular:
        name = stem.rpartition("/")[2].removesuffix(".cpp")
        own = f"{name.removeprefix('Register').lower()}_dispatch"
        for root, suffixes in found.items():
            kinds = ("dispatch" if suffix == own else suffix for suffix in suffixes)
            outputs.sources[root][name] = "+".join(sorted(kinds))
        return
    for index, text in enumerate(texts):
        path = f"{stem}_{index}.cpp" if sharded else stem
        outputs.explicit[path] = words(generated_includes(text, operators), operators)


def _usual_suffixes(sources: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """For each source the headers that most operators have in it."""
    counts: dict[str, Counter[str]] = {}
    for by_source in sources.values():
        for name, suffixes in by_source.items():
            counts.setdefault(name, Counter())[suffixes] += 1
    return {
        name: max(sorted(counter), key=lambda suffixes: counter[suffixes])
        for name, counter in sorted(counts.items())
    }


def _kinds(
    headers: Iterable[str], sources: Mapping[str, str], usual: Mapping[str, str]
) -> list[str]:
    """The kinds of outputs of one operator, in the words of the list."""
    left = set(headers)
    kinds = []
    for name, suffixes in sources.items():
        key = name.removeprefix("Register")
        dispatch = f"{key.lower()}_dispatch"
        if key != name and dispatch in left:
            left.remove(dispatch)
        else:
            key = name
        kinds.append(key if suffixes == usual[name] else f"{key}:{suffixes}")
    if "meta" in left:
        left.remove("meta")
        kinds = ["structured", *(kind for kind in kinds if kind not in _OF_STRUCTURED)]
    return sorted([*left, *(kind for kind in kinds if kind != _ALL_OPERATORS)])


def starlark_dict(name: str, table: Mapping[str, Iterable[str]]) -> str:
    """A dict of lists with sorted keys, as buildifier leaves it."""
    lines = []
    for key, values in sorted(table.items()):
        items = "".join(f'        "{value}",\n' for value in values)
        lines.append(f'    "{key}": [\n{items}    ],\n' if items else f'    "{key}": [],\n')
    body = "".join(lines)
    return f"{name} = {{\n{body}}}\n" if body else f"{name} = {{}}\n"


def _starlark_table(name: str, table: Mapping[str, str]) -> str:
    lines = "".join(f'    "{key}": "{value}",\n' for key, value in sorted(table.items()))
    return f"{name} = {{\n{lines}}}\n" if lines else f"{name} = {{}}\n"


def _starlark_nested(name: str, table: Mapping[str, Mapping[str, int]]) -> str:
    lines = []
    for key, counts in sorted(table.items()):
        items = "".join(f'        "{stem}": {n},\n' for stem, n in sorted(counts.items()))
        lines.append(f'    "{key}": {{\n{items}    }},\n')
    return f"{name} = {{\n{''.join(lines)}}}\n" if lines else f"{name} = {{}}\n"
