"""Targets and options of a command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.workspace import bazel, expression, from_here, only_built, split, writing


def test_options_of_bazel_are_told_from_targets() -> None:
    assert split(["//c10/...", "--config=asan", "-c", "dbg", "-//c10/cuda/..."], ["//..."]) == (
        ["//c10/...", "-//c10/cuda/..."],
        ["--config=asan", "-c", "dbg"],
    )
    assert split(["c10/core/...", "c10/util:all", "--copt=a:b", "-c", "dbg"], ["//..."]) == (
        ["//c10/core/...", "//c10/util:all"],
        ["--copt=a:b", "-c", "dbg"],
    )
    assert split(["--config=asan"], ["//..."]) == (["//..."], ["--config=asan"])


@pytest.mark.parametrize("words", [["README.md"], ["//c10/util", "x.py"], ["-k=1", "2"]])
def test_a_word_that_is_no_target(words: list[str]) -> None:
    with pytest.raises(SystemExit, match=f"{words[-1]} is no target and no option. Targets are"):
        split(words, ["//..."])


def test_targets_in_the_query_language() -> None:
    assert expression(["//c10/...", "//aten:all"]) == "//c10/... + //aten:all"
    assert expression(["//...", "-//c10/...", "-//aten:all"]) == "//... - //c10/... - //aten:all"


def test_targets_tagged_manual_are_left_out_of_patterns_alone() -> None:
    wild = ["//...", "//c10/...", "//aten:all", "//aten:*", "-//tests/cuda:x"]
    assert only_built(wild) == ["--build_tag_filters=-manual"]
    assert only_built(["//...", "//tests/cuda:x"]) == []


def test_the_program_ends_where_bazel_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))
    program = tmp_path / "bazelw"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nprint(sys.argv[1])\nsys.exit(sys.argv[-1] == 'no')"
    )
    program.chmod(0o755)
    assert bazel("info", "yes") == "info\n"
    with pytest.raises(SystemExit, match="error above. It ran: .*/bazelw info .* no$"):
        bazel("info", "no")
    assert bazel("aquery", "no", partial=True) == "aquery\n"
    program.write_text("#!/bin/sh\nexit 2\n")
    with pytest.raises(SystemExit, match="error above"):
        bazel("aquery", "no", partial=True)


def test_paths_are_read_where_they_are_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path / "below"))
    assert from_here(Path("x.json")) == tmp_path / "below/x.json"
    assert from_here(Path("/x.json")) == Path("/x.json")


def test_a_file_that_cannot_be_written() -> None:
    path = Path("/proc/no/such")
    said = r"cannot write /proc/no/such \(No such file.*\)\. Name another place: --to=/tmp"
    with pytest.raises(SystemExit, match=said), writing(path, "--to=/tmp"):
        path.write_text("")
