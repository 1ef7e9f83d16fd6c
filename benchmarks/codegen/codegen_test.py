"""The benchmark of the generator edits what it says and compares like with like."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.codegen.codegen import CASES, edited, measure, render, row, serve, this_tree

ALLCLOSE = "- func: allclose(Tensor self, Tensor other, float rtol=1e-05) -> bool\n"


def test_an_edit_changes_one_line_and_the_next_changes_it_back() -> None:
    text = f"- func: abs(Tensor self) -> Tensor\n{ALLCLOSE}"
    assert edited(text) == text.replace("1e-05", "1e-04")
    assert edited(edited(text)) == text


def test_nothing_to_edit() -> None:
    with pytest.raises(SystemExit, match="0 lines"):
        edited("- func: abs(Tensor self) -> Tensor\n")


def test_runs_the_generator(tmp_path: Path) -> None:
    inputs = tmp_path / "in"
    (inputs / "native").mkdir(parents=True)
    (inputs / "native/native_functions.yaml").write_text(ALLCLOSE)
    (inputs / "native/tags.yaml").write_text("[]\n")
    template = tmp_path / "TensorBody.h"
    template.write_text("")
    side = this_tree(inputs, tmp_path / "out", template)
    medians = measure([side], repeats=1)
    assert set(medians) == {(case, "this tree") for case in CASES}
    assert all(reading.megabytes > 1 for reading in medians.values())
    assert serve(side, repeats=2).megabytes > 1
    header = tmp_path / "out/aten/src/ATen/ops/allclose_ops.h"
    assert "rtol=1e-04" in header.read_text()
    assert side.facts()["operators"] == 1


def test_a_failure_is_shown(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="cannot be read"):
        this_tree(tmp_path, tmp_path / "out", tmp_path / "none").run()


def test_table() -> None:
    rows = [row("seconds", [0.5, 3.0, 2.0], ".2f"), row("files", [10, 20, 15], "d", ratio=False)]
    assert render(["this tree", "a", "b"], rows).splitlines() == [
        "|  | this tree | a | ratio | b | ratio |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| seconds | 0.50 | 3.00 | 6.0 | 2.00 | 4.0 |",
        "| files | 10 | 20 |  | 15 |  |",
    ]
    assert row("alone", [1.0], ".1f") == ("alone", "1.0")
