"""The same sources built by CMake, Ninja and ccache: a baseline to measure, no second build.

The sources are those of build_variables.bzl; options and include folders of each are those that
Bazel compiles it with, so that both sides do the same work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Shared libraries in the order of their layers: name, Bazel target.
LAYERS = (
    ("c10", "//c10:libc10"),
    ("torch_cpu", "//aten:libtorch_cpu"),
    ("torch_python", "//torch:libtorch_python"),
    ("_C", "//torch:_C"),
)
# Of the second layer, what `--scope sample` compiles: a few sources of each kind, among them those
# that the edits of the benchmark touch.
SAMPLE = {
    *("Dispatcher", "TensorBase", "Scalar", "TensorShape", "Pow", "PowKernel", "LossNLL"),
    *("Operators_0", "RegisterSchema", "RegisterCompositeImplicitAutograd_0"),
}
# Options that belong to one file of one build, or that CMake gives itself.
_OWN = {"-c", "-o", "-MF", "-MD", "-frandom-seed"}
_FOLDERS = ("-iquote", "-isystem", "-I")
GENERATED = "${GENERATED}"
EXTERNAL = "${EXTERNAL}"


@dataclass(frozen=True)
class Compile:
    """How a source is compiled.

    Attributes:
      source: its path in the tree, or below the folder of generated files.
      options: of the compiler, without those that name files.
      folders: include folders, each with its flag.
      target: the Bazel target that it belongs to.
      part: the folder of its object file, and output group of a target of many sources.
    """

    source: str
    options: tuple[str, ...]
    folders: tuple[str, ...]
    target: str = ""
    part: str = ""


@dataclass
class Layer:
    """A shared library.

    Attributes:
      name: without `lib` and suffix.
      compiles: its sources.
      linked: whether more than object files is made of them.
    """

    name: str
    compiles: list[Compile] = field(default_factory=list)
    linked: bool = True


def portable(path: str) -> str:
    """A path of a Bazel command as CMake knows it."""
    path = re.sub(r"^bazel-out/[^/]+/bin/external/", f"{EXTERNAL}/../generated-external/", path)
    path = re.sub(r"^bazel-out/[^/]+/bin(/|$)", rf"{GENERATED}\1", path)
    path = re.sub(r"^external/", f"{EXTERNAL}/", path)
    return path if path.startswith(("/", "$")) else f"${{TREE}}/{path}".removesuffix("/.")


def parse(arguments: Sequence[str], target: str = "") -> Compile:
    """What a compile command of Bazel's says."""
    options: list[str] = []
    folders: list[str] = []
    source = ""
    part = ""
    words = iter(arguments[1:])
    for word in words:
        if word == "-c":
            source = portable(next(words))
        elif word == "-o":
            part = Path(next(words)).parent.name
        elif word == "-MF":
            next(words)
        elif word in _FOLDERS:
            folders.append(f"{word} {portable(next(words))}")
        elif word.startswith(_FOLDERS):
            flag = next(flag for flag in _FOLDERS if word.startswith(flag))
            folders.append(f"{flag} {portable(word.removeprefix(flag))}")
        elif word.partition("=")[0] not in _OWN and "redacted" not in word:
            options.append(word)
    return Compile(source, tuple(options), tuple(dict.fromkeys(folders)), target, part)


def compiles(graph: Mapping[str, Any]) -> list[Compile]:
    """The compile commands of `bazel aquery --output=jsonproto --include_commandline`."""
    labels = {target["id"]: target["label"] for target in graph.get("targets", ())}
    found = [
        parse(action["arguments"], labels.get(action.get("targetId"), ""))
        for action in graph.get("actions", ())
    ]
    return sorted(
        {
            compile.source + str(compile.options): compile
            for compile in found
            # What Bazel's own rules bring along is no part of the product.
            if not compile.source.startswith(f"{EXTERNAL}/bazel_tools/")
        }.values(),
        key=lambda compile: (compile.source, compile.options),
    )


def lists(tree: Path) -> set[str]:
    """Every source of build_variables.bzl."""
    names: dict[str, Any] = {}
    exec((tree / "build_variables.bzl").read_text(encoding="utf-8"), names)
    return {
        source
        for name, value in names.items()
        if name.endswith("_srcs") and isinstance(value, list)
        for source in value
    }


def unlisted(layers: Iterable[Layer], tree: Path) -> list[str]:
    """Sources of the tree that Bazel compiles and that are in no list: none, if all is well."""
    known = lists(tree)
    used = {c.source.removeprefix("${TREE}/") for layer in layers for c in layer.compiles}
    return sorted(source for source in used - known if not source.startswith("$"))


def cmake_lists(layers: Sequence[Layer], generator: str, generated: Sequence[str]) -> str:
    """A CMakeLists.txt.

    Args:
      layers: shared libraries; each links those before it.
      generator: command that writes the generated files; empty for none.
      generated: what it writes.
    """
    lines = [
        "cmake_minimum_required(VERSION 3.25)",
        "project(baseline CXX)",
        "set(CMAKE_POSITION_INDEPENDENT_CODE ON)",
        "set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)",
        "set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)",
        # Bazel's command lines have all options; build types add none but the debugger's.
        'set(CMAKE_CXX_FLAGS_RELEASE "")',
        'set(CMAKE_CXX_FLAGS_DEBUG "-g -O0")',
    ]
    if generator:
        # As in PyTorch: one command, which writes only what changed, before anything compiles.
        stamp = "${CMAKE_BINARY_DIR}/generated.stamp"
        lines += [
            "add_custom_command(",
            f"  OUTPUT {stamp}",
            "  BYPRODUCTS " + "\n    ".join(f"{GENERATED}/{path}" for path in generated),
            f"  COMMAND {generator}",
            f"  COMMAND ${{CMAKE_COMMAND}} -E touch {stamp}",
            "  DEPENDS ${TREE}/aten/src/ATen/native/native_functions.yaml",
            "    ${TREE}/tools/autograd/derivatives.yaml",
            "  WORKING_DIRECTORY ${TREE})",
            f"add_custom_target(generate DEPENDS {stamp})",
        ]
    below: list[str] = []
    for layer in layers:
        groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
        for compile in layer.compiles:
            groups.setdefault((compile.options, compile.folders), []).append(compile.source)
        objects = []
        for number, ((options, folders), sources) in enumerate(sorted(groups.items())):
            name = f"{layer.name}_{number}"
            objects.append(f"$<TARGET_OBJECTS:{name}>")
            words = [f'"{_escape(word)}"' for word in options]
            words += [f'"SHELL:{folder}"' for folder in folders]
            lines.append(f"add_library({name} OBJECT\n  " + "\n  ".join(sources) + ")")
            lines.append(f"target_compile_options({name} PRIVATE\n  " + "\n  ".join(words) + ")")
            if generator:
                lines.append(f"add_dependencies({name} generate)")
        if not layer.linked:
            continue
        lines.append(f"add_library({layer.name} SHARED\n  " + "\n  ".join(objects) + ")")
        if below:
            lines.append(f"target_link_libraries({layer.name} PRIVATE {' '.join(below)})")
        lines.append(f"target_link_libraries({layer.name} PRIVATE pthread dl)")
        below.append(layer.name)
    return "\n".join(lines) + "\n"


def _escape(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"')
