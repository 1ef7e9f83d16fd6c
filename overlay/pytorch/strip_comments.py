"""A YAML file without lines of comments: what reads it does not run again when only these change.

strip_comments.py IN OUT
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_LINES = re.compile(r"^[ \t]*(?:#.*)?\n", re.MULTILINE)


def strip_comments(text: str) -> str:
    """The text without empty lines and comments; refuses block scalars, which may hold both."""
    block = re.search(r":[ \t]*[|>][+-]?[ \t]*$", text, re.MULTILINE)
    if block:
        line = text.count("\n", 0, block.start()) + 1
        raise ValueError(
            f"line {line} begins a block of text, in which comments cannot be told from text"
        )
    return _LINES.sub("", text)


def main() -> int:
    """Writes the file."""
    source, out = map(Path, sys.argv[1:])
    try:
        out.write_text(strip_comments(source.read_text(encoding="utf-8")), encoding="utf-8")
    except ValueError as error:
        print(f"{source}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
