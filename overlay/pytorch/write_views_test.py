"""Views of a header: some of its operators, and all else."""

from __future__ import annotations

from pathlib import Path

from overlay.pytorch.write_views import main, view

HEADER = """\
#pragma once
#include <ATen/Context.h>
#include <ATen/ops/add.h>
#include <ATen/ops/add_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/from_blob.h>
namespace at {}
"""
OPERATORS = frozenset({"add.h", "mul.h", "add_native.h"})


def test_only_chosen_operators_are_included() -> None:
    assert view(HEADER, OPERATORS, {"mul"}) == (
        "#pragma once\n#include <ATen/Context.h>\n#include <ATen/ops/mul.h>\n"
        "#include <ATen/ops/from_blob.h>\nnamespace at {}\n"
    )


def test_all_operators_are_the_header() -> None:
    assert view(HEADER, OPERATORS, {"add", "mul"}) == HEADER


def test_an_operator_whose_name_ends_as_a_header_of_kernels() -> None:
    chosen = view(HEADER, OPERATORS, {"add_native"})
    assert "ops/add_native.h" in chosen
    assert "ops/add.h" not in chosen


def test_the_program_writes_each_view(tmp_path: Path) -> None:
    header = tmp_path / "Functions.h"
    header.write_text(HEADER, encoding="utf-8")
    outs = [tmp_path / name for name in ("a.h", "b.h")]
    arguments = ["--headers", str(header), "--operators", *sorted(OPERATORS), "--views"]
    assert main([*arguments, f"{outs[0]}|0|add", f"{outs[1]}|0|mul"]) == 0
    assert [path.read_text(encoding="utf-8") for path in outs] == [
        view(HEADER, OPERATORS, {"add"}),
        view(HEADER, OPERATORS, {"mul"}),
    ]
