"""What an edit of a PyTorch checkout compiles again, counted without a compiler.

    ./bazelw run //pytorch:budget
    ./bazelw run //pytorch:budget -- --edits comment header
    ./bazelw run //pytorch:budget -- --operators

For each edit the checkout's own generators run before and after it, in folders of their own.
Counted are the compilations of libtorch_cpu that may read one of the files that differ, by the
tables that Bazel itself goes by: those for which a cache that others have filled has no answer. A
build in the same output folder compiles fewer, for there the compiler's list of what it did read
decides.

With --operators it counts for each operator that is a function, and no method, the compilations
that may read its headers: with views of the operators, and without.

With --cmake and a build folder that CMake has configured, the real compiler lists what a random
sample of its sources read: how many of them Ninja compiles again, and whether any of them reads a
file that the tables do not allow. It also preprocesses those that have a view of the operators, and
says whether what macros became names an operator that the view lacks.

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
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overlay.pytorch.generate import ATEN, YAML, commands, files
from overlay.pytorch.spelling import Spelling, identifiers
from overlay.pytorch.strip_comments import strip_comments
from overlay.pytorch.tables import DECLARING, FACTORIES, VIEWED, OperatorHeaders

TAGS = f"{ATEN}/native/tags.yaml"
# What the generators read, besides.
INPUTS = (
    "torchgen",
    "tools",
    f"{ATEN}/templates",
    TAGS,
    f"{ATEN}/native/ts_native_functions.yaml",
    "torch/csrc/inductor/aoti_torch/generated",
    "torch/csrc/lazy/core/shape_inference.h",
    "torch/csrc/lazy/ts_backend/ts_native_functions.cpp",
    "torch/csrc/lazy/ts_backend/ts_node.h",
)
# And those of stubs and of the version.
PYTHON_INPUTS = (
    "torch/_C",
    "torch/_tensor_docs.py",
    "torch/_torch_docs.py",
    "torch/nn/functional.pyi.in",
    "torch/utils/data/datapipes",
    "version.txt",
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
        0.1,
        lambda text: replaced(text, r"^(- func: margin_ranking_loss\(.*margin=0\.)0", r"\g<1>1"),
    ),
    "method-default": Edit(
        "a method's default value",
        0.8,
        lambda text: replaced(text, r"^(- func: allclose\(.*rtol=1e-0)5", r"\g<1>4"),
    ),
    "structured-default": Edit(
        "a structured function's default value",
        0.1,
        lambda text: functools.reduce(
            lambda text, name: replaced(
                text, rf"^(- func: {re.escape(name)}\(.*out_int32=)False", r"\g<1>True"
            ),
            ("_convert_indices_from_coo_to_csr", "_convert_indices_from_coo_to_csr.out"),
            text,
        ),
    ),
    "new-function": Edit(
        "a function more", 0.32, lambda text: text + _NEW.format(variants="function")
    ),
    "new-method": Edit(
        "a method more", 0.8, lambda text: text + _NEW.format(variants="function, method")
    ),
    "header": Edit("c10/core/TensorImpl.h", 0.9, header="c10/core/TensorImpl.h"),
}


class Table:
    """What each file may read, by the tables that Bazel goes by."""

    def __init__(self, text: str) -> None:
        scope: dict[str, Any] = {}
        exec(text, scope)
        closures: list[frozenset[str]] = []
        self.views: dict[str, tuple[list[str], frozenset[str]]] = {}
        for source, view in scope.get("VIEWS", {}).items():
            headers, _, operators = view.partition("|")
            self.views[source] = (headers.split(), frozenset(operators.split()))
        self.closures: dict[str, frozenset[str]] = {}
        self._read_by: dict[str, frozenset[str]] = {}
        for line in scope["INCLUDES"]:
            names, _, below = line.partition("|")
            group = names.split(" ")
            closure = frozenset(group).union(*(closures[int(n)] for n in below.split(" ") if n))
            closures.append(closure)
            self.closures.update(dict.fromkeys(group, closure))

    def read_by(self, source: str) -> frozenset[str]:
        """The files that a source may read."""
        if source not in self._read_by:
            self._read_by[source] = self._of_source(source)
        return self._read_by[source]

    def _of_source(self, source: str) -> frozenset[str]:
        headers, operators = self.views.get(source, ([], frozenset()))
        names = (
            f"{ATEN}/ops/{operator}{VIEWED[header]}.h"
            for header in headers
            for operator in operators
        )
        views = (self.closures.get(name, frozenset()) for name in names)
        return self.closures[source].union(*views)

    def read_without_views(self, source: str) -> frozenset[str]:
        """The files that a source may read where it has no view of a header, but all of it."""
        headers, _ = self.views.get(source, ([], frozenset()))
        return self.closures[source].union(*(self.closures[header] for header in headers))

    def readers(self, compilations: Sequence[str], changed: set[str]) -> list[str]:
        """The compilations, `LIBRARY/PART PATH`, that may read one of some files."""
        return [
            line
            for line in compilations
            if not changed.isdisjoint(self.read_by(line.split(" ")[1]))
        ]


def generate(
    source: Path, operators: str, kinds: Sequence[str] = _KINDS, inputs: Sequence[str] = INPUTS
) -> dict[str, str]:
    """Digests of what the checkout's generators write for these operators.

    Args:
      source: the checkout.
      operators: native_functions.yaml.
      kinds: of generators.
      inputs: the files and folders that they read, besides.
    """
    program = "import runpy, sys; sys.path.insert(0, '.'); sys.argv = sys.argv[1:]; "
    program += "runpy.run_path(sys.argv[0], run_name='__main__')"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        for name in inputs:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            if (source / name).is_dir():
                shutil.copytree(source / name, tree / name)
            else:
                shutil.copyfile(source / name, tree / name)
        (tree / YAML).write_text(operators, encoding="utf-8")
        before = files(tree)
        for kind in kinds:
            for command in commands(kind):
                done = subprocess.run(
                    [sys.executable, "-B", "-c", program, *command],
                    capture_output=True,
                    check=False,
                    cwd=tree,
                    env={
                        **os.environ,
                        "PYTHONPATH": os.pathsep.join(sys.path),
                        "PYTORCH_BUILD_NUMBER": "0",
                        "PYTORCH_BUILD_VERSION": "0",
                    },
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


@dataclass(frozen=True)
class Compilation:
    """A compilation of CMake's.

    Attributes:
      command: its command.
      folder: where it runs.
      roots: folders whose files have paths below them.
    """

    command: str
    folder: Path
    roots: Sequence[Path]

    def _printed(self, option: str) -> str:
        """What the compiler prints with an option instead of compiling."""
        words = shlex.split(self.command)
        for name in ("-o", "-c"):
            if name in words:
                at = words.index(name)
                del words[at : at + (2 if name == "-o" else 1)]
        line = [*words, option]
        return subprocess.run(
            line, cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout

    def _below(self, word: str) -> str:
        """The path of a file of the tree; empty for others."""
        path = Path(self.folder, word).resolve()
        root = next((root for root in self.roots if path.is_relative_to(root)), None)
        return str(path.relative_to(root)) if root else ""

    def read(self) -> set[str]:
        """The files of the tree that it reads."""
        words = self._printed("-M").replace("\\\n", " ").split()[1:]
        return {path for path in map(self._below, words) if path}

    def words(self) -> dict[str, set[str]]:
        """The identifiers that macros become, by the file of the tree that they stand in."""
        found: dict[str, set[str]] = {}
        paths: dict[str, str] = {}
        path = ""
        lines: list[str] = []
        for line in [*self._printed("-E").splitlines(), '# 1 ""']:
            marker = re.match(r'# \d+ "([^"]*)"', line)
            if marker is None:
                lines.append(line)
                continue
            if lines:
                found.setdefault(path, set()).update(identifiers("\n".join(lines)))
            lines = []
            path = paths.setdefault(marker[1], self._below(marker[1]))
        return {path: words for path, words in found.items() if path}


def sample_of(build: Path, size: int, seed: int) -> list[Compilation]:
    """A random sample of the compilations of CMake's torch_cpu."""
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
    return [Compilation(entry["command"], Path(entry["directory"]), roots) for entry in chosen]


