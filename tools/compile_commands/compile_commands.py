"""Writes compile_commands.json, which clangd and other editors read.

./bazelw run //tools:compile_commands                           # every C++ source of the tree
./bazelw run //tools:compile_commands -- //torch/csrc/...       # some of them, sooner
./bazelw run //tools:compile_commands -- //... --config=asan    # compiled in another way

Bazel says how it compiles each source (`bazel aquery`). Headers that the generator writes are built
first, so that editors find them. docs/editors.md has the settings of editors.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.workspace import (
    bazel,
    expression,
    from_here,
    only_built,
    split,
    workspace,
    writing,
)

# GCC's options that clang does not know, and what an editor has no use for.
_DROPPED = frozenset(
    {
        "-MD",
        "-Wno-free-nonheap-object",
        "-c",
        "-fno-canonical-system-headers",
        "-fversion-loops-for-strides",
        "-fvect-cost-model=dynamic",
    }
)
_DROPPED_WITH_VALUE = frozenset({"-MF", "-o"})
_DROPPED_PREFIXES = ("-frandom-seed=", "-D__DATE__=", "-D__TIME__=", "-D__TIMESTAMP__=")

# Options of Bazel whose value is a path below the execution root.
_PATH_OPTIONS = frozenset({"-I", "-iquote", "-isystem", "-idirafter", "-include"})

# Headers of a target's dependencies, without compiling anything.
_HEADERS_ONLY = "--output_groups=compilation_prerequisites_INTERNAL_"


@dataclass(frozen=True)
class Roots:
    """Where Bazel's relative paths begin.

    Attributes:
      workspace: the checkout.
      execution_root: where actions run; holds bazel-out.
      output_base: holds external.
    """

    workspace: Path
    execution_root: Path
    output_base: Path

    def resolve(self, path: str) -> str:
        """The absolute path of one that is relative to the execution root."""
        if path.startswith("/"):
            return path
        if path.startswith("bazel-out/"):
            return str(self.execution_root / path)
        if path.startswith("external/"):
            return str(self.output_base / path)
        return str(self.workspace / path) if path != "." else str(self.workspace)


def _arguments(words: Sequence[str], roots: Roots) -> list[str]:
    """A compile's command line as clangd wants it: no outputs, absolute paths."""
    result: list[str] = []
    following = iter(words)
    for word in following:
        if word in _DROPPED_WITH_VALUE:
            next(following)
        elif word in _DROPPED or word.startswith(_DROPPED_PREFIXES):
            continue
        elif word in _PATH_OPTIONS:
            result += [word, roots.resolve(next(following))]
        elif word.startswith("-I"):
            result.append("-I" + roots.resolve(word[2:]))
        else:
            result.append(word)
    return result


def _source(words: Sequence[str]) -> str:
    return words[words.index("-c") + 1]


def entries(actions: Iterable[dict[str, Any]], roots: Roots) -> list[dict[str, Any]]:
    """One entry a source, in order of its path.

    A source that is compiled several times, as the CPU kernels are for each capability, has one of
    its entries, always the same: the last by the name of its output.

    Args:
      actions: CppCompile actions of `bazel aquery --output=jsonproto`.
      roots: where their paths begin.

    Returns:
      The objects of the JSON Compilation Database.
    """
    chosen: dict[str, tuple[str, list[str]]] = {}
    for action in actions:
        words = action["arguments"]
        if "-c" not in words or "-o" not in words:
            continue
        source = _source(words)
        output = words[words.index("-o") + 1]
        if source not in chosen or output > chosen[source][0]:
            chosen[source] = (output, words)
    result = []
    for source, (_, words) in sorted(chosen.items()):
        file = roots.resolve(source)
        arguments = [file if word == source else word for word in _arguments(words, roots)]
        result.append({"directory": str(roots.workspace), "file": file, "arguments": arguments})
    return result


def write(path: Path, database: list[dict[str, Any]]) -> None:
    """Writes the file whole or not at all: an editor may be reading it."""
    unfinished = path.with_suffix(".json.unfinished")
    unfinished.write_text(json.dumps(database, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(path)


def main() -> None:
    """Asks Bazel for its compiles and writes the file."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        epilog="Options of Bazel, such as --config=cuda, may follow the targets.",
    )
    parser.add_argument(
        "--output", type=Path, help="the file; compile_commands.json of the checkout"
    )
    arguments, rest = parser.parse_known_args()
    targets, options = split(rest, ["//..."])
    output = from_here(arguments.output or workspace() / "compile_commands.json")

    # A target that needs what this machine lacks hides no other; Bazel says which it is.
    bazel("build", _HEADERS_ONLY, "--keep_going", *options, "--", *targets, partial=True)
    query = f'mnemonic("CppCompile", {expression(targets)})'
    described = ("--keep_going", "--include_artifacts=false", "--output=jsonproto")
    answer = (
        bazel("aquery", *described, *only_built(targets), *options, query, partial=True) or "{}"
    )
    # `info execution_root` would make Bazel analyse every target again.
    output_base = Path(bazel("info", "output_base").strip())
    roots = Roots(workspace(), output_base / "execroot/_main", output_base)
    database = entries(json.loads(answer).get("actions", []), roots)
    if not database:
        sys.exit(
            f"compile_commands: {' '.join(targets)} compiles no C++ source. {output} is unchanged."
        )
    with writing(output, "--output=/tmp/compile_commands.json"):
        write(output, database)
    print(f"{output}: {len(database)} sources. Restart clangd to read it.")


if __name__ == "__main__":
    main()
