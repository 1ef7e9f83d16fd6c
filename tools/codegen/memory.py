"""What one run found out and the next one may use, when one process serves several runs.

Everything is kept by value, never by the name or the date of a file: a result is used again only if
what it was made from is the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

_BINARY = getattr(os, "O_BINARY", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY


class Memory:
    """Results of earlier runs."""

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[Any, Any]] = {}
        self._written: dict[str, tuple[tuple[int, ...], str]] = {}

    def recall(self, name: Hashable, made_from: object, make: Callable[[], T]) -> T:
        """The result `name`, made anew if what it is made from has changed.

        One result is kept for each name.
        """
        kept = self._results.get(name)
        if kept is not None and kept[0] == made_from:
            result: T = kept[1]
            return result
        result = make()
        self.keep(name, made_from, result)
        return result

    def keep(self, name: Hashable, made_from: object, result: object) -> None:
        """Keeps a result."""
        self._results[name] = (made_from, result)

    def write(self, path: str, text: str) -> None:
        """Writes a file, unless it still is what was written last and has this text."""
        kept = self._written.get(path)
        if kept is not None and kept[1] == text and kept[0] == _state(path):
            return
        write_if_changed(path, text)
        self._written[path] = (_state(path), text)


def write_if_changed(path: str | Path, text: str) -> None:
    """Writes a file unless it already has this text."""
    # Thousands of small files: Python's file objects cost more than the system's.
    data = text.encode()
    try:
        if _read(path, len(data)) == data:
            return
    except OSError:
        pass
    try:
        file = os.open(path, _WRITE, 0o666)
    except FileNotFoundError:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, _WRITE, 0o666)
    with os.fdopen(file, "wb", buffering=0) as out:
        out.write(data)


def _read(path: str | Path, size: int) -> bytes | None:
    """What a file of this size holds; None if its size is another."""
    file = os.open(path, os.O_RDONLY | _BINARY)
    try:
        return os.read(file, size) if os.fstat(file).st_size == size else None
    finally:
        os.close(file)


def _state(path: str) -> tuple[int, ...]:
    """What changes when a file is written or replaced; empty if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
