"""The error of a schema that cannot be read: what, where in the text, what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST = 100


class SchemaError(ValueError):
    """A schema text that does not parse.

    `text` is the smallest piece the parser was looking at and `position` an offset into it; callers
    that know the whole line use `caret` to point at the place.
    """

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position

    def caret(self, line: str) -> str:
        """Two lines: `line`, and a caret under the piece that is wrong."""
        start = line.find(self.text) if self.text else -1
        column = max(start, 0) + (self.position if start >= 0 else 0)
        return f"{line}\n{' ' * column}^"


def nearest(word: str, known: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` for the known word closest to `word`, or nothing."""
    if len(word) > _LONGEST:  # Takes the square of its length.
        return ""
    known = sorted(known)
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if not found:
        lowered = {k.lower(): k for k in known}
        found = [lowered[m] for m in difflib.get_close_matches(word.lower(), lowered, n=1)]
    return f"; did you mean '{found[0]}'?" if found else ""
