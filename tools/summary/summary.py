"""Prints how the tree is configured: every option, its value, why, and which file answers for it.

./bazelw run //tools:summary
./bazelw run //tools:summary --blas=openblas
./bazelw run //tools:summary -- --json    # the same for programs
./bazelw run //tools:summary -- --env     # PyTorch's environment variables as flags

It ends with 1 where something that is on is absent.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.package.environment import table
from tools.summary.build_type import build_type, sanitizers
from tools.workspace import workspace


def why(option: dict[str, str]) -> str:
    """Where an option's value comes from."""
    if option["value"] == option["default"]:
        return "default"
    return f"set by a flag or a .bazelrc; default {option['default']}"


def modules_of(workspace: Path) -> str:
    """Where this checkout's modules come from: `bazelw` leaves system mode's flags in a file."""
    system = (workspace / ".bazelrc.mode").exists()
    return "this system's packages" if system else "the Bazel Central Registry"


def absent(fact: dict[str, Any]) -> str:
    """Why what a repository found cannot be used; empty where it can."""
    if fact.get("missing"):
        return str(fact["missing"])
    gone = [file for file in fact.get("files", []) if not Path(file).exists()]
    return f"{gone[0]} was found and is gone. Type: ./bazelw shutdown" if gone else ""


def found(fact: dict[str, Any]) -> list[str]:
    """One line for each file that answers: its package, and how it was found."""
    name = fact.get("package") or " ".join([fact["library"], fact.get("version", "")]).strip()
    files = fact.get("files") or ["no file of its own"]
    return [f"{file}  ({name}; {fact['why']})" for file in files]


def render(report: dict[str, Any], modules: str, facts: Sequence[dict[str, Any]] = ()) -> str:
    """The table, one option a line and its files below, after the platform and the tools."""
    mode, copts = report["compilation_mode"], report["copts"]
    rows = [
        ("platform", f"{report['os']} {report['cpu']}", ""),
        ("third-party code", modules, ""),
        ("build type", build_type(mode, copts), " ".join([f"-c {mode}", *copts])),
        ("sanitizers", sanitizers(copts), ""),
        ("C++ compiler", report["compiler"], "the C++ toolchain that Bazel resolved"),
        ("LAPACK", report["lapack"], "--lapack and --blas decide"),
    ]
    rows += [(option["name"], option["value"], why(option)) for option in report["options"]]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = []
    for name, value, reason in rows:
        lines.append(f"{name:<{widths[0]}}  {value:<{widths[1]}}  {reason}".rstrip())
        for fact in facts:
            if fact["option"] == name:
                said = ["ABSENT: " + absent(fact).strip()] if absent(fact) else found(fact)
                lines += [
                    " " * (widths[0] + 2) + line for text in said for line in text.split("\n")
                ]
    return "\n".join(lines)


def faults(report: dict[str, Any], facts: Sequence[dict[str, Any]]) -> list[str]:
    """What is on and cannot work."""
    return list(report["errors"]) + [absent(fact).strip() for fact in facts if absent(fact)]


def main() -> int:
    """Reads the report that Bazel wrote for this configuration, and what its repositories found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("facts", type=Path, nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--env", action="store_true", help="print the environment variables")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments, others = parser.parse_known_args()
    if others:
        parser.error(
            f"{others[0]} is no option of the summary. Options of the build stand before the dashes: ./bazelw run //tools:summary --blas=openblas -- --json"
        )
    if arguments.env:
        print(table())
        return 0
    report = json.loads(arguments.report.read_text(encoding="utf-8"))
    facts = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.facts]
    wrong = faults(report, facts)
    if arguments.json:
        mode, copts = report["compilation_mode"], report["copts"]
        report["build_type"], report["sanitizers"] = build_type(mode, copts), sanitizers(copts)
        print(json.dumps(report | {"facts": facts, "faults": wrong}, indent=2))
    else:
        print(render(report, modules_of(workspace()), facts))
    for fault in wrong:
        print(f"summary: this build cannot work: {fault}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
