"""Random calls with a fixed seed do not crash, and the harness notices one that does."""

from __future__ import annotations

import os
import re
import subprocess

import pytest


def _fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [os.environ["FUZZ"], *arguments], capture_output=True, text=True, check=False
    )


def test_no_call_crashes() -> None:
    done = _fuzz("--seed", "20", "--cases", "6000")
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
    counts = {kind: int(n) for n, kind in re.findall(r"(\d+) (\w+)", done.stdout)}
    # Calls that all fail at the first check would test nothing.
    assert counts["answered"] > 1000, done.stdout
    assert counts["RuntimeError"] > 500, done.stdout


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer needs its address space")
def test_a_crash_is_reported() -> None:
    # With so little memory the process cannot start.
    done = _fuzz("--cases", "3", "--megabytes", "50")
    assert done.returncode == 1
    assert "crash: the process ended with status" in done.stdout
    assert "3 died; 3 bad" in done.stdout
