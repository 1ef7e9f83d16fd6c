"""Prints how the tree is configured: every option, its value and why.

./bazelw run //tools/summary
./bazelw run //tools/summary --blas=openblas
./bazelw run //tools/summary -- --env     # PyTorch's environment variables as flags
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tools.package.environment import table

_MODES = {"dbg": "Debug", "fastbuild": "no optimisation", "opt": "Release"}


def why(option: dict[str, str]) -> str:
    """Where an option's value comes from."""
    if option["value"] == option["default"]:
        return "default"
    return f"set by a flag or a .bazelrc; default {option['default']}"


def render(report: dict[str, Any]) -> str:
    """The table, one option a line, after the platform and the tools."""
    rows = [
        ("platform", f"{report['os']} {report['cpu']}", ""),
        ("build type", _MODES[report["compilation_mode"]], f"-c {report['compilation_mode']}"),
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
    print(render(json.loads(arguments.report.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
