"""The headers of a source that uses one operator stay light."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.headers.headers import HEADERS, Reading, compiler, included_files, render

# Standard headers that cost much and that no tensor needs to be declared. GCC's <memory> includes
# <ostream>, and its <iterator> includes <streambuf>.
HEAVY = {
    "algorithm",
    "condition_variable",
    "deque",
    "fstream",
    "functional",
    "future",
    "ios",
    "iostream",
    "istream",
    "iterator",
    "locale",
    "map",
    "memory",
    "mutex",
    "ostream",
    "ranges",
    "regex",
    "set",
    "sstream",
    "stdexcept",
    "streambuf",
    "system_error",
    "thread",
    "unordered_map",
    "unordered_set",
    "variant",
}


def test_no_heavy_standard_header(tmp_path: Path) -> None:
    source = tmp_path / "use.cpp"
    source.write_text("".join(f"#include <{header}>\n" for header in HEADERS))
    files = included_files(compiler([".", "aten/src"]), source)
    assert any(path.endswith("ATen/ops/add.h") for path in files)
    heavy = {Path(path).name for path in files if re.search(r"/c\+\+/[\d.]+/\w+$", path)} & HEAVY
    assert not heavy, f"{' and '.join(HEADERS)} include {sorted(heavy)}"


def test_only_the_operator_that_is_named(tmp_path: Path) -> None:
    source = tmp_path / "use.cpp"
    source.write_text("".join(f"#include <{header}>\n" for header in HEADERS))
    files = included_files(compiler([".", "aten/src"]), source)
    operators = {Path(path).name for path in files if "ATen/ops/" in path}
    assert operators <= {"add.h", "add_ops.h"}


def test_table() -> None:
    assert render(Reading(0.25, 100, 2000), Reading(2.5, 300, 60000)) == (
        "         this tree  PyTorch   ratio\n"
        "seconds       0.25     2.50  1/10.0\n"
        "files          100      300   1/3.0\n"
        "lines         2000    60000  1/30.0"
    )
