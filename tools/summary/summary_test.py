"""The summary's text, for a fixed report and for this build's own."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tools.package.environment import table
from tools.summary.summary import build_type, main, modules_of, render, sanitizers

HERE = Path(__file__).parent


def test_golden() -> None:
    report = json.loads((HERE / "testdata/report.json").read_text(encoding="utf-8"))
    golden = (HERE / "testdata/summary.txt").read_text(encoding="utf-8")
    assert render(report, "this system's packages") + "\n" == golden


def test_this_build_shows_every_option() -> None:
    report = json.loads(Path(os.environ["REPORT"]).read_text(encoding="utf-8"))
    lines = [line.split() for line in render(report, "").splitlines()]
    assert {"blas", "cuda", "cuda_archs", "openmp"} <= {
        option["name"] for option in report["options"]
    }
    for option in report["options"]:
        assert [option["name"], option["value"]] in [line[:2] for line in lines]
    assert all(report[fact] != "unknown" for fact in ("cpu", "os"))


@pytest.mark.parametrize(
    ("mode", "copts", "name"),
    [
        ("opt", "-O2", "Release"),
        ("opt", "", "Release"),
        ("opt", "-O2 -g", "RelWithDebInfo"),
        ("opt", "-O2 -g -g0", "Release"),
        ("opt", "-O2 -Os", "MinSizeRel"),
        ("opt", "-O2 -g1 -O1 -fsanitize=address", "RelWithDebInfo"),
        ("dbg", "-O2 -O0", "Debug"),
        ("opt", "-O2 -O0 -O2", "Release"),
        ("opt", "-O2 -O0", "not optimised (-O0)"),
        ("dbg", "-O2", "RelWithDebInfo with assertions"),
        ("fastbuild", "", "not optimised (-O0) with assertions"),
    ],
)
def test_the_build_type_is_what_the_last_flags_say(mode: str, copts: str, name: str) -> None:
    assert build_type(mode, copts.split()) == name


def test_sanitizers() -> None:
    assert sanitizers(["-O1", "-fsanitize=address", "-fsanitize=undefined"]) == "address, undefined"
    assert sanitizers(["-O2", "-fno-sanitize=vptr"]) == "none"


def test_where_modules_come_from(tmp_path: Path) -> None:
    assert modules_of(tmp_path) == "the Bazel Central Registry"
    (tmp_path / ".bazelrc.mode").write_text("common --config=system\n", encoding="utf-8")
    assert modules_of(tmp_path) == "this system's packages"


def test_the_environment_variables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["summary", os.environ["REPORT"], "--env"])
    main()
    printed = capsys.readouterr().out
    assert printed == table() + "\n"
    assert "TORCH_CUDA_ARCH_LIST  " in printed
