"""Fills in a header as CMake's configure_file does, and refuses what it does not know.

    configure.py IN OUT NAME=VALUE...

`@NAME@` and `${NAME}` become the value, `#cmakedefine NAME` a definition where the value is not
empty, 0 or OFF. A variable without a value is an error: the checkout's version has an option that
the overlay lacks.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

_VARIABLE = re.compile(r"@(\w+)@|\$\{(\w+)\}")
_DEFINE = re.compile(r"^#cmakedefine(01)?[ \t]+(\w+)(.*)$", re.MULTILINE)
_OFF = ("", "0", "OFF")


def variables(text: str) -> set[str]:
    """The names of the variables in a text."""
    return {a or b for a, b in _VARIABLE.findall(text)} | {m[1] for m in _DEFINE.findall(text)}


def configure(text: str, values: Mapping[str, str]) -> str:
    """The text with its variables filled in; raises `KeyError` with the names without value."""
    unknown = sorted(variables(text) - values.keys())
    if unknown:
        raise KeyError(*unknown)

    def define(match: re.Match[str]) -> str:
        on = values[match[2]] not in _OFF
        if match[1]:
            return f"#define {match[2]} {int(on)}"
        return f"#define {match[2]}{match[3]}" if on else f"/* #undef {match[2]} */"

    return _VARIABLE.sub(lambda match: values[match[1] or match[2]], _DEFINE.sub(define, text))


def main() -> int:
    """Writes the header."""
    source, out, *assignments = sys.argv[1:]
    values = dict(word.split("=", 1) for word in assignments)
    try:
        text = configure(Path(source).read_text(encoding="utf-8"), values)
    except KeyError as error:
        print(
            f"{source} uses {', '.join(error.args)}, for which overlay/pytorch has no value: this "
            "version of PyTorch has other options. Add them to overlay/pytorch/options.bzl.",
            file=sys.stderr,
        )
        return 1
    Path(out).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
