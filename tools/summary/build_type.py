"""What the flags of a configuration amount to, in CMake's words."""

from __future__ import annotations

import re
from collections.abc import Sequence

_UNOPTIMISED = ("-O0", "-Og")
_SMALL = ("-Os", "-Oz")


def build_type(mode: str, copts: Sequence[str]) -> str:
    """CMake's name for what the flags amount to: the last one of a kind is the one that counts.

    Args:
      mode: Bazel's compilation mode: opt, dbg or fastbuild.
      copts: options of every compile, in order.

    Returns:
      Release, RelWithDebInfo, MinSizeRel or Debug, and what else holds.
    """
    levels = [flag for flag in copts if re.fullmatch(r"-O\w*", flag)]
    symbols = [flag for flag in copts if re.fullmatch(r"-g\d?|-ggdb\d?", flag)]
    level = levels[-1] if levels else {"opt": "-O2", "dbg": "-O0", "fastbuild": "-O0"}[mode]
    has_symbols = symbols[-1] != "-g0" if symbols else mode == "dbg"
    asserts = "" if mode == "opt" else " with assertions"
    if level in _UNOPTIMISED:
        return "Debug" if mode == "dbg" else f"not optimised ({level}){asserts}"
    if level in _SMALL:
        return "MinSizeRel" + asserts
    return ("RelWithDebInfo" if has_symbols else "Release") + asserts


def sanitizers(copts: Sequence[str]) -> str:
    """The sanitizers that every compile has, or none."""
    found = [flag.removeprefix("-fsanitize=") for flag in copts if flag.startswith("-fsanitize=")]
    return ", ".join(dict.fromkeys(found)) or "none"
