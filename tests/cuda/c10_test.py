"""The GoogleTest programs of c10/cuda, also where the build itself is without CUDA."""

from __future__ import annotations

import os
import subprocess

import pytest


@pytest.mark.parametrize("program", os.environ["PROGRAMS"].split())
def test_passes(program: str) -> None:
    result = subprocess.run([f"./{program}"], check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
    assert "[  PASSED  ]" in result.stdout
