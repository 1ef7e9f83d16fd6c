"""Reads native_functions.yaml and tags.yaml, PyTorch's own format, into the model.

`parse_native_yaml` never stops at the first mistake: it notes every problem with file, line,
operator, what was expected and the nearest valid spelling, and then raises `CodegenError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tools.codegen.memory import Memory
from tools.codegen.model import (
    GENERATED_TAG,
    Location,
    NativeFunction,
    OperatorName,
)
from tools.codegen.problems import Problems
from tools.codegen.schema import is_name
from tools.codegen.schema_error import nearest
from tools.codegen.variants import derived_variants, with_callees
from tools.codegen.yaml_entry import Entry
from tools.codegen.yaml_source import YamlEntry, YamlList, entry_text, read_yaml_list


@dataclass(frozen=True, slots=True)
class ParsedYaml:
    """The model of one native_functions.yaml, in file order.

    `derived` are the variants that `autogen` asks for. `others` are names that the file has and
    this has not: what was not selected, and what could not be read.
    """

    functions: tuple[NativeFunction, ...]
    derived: tuple[NativeFunction, ...]
    tags: frozenset[str]
    others: frozenset[str] = frozenset()

    def located(self, locations: Mapping[OperatorName, Location]) -> ParsedYaml:
        """The same operators, each where these say."""

        def moved(functions: Iterable[NativeFunction]) -> tuple[NativeFunction, ...]:
            return tuple(
                replace(
                    f,
                    loc=locations.get(f.func.name)
                    or locations.get(f.generated_from or f.func.name, f.loc),
                )
                for f in functions
            )

        return replace(self, functions=moved(self.functions), derived=moved(self.derived))

    def select(self, roots: Iterable[str], problems: Problems) -> ParsedYaml:
        """Only the operators with these base names, which has each all its variants."""
        wanted = set(roots)
        known = {f.root_name for f in self.functions}
        for root in sorted(wanted - known):
            problems.add(
                Location("<command line>", 0),
                None,
                f"--ops names '{root}', which is no operator's base name{nearest(root, known)}",
            )
        every = (*self.functions, *self.derived)
        return ParsedYaml(
            tuple(f for f in self.functions if f.root_name in wanted),
            tuple(f for f in self.derived if f.root_name in wanted),
            self.tags,
            self.others | {str(f.func.name) for f in every if f.root_name not in wanted},
        )


def tag_names(source: YamlList, problems: Problems) -> frozenset[str]:
    """The tags that tags.yaml defines."""
    tags: dict[str, int] = {}
    for index in range(len(source.entries)):
        reader = YamlEntry(source, index, problems)
        entry = reader.entry
        if not isinstance(entry, dict) or not isinstance(entry.get("tag"), str):
            reader.problem("expected '- tag: <name>' with an optional 'desc'")
            continue
        for key in sorted(set(entry) - {"tag", "desc"}):
            reader.problem(f"unknown key '{key}' in a tag{nearest(key, ('tag', 'desc'))}", key)
        tag = entry["tag"]
        if not is_name(tag):
            reader.problem(f"a tag is a C++ name, not '{tag}'", "tag")
        elif tag in tags:
            reader.problem(f"the tag '{tag}' is defined in line {source.lines[tags[tag]]}", "tag")
        tags.setdefault(tag, index)
    return frozenset(tags)


def parse_native_yaml(
    path: str | Path,
    tags_path: str | Path,
    *,
    text: str | None = None,
    tags_text: str | None = None,
    memory: Memory | None = None,
) -> ParsedYaml:
    """Reads both files; raises `CodegenError` with every problem found."""
    problems = Problems()
    parsed = read_native_yaml(
        path, tags_path, problems, text=text, tags_text=tags_text, memory=memory
    )
    problems.raise_if_any()
    return parsed


def read_native_yaml(
    path: str | Path,
    tags_path: str | Path,
    problems: Problems,
    *,
    text: str | None = None,
    tags_text: str | None = None,
    memory: Memory | None = None,
) -> ParsedYaml:
    """Reads both files, noting problems; what could not be read is among `others`."""
    source = read_yaml_list(path, problems, text)
    tag_source = read_yaml_list(tags_path, problems, tags_text)
    # If a file cannot be read, checks would report all of its contents as missing.
    problems.raise_if_any()
    return interpret(source, tag_names(tag_source, problems), problems, memory)


def interpret(
    source: YamlList, tags: frozenset[str], problems: Problems, memory: Memory | None = None
) -> ParsedYaml:
    """The model of the entries, noting problems; what could not be read is among `others`."""
    # A tag that could not be read is no mistake of those that have it.
    check_tags = not problems
    texts = tuple(map(entry_text, source.entries)) if memory is not None else ()
    known = _known_functions(source, texts, tags, memory)
    functions: list[NativeFunction] = []
    by_name: dict[OperatorName, NativeFunction] = {}
    unread: set[str] = set()
    for index in range(len(source.entries)):
        reader = Entry(source, index, problems, tags, check_tags=check_tags)
        function = known.get(index)
        if function is None:
            function = reader.parse()
        if function is None:
            unread.add(reader.operator or "")
            continue
        name = function.func.name
        if name in by_name:
            problems.add(
                function.loc,
                str(name),
                f"the overload '{name}' is already defined at {by_name[name].loc}; "
                "give this one another overload name after the dot",
            )
            continue
        by_name[name] = function
        functions.append(function)
    if memory is not None and not problems:
        parsed = dict(zip(texts, functions, strict=True))
        memory.keep(("functions", source.path), tags, parsed)
    _check_delegates(functions, by_name, unread, problems)
    functions = with_callees(functions, problems)
    derived = derived_variants(functions)
    _check_autogen(functions, derived, by_name, problems)
    _check_cpp_names(functions, derived, problems)
    return ParsedYaml(tuple(functions), tuple(derived), tags, frozenset(unread))


def _known_functions(
    source: YamlList, texts: Iterable[str], tags: frozenset[str], memory: Memory | None
) -> dict[int, NativeFunction]:
    """The functions of entries that were read before, by index."""
    if memory is None:
        return {}
    parsed: dict[str, NativeFunction] = memory.recall(("functions", source.path), tags, dict)
    known = {}
    for index, text in enumerate(texts):
        function = parsed.get(text)
        if function is not None:
            location = source.location(index)
            known[index] = function if function.loc == location else replace(function, loc=location)
    return known


def _check_delegates(
    functions: list[NativeFunction],
    by_name: Mapping[OperatorName, NativeFunction],
    unread: set[str],
    problems: Problems,
) -> None:
    names = {str(name) for name in by_name}
    for f in functions:
        target = f.structured_delegate
        if target is None:
            continue
        op = str(f.func.name)
        other = by_name.get(target)
        if str(target) in unread:
            continue
        if other is None:
            problems.add(
                f.loc,
                op,
                f"structured_delegate names '{target}', which is not defined"
                f"{nearest(str(target), names)}",
            )
        elif not other.structured:
            problems.add(
                f.loc,
                op,
                f"structured_delegate names '{target}' ({other.loc}), "
                "which lacks 'structured: True'",
            )
        elif other.func.signature() != f.func.signature():
            problems.add(
                f.loc,
                op,
                f"structured_delegate names '{target}', whose signature differs:\n"
                f"  {f.func.signature()}\n  {other.func.signature()}",
            )


def _check_autogen(
    functions: list[NativeFunction],
    derived: list[NativeFunction],
    by_name: Mapping[OperatorName, NativeFunction],
    problems: Problems,
) -> None:
    names = {f.func.name for f in derived}
    for f in functions:
        for name in f.autogen:
            if name in by_name:
                message = f"autogen names '{name}', which is defined at {by_name[name].loc}"
            elif name not in names and not f.has_composite_implicit_autograd_kernel:
                near = nearest(str(name), map(str, names))
                message = f"autogen names '{name}', which cannot be derived from this{near}"
            else:
                continue
            problems.add(f.loc, str(f.func.name), message)


def _check_cpp_names(
    functions: list[NativeFunction], derived: list[NativeFunction], problems: Problems
) -> None:
    """Each operator has a struct in `at::_ops`, and each base name headers: none has another's."""
    by_name: dict[str, NativeFunction] = {}
    for f in (*functions, *derived):
        name = f.func.name.unambiguous_name()
        other = by_name.setdefault(name, f)
        if other is not f:
            made = "which 'autogen' makes, " if GENERATED_TAG in f.tags else ""
            problems.add(
                f.loc,
                str(f.func.name),
                f"'{f.func.name}', {made}and '{other.func.name}' ({other.loc}) are both "
                f"'at::_ops::{name}' in C++; rename one of the overloads",
            )
