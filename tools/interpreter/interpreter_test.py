"""A program sees this checkout's torch, wherever it is typed, and its own neighbours."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(os.environ["INTERPRETER"]).absolute()


def run(where: Path, *words: str, text: str = "") -> str:
    done = subprocess.run(
        [str(PROGRAM), *words],
        env={**os.environ, "BUILD_WORKING_DIRECTORY": str(where)},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_way_to_name_a_program(tmp_path: Path) -> None:
    # As in a checkout, whose own folder of that name is no package.
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch/__init__.py").write_text("raise ImportError('sources alone')\n")
    says = "import sys, torch; print(torch.ones(2).tolist(), sys.argv[1:])"
    expected = "[1.0, 1.0] ['a', 'b']\n"
    assert run(tmp_path, "-c", says, "a", "b") == expected
    (tmp_path / "neighbour.py").write_text("def argument(): return 'c'\n")
    program = "import torch, neighbour\nprint(int(torch.ones(2).sum()), neighbour.argument())\n"
    (tmp_path / "program.py").write_text(program)
    assert run(tmp_path, "program.py") == "2 c\n"
    assert run(tmp_path, "-m", "program") == "2 c\n"
    assert run(tmp_path, text="import torch; print(int(torch.ones(3).sum()))\n").endswith("3\n>>> ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-c"], "-c wants an argument. Type: ./bazelw run //torch:python -- -c 'import"),
        (["-m"], "-m wants an argument. Type: ./bazelw run //torch:python -- -m torch"),
        (["-i"], "-i is no option here; there are -c and -m. Type: ./bazelw run"),
        (["no.py"], "/no.py does not exist. Type: ./bazelw run //torch:python -- program.py"),
    ],
)
def test_words_that_name_no_program(tmp_path: Path, words: list[str], said: str) -> None:
    done = subprocess.run(
        [str(PROGRAM), *words],
        env={**os.environ, "BUILD_WORKING_DIRECTORY": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
