"""The summary's text, for a fixed report and for this build's own."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tools.package.environment import table
from tools.summary.summary import main, render

HERE = Path(__file__).parent


def test_golden() -> None:
    report = json.loads((HERE / "testdata/report.json").read_text(encoding="utf-8"))
    golden = (HERE / "testdata/summary.txt").read_text(encoding="utf-8")
    assert render(report) + "\n" == golden


def test_this_build_shows_every_option() -> None:
    report = json.loads(Path(os.environ["REPORT"]).read_text(encoding="utf-8"))
    lines = [line.split() for line in render(report).splitlines()]
    assert {"blas", "cuda", "openmp"} <= {option["name"] for option in report["options"]}
    for option in report["options"]:
        assert [option["name"], option["value"]] in [line[:2] for line in lines]
    assert all(report[fact] != "unknown" for fact in ("cpu", "os"))


def test_the_environment_variables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["summary", os.environ["REPORT"], "--env"])
    main()
    printed = capsys.readouterr().out
    assert printed == table() + "\n"
    assert "TORCH_CUDA_ARCH_LIST  " in printed
