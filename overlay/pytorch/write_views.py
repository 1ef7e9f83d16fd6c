"""Copies headers that include all operators, each with some of the operators only.

    write_views.py --headers FILE... --operators NAME.h... --views OUT|NUMBER|NAME NAME...

A view is where to write it, the number of its header among `--headers`, and the operators that it
includes. Includes of other files stay.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence, Set
from pathlib import Path

_OF_OPERATOR = re.compile(r"\s*#\s*include\s*<ATen/ops/((\w+?)(?:_native)?)\.h>")


def view(text: str, operators: Set[str], chosen: Set[str]) -> str:
    """A header without the includes of operators that are not chosen.

    Args:
      text: the header.
      operators: the names of all operators' headers.
      chosen: names of operators.
    """
    lines = []
    for line in text.splitlines(keepends=True):
        found = _OF_OPERATOR.match(line)
        # An operator may itself be named X_native.
        if not found or f"{found[1]}.h" not in operators or chosen & {found[1], found[2]}:
            lines.append(line)
    return "".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the views."""
    parser = argparse.ArgumentParser(description=__doc__, fromfile_prefix_chars="@")
    parser.add_argument("--headers", nargs="+", type=Path, required=True)
    parser.add_argument("--operators", nargs="*", default=())
    parser.add_argument("--views", nargs="*", default=())
    args = parser.parse_args(argv)
    texts = [path.read_text(encoding="utf-8") for path in args.headers]
    operators = frozenset(args.operators)
    for line in args.views:
        out, number, names = line.split("|")
        text = view(texts[int(number)], operators, frozenset(names.split()))
        Path(out).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
