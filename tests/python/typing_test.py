"""The package's annotations and the generated stubs hold together, under mypy's strict rules."""

from __future__ import annotations

import os
import subprocess
import sys


def test_mypy() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", os.environ["TEST_TMPDIR"], "torch"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Success: no issues found" in done.stdout
