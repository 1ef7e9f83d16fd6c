"""What an edit of a PyTorch checkout compiles again, counted without a compiler.

    ./bazelw run //pytorch:budget
    ./bazelw run //pytorch:budget -- --edits comment header

For each edit the checkout's own generators run before and after it, in folders of their own.
Counted are the compilations of libtorch_cpu that may read one of the files that differ, by the
tables that Bazel itself goes by: those for which a cache that others have filled has no answer. A
build in the same output folder compiles fewer, for there the compiler's list of what it did read
decides.

With --cmake and a build folder that CMake has configured, the real compiler lists what a random
sample of its sources read: how many of them Ninja compiles again, and whether any of them reads a
file that the tables do not allow.

Exits with 1 if an edit reaches more compilations than its budget, or if a table is wrong.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from overlay.pytorch.generate import ATEN, YAML, commands, files
from overlay.pytorch.strip_comments import strip_comments

# What the generators read, besides.
_INPUTS = (
    "torchgen",
    "tools",
    f"{ATEN}/templates",
    f"{ATEN}/native/tags.yaml",
    f"{ATEN}/native/ts_native_functions.yaml",
    "torch/csrc/inductor/aoti_torch/generated",
    "torch/csrc/lazy/core/shape_inference.h",
    "torch/csrc/lazy/ts_backend/ts_native_functions.cpp",
    "torch/csrc/lazy/ts_backend/ts_node.h",
)
_KINDS = ("headers", "sources", "autograd")


@dataclass(frozen=True)
class Edit:
    """An edit of the operators, or of one header.

    Attributes:
      name: row of the table.
      budget: the part of all compilations that it may reach.
      operators: the new native_functions.yaml, from the old one.
      header: a header that changes.
    """

    name: str
    budget: float
    operators: Callable[[str], str] = lambda text: text
    header: str = ""


def replaced(text: str, pattern: str, new: str) -> str:
    """The text with the first match of a pattern replaced; there must be one."""
    result, count = re.subn(pattern, new, text, count=1, flags=re.MULTILINE)
    if not count:
        sys.exit(f"nothing in native_functions.yaml is like {pattern}: the edit needs another one")
    return result


_NEW = """
- func: budget_example(Tensor self) -> Tensor
  variants: {variants}
  dispatch:
    CompositeExplicitAutograd: budget_example
"""

EDITS = {
    "comment": Edit(
        "a comment in native_functions.yaml", 0.0, lambda text: f"# A comment.\n{text}"
    ),
    "function-default": Edit(
        "a function's default value",
        0.3,
        lambda text: replaced(text, r"^(- func: margin_ranking_loss\(.*margin=0\.)0", r"\g<1>1"),
    ),
    "method-default": Edit(
        "a method's default value",
        0.8,
        lambda text: replaced(text, r"^(- func: allclose\(.*rtol=1e-0)5", r"\g<1>4"),
    ),
    "new-function": Edit(
        "a function more", 0.45, lambda text: text + _NEW.format(variants="function")
    ),
    "new-method": Edit(
        "a method more", 0.8, lambda text: text + _NEW.format(variants="function, method")
    ),
    "header": Edit("c10/core/TensorImpl.h", 0.9, header="c10/core/TensorImpl.h"),
}


class Table:
    """What each file may read, by the tables that Bazel goes by."""

    def __init__(self, text: str) -> None:
        scope: dict[str, list[str]] = {}
        exec(text, scope)
        closures: list[frozenset[str]] = []
        self.closures: dict[str, frozenset[str]] = {}
        for line in scope["INCLUDES"]:
            names, _, below = line.partition("|")
            group = names.split(" ")
            closure = frozenset(group).union(*(closures[int(n)] for n in below.split(" ") if n))
            closures.append(closure)
            self.closures.update(dict.fromkeys(group, closure))

    def readers(self, compilations: Sequence[str], changed: set[str]) -> list[str]:
        """The compilations, `LIBRARY/PART PATH`, that may read one of some files."""
        return [
            line
            for line in compilations
            if not changed.isdisjoint(self.closures[line.split(" ")[1]])
        ]


def generate(source: Path, operators: str) -> dict[str, str]:
    """Digests of what the checkout's generators write for these operators."""
    program = "import runpy, sys; sys.path.insert(0, '.'); sys.argv = sys.argv[1:]; "
    program += "runpy.run_path(sys.argv[0], run_name='__main__')"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        for name in _INPUTS:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            if (source / name).is_dir():
                shutil.copytree(source / name, tree / name)
            else:
                shutil.copyfile(source / name, tree / name)
        (tree / YAML).write_text(operators, encoding="utf-8")
        before = files(tree)
        for kind in _KINDS:
            for command in commands(kind):
                done = subprocess.run(
                    [sys.executable, "-B", "-c", program, *command],
                    capture_output=True,
                    check=False,
                    cwd=tree,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                    text=True,
                )
                if done.returncode:
                    sys.exit(f"{command[0]} of {source} failed:\n{done.stderr[-2000:]}")
        return {
            name: hashlib.sha256((tree / name).read_bytes()).hexdigest()
            for name in files(tree) - before
        }


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    """The files that differ, new ones and those that are gone among them."""
    return {name for name in before | after if before.get(name) != after.get(name)}


