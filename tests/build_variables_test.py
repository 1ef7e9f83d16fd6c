"""build_variables.bzl lists every source of the tree once, for Bazel and for anybody's Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tools.lint.tree import source_root, tree_files

ROOT = source_root()
LAYERS = ("aten", "c10", "torch")

# Templates look like sources, but the generator reads them.
TEMPLATES = "templates"

# Ends of names of what is no list: architectures of single sources.
ARCHS = "_extra_archs"


def evaluate(text: str) -> dict[str, list[str]]:
    """The lists of the file, by name, as Python sees them."""
    scope: dict[str, object] = {}
    exec(compile(text, "build_variables.bzl", "exec"), {"__builtins__": {"sorted": sorted}}, scope)
    lists: dict[str, list[str]] = {}
    for name, value in scope.items():
        if name == "__doc__" or name.endswith(ARCHS):
            continue
        assert isinstance(value, list), f"{name} is a {type(value).__name__}, not a list"
        assert all(isinstance(path, str) for path in value), f"{name} holds more than strings"
        lists[name] = value
    return lists


def problems(lists: Mapping[str, list[str]], on_disk: Iterable[str]) -> list[str]:
    """What differs between the lists and the disk, one line each, with the way out."""
    found = []
    times = Counter(path for paths in lists.values() for path in paths)
    for path in sorted(set(on_disk) | set(times)):
        homes = [name for name, paths in lists.items() if path in paths]
        if not homes:
            found.append(f"{path} is in no list: add it to that of its directory")
        elif times[path] > 1:
            found.append(f"{path} is listed {times[path]} times, in {', '.join(homes)}: keep one")
        elif path not in set(on_disk):
            found.append(f"{path} of {homes[0]} does not exist: take it out")
    for name, paths in lists.items():
        if paths != sorted(paths):
            found.append(f"{name} is not sorted")
    return found


def archs() -> dict[str, dict[str, list[str]]]:
    """Architectures by source, by the name of the table."""
    scope: dict[str, object] = {}
    exec((ROOT / "build_variables.bzl").read_text(encoding="utf-8"), scope)
    return {
        name: value
        for name, value in scope.items()
        if name.endswith(ARCHS) and isinstance(value, dict)
    }


def sums(lists: Mapping[str, list[str]]) -> set[str]:
    """Names of lists that are sums of others."""
    return {name for name in lists if name.endswith("_sources")}


def sources() -> set[str]:
    """Every source of C++ and of shaders of the layers, by its path from the root."""
    kinds = {".comp", ".cpp", ".cu", ".mm"}
    paths = (path.relative_to(ROOT) for path in tree_files(ROOT) if path.suffix in kinds)
    return {str(p) for p in paths if p.parts[0] in LAYERS and TEMPLATES not in p.parts}


def test_every_source_is_listed_once() -> None:
    lists = evaluate((ROOT / "build_variables.bzl").read_text(encoding="utf-8"))
    assert sources(), f"no source under {ROOT}"
    alone = {name: lists[name] for name in lists.keys() - sums(lists)}
    found = problems(alone, sources())
    assert not found, "build_variables.bzl:\n" + "\n".join(found)


def test_architectures_are_those_of_sources() -> None:
    lists = evaluate((ROOT / "build_variables.bzl").read_text(encoding="utf-8"))
    assert archs()
    for name, table in archs().items():
        assert table.keys() <= set(lists[name.removesuffix(ARCHS) + "_srcs"]), name


def test_every_list_is_used() -> None:
    lists = evaluate((ROOT / "build_variables.bzl").read_text(encoding="utf-8"))
    builds = "".join(
        path.read_text(encoding="utf-8")
        for path in tree_files(ROOT)
        if path.name == "BUILD.bazel" or (path.suffix == ".bzl" and path.parent != ROOT)
    )
    unused = [name for name in lists.keys() - sums(lists) if name not in builds]
    assert not unused, f"no BUILD file uses {', '.join(unused)}"


def test_pytorchs_name_for_the_bindings() -> None:
    scope: dict[str, list[str]] = {}
    # As people read it: no argument but the text.
    exec((ROOT / "build_variables.bzl").read_text(encoding="utf-8"), scope)
    bindings = scope["libtorch_python_core_sources"]
    assert {"torch/csrc/Module.cpp", "torch/csrc/autograd/python_variable.cpp"} <= set(bindings)
    assert len(bindings) == len(set(bindings))


def test_names_each_problem() -> None:
    lists = {"a_srcs": ["a/two.cpp", "a/one.cpp", "a/gone.cpp"], "b_srcs": ["a/one.cpp"]}
    assert problems(lists, {"a/one.cpp", "a/two.cpp", "a/new.cpp"}) == [
        "a/gone.cpp of a_srcs does not exist: take it out",
        "a/new.cpp is in no list: add it to that of its directory",
        "a/one.cpp is listed 2 times, in a_srcs, b_srcs: keep one",
        "a_srcs is not sorted",
    ]