def _own(table: Table, read: set[str]) -> list[str]:
    """The sources among the files that a compilation reads.

    CMake compiles a kernel through a file of its own that includes it.
    """
    sources = [path for path in read if path.endswith((".cpp", ".cc", ".c"))]
    return [path for path in sources if path in table.closures]


def undeclared(table: Table, sample: Sequence[set[str]]) -> list[str]:
    """Files that sources of the sample read and the tables do not allow them, a line each."""
    lines = []
    for read in sample:
        own = _own(table, read)
        allowed = frozenset[str]().union(*(table.read_without_views(path) for path in own))
        known = {path for path in read if path in table.closures}
        lines += [f"{own[0]} reads {path}" for path in sorted(known - allowed)]
    return lines


def not_in_view(
    table: Table, spelling: Spelling, compilation: Compilation, read: set[str]
) -> list[str]:
    """Operators that a source names after macros and has not in its view, a line each."""
    views = [table.views[path][1] for path in _own(table, read) if path in table.views]
    if not views:
        return []
    return [
        f"{path} names {operator} by {word}, which the view of {_own(table, read)[0]} lacks"
        for path, words in sorted(compilation.words().items())
        # Those declare operators, or a symbol for each, and name their arguments as they like.
        if not path.startswith(f"{ATEN}/ops/")
        and not DECLARING.fullmatch(path)
        and path not in (FACTORIES, f"{ATEN}/core/interned_strings.h")
        for word in sorted(words)
        for operator in sorted(spelling.named_by(word) - frozenset[str]().union(*views))
    ]