def read_by(command: str, folder: Path, roots: Sequence[Path]) -> set[str]:
    """The files of a tree that a compilation of CMake's reads, by their paths below its roots."""
    words = shlex.split(command)
    for option in ("-o", "-c"):
        if option in words:
            at = words.index(option)
            del words[at : at + (2 if option == "-o" else 1)]
    listed = subprocess.run(
        [*words, "-M"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout
    paths = [Path(folder, word).resolve() for word in listed.replace("\\\n", " ").split()[1:]]
    return {
        str(path.relative_to(root))
        for path in paths
        for root in [next((root for root in roots if path.is_relative_to(root)), None)]
        if root
    }


def sample_of(build: Path, size: int, seed: int) -> list[tuple[str, set[str]]]:
    """A random sample of the sources that CMake compiles for torch_cpu, each with what it reads."""
    text = (build / "compile_commands.json").read_text(encoding="utf-8")
    entries = [entry for entry in json.loads(text) if "/torch_cpu.dir/" in entry["command"]]
    home = re.search(
        r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$",
        (build / "CMakeCache.txt").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert home is not None
    roots = [build.resolve(), Path(home[1]).resolve()]
    chosen = random.Random(seed).sample(entries, min(size, len(entries)))
    return [
        (entry["file"], read_by(entry["command"], Path(entry["directory"]), roots))
        for entry in chosen
    ]


def undeclared(table: Table, sample: Sequence[tuple[str, set[str]]]) -> list[str]:
    """Files that sources of the sample read and the tables do not allow them, a line each."""
    lines = []
    for _, read in sample:
        # CMake compiles a kernel through a file of its own that includes it.
        own = [
            path for path in read if path.endswith((".cpp", ".cc", ".c")) and path in table.closures
        ]
        allowed = frozenset[str]().union(*(table.closures[path] for path in own))
        known = {path for path in read if path in table.closures}
        lines += [f"{own[0]} reads {path}" for path in sorted(known - allowed)]
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table; 1 if an edit is over its budget, or a table is wrong."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs=3, help="@pytorch_source//:budget_files")
    parser.add_argument("--edits", nargs="+", choices=EDITS, default=list(EDITS), help="which")
    parser.add_argument("--cmake", type=Path, help="a folder that CMake has configured")
    parser.add_argument("--sample", type=int, default=100, help="how many of CMake's sources")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    args = parser.parse_args(argv)
    named = {path.name: path for path in args.files}
    # A link into the checkout.
    source = named["version.txt"].resolve().parent
    table = Table(named["tables.bzl"].read_text(encoding="utf-8"))
    compilations = named["torch_cpu_compilations.txt"].read_text(encoding="utf-8").splitlines()
    sample = sample_of(args.cmake, args.sample, args.seed) if args.cmake else []
    wrong = undeclared(table, sample)
    print(f"{len(compilations)} compilations; {len(sample)} of CMake's sources in the sample")
    operators = (source / YAML).read_text(encoding="utf-8")
    before = functools.cache(lambda: generate(source, strip_comments(operators)))
    print(
        "| edit | generated files that differ | compiled again by everybody | budget |"
        " in CMake's sample |"
    )
    print("| --- | ---: | ---: | ---: | ---: |", flush=True)
    for edit in (EDITS[name] for name in args.edits):
        text = edit.operators(operators)
        same = strip_comments(text) == strip_comments(operators)
        differ = set() if same else changed(before(), generate(source, strip_comments(text)))
        differ |= {edit.header} - {""}
        here = table.readers(compilations, differ)
        there = [name for name, read in sample if not differ.isdisjoint(read)]
        shown = f"{len(there)} of {len(sample)}" if sample else ""
        most = int(edit.budget * len(compilations))
        print(f"| {edit.name} | {len(differ)} | {len(here)} | {most} | {shown} |", flush=True)
        if len(here) > most or (most and not here):
            least = min(1, most)
            wrong.append(f"{edit.name}: {len(here)} compilations, not {least} to {most}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
