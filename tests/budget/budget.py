"""Counts what an edit of native_functions.yaml compiles again.

    ./bazelw run //tests/budget

The tree is copied and built once, in an output base of its own; after each edit `//tools:update`
runs, as it would for whoever edits, and the compile actions that must run again are counted. An
action must run again if it is new, if its command changed, or if a file changed that it read. Exits
with 1 if an edit costs more than its budget.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.lint.tree import source_root, tree_files

YAML = "aten/src/ATen/native/native_functions.yaml"
LISTS = "build_variables.bzl"
PRODUCTS = ("//torch", "//aten:libtorch_cpu")
# Targets that generate, and compile nothing.
GENERATED = (
    "//aten/src/ATen:generated_sources",
    "//aten/src/ATen:tensor_headers",
    "//aten/src/ATen/ops:generated",
    "//torch/csrc/autograd:generated",
    "//torch/csrc/autograd:python_generated",
)
TENSOR_CLASS = "aten/src/ATen/core/TensorBody.h"

Tree = Mapping[str, str]


@dataclass(frozen=True)
class CompileAction:
    """A compile action as the action graph tells it.

    Attributes:
      key: changes with the command.
      inputs: files that it read when it last ran.
    """

    key: str
    inputs: frozenset[str]


@dataclass(frozen=True)
class Edit:
    """Something that people do to the operators.

    Attributes:
      name: row of the table.
      make: from the files of the tree the ones that change, by path.
      budget: most compile actions it may cost, given those that read the tensor class.
      peer: what it changes in PyTorch's build, if that was measured.
    """

    name: str
    make: Callable[[Tree], Tree]
    budget: Callable[[int], int]
    peer: str


def replaced(text: str, old: str, new: str) -> str:
    """The text with the one occurrence of `old` replaced."""
    if text.count(old) != 1:
        sys.exit(f"expected one {old!r}, found {text.count(old)}: the edit needs another example")
    return text.replace(old, new)


def comment(tree: Tree) -> Tree:
    """A comment more."""
    return {YAML: replaced(tree[YAML], "- func: allclose(", "# A comment.\n- func: allclose(")}


def rename_kernel(tree: Tree) -> Tree:
    """Another name for one CPU kernel, in the YAML and where it is defined."""
    source = "aten/src/ATen/native/Scalar.cpp"
    return {
        YAML: replaced(
            tree[YAML], "    CPU: _local_scalar_dense_cpu\n", "    CPU: local_scalar_cpu\n"
        ),
        source: replaced(tree[source], " _local_scalar_dense_cpu(", " local_scalar_cpu("),
    }


def function_default(tree: Tree) -> Tree:
    """Another default value for one argument of a function."""
    old = "ignore_index=-100, float label_smoothing=0.0) -> Tensor\n"
    return {YAML: replaced(tree[YAML], old, old.replace("0.0", "0.1"))}


def method_default(tree: Tree) -> Tree:
    """Another default value for one argument of a method."""
    old = "- func: allclose(Tensor self, Tensor other, float rtol=1e-0"
    return {YAML: replaced(tree[YAML], old + "5", old + "4")}


def new_operator(variants: str) -> Callable[[Tree], Tree]:
    """An operator more, with its kernel in a source of its own."""

    def make(tree: Tree) -> Tree:
        first = '    "aten/src/ATen/native/Activation.cpp",\n'
        return {
            YAML: tree[YAML]
            + "\n- func: budget_example(Tensor self) -> Tensor\n"
            + f"  variants: {variants}\n"
            + "  dispatch:\n    CompositeExplicitAutograd: budget_example\n",
            LISTS: replaced(
                tree[LISTS], first, first + first.replace("Activation", "BudgetExample")
            ),
            "aten/src/ATen/native/BudgetExample.cpp": (
                "#include <ATen/ops/budget_example_native.h>\n\n"
                "namespace at::native {\n\n"
                "Tensor budget_example(const Tensor& self) { return self; }\n\n"
                "}  // namespace at::native\n"
            ),
        }

    return make


EDITS = (
    Edit("a comment", comment, lambda _: 0, "0 files"),
    # The shard that registers it and the source that defines it.
    Edit("one CPU kernel renamed", rename_kernel, lambda _: 2, "3 files; 1 is compiled"),
    # Its shards (calls, methods, schemas, kernels, autograd, Python) and those that include it.
    Edit("a function's default value", function_default, lambda _: 10, "not measured"),
    # The tensor class declares the method with its default values.
    Edit("a method's default value", method_default, lambda users: users + 10, "not measured"),
    # Its source, and a shard of each kind.
    Edit("a function more", new_operator("function"), lambda _: 10, "24 files, of which 11 `.cpp`"),
    Edit(
        "a method more",
        new_operator("function, method"),
        lambda users: users + 10,
        "26 files, `TensorBody.h` among them",
    ),
)


def compile_actions(graph: Mapping[str, Any]) -> dict[str, CompileAction]:
    """The actions of `bazel aquery --output=jsonproto`, by their object file."""
    fragments = {fragment["id"]: fragment for fragment in graph["pathFragments"]}

    def path(index: int) -> str:
        fragment = fragments[index]
        label: str = fragment["label"]
        return f"{path(fragment['parentId'])}/{label}" if "parentId" in fragment else label

    artifacts = {a["id"]: path(a["pathFragmentId"]) for a in graph["artifacts"]}
    sets = {s["id"]: s for s in graph["depSetOfFiles"]}

    def files(index: int, seen: set[int]) -> set[str]:
        if index in seen:
            return set()
        seen.add(index)
        found = {artifacts[a] for a in sets[index].get("directArtifactIds", ())}
        for part in sets[index].get("transitiveDepSetIds", ()):
            found |= files(part, seen)
        return found

    result = {}
    for action in graph["actions"]:
        seen: set[int] = set()
        inputs = frozenset(f for s in action.get("inputDepSetIds", ()) for f in files(s, seen))
        output = next(artifacts[o] for o in action["outputIds"] if artifacts[o].endswith(".o"))
        result[output] = CompileAction(action["actionKey"], inputs)
    return result


def rerun(
    before: Mapping[str, CompileAction],
    after: Mapping[str, CompileAction],
    digests: Mapping[str, str],
    fresh: Mapping[str, str],
) -> set[str]:
    """The object files that must be made again."""
    changed = {path for path in digests if digests[path] != fresh.get(path)}
    return {
        output
        for output, action in after.items()
        if output not in before
        or action.key != before[output].key
        or not changed.isdisjoint(before[output].inputs)
    }


@dataclass(frozen=True)
class Copy:
    """A copy of the tree and its own output base."""

    root: Path
    output_base: Path

    def bazel(self, command: str, *arguments: str) -> str:
        """Runs Bazel in the copy."""
        line = ["./bazelw", f"--output_base={self.output_base}", command, *arguments]
        result = subprocess.run(line, cwd=self.root, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(line)}\nfailed:\n{result.stderr[-8000:]}")
        return result.stdout

    def files(self) -> dict[str, str]:
        """Its sources."""
        return {
            str(path.relative_to(self.root)): path.read_text(encoding="utf-8")
            for path in tree_files(self.root)
        }

    def write(self, files: Tree) -> None:
        """Changes some of them."""
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            mode = target.stat().st_mode if target.exists() else None
            target.write_text(text, encoding="utf-8")
            if mode is not None:
                target.chmod(mode)

    def restore(self, files: Tree) -> None:
        """Takes changes back, those of the updaters too."""
        now = self.files()
        for path in now.keys() - files.keys():
            (self.root / path).unlink()
        self.write({path: text for path, text in files.items() if now.get(path) != text})

    def actions(self) -> dict[str, CompileAction]:
        """Its compile actions."""
        query = f'mnemonic("CppCompile", deps(set({" ".join(PRODUCTS)})))'
        graph: dict[str, Any] = json.loads(self.bazel("aquery", query, "--output=jsonproto"))
        return compile_actions(graph)

    def digests(self, paths: frozenset[str]) -> dict[str, str]:
        """What the files of the tree hold, generated ones among them."""
        return {
            path: hashlib.sha256((self.root / path).read_bytes()).hexdigest()
            for path in paths
            if not path.startswith("external/")
        }


def row(edit: Edit, made: set[str], users: int) -> str:
    """A line of the table."""
    names = sorted({Path(path).name.split(".")[0] for path in made})
    shown = ", ".join(f"`{name}`" for name in names) if 0 < len(names) <= 12 else ""
    return f"| {edit.name} | {len(made)} | {edit.budget(users)} | {shown} | {edit.peer} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes the edits and prints the table."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output-base", type=Path, help="keep and use this output base")
    parser.add_argument("--edits", nargs="*", help="names of the edits; default: all")
    options = parser.parse_args(arguments)
    edits = [edit for edit in EDITS if options.edits is None or edit.name in options.edits]
    over = 0
    with tempfile.TemporaryDirectory() as directory:
        output_base = options.output_base or Path(directory, "output_base")
        copy = Copy(Path(directory, "tree"), output_base)
        root = source_root()
        for path in [*tree_files(root), root / ".bazelrc", root / ".bazelversion"]:
            target = copy.root / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
            target.chmod(path.stat().st_mode)
        # Personal settings hold the caches; what comes from them is needed here, to be compared.
        personal = root / ".bazelrc.user"
        settings = personal.read_text(encoding="utf-8") if personal.exists() else ""
        settings += "\nbuild --remote_download_outputs=all\n"
        (copy.root / personal.name).write_text(settings, encoding="utf-8")
        try:
            tree = copy.files()
            copy.bazel("build", *PRODUCTS)
            before = copy.actions()
            read = frozenset().union(*(action.inputs for action in before.values()))
            digests = copy.digests(read)
            users = sum(
                any(path.endswith(TENSOR_CLASS) for path in action.inputs)
                for action in before.values()
            )
            if users == 0:
                sys.exit("Bazel no longer knows what the actions read: use a new output base")
            print(f"{len(before)} compile actions; {users} read {TENSOR_CLASS}\n")
            print("| edit | compiled again | budget | which | PyTorch's build changes |")
            print("| --- | ---: | ---: | --- | --- |")
            for edit in edits:
                copy.write(edit.make(tree))
                copy.bazel("run", "//tools:update")
                copy.bazel("build", *GENERATED)
                made = rerun(before, copy.actions(), digests, copy.digests(read))
                print(row(edit, made, users), flush=True)
                over += len(made) > edit.budget(users)
                copy.restore(tree)
        finally:
            if copy.root.exists():
                copy.bazel("shutdown")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
