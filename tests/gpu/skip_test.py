"""The tests of this folder are found everywhere, and without a GPU they say why they do not run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(*arguments: str, tests: str = "*_test.py") -> subprocess.CompletedProcess[str]:
    """Pytest in this folder, in a process that sees no GPU."""
    environment = os.environ | {
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    folder = Path(__file__).parent
    files = sorted(str(path) for path in folder.glob(tests) if path != Path(__file__))
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments, *files],
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
    )


def test_skips_with_the_reason() -> None:
    result = run("-q", "-rs", "--seed=12345")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "--seed=12345" in run("--collect-only", "--seed=12345").stdout
    last = result.stdout.splitlines()[-1]
    assert "skipped" in last and "passed" not in last and "failed" not in last, last
    reasons = ("this torch has no torch.cuda", "torch.cuda.is_available() is False")
    assert any(reason in result.stdout for reason in reasons), result.stdout


def test_does_not_skip_where_it_must_not() -> None:
    """What is meant for a GPU, or for one that is emulated, does not pass without it."""
    result = run("-q", "--no-skip")
    assert result.returncode != 0, result.stdout
    assert "torch.cuda.is_available() is False: no GPU, no driver" in result.stderr, result.stderr


@pytest.mark.parametrize("device", ["mps", "vulkan"])
def test_skips_where_the_backend_is_not(device: str) -> None:
    result = run("-q", "-rs", f"--device={device}", tests="matmul_test.py")
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"this torch has no {device} backend: build it with --config={device}" in result.stdout
    assert f"{device} has kernels for 0 of 0 tests" in result.stdout
    assert " passed" not in result.stdout.splitlines()[-1]


def test_devices_that_there_are() -> None:
    result = run("-q", "--device=abacus", tests="matmul_test.py")
    assert result.returncode != 0
    assert "invalid choice: 'abacus' (choose from " in result.stderr


def test_comparison() -> None:
    """The comparison finds a wrong element, and says which."""
    result = subprocess.run(
        [sys.executable, "-c", WRONG],
        cwd=Path(__file__).parent,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert result.returncode != 0
    assert "AssertionError: twice: 1 of 9 elements differ, the first at 4" in result.stderr


WRONG = """
import sys
sys.path.insert(0, ".")
import inputs, torch
t = inputs.random((3, 3), torch.float32)
u = t * 2
u[1, 1] += 1
inputs.assert_close(u, t.double() * 2, torch.float32, "twice")
"""
