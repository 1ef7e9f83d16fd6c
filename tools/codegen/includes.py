"""Which generated headers a source reads: through its `#include` lines and those of its headers.

Headers are named by their path below aten/src/ATen: `ops/add.h`, `core/TensorBody.h`.

Run as a program it writes the table of a package's sources:
`python -m tools.codegen.includes --output operator_deps.bzl --list generated_files.bzl FILES...`
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tools.codegen.context import GENERATED

TENSOR_CLASS = "core/TensorBody.h"

_GENERATED_INCLUDE = re.compile(
    r"^\s*#\s*include\s*[<\"]ATen/(?:ops/(\w+)|core/Tensor(?:Body)?)\.h[>\"]", re.MULTILINE
)
_INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([\w./-]+\.h)[>\"]", re.MULTILINE)
_OPERATOR = re.compile(r'^    "(\w+)",$', re.MULTILINE)
_INCLUDE_ROOTS = ("aten/src/", "")


def generated_includes(text: str, known: frozenset[str]) -> set[str]:
    """The generated headers that `text` includes, and those that they include.

    `X.h` of an operator X includes `X_ops.h`, and every operator's header the tensor class. `known`
    are the base names of the operators: one may itself be named X_native.
    """
    result = set()
    for stem in _GENERATED_INCLUDE.findall(text):
        result.add(TENSOR_CLASS)
        if stem:
            result.add(f"ops/{stem}.h")
            if stem in known or not stem.endswith(("_ops", "_native")):
                result.add(f"ops/{stem}_ops.h")
    return result


def operator_deps(
    sources: Iterable[str], texts: Mapping[str, str], known: frozenset[str]
) -> dict[str, list[str]]:
    """For each source the generated headers it reads, also through the headers in `texts`."""
    direct = {path: generated_includes(text, known) for path, text in texts.items()}
    edges = {path: _local_includes(text, texts) for path, text in texts.items()}
    result = {}
    for source in sources:
        seen = {source}
        todo = [source]
        used: set[str] = set()
        while todo:
            path = todo.pop()
            used |= direct[path]
            todo += [other for other in edges[path] if other not in seen]
            seen.update(edges[path])
        result[source] = sorted(used)
    return result


def _local_includes(text: str, texts: Mapping[str, str]) -> set[str]:
    found = set()
    for name in _INCLUDE.findall(text):
        for root in _INCLUDE_ROOTS:
            if root + name in texts:
                found.add(root + name)
    return found


def table(deps: Mapping[str, list[str]]) -> str:
    """The table as Starlark."""
    from tools.codegen.output_list import starlark_dict

    return (
        f'"""Generated headers that a source reads. {GENERATED}\n\n'
        'Refresh: ./bazelw run //tools:update\n"""\n\n' + starlark_dict("OPERATOR_DEPS", deps)
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, fromfile_prefix_chars="@")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--list", type=Path, required=True, help="generated list of operators")
    parser.add_argument("files", nargs="*", help="sources and the headers of this tree")
    args = parser.parse_args(argv)
    operators = (
        args.list.read_text(encoding="utf-8").partition("OPERATORS = [")[2].partition("]")[0]
    )
    texts = {path: Path(path).read_text(encoding="utf-8") for path in args.files}
    sources = [path for path in args.files if path.endswith((".cpp", ".cc", ".cu", ".mm"))]
    deps = operator_deps(sources, texts, frozenset(_OPERATOR.findall(operators)))
    args.output.write_text(table(deps), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
