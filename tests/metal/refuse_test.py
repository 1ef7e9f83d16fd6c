"""Linux analyses what is built for macOS; a compilation says where to do it and what to type."""

from __future__ import annotations

import subprocess


def test_a_compilation_for_macos_is_refused() -> None:
    line = ["sh", "toolchains/macos/refuse.sh", "-c", "a.cpp", "-o", "a.o"]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stdout == ""
    assert "Apple's compilers run on a Mac" in run.stderr
    assert "./bazelw build //torch:_C --config=mps" in run.stderr
