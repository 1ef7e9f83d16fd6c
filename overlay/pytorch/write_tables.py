"""Writes the tables of a PyTorch checkout, from the files that changed since it last did.

    python -m overlay.pytorch.write_tables --source CHECKOUT --output tables.bzl --index FOLDER
        --folders FOLDER... --generated PATH... --words MACRO... --reviewed MACRO...

The index holds the last table and what it was made of. Where that is still true, the table is the
last one; else `tables.py` makes another. What this program believes of the index is of the same
checkout, lists and programs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from overlay.pytorch.index import Index, files_below, load, save, state_of
from overlay.pytorch.spelling import Spelling

_NATIVE = "aten/src/ATen/native"
OPERATORS = (f"{_NATIVE}/native_functions.yaml", f"{_NATIVE}/tags.yaml")
EXTENSIONS = (".h", ".hpp", ".cuh", ".cpp", ".cc", ".c", ".inc", ".def", ".cu")
# The public headers beside the Python package.
_TOP_FOLDER = "torch"
_ROOT = Path(__file__).resolve().parents[2]
_PROGRAMS = ("overlay/pytorch", "tools/codegen", "tools/codegen/api")


def readable(source: Path, folders: Sequence[str]) -> list[str]:
    """The files that can include or be included."""
    top = [name for name in os.listdir(source / _TOP_FOLDER) if name.endswith(EXTENSIONS)]
    return files_below(source, folders, EXTENSIONS) + sorted(f"{_TOP_FOLDER}/{n}" for n in top)


def programs() -> list[object]:
    """What tells this program from another version of it."""
    paths = [path for folder in _PROGRAMS for path in sorted((_ROOT / folder).glob("*.py"))]
    return [[str(path), state_of(path)] for path in paths]


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the table."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], fromfile_prefix_chars="@")
    parser.add_argument("--source", type=Path, required=True, help="the checkout")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--index", type=Path, required=True, help="a folder, kept between runs")
    parser.add_argument("--folders", nargs="+", required=True, help="what is read for includes")
    parser.add_argument("--generated", nargs="*", default=(), help="generated files by path")
    parser.add_argument("--words", nargs="*", default=(), help="macros of optional libraries")
    parser.add_argument("--reviewed", nargs="*", default=(), help="macros that paste no operator")
    args = parser.parse_args(argv)
    facts = args.index / "facts.json"
    last_table = args.index / "tables.bzl"
    lists = [list(args.folders), list(args.generated), list(args.words), list(args.reviewed)]
    made_for = [str(args.source), *lists, programs()]
    saved = load(facts)
    if not isinstance(saved, dict) or saved.get("made_for") != made_for:
        saved = {}
    spelling = Spelling.from_json(saved.get("spelling"))
    index = Index(args.source, saved.get("facts"), args.words, spelling)
    names = readable(args.source, args.folders)
    listing = hashlib.sha256("\n".join(names).encode()).hexdigest()
    holds = saved.get("listing") == listing and last_table.exists() and index.holds()
    if not holds:
        # Only what needs the generator imports it.
        from overlay.pytorch.tables import OperatorHeaders, Reader, table
        from tools.codegen.problems import CodegenError

        operators = [index.digest(path) for path in OPERATORS]
        headers = saved.get("headers") if saved.get("operators") == operators else None
        try:
            native, tags = (args.source / path for path in OPERATORS)
            known = OperatorHeaders.from_json(headers) or OperatorHeaders.of(native, tags)
        except CodegenError as error:
            print(error, file=sys.stderr)
            return 1
        text = table(Reader(index, names, args.generated, known, args.reviewed))
        # Never a table beside facts of another one.
        facts.unlink(missing_ok=True)
        args.index.mkdir(parents=True, exist_ok=True)
        last_table.write_text(text, encoding="utf-8")
        saved = {
            "made_for": made_for,
            "listing": listing,
            "operators": operators,
            "headers": known.to_json(),
            "spelling": known.spelling.to_json(),
        }
    if not holds or index.read:
        save(facts, {**saved, "facts": index.to_json()})
    shutil.copyfile(last_table, args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
