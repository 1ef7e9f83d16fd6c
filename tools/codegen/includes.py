"""Which generated headers, and which of kernels, a source reads: directly or through headers.

Headers are named by their path below aten/src/ATen: `ops/add.h`, `core/TensorBody.h`,
`native/Resize.h`. Tables have the names of those of one kind as a list: `add` of `ops/{}.h`.

Run as a program it writes the table of a folder's sources:
`python -m tools.codegen.includes --output operator_deps.bzl --folder aten/src/ATen/native
--list generated_files.bzl FILES...`
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tools.codegen.context import GENERATED, TENSOR_CLASS
from tools.codegen.model import Location
from tools.codegen.problems import CodegenError, Problems
from tools.codegen.schema_error import nearest
from tools.codegen.starlark import starlark

# Names by the path of a header with {} for the name.
Includes = dict[str, list[str]]

_GENERATED_INCLUDE = re.compile(
    r"^\s*#\s*include\s*[<\"]ATen/(ops/\w+|core/(?:Tensor(?:Body)?|enum_tag))\.h[>\"]", re.MULTILINE
)
_INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([\w./-]+\.h)[>\"]", re.MULTILINE)
# Besides generated headers, a source gets only those headers of this folder that it reads.
_KERNEL_HEADERS = "aten/src/ATen/native/"
_SUFFIX = re.compile(r"_(ops|native|meta|[a-z]+_dispatch)$")
_INCLUDE_ROOTS = ("aten/src/", "")


@dataclass(frozen=True, slots=True)
class Operators:
    """The base names of the operators, and of those that have X_meta.h."""

    names: frozenset[str]
    structured: frozenset[str] = frozenset()

    def split(self, stem: str) -> tuple[str, str]:
        """`add_ops` as (`add`, `ops`); an operator may itself be named X_native."""
        match = _SUFFIX.search(stem)
        if match is None or stem in self.names or stem[: match.start()] not in self.names:
            return stem, ""
        return stem[: match.start()], match[1]

    def closures(self, headers: Iterable[str]) -> set[str]:
        """Headers with those that they include."""
        result = set()
        for header in headers:
            result.add(header)
            if header.startswith("ops/"):
                result |= self.closure(header.removeprefix("ops/").removesuffix(".h"))
        return result

    def closure(self, stem: str) -> set[str]:
        """An operator's header with those of the operator that it includes."""
        root, suffix = self.split(stem)
        result = {f"ops/{stem}.h"}
        if suffix == "":
            result.add(f"ops/{root}_ops.h")
        elif suffix == "native" and root in self.structured:
            result.add(f"ops/{root}_meta.h")
        return result


def generated_includes(text: str, operators: Operators) -> set[str]:
    """The generated headers that `text` includes, and those that they include.

    Every operator's header includes the tensor class.
    """
    result = set()
    for name in _GENERATED_INCLUDE.findall(text):
        if name == "core/enum_tag":
            result.add("core/enum_tag.h")
            continue
        result.add(TENSOR_CLASS)
        if name.startswith("ops/"):
            result |= operators.closure(name.removeprefix("ops/"))
    return result


def check_includes(path: str, text: str, operators: Operators, problems: Problems) -> None:
    """Every header of an operator that `text` includes is one that the generator writes."""
    for match in _GENERATED_INCLUDE.finditer(text):
        name = match[1].removeprefix("ops/")
        root, suffix = operators.split(name)
        if name == match[1] or (
            root in operators.names and (suffix != "meta" or root in operators.structured)
        ):
            continue
        if root in operators.names:
            reason = f"'{root}' is not structured"
        else:
            root = _SUFFIX.sub("", root)
            reason = f"no operator is called '{root}'{nearest(root, operators.names)}"
        location = Location(path, text.count("\n", 0, match.start(1)) + 1)
        problems.add(location, None, f"there is no header 'ATen/ops/{name}.h': {reason}")


def operator_deps(
    sources: Iterable[str], texts: Mapping[str, str], operators: Operators
) -> dict[str, list[str]]:
    """For each source the headers of tables that it reads, also through those in `texts`."""
    direct = {path: generated_includes(text, operators) for path, text in texts.items()}
    edges = {path: _local_includes(text, texts) for path, text in texts.items()}
    result = {}
    for source in sources:
        seen = {source}
        todo = [source]
        used: set[str] = set()
        while todo:
            path = todo.pop()
            used |= direct[path]
            if path.startswith(_KERNEL_HEADERS) and path.endswith(".h"):
                used.add(path.removeprefix("aten/src/ATen/"))
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


def by_pattern(headers: Iterable[str], operators: Operators) -> Includes:
    """Headers by their path with {} for the name: `ops/add_ops.h` is `add` of `ops/{}_ops.h`."""
    result: Includes = {}
    for header in sorted(headers):
        folder, _, stem = header.removesuffix(".h").partition("/")
        suffix = ""
        if folder == "ops":
            stem, suffix = operators.split(stem)
        pattern = f"{folder}/{{}}{'_' if suffix else ''}{suffix}.h"
        result.setdefault(pattern, []).append(stem)
    return result


def table(deps: Mapping[str, Iterable[str]], operators: Operators, folder: str) -> str:
    """The table of a folder's sources as Starlark."""
    sources = {path: by_pattern(used, operators) for path, used in deps.items()}
    return f'''\
"""Generated headers, and headers of kernels, that a source reads. {GENERATED}

Refresh: ./bazelw run //tools:update
"""

# By source, and by path below aten/src/ATen with {{}} for the name.
OPERATOR_DEPS = {starlark(sources)}
'''


def listed_operators(path: Path) -> Operators:
    """The operators of a list of outputs."""
    scope: dict[str, Any] = {"struct": SimpleNamespace}
    # Its Starlark is Python too.
    exec(path.read_text(encoding="utf-8"), scope)
    return Operators(
        frozenset(scope["OPERATORS"]),
        frozenset(scope["HEADERS"]["operator_headers"].get("_meta", [])),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, fromfile_prefix_chars="@")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--list", type=Path, required=True, help="generated list of operators")
    parser.add_argument("--folder", required=True, help="where the sources are")
    parser.add_argument("files", nargs="*", help="sources and the headers of this tree")
    args = parser.parse_args(argv)
    texts = {path: Path(path).read_text(encoding="utf-8") for path in args.files}
    sources = [
        path
        for path in args.files
        if path.startswith(f"{args.folder}/") and path.endswith((".cpp", ".cc", ".cu", ".mm"))
    ]
    operators = listed_operators(args.list)
    problems = Problems()
    for path, text in texts.items():
        check_includes(path, text, operators, problems)
    try:
        problems.raise_if_any()
    except CodegenError as error:
        print(error, file=sys.stderr)
        return 1
    deps = operator_deps(sources, texts, operators)
    args.output.write_text(table(deps, operators, args.folder), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
