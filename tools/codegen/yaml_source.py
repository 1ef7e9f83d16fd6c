"""Reads a YAML file that is a list of entries, and knows the line of each entry and key.

Stricter than YAML, which keeps the last of two equal keys in silence. A table has each key once.
Anchors, aliases, YAML's own tags, keys that are tables, and a second document are errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tools.codegen.model import Location
from tools.codegen.problems import Problems

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: slower, same result.
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

# Entries hold tables that hold lists, and nothing deeper.
_DEEPEST = 8
_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INTEGER = re.compile(r"[-+]?\d{1,18}")
_NUMBER = re.compile(r"[-+]?(\d{1,18}\.\d{0,18}|\.\d{1,18})([eE][-+]?\d{1,3})?")
# YAML 1.1 has many words for these; see https://yaml.org/type/bool.html.
_WORDS: Mapping[str, bool | None] = {
    spelling: value
    for value, words in (
        (True, ("true", "yes", "on")),
        (False, ("false", "no", "off")),
        (None, ("null",)),
    )
    for word in words
    for spelling in (word, word.capitalize(), word.upper())
} | {"": None, "~": None}

# Line of each key of an entry, of the tables in it too; the first of a name counts. Behind a comma
# stand the words of keys that are several.
Lines = dict[str, int]


@dataclass(frozen=True, slots=True)
class YamlList:
    """The entries of a YAML list with the line each starts at."""

    path: str
    entries: tuple[Any, ...] = ()
    lines: tuple[int, ...] = ()
    keys: tuple[Lines, ...] = field(default=(), repr=False)

    def location(self, index: int, key: str | None = None) -> Location:
        """Where entry `index` (or `key` in it) stands."""
        if index >= len(self.lines):
            return Location(self.path, 1)
        line = self.lines[index]
        if key is not None:
            keys = self.keys[index]
            line = keys.get(key, keys.get(f",{key}", line))
        return Location(self.path, line)


def entry_text(entry: object) -> str:
    """What an entry says, whatever its layout and comments."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


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

    def check_values(self) -> None:
        """Every key of the entry has a value."""
        for key, value in self.entry.items():
            if value is None:
                self.problem(f"'{key}' has no value; give it one or remove the line", key)


class _Refused(Exception):
    """What is wrong with a file, and in which line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def read_yaml_list(path: str | Path, problems: Problems, text: str | None = None) -> YamlList:
    """Reads a list of mappings; the first thing that cannot be read becomes the only problem.

    A file that ends in `.json` is the canonical form of one, without mistakes and lines.
    """
    name = str(path)
    if name.endswith(".json"):
        return YamlList(name, tuple(json.loads(Path(path).read_bytes())))
    try:
        return _read(name, _text(path) if text is None else text)
    except _Refused as error:
        problems.add(Location(name, error.line), None, error.message)
    except yaml.YAMLError as error:
        problems.add(*_unreadable(name, error, text or _text(path)))
    return YamlList(name)


def _text(path: str | Path) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise _Refused(f"cannot be read: {error.strerror}", 1) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise _Refused(f"is not UTF-8: {error.reason}, 0x{byte:02x}", line) from None


def _unreadable(name: str, error: yaml.YAMLError, text: str) -> tuple[Location, None, str]:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or str(error)
    if mark is None:
        return Location(name, 1), None, f"not readable as YAML: {what}"
    shown = (_BREAK.split(text) + [""])[mark.line]
    if "\t" in shown[: len(shown) - len(shown.lstrip())]:
        what = "a tab; indent with spaces"
    return (
        Location(name, mark.line + 1),
        None,
        f"not readable as YAML: {what}\n{_caret(shown, mark.column)}",
    )


def _caret(line: str, column: int) -> str:
    start = max(0, column - 80)
    return f"{line[start : start + 120]}\n{' ' * (column - start)}^"


def _read(name: str, text: str) -> YamlList:
    bad = _UNPRINTABLE.search(text.removeprefix("\ufeff"))
    if bad:
        line = len(_BREAK.findall(text, 0, bad.start())) + 1
        raise _Refused(f"not readable as YAML: the character U+{ord(bad[0]):04X}", line)
    events = yaml.parse(text, Loader=_Loader)
    documents: list[YamlList] = []
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            if documents:
                raise _Refused("holds a second document", _line(event))
            documents.append(_document(name, events))
    if not documents:
        raise _Refused("is empty: expected entries that start with '- ', or [] for none", 1)
    return documents[0]


def _document(name: str, events: Iterator[yaml.Event]) -> YamlList:
    first = next(events)
    if not isinstance(first, yaml.SequenceStartEvent):
        line = _line(first)
        if isinstance(first, yaml.ScalarEvent) and not first.value:
            raise _Refused("is empty: expected entries that start with '- ', or [] for none", 1)
        raise _Refused("expected a list: every entry starts with '- '", line)
    entries: list[Any] = []
    lines: list[int] = []
    keys: list[Lines] = []
    _check_plain(first)
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            break
        lines.append(_line(event))
        keys.append({})
        entries.append(_value(event, events, keys[-1], 2))
    return YamlList(name, tuple(entries), tuple(lines), tuple(keys))


def _value(event: yaml.Event, events: Iterator[yaml.Event], lines: Lines, depth: int) -> Any:
    """The value that starts with this event, with the rest of its events taken."""
    _check_plain(event)
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event.value) if event.implicit[0] else event.value
    if depth > _DEEPEST:
        raise _Refused("lists and tables are nested too deep", _line(event))
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(_value(item, events, lines, depth + 1))
        return items
    table: dict[str, Any] = {}
    seen: Lines = {}
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        line = _line(key)
        _check_plain(key)
        if not isinstance(key, yaml.ScalarEvent):
            raise _Refused("a list or a table stands where a key is expected", line)
        word = key.value
        if word in table:
            raise _Refused(f"'{word}' stands twice in one table, first in line {seen[word]}", line)
        if word == "<<":
            raise _Refused("'<<' merges tables in YAML; write the keys out", line)
        seen[word] = line
        lines.setdefault(word, line)
        # Keys of dispatch may share a line: "CPU, CUDA: kernel".
        for part in word.split(","):
            lines.setdefault(f",{part.strip()}", line)
        table[word] = _value(next(events), events, lines, depth + 1)
    return table


def _line(event: yaml.Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else mark.line + 1


def _check_plain(event: yaml.Event) -> None:
    """No name for a value, and no type but what its text says."""
    line = _line(event)
    anchor = getattr(event, "anchor", None)
    if isinstance(event, yaml.AliasEvent):
        raise _Refused(f"'*{anchor}' stands for another value; write the value out", line)
    if anchor is not None:
        raise _Refused(f"'&{anchor}' names a value; write it out where it is used", line)
    tag = getattr(event, "tag", None)
    if tag is not None:
        raise _Refused(f"the YAML tag '{tag}'; write the value alone", line)


@cache
def _scalar(text: str) -> object:
    """What plain text means: true, false, nothing, a number, or itself."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
