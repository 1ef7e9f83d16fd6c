"""Which sources and options of a checkout no list has, and which lists name what is gone.

    ./bazelw run //overlay/pytorch:report -- /path/to/checkout

For a version that `versions.bzl` does not know: the lists are the checkout's own
build_variables.bzl, the globs are those that its CMake files had when versions.bzl was written.
Exits with 1 if there is something to look at.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_FOLDERS = ("c10", "aten/src/ATen", "caffe2", "torch/csrc")
_GLOBS = ("C10_GLOBS", "ATEN_GLOBS", "KERNEL_GLOBS", "CAFFE2_GLOBS")


def evaluate(path: Path) -> Mapping[str, Any]:
    """What a file of facts defines; its Starlark is Python too."""
    scope: dict[str, Any] = {"struct": SimpleNamespace}
    exec(path.read_text(encoding="utf-8"), scope)
    return scope


def known_facts() -> Mapping[str, Any]:
    """What versions.bzl defines, and the options that are known."""
    here = Path(__file__)
    facts = dict(evaluate(here.with_name("versions.bzl")))
    not_covered = evaluate(here.with_name("not_covered.bzl"))
    optional = evaluate(here.with_name("libraries.bzl"))["OPTIONAL"]
    facts["OPTIONS"] = sorted({*optional, *not_covered["NOT_COVERED"]})
    facts["OF_THE_BUILD"] = not_covered["OF_THE_BUILD"]
    return facts


def unknown_options(source: Path, facts: Mapping[str, Any]) -> list[str]:
    """The options of CMake that overlay/pytorch neither has nor refuses."""
    text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    declared = re.findall(r"option\(\s*(USE_\w+)", text)
    known = {f"USE_{name.upper()}" for name in facts["OPTIONS"]}
    ways = tuple(name for name in facts["OF_THE_BUILD"] if name.endswith("_"))
    return [
        name
        for name in sorted(set(declared) - known - set(facts["OF_THE_BUILD"]))
        if not name.startswith(ways)
    ]


def report(source: Path, facts: Mapping[str, Any]) -> list[str]:
    """What somebody should look at, one line each."""
    variables = evaluate(source / "build_variables.bzl")
    missing = [name for name in facts["LISTS"] if name not in variables]
    lines = [f"build_variables.bzl has no list {name}" for name in missing]
    listed = {path for name in facts["LISTS"] for path in variables.get(name, ())}
    generated = set(facts["GENERATED"])
    lines += [
        f"listed, and not there: {path}"
        for path in sorted(listed - generated)
        if not (source / path).exists()
    ]
    for name in _GLOBS:
        for pattern in facts[name]:
            listed |= {str(path.relative_to(source)) for path in source.glob(pattern)}
    # Those of other builds too: CUDA, distributed, mobile.
    for value in variables.values():
        if isinstance(value, list):
            listed.update(value)
    lines += [
        f"option of CMake that overlay/pytorch/not_covered.bzl lacks: {name}"
        for name in unknown_options(source, facts)
    ]
    of_cmake = {
        word
        for path in (source / "CMakeLists.txt", *sorted((source / "cmake").rglob("*.cmake")))
        for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))
    }
    lines += [
        f"macro that no file of CMake sets: {name}"
        for name in sorted(macro.partition("=")[0] for macro in facts["DEFINES"])
        if not {name, f"D{name}"} & of_cmake and not name.startswith("FMT_")
    ]
    for folder in _FOLDERS:
        for path in sorted((source / folder).rglob("*.c*")):
            name = str(path.relative_to(source))
            if path.suffix not in (".cpp", ".cc") or name in listed | generated:
                continue
            if not any(word in name for word in facts["OTHER_BUILDS"]) and "templates" not in name:
                lines.append(f"in no list: {name}")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="a checkout of PyTorch")
    args = parser.parse_args(argv)
    if not (args.source / "build_variables.bzl").exists():
        parser.error(f"{args.source} has no build_variables.bzl: name a checkout of PyTorch")
    facts = known_facts()
    lines = report(args.source, facts)
    version = (args.source / "version.txt").read_text(encoding="utf-8").strip()
    known = ", ".join(facts["KNOWN"])
    print("\n".join([*lines, f"PyTorch {version}: {len(lines)} to look at (known: {known})"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
