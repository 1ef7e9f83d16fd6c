"""The program that runs PyTorch's own Python tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from overlay.pytorch.python_tests import counts, main

TEST = """\
import pytest

def test_a():
    pass

@pytest.mark.skip
def test_b():
    pass

@pytest.mark.xfail
def test_c():
    assert False

def test_d():
    assert {right}
"""


@pytest.mark.parametrize(
    ("line", "counted"),
    [
        ("81 passed, 7 skipped in 65.52s (0:01:05)", "81 passed, 7 skipped"),
        (
            "1 failed, 600 passed, 34 skipped, 9 deselected, 1 xfailed in 233.95s (0:03:53)",
            "600 passed, 1 failed, 34 skipped, 1 xfailed",
        ),
        ("==== 2 passed, 1 error in 0.50s ====", "2 passed, 1 error"),
        ("3 passed", ""),
    ],
)
def test_counts(line: str, counted: str) -> None:
    assert counts(line) == counted


def checkout(root: Path, right: bool) -> str:
    """The path of the file that says where a checkout is."""
    (root / "test").mkdir()
    (root / "test/test_small.py").write_text(TEST.format(right=right), encoding="utf-8")
    (root / "present.bzl").write_text(f'SOURCE = "{root}"\n', encoding="utf-8")
    return str(root / "present.bzl")


def test_a_file_that_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([checkout(tmp_path, right=True), "test_small.py"]) == 0
    said = capsys.readouterr().out
    assert "test_small.py: 2 passed, 1 skipped, 1 xfailed; Debian's: not seen" in said


def test_a_file_that_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    present = checkout(tmp_path, right=False)
    assert main([present, "test_small.py"]) == 1
    said = capsys.readouterr().out
    assert "test_small.py: 1 passed, 1 failed, 1 skipped, 1 xfailed" in said
    # Options are pytest's.
    assert main([present, "test_small.py", "-k", "test_a"]) == 0
    assert "test_small.py -k test_a: 1 passed;" in capsys.readouterr().out


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"test_smal\.py is not in .*, which has test_small\.py"):
        main([checkout(tmp_path, right=True), "test_smal.py"])
