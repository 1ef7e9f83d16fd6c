"""A few cases of each operator of sample.txt agree with PyTorch."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path


def _parity(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [os.environ["PARITY"], "--peer", str(Path(os.environ["PEER"]).absolute())]
        + ["--cache", str(tmp_path), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_sample(tmp_path: Path) -> None:
    lines = Path(os.environ["SAMPLE"]).read_text(encoding="utf-8").splitlines()
    operators = [line for line in lines if line and not line.startswith("#")]
    done = _parity(tmp_path, "--sample", "--ops", ",".join(operators))
    assert done.returncode == 0, done.stdout[-20000:] + done.stderr[-4000:]
    found = re.search(r"(\d+) of (\d+) operators agree, (\d+) of \d+ cases", done.stdout)
    assert found is not None, done.stdout[-4000:]
    assert int(found[2]) == len(operators)
    # Far fewer would mean that cases got lost.
    assert int(found[3]) > 5 * len(operators), found[0]


def test_an_operator_that_there_is_not(tmp_path: Path) -> None:
    done = _parity(tmp_path, "--ops", "no_such_operator")
    assert done.returncode != 0
    assert "PyTorch's database has no operator no_such_operator" in done.stderr
