"""What the files of a PyTorch checkout include, remembered between builds.

A checkout has some 5,000 files with includes, and an edit changes one. The index keeps what each
file includes beside the file's size, number and times, as Git's index does, so that a build reads
the files that changed and no others.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from overlay.pytorch.spelling import Spelling
from overlay.pytorch.strip_comments import strip_comments

# Times of files are this coarse at worst: one that changed later may have changed again unseen.
_COARSEST_NS = 2_000_000_000

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)[ \t]*(.*)$", re.MULTILINE)
_INCLUDE = re.compile(r"[<\"]([^>\"]+)[>\"]")
_WORD = re.compile(r"\w+")
_KNOWN = "AT_PER_OPERATOR_HEADERS"
# Before the path, for the fact which operators a file can name.
_SPELLED = "spelled:"


def read_includes(text: str) -> Iterator[tuple[str, bool]]:
    """The files that a text includes, each with whether it is named in quotes."""
    text = text.replace("\\\n", " ")
    # For each open condition, whether the lines below count; None where both ways do.
    open_conditions: list[bool | None] = []
    for match in _DIRECTIVE.finditer(text):
        word, rest = match[1], match[2]
        if word in ("if", "ifdef", "ifndef"):
            open_conditions.append(_known(word, rest))
        elif word in ("else", "elif") and open_conditions:
            now = open_conditions[-1]
            open_conditions[-1] = None if now is None else not now
        elif word == "endif" and open_conditions:
            open_conditions.pop()
        elif word == "include" and False not in open_conditions:
            found = _INCLUDE.match(rest)
            if found:
                yield found[1], rest.startswith('"')


def _known(word: str, rest: str) -> bool | None:
    """What is known of a condition."""
    condition = re.sub(r"//.*|/\*.*?\*/", "", rest).strip()
    if word in ("ifdef", "ifndef"):
        return (word == "ifdef") if condition == _KNOWN else None
    if condition == f"defined({_KNOWN})":
        return True
    return False if condition == f"!defined({_KNOWN})" else None


def state_of(path: Path) -> list[int]:
    """What tells a file from what it was before; empty if there is none."""
    try:
        status = path.stat()
    except OSError:
        return []
    return [status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]


def files_below(source: Path, folders: Iterable[str], extensions: tuple[str, ...]) -> list[str]:
    """The files with these extensions in some folders and in those below them."""
    found = []
    for folder in folders:
        for parent, _, names in os.walk(source / folder):
            below = os.path.relpath(parent, source)
            found += [f"{below}/{name}" for name in names if name.endswith(extensions)]
    return sorted(found)


class Index:
    """Facts of files: of a source what it includes, of a YAML file a digest.

    Args:
      source: the checkout.
      saved: what `to_json` returned at an earlier time; nothing of it is believed that does not
        have the form.
      words: macros of optional libraries. A file that mentions `WORD` includes `@WORD`.
      spelling: the names of the operators; those with which it was saved.
    """

    def __init__(
        self,
        source: Path,
        saved: object = None,
        words: Iterable[str] = (),
        spelling: Spelling | None = None,
    ) -> None:
        self.source = source
        self.words = frozenset(words)
        self.spelling = spelling
        # By path the file's state and its fact. A state that may not tell everything is empty.
        self._saved: Mapping[str, tuple[list[int], Any]] = {}
        self._now: dict[str, tuple[list[int], Any]] = {}
        self._began = time.time_ns()
        self.read = 0
        if isinstance(saved, dict):
            self._saved = {str(path): (entry[0], entry[1]) for path, entry in saved.items()}

    def includes(self, path: str) -> list[tuple[str, bool]]:
        """What a file includes; nothing if there is no such file."""
        return [(name, quoted) for name, quoted in self._fact(path) or ()]

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return self._fact(path) is not None

    def digest(self, path: str) -> str:
        """A digest of a YAML file without its comments."""
        return str(self._fact(path))

    def spelled(self, path: str) -> list[str]:
        """The operators that a file can name; nothing if there is no such file."""
        return self._fact(_SPELLED + path) or []

    def respell(self, spelling: Spelling) -> None:
        """Goes by other names of operators."""
        if self.spelling is None or spelling.to_json() != self.spelling.to_json():
            self._saved = {
                path: entry for path, entry in self._saved.items() if not path.startswith(_SPELLED)
            }
            self._now = {
                path: entry for path, entry in self._now.items() if not path.startswith(_SPELLED)
            }
        self.spelling = spelling

    def holds(self) -> bool:
        """Whether each fact that was saved is true of today's files."""
        return bool(self._saved) and all(
            self._fact(path) == fact for path, (_, fact) in self._saved.items()
        )

    def to_json(self) -> object:
        """What another index can begin with: the facts that were asked for."""
        # What was read after it began may have changed since, within the same tick of the clock.
        limit = self._began - _COARSEST_NS
        return {
            path: (state if state and max(state[:2]) < limit else [], fact)
            for path, (state, fact) in self._now.items()
        }

    def _fact(self, path: str) -> Any:
        if path not in self._now:
            file = self.source / path.removeprefix(_SPELLED)
            state = state_of(file)
            saved_state, fact = self._saved.get(path, ([], None))
            if not state:
                fact = None
            elif state != saved_state:
                fact = self._spelled(file) if path.startswith(_SPELLED) else _read(file, self.words)
                self.read += 1
            self._now[path] = (state, fact)
        return self._now[path][1]

    def _spelled(self, file: Path) -> list[str]:
        assert self.spelling is not None
        return self.spelling.of(file.read_text(encoding="utf-8", errors="replace"))


def _read(path: Path, words: frozenset[str]) -> object:
    """The fact of one file, as JSON has it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".yaml":
        mentioned = sorted(words & set(_WORD.findall(text))) if words else []
        return [[f"@{word}", False] for word in mentioned] + [
            list(found) for found in read_includes(text)
        ]
    # Where strip_comments refuses, some lines with a # may not be comments.
    with contextlib.suppress(ValueError):
        text = strip_comments(text)
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()


def load(path: Path) -> Any:
    """What a file of JSON holds; None if it is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def save(path: Path, value: object) -> None:
    """Writes a file of JSON, all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    scratch.write_text(json.dumps(value), encoding="utf-8")
    scratch.replace(path)
