"""Counts what an edit of native_functions.yaml compiles again.

    ./bazelw run //tests/budget

Two copies of the tree, at different paths and with an output base each, share a remote cache. The
first is built, and fills it. After each edit, and `//tools:update` as whoever edits runs it, the
execution log says what

* the first copy compiles again: what Bazel neither knows to be up to date, nor finds unchanged;
* the second copy, which has no outputs, finds not in the cache that the first one filled before.

A compiler that reads but makes no code stands in for the real one, unless `--real-compiler` is
given: the same actions run, in minutes instead of an hour. Exits with 1 if an edit costs more than
its budget, or if an action may read a generated header that it does not read, or if a source can
read one that its table does not name.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.budget.checkout import (
    TENSOR_CLASS,
    Checkout,
    Compilation,
    Link,
    Tree,
    generated,
    linked,
    reading_compiler,
)
from tests.remote.cache_server import CacheServer
from tools.lint.tree import source_root

YAML = "aten/src/ATen/native/native_functions.yaml"
LISTS = "build_variables.bzl"


@dataclass(frozen=True)
class Edit:
    """Something that people do to the operators.

    Attributes:
      name: row of the table.
      make: from the files of the tree the ones that change, by path.
      budget: most compile actions it may cost, given those that read the tensor class.
      links: most shared libraries that it may link again.
      peer: what it changes in PyTorch's build, if that was measured.
      symbols: whether it changes what a library exports.
    """

    name: str
    make: Callable[[Tree], Tree]
    budget: Callable[[int], int]
    links: int
    peer: str
    symbols: bool = False


def replaced(text: str, old: str, new: str) -> str:
    """The text with the one occurrence of `old` replaced."""
    if text.count(old) != 1:
        sys.exit(f"expected one {old!r}, found {text.count(old)}: the edit needs another example")
    return text.replace(old, new)


def comment(tree: Tree) -> Tree:
    """A comment more."""
    return {YAML: replaced(tree[YAML], "- func: allclose(", "# A comment.\n- func: allclose(")}


def more_comments(tree: Tree) -> Tree:
    """A comment and white space more in each file that the generator reads."""
    files = (YAML, "aten/src/ATen/native/tags.yaml", "tools/autograd/derivatives.yaml")
    return {path: f"# One more.\n\n{tree[path]}\n  # And one.\n" for path in files}


def rename_kernel(tree: Tree) -> Tree:
    """Another name for one CPU kernel, in the YAML and where it is defined."""
    source = "aten/src/ATen/native/Scalar.cpp"
    return {
        YAML: replaced(
            tree[YAML], "    CPU: _local_scalar_dense_cpu\n", "    CPU: local_scalar_cpu\n"
        ),
        source: replaced(tree[source], " _local_scalar_dense_cpu(", " local_scalar_cpu("),
    }


_LOSS = "ignore_index=-100, float label_smoothing=0.0) -> Tensor\n"


def rename_argument(tree: Tree) -> Tree:
    """Another name for one argument of a function, which Python shows."""
    return {YAML: replaced(tree[YAML], _LOSS, _LOSS.replace("label_", "target_"))}


def function_default(tree: Tree) -> Tree:
    """Another default value for one argument of a function."""
    return {YAML: replaced(tree[YAML], _LOSS, _LOSS.replace("0.0", "0.1"))}


def method_default(tree: Tree) -> Tree:
    """Another default value for one argument of a method."""
    old = "- func: allclose(Tensor self, Tensor other, float rtol=1e-0"
    return {YAML: replaced(tree[YAML], old + "5", old + "4")}


def new_operator(variants: str) -> Callable[[Tree], Tree]:
    """An operator more, with its kernel in a source of its own."""

    def make(tree: Tree) -> Tree:
        first = '    "Activation.cpp",\n'
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
    Edit("a comment", comment, lambda _: 0, 0, "0 files"),
    # The shard that registers it and the source that defines it.
    Edit(
        "one CPU kernel renamed",
        rename_kernel,
        lambda _: 2,
        3,
        "3 files; 1 is compiled",
        symbols=True,
    ),
    # Its shards (calls, schemas, kernels, Python), the source of its kernel and the docstrings.
    Edit("a function's argument renamed", rename_argument, lambda _: 6, 2, "not measured"),
    # Its shards (calls, methods, schemas, kernels, autograd, Python) and those that include it.
    Edit("a function's default value", function_default, lambda _: 10, 2, "not measured"),
    # The tensor class declares the method with its default values.
    Edit("a method's default value", method_default, lambda users: users + 10, 2, "not measured"),
    # Its source, and a shard of each kind.
    Edit(
        "a function more",
        new_operator("function"),
        lambda _: 10,
        3,
        "24 files, 11 of them `.cpp`",
        symbols=True,
    ),
    Edit(
        "a method more",
        new_operator("function, method"),
        lambda users: users + 10,
        3,
        "26 files, `TensorBody.h` among them",
        symbols=True,
    ),
)


def row(
    edit: Edit,
    here: Sequence[Compilation],
    there: Sequence[Compilation],
    users: int,
    libraries: Collection[str],
) -> str:
    """A line of the table."""
    names = sorted({compilation.source for compilation in [*here, *there]})
    shown = ", ".join(f"`{name}`" for name in names) if 0 < len(names) <= 12 else ""
    numbers = f"{len(here)} | {len(there)} | {edit.budget(users)}"
    return f"| {edit.name} | {numbers} | {len(libraries)} | {edit.links} | {shown} | {edit.peer} |"


def unread(checkout: Checkout, built: Sequence[Compilation]) -> list[str]:
    """Generated headers that a compilation may read but does not read, each as a line of text."""
    return [
        f"{compilation.output} may read {path} and does not"
        for compilation in built
        for path in sorted(compilation.inputs - checkout.read_by(compilation))
        if generated(path)
    ]


UNDECLARED = "ATen/ops/allclose.h"


def refuses_undeclared(checkout: Checkout) -> bool:
    """Whether a source that includes an operator that its table does not name fails to compile."""
    source = "aten/src/ATen/native/Scalar.cpp"
    text = checkout.files()[source]
    checkout.write({source: f"#include <{UNDECLARED}>\n{text}"})
    target = "//aten/src/ATen/native:native_sources"
    result = checkout.bazel("build", target, "--output_groups=native_Scalar")
    checkout.write({source: text})
    return result.returncode != 0 and f"{UNDECLARED}: No such file or directory" in result.stderr


def misses(built: Sequence[Compilation]) -> list[Compilation]:
    """What the cache had no answer for."""
    return [compilation for compilation in built if not compilation.hit]


def cost(
    edit: Edit, tree: Tree, first: Checkout, second: Checkout
) -> tuple[list[Compilation], list[Compilation]]:
    """What is compiled again where all was built, and what is not in the cache for the other."""
    first.write(edit.make(tree))
    first.update()
    here = first.build()
    second.become(first.files())
    second.must("clean")
    return here, misses(second.build())


def relinked(
    edit: Edit, compiled: Sequence[Compilation], before: Sequence[Link], checkout: Checkout
) -> set[str]:
    """The shared libraries that hold what an edit compiled or, if symbols change, use it.

    They come from the actions of both builds: the stand-in for the compiler makes empty objects, of
    which no library is linked again.
    """
    return linked(compiled, [*before, *checkout.links()], symbols=edit.symbols)


def users_of_tensor(built: Sequence[Compilation]) -> int:
    """How many compilations read the tensor class."""
    return sum(any(path.endswith(TENSOR_CLASS) for path in c.inputs) for c in built)


def count(edits: Sequence[Edit], first: Checkout, second: Checkout) -> int:
    """Makes the edits, prints the table, and says how many things are wrong."""
    tree = first.files()
    built = first.build("--remote_upload_local_results")
    links = first.links()
    users = users_of_tensor(built)
    idle = unread(first, built)
    print(f"{len(built)} compile actions; {users} read {TENSOR_CLASS}")
    print("\n".join(idle) or "each reads every generated header that it may read")
    missed = misses(second.build())
    print(f"a second checkout finds {len(built) - len(missed)} of them in the cache\n")
    wrong = len(idle) + len(missed)
    if not refuses_undeclared(first):
        print(f"a source that includes <{UNDECLARED}>, which its table lacks, should not compile")
        wrong += 1
    # What the attempt touched is compiled again here, not with the first edit.
    first.build()
    columns = "edit | compiled again | not in the cache | budget | libraries linked | budget"
    print(f"| {columns} | which | PyTorch's build changes |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |")
    for edit in edits:
        here, there = cost(edit, tree, first, second)
        libraries = relinked(edit, here, links, first)
        print(row(edit, here, there, users, libraries), flush=True)
        wrong += max(len(here), len(there)) > edit.budget(users)
        wrong += len(libraries) > edit.links
        first.become(tree)
        first.build()
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes the edits and prints the table."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", nargs="*", help="names of the edits; default: all")
    parser.add_argument("--real-compiler", action="store_true", help="compile, which takes long")
    options = parser.parse_args(arguments)
    edits = [edit for edit in EDITS if options.edits is None or edit.name in options.edits]
    with checkouts(real_compiler=options.real_compiler) as (first, second):
        return 1 if count(edits, first, second) else 0


@contextlib.contextmanager
def checkouts(*, real_compiler: bool = False) -> Iterator[tuple[Checkout, Checkout]]:
    """Two copies of the tree, which share a cache that holds nothing yet."""
    source = source_root()
    with (
        tempfile.TemporaryDirectory() as directory,
        contextlib.closing(CacheServer()) as cache,
        contextlib.ExitStack() as servers,
    ):
        scratch = Path(directory).resolve()
        settings = (f"--remote_cache={cache.url}", "--noremote_upload_local_results")
        if not real_compiler:
            settings += reading_compiler(source, scratch)
        places = (scratch / "tree", scratch / "another/place")
        first, second = (
            Checkout.of(source, place, scratch / f"output_base_{number}", settings)
            for number, place in enumerate(places)
        )
        servers.callback(first.bazel, "shutdown")
        servers.callback(second.bazel, "shutdown")
        yield first, second


if __name__ == "__main__":
    sys.exit(main())
