"""What of a checkout no list has, and which lists name what is gone.

    ./bazelw run //overlay/pytorch:report -- /path/to/checkout

For a version that `versions.bzl` does not know: the lists are the checkout's own
build_variables.bzl, the globs are those that its CMake files had when versions.bzl was written, and
generated files are what the checkout's generators write, which run for half a minute. Exits with 1
if there is something to look at.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from overlay.pytorch.budget import INPUTS, PYTHON_INPUTS, TAGS, generate
from overlay.pytorch.configure import variables
from overlay.pytorch.generate import ATEN, IGNORED, YAML
from overlay.pytorch.index import read_includes
from overlay.pytorch.strip_comments import strip_comments
from overlay.pytorch.tables import INCLUDE_ROOTS, OperatorHeaders
from overlay.pytorch.write_tables import readable
from tools.codegen.problems import CodegenError

_FOLDERS = ("c10", "aten/src/ATen", "caffe2", "torch/csrc")
_GLOBS = ("c10_globs", "aten_globs", "kernel_globs", "caffe2_globs")
_KINDS = ("headers", "sources", "autograd", "python")
# What generators write.
_WRITTEN = (
    "annotated_arguments",
    "aoti_sources",
    "aten_headers",
    "aten_kernels",
    "aten_source_headers",
    "aten_sources",
    "autograd_headers",
    "autograd_sources",
    "cuda_generated_headers",
    "cuda_generated_sources",
    "python_files",
    "python_sources",
)


def evaluate(path: Path) -> Mapping[str, Any]:
    """What a file of facts defines; its Starlark is Python too."""
    scope: dict[str, Any] = {"COPTS": (), "load": lambda *_: None, "struct": SimpleNamespace}
    exec(path.read_text(encoding="utf-8"), scope)
    return scope


def known_facts(version: str) -> dict[str, Any]:
    """The facts of versions.bzl, and the options and variables that are known.

    Args:
      version: what version.txt says.
    """
    here = Path(__file__)
    versions = evaluate(here.with_name("versions.bzl"))
    facts = dict(vars(versions["facts_of"](version)))
    facts["known"] = versions["KNOWN"]
    facts["known_version"] = versions["known_version"](version)
    facts["lists"] = versions["LISTS"]
    not_covered = evaluate(here.with_name("not_covered.bzl"))
    optional = evaluate(here.with_name("libraries.bzl"))["OPTIONAL"]
    facts["options"] = sorted({*optional, *not_covered["NOT_COVERED"]})
    facts["of_the_build"] = not_covered["OF_THE_BUILD"]
    (facts["standard"],) = (
        option.removeprefix("-std=gnu++")
        for option in evaluate(here.with_name("cc.bzl"))["COPTS"]
        if option.startswith("-std=")
    )
    options = evaluate(here.with_name("options.bzl"))
    facts["variables"] = {
        "CMAKE_BUILD_TYPE",
        *options["version_values"]("0.0.0"),
        *(library.variable for library in optional.values()),
        *(name for library in optional.values() for name in library.build_info),
        *(name for value in options.values() if isinstance(value, dict) for name in value),
    }
    return facts


def unknown_options(source: Path, facts: Mapping[str, Any]) -> list[str]:
    """The options of CMake that overlay/pytorch neither has nor refuses."""
    text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    declared = re.findall(r"option\(\s*(USE_\w+)", text)
    known = {f"USE_{name.upper()}" for name in facts["options"]}
    ways = tuple(name for name in facts["of_the_build"] if name.endswith("_"))
    return [
        name
        for name in sorted(set(declared) - known - set(facts["of_the_build"]))
        if not name.startswith(ways)
    ]


def unknown_variables(source: Path, facts: Mapping[str, Any]) -> list[str]:
    """What configuration headers are made of and no value is known for, a line each."""
    lines = []
    for header in [*facts["configured"], *facts["cuda_configured"]]:
        template = source / f"{header}.in"
        if not template.exists():
            lines.append(f"configuration header that is not there: {header}.in")
            continue
        found = variables(template.read_text(encoding="utf-8")) - facts["variables"]
        lines += [
            f"variable of {header}.in that overlay/pytorch/options.bzl lacks: {name}"
            for name in sorted(found)
        ]
    return lines


def unread_folders(source: Path, facts: Mapping[str, Any]) -> list[str]:
    """Folders that sources include from and no list has, a line each."""
    copies = [str(path.relative_to(source)) for path in source.glob("third_party/miniz-*")]
    names = readable(source, [*facts["read_folders"], *copies])
    known = {*names, *facts["generated"]}
    roots = [f"{folder}/" if folder else "" for folder in INCLUDE_ROOTS]
    found: dict[str, str] = {}
    for name in names:
        text = (source / name).read_text(encoding="utf-8", errors="replace")
        for include, _ in read_includes(text):
            paths = [f"{root}{include}" for root in roots]
            if known.isdisjoint(paths):
                there = [path for path in paths if (source / path).is_file()]
                found.update({path.rpartition("/")[0]: name for path in there})
    return [
        f"folder that is in no list, and {name} includes from it: {folder}"
        for folder, name in sorted(found.items())
    ]


def other_standard(source: Path, facts: Mapping[str, Any]) -> list[str]:
    """Whether CMake compiles another C++: a line."""
    texts = (path for path in (source / "c10/CMakeLists.txt", source / "CMakeLists.txt"))
    for text in (path.read_text(encoding="utf-8") for path in texts if path.exists()):
        found = re.search(r"set\(CMAKE_CXX_STANDARD\s+(\d+)", text)
        if found and found[1] != facts["standard"]:
            return [f"CMake compiles C++{found[1]}, overlay/pytorch/cc.bzl C++{facts['standard']}"]
    return []


def generated(
    source: Path,
    facts: Mapping[str, Any],
    run: Callable[[Path, str, Sequence[str], Sequence[str]], Mapping[str, str]] = generate,
) -> list[str]:
    """What the checkout's generators write otherwise than declared, a line each.

    Args:
      source: the checkout.
      facts: what is declared.
      run: runs the generators.
    """
    inputs = (*INPUTS, *PYTHON_INPUTS)
    absent = [name for name in inputs if not (source / name).exists()]
    if absent:
        return [f"input of a generator that is not there: {name}" for name in absent]
    try:
        operators = OperatorHeaders.of(source / YAML, source / TAGS)
        text = strip_comments((source / YAML).read_text(encoding="utf-8"))
    except (CodegenError, ValueError) as error:
        return [f"native_functions.yaml that tools/codegen cannot read: {error}"]
    declared = {path for name in _WRITTEN for path in facts[name]}
    declared |= {f"{ATEN}/ops/{name}" for name in operators.files}
    written = {path for path in run(source, text, _KINDS, inputs) if not path.endswith(IGNORED)}
    written = {path for path in written if "__pycache__" not in path}
    return [
        *(f"generated, and in no list: {path}" for path in sorted(written - declared)),
        *(f"in a list, and not generated: {path}" for path in sorted(declared - written)),
    ]


def report(source: Path, facts: Mapping[str, Any]) -> list[str]:
    """What of the sources somebody should look at, one line each."""
    build_variables = evaluate(source / "build_variables.bzl")
    missing = [name for name in facts["lists"] if name not in build_variables]
    lines = [f"build_variables.bzl has no list {name}" for name in missing]
    listed = {path for name in facts["lists"] for path in build_variables.get(name, ())}
    made = set(facts["generated"])
    lines += [
        f"listed, and not there: {path}"
        for path in sorted(listed - made)
        if not (source / path).exists()
    ]
    for name in _GLOBS:
        for pattern in facts[name]:
            listed |= {str(path.relative_to(source)) for path in source.glob(pattern)}
    # Those of other builds too: CUDA, distributed, mobile.
    for value in build_variables.values():
        if isinstance(value, list):
            listed.update(value)
    lines += [
        f"option of CMake that overlay/pytorch/not_covered.bzl lacks: {name}"
        for name in unknown_options(source, facts)
    ]
    lines += unknown_variables(source, facts)
    lines += other_standard(source, facts)
    lines += unread_folders(source, facts)
    of_cmake = {
        word
        for path in (source / "CMakeLists.txt", *sorted((source / "cmake").rglob("*.cmake")))
        for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))
    }
    lines += [
        f"macro that no file of CMake sets: {name}"
        for name in sorted(macro.partition("=")[0] for macro in facts["defines"])
        if not {name, f"D{name}"} & of_cmake and not name.startswith("FMT_")
    ]
    for folder in _FOLDERS:
        for path in sorted((source / folder).rglob("*.c*")):
            name = str(path.relative_to(source))
            if path.suffix not in (".cpp", ".cc") or name in listed | made:
                continue
            if not any(word in name for word in facts["other_builds"]) and "templates" not in name:
                lines.append(f"in no list: {name}")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="a checkout of PyTorch")
    args = parser.parse_args(argv)
    for name in ("build_variables.bzl", "version.txt", "CMakeLists.txt"):
        if not (args.source / name).exists():
            parser.error(f"{args.source} has no {name}: name a checkout of PyTorch")
    version = (args.source / "version.txt").read_text(encoding="utf-8").strip()
    facts = known_facts(version)
    lines = report(args.source, facts) + generated(args.source, facts)
    known = ", ".join(facts["known"])
    looked = f"known: {known}; compared with {facts['known_version']}"
    print("\n".join([*lines, f"PyTorch {version}: {len(lines)} to look at ({looked})"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
