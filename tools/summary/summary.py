"""Prints how the tree is configured: every option, its value and why.

./bazelw run //tools/summary
./bazelw run //tools/summary --blas=openblas
./bazelw run //tools/summary -- --env     # PyTorch's environment variables as flags
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.package.environment import table
from tools.workspace import workspace

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


def why(option: dict[str, str]) -> str:
    """Where an option's value comes from."""
    if option["value"] == option["default"]:
        return "default"
    return f"set by a flag or a .bazelrc; default {option['default']}"


def modules_of(workspace: Path) -> str:
    """Where this checkout's modules come from: `bazelw` leaves system mode's flags in a file."""
    system = (workspace / ".bazelrc.mode").exists()
    return "this system's packages" if system else "the Bazel Central Registry"


def render(report: dict[str, Any], modules: str) -> str:
    """The table, one option a line, after the platform and the tools."""
    mode, copts = report["compilation_mode"], report["copts"]
    rows = [
        ("platform", f"{report['os']} {report['cpu']}", ""),
        ("third-party code", modules, ""),
        ("build type", build_type(mode, copts), " ".join([f"-c {mode}", *copts])),
        ("sanitizers", sanitizers(copts), ""),
        ("C++ compiler", report["compiler"], "the C++ toolchain that Bazel resolved"),
    ]
    rows += [(option["name"], option["value"], why(option)) for option in report["options"]]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return "\n".join(
        f"{name:<{widths[0]}}  {value:<{widths[1]}}  {reason}".rstrip()
        for name, value, reason in rows
    )


def main() -> None:
    """Reads the report that Bazel wrote for this configuration."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="values.json of //config; Bazel passes it")
    parser.add_argument("--env", action="store_true", help="print the environment variables")
    arguments = parser.parse_args()
    if arguments.env:
        print(table())
        return
    report = json.loads(arguments.report.read_text(encoding="utf-8"))
    print(render(report, modules_of(workspace())))


if __name__ == "__main__":
    main()