def of_functions(
    table: Table, compilations: Sequence[str], operators: OperatorHeaders
) -> dict[str, tuple[int, int]]:
    """By function that is no method, who may read its headers: with views, and without."""
    sources = [line.split(" ")[1] for line in compilations]
    read = {path: table.read_by(path) for path in set(sources)}
    whole = {path: table.read_without_views(path) for path in set(sources)}
    counts = {}
    for operator in sorted(operators.names.names - operators.methods):
        headers = {f"{ATEN}/ops/{operator}{end}.h" for end in ("", "_ops", "_native")}
        reach, all_of_them = (
            sum(not headers.isdisjoint(files[path]) for path in sources) for files in (read, whole)
        )
        counts[operator] = (reach, all_of_them)
    return counts


def summary(counts: Mapping[str, tuple[int, int]]) -> list[str]:
    """The counts of functions, a line each."""
    fewer = sorted(without / max(reach, 1) for reach, without in counts.values())
    reach, whole = (statistics.median(count[n] for count in counts.values()) for n in (0, 1))
    return [
        f"{len(counts)} operators are functions and no methods.",
        f"Compilations that may read the headers of one: {reach:.0f} in the median, "
        f"without views {whole:.0f}",
        f"Times fewer: {statistics.median(fewer):.1f} in the median, "
        f"{fewer[len(fewer) // 10]:.1f} at the 10th percentile",
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table; 1 if an edit is over its budget, or a table is wrong."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs=3, help="@pytorch_source//:budget_files")
    parser.add_argument("--edits", nargs="+", choices=EDITS, default=list(EDITS), help="which")
    parser.add_argument("--operators", action="store_true", help="count for each function")
    parser.add_argument("--cmake", type=Path, help="a folder that CMake has configured")
    parser.add_argument("--sample", type=int, default=100, help="how many of CMake's sources")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    args = parser.parse_args(argv)
    named = {path.name: path for path in args.files}
    # A link into the checkout.
    source = named["version.txt"].resolve().parent
    table = Table(named["tables.bzl"].read_text(encoding="utf-8"))
    compilations = named["torch_cpu_compilations.txt"].read_text(encoding="utf-8").splitlines()
    chosen = sample_of(args.cmake, args.sample, args.seed) if args.cmake else []
    sample = [compilation.read() for compilation in chosen]
    wrong = undeclared(table, sample)
    if chosen:
        spelling = OperatorHeaders.of(source / YAML, source / TAGS).spelling
        for compilation, read in zip(chosen, sample, strict=True):
            wrong += not_in_view(table, spelling, compilation, read)
        viewed = sum(any(path in table.views for path in _own(table, read)) for read in sample)
        print(f"{viewed} of the sample have a view of the operators")
    print(f"{len(compilations)} compilations; {len(sample)} of CMake's sources in the sample")
    if args.operators:
        headers = OperatorHeaders.of(source / YAML, source / TAGS)
        print("\n".join(summary(of_functions(table, compilations, headers))))
        return 0
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
        there = [read for read in sample if not differ.isdisjoint(read)]
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
