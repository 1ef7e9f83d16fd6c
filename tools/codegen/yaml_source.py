"""Reads a YAML file that is a list of entries, and knows the line of each entry and key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tools.codegen.memory import Memory
from tools.codegen.model import Location
from tools.codegen.problems import Problems

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: slower, same result.
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]


# A name that one entry may give to a value and another use.
_ANCHOR = re.compile(r"^[^#\n]*?[-:,\[{] +[&*]\w", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class YamlList:
    """The entries of a YAML list with the line each starts at.

    `parts` are the texts of the entries, if the reader needed them.
    """

    path: str
    text: str
    entries: tuple[Any, ...]
    lines: tuple[int, ...]
    parts: tuple[str, ...] = ()

    def location(self, index: int, key: str | None = None) -> Location:
        """Where entry `index` (or `key` in it) stands."""
        if index >= len(self.lines):
            return Location(self.path, 1)
        first = self.lines[index]
        if key is not None:
            stop = self.lines[index + 1] if index + 1 < len(self.lines) else None
            lines = self.text.split("\n")[first - 1 : None if stop is None else stop - 1]
            for offset, line in enumerate(lines):
                # Keys of dispatch may share a line: "CPU, CUDA: kernel".
                names = line.lstrip("- ").partition(":")[0].split(",")
                if key in (name.strip() for name in names):
                    return Location(self.path, first + offset)
        return Location(self.path, first)


class YamlEntry:
    """One entry on its way to a model: methods note problems and return what they could read."""

    def __init__(self, source: YamlList, index: int, problems: Problems) -> None:
        self.source = source
        self.index = index
        self.entry = source.entries[index]
        self.problems = problems
        self.operator: str | None = None

    def problem(self, message: str, key: str | None = None) -> None:
        """Notes a problem at the entry, or at a key of it."""
        self.problems.add(self.source.location(self.index, key), self.operator, message)


def _split(text: str) -> tuple[str, ...]:
    """The text of each entry; empty for a file whose parts may mean something else alone."""
    head, *parts = re.split(r"^(?=- )", text, flags=re.MULTILINE)
    if re.search(r"^\s*[^#\s]", head, re.MULTILINE) or _ANCHOR.search(text):
        return ()
    return tuple(parts)


def _entries(parts: tuple[str, ...], known: dict[str, Any]) -> list[Any] | None:
    """The entries of which these are the texts; those that are known are not read again."""
    fresh = [part for part in parts if part not in known]
    try:
        entries = yaml.load("".join(fresh), Loader=_Loader) if fresh else []
    except yaml.YAMLError:
        return None
    if not isinstance(entries, list) or len(entries) != len(fresh):
        return None
    now = {**known, **dict(zip(fresh, entries, strict=True))}
    known.clear()
    known.update((part, now[part]) for part in parts)
    return list(known.values()) if len(known) == len(parts) else [now[part] for part in parts]


def read_yaml_list(
    path: str | Path,
    problems: Problems,
    text: str | None = None,
    memory: Memory | None = None,
) -> YamlList:
    """Reads a list of mappings; what cannot be read becomes a problem and an empty list."""
    name = str(path)
    if text is None:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            problems.add(Location(name, 1), None, f"cannot be read: {error.strerror}")
            return YamlList(name, "", (), ())
    parts: tuple[str, ...] = ()
    data = None
    if memory is not None and (parts := _split(text)):
        data = _entries(parts, memory.recall(("entries", name), None, dict))
    try:
        if data is None:
            data = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        what = getattr(error, "problem", None) or str(error)
        shown = text.split("\n")[line - 1] if mark is not None else ""
        caret = f"\n{shown}\n{' ' * mark.column}^" if mark is not None else ""
        problems.add(Location(name, line), None, f"not readable as YAML: {what}{caret}")
        return YamlList(name, text, (), ())
    if data is None:
        data = []
    if not isinstance(data, list):
        problems.add(Location(name, 1), None, "expected a list: every entry starts with '- '")
        return YamlList(name, text, (), ())
    lines = tuple(
        number for number, line in enumerate(text.split("\n"), 1) if line.startswith("- ")
    )
    if len(lines) != len(data):  # Unusual layout: ask the parser, which is slower.
        node = yaml.compose(text, Loader=_Loader)
        assert node is not None
        lines = tuple(item.start_mark.line + 1 for item in node.value)
    return YamlList(name, text, tuple(data), lines, parts if len(parts) == len(lines) else ())
