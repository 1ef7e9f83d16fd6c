"""The canonical form of the YAML files: what they say, without comments and layout.

One action of a build reads the YAML files, reports every mistake and writes

* `operators.json`      the operators, one a line
* `operators_N.json`    the same in slices: an operator is where the hash of its base name says
* `tags.json`           the names of the tags
* `derivatives.json`    the derivatives, one a line
* `locations.json`      the line of each operator in native_functions.yaml, for messages

Every other action reads these and not the YAML. A comment changes `locations.json` alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.codegen.context import shard_of
from tools.codegen.model import Location, OperatorName
from tools.codegen.parse import ParsedYaml
from tools.codegen.yaml_source import YamlList, entry_text


def slice_of(root: str, count: int) -> int:
    """The slice of an operator's base name; tools/rules/generated_files.bzl computes it too.

    `X_copy` is with the view X that it calls, and `view_copy` calls `reshape` besides.
    """
    view = root.removesuffix("_copy")
    return shard_of("view" if view == "reshape" else view, count)


def canonical_files(
    native: YamlList, parsed: ParsedYaml, derivatives: YamlList, slices: int
) -> Mapping[str, str]:
    """The files by name, from sources without mistakes and what they mean."""
    by_slice: list[list[object]] = [[] for _ in range(slices)]
    for f, entry in zip(parsed.functions, native.entries, strict=True):
        by_slice[slice_of(f.root_name, slices)].append(entry)
    return {
        "operators.json": _lines(native.entries),
        **{f"operators_{i}.json": _lines(entries) for i, entries in enumerate(by_slice)},
        "tags.json": _lines([{"tag": tag} for tag in sorted(parsed.tags)]),
        "derivatives.json": _lines(derivatives.entries),
        "locations.json": json.dumps(
            {
                "lines": {str(f.func.name): f.loc.line for f in parsed.functions},
                "path": native.path,
            },
            indent=1,
        )
        + "\n",
    }


def _lines(entries: Sequence[object]) -> str:
    return "[\n" + ",\n".join(map(entry_text, entries)) + "\n]\n"


def read_locations(path: Path) -> Mapping[OperatorName, Location]:
    """Where each operator stands in native_functions.yaml."""
    table = json.loads(path.read_text(encoding="utf-8"))
    return {
        OperatorName.parse(name): Location(table["path"], line)
        for name, line in table["lines"].items()
    }
