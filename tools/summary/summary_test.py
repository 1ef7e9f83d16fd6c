"""The summary's text, for a fixed report and for this build's own."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tools.package.environment import table
from tools.summary.build_settings import module
from tools.summary.build_type import build_type, sanitizers
from tools.summary.summary import faults, main, modules_of, render

HERE = Path(__file__).parent


def test_golden(tmp_path: Path) -> None:
    report = json.loads((HERE / "testdata/report.json").read_text(encoding="utf-8"))
    facts = json.loads((HERE / "testdata/facts.json").read_text(encoding="utf-8"))
    library = tmp_path / "libopenblas.so.0"
    library.touch()
    facts[0]["files"] = [str(library)]
    golden = (HERE / "testdata/summary.txt").read_text(encoding="utf-8")
    text = render(report, "this system's packages", facts) + "\n"
    assert text.replace(str(tmp_path), "/usr/lib") == golden
    assert faults(report, facts) == []


def test_what_is_on_and_absent_is_said_and_ends_in_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = json.loads((HERE / "testdata/report.json").read_text(encoding="utf-8"))
    fact = {"library": "openblas", "option": "blas", "why": "c++"}
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))

    def run(errors: list[str], **found: object) -> tuple[int, str, str]:
        (tmp_path / "report.json").write_text(json.dumps(report | {"errors": errors}))
        (tmp_path / "fact.json").write_text(json.dumps(fact | found))
        words = ["summary", str(tmp_path / "report.json"), str(tmp_path / "fact.json")]
        monkeypatch.setattr(sys, "argv", words)
        status = main()
        said = capsys.readouterr()
        return status, said.out, said.err

    library = tmp_path / "libopenblas.so"
    library.touch()
    status, out, err = run([], files=[str(library)])
    assert (status, err) == (0, "")
    assert f"{library}  (openblas; c++)" in out
    status, out, err = run([], missing="openblas was not found.\n\n    apt-get install it\n")
    assert status == 1
    assert "ABSENT: openblas was not found." in out
    assert "apt-get install it" in err
    library.unlink()
    status, out, _ = run([], files=[str(library)])
    assert (status, f"ABSENT: {library} was found and is gone" in out) == (1, True)
    status, _, err = run(["--nccl needs --cuda. Type: --nccl --cuda"])
    assert (status, "--nccl needs --cuda. Type: --nccl --cuda" in err) == (1, True)


def test_an_option_of_the_build_after_the_dashes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["summary", "report.json", "--blas=openblas"])
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().err
    assert "--blas=openblas is no option of the summary. Options of the build stand before" in said


def test_what_an_installed_build_tells_is_what_the_summary_shows() -> None:
    report = json.loads((HERE / "testdata/report.json").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    exec(module(report), names)
    assert names["OPTIONS"] == {"cuda": "off", "blas": "openblas", "openmp": "off"}
    assert (names["BUILD_TYPE"], names["ASSERTIONS"]) == ("RelWithDebInfo", False)
    assert names["LAPACK"] == "the BLAS library's"
    exec(module(report | {"compilation_mode": "dbg", "copts": ["-O0"]}), names)
    assert (names["BUILD_TYPE"], names["ASSERTIONS"]) == ("Debug", True)


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
    assert main() == 0
    printed = capsys.readouterr().out
    assert printed == table() + "\n"
    assert "TORCH_CUDA_ARCH_LIST  " in printed
