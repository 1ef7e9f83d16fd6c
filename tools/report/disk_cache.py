"""How long the actions ran whose results a `--disk_cache` keeps."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

# Fields of build.bazel.remote.execution.v2: ActionResult, ExecutedActionMetadata, and Timestamp.
_EXECUTION_METADATA = 9
_EXECUTION_STARTED, _EXECUTION_COMPLETED = 7, 8
_SECONDS, _NANOSECONDS = 1, 2
# How fields are written: as a number, or as so many bytes.
_NUMBER, _BYTES = 0, 2


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number at a position, and the position after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The numbered fields of a message of Protocol Buffers."""
    at = 0
    while at < len(data):
        tag, at = _number(data, at)
        if tag & 7 not in (_NUMBER, _BYTES):
            raise ValueError(f"a field of kind {tag & 7}")
        value, at = _number(data, at)
        if tag & 7 == _NUMBER:
            yield tag >> 3, value
            continue
        if at + value > len(data):
            raise ValueError("a field that is cut short")
        yield tag >> 3, data[at : at + value]
        at += value


def _message(data: bytes, number: int) -> bytes:
    """The last field of a message with this number, itself a message; empty if it has none."""
    found = b""
    for field, value in _fields(data):
        if field == number and isinstance(value, bytes):
            found = value
    return found


def _instant(data: bytes) -> float:
    """A Timestamp, in seconds."""
    known = {number: value for number, value in _fields(data) if isinstance(value, int)}
    return known.get(_SECONDS, 0) + known.get(_NANOSECONDS, 0) / 1e9


class DiskCache:
    """The folder of `--disk_cache`; exits if there is none.

    Attributes:
      unknown: how many actions it was asked for and does not know the time of.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / "ac").is_dir():
            sys.exit(
                f"{folder} is no disk cache: it has no folder ac. "
                "Name the folder that --disk_cache names."
            )
        self._folder = folder / "ac"
        self.unknown = 0

    def seconds(self, action: str) -> float:
        """How long the command of an action ran, by its digest; 0 if that is not known."""
        try:
            result = (self._folder / action[:2] / action).read_bytes()
            metadata = _message(result, _EXECUTION_METADATA)
            started = _instant(_message(metadata, _EXECUTION_STARTED))
            completed = _instant(_message(metadata, _EXECUTION_COMPLETED))
        except (OSError, ValueError, IndexError):
            started = completed = 0.0
        if not started or completed < started:
            self.unknown += 1
            return 0.0
        return completed - started
