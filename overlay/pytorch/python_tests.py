"""Runs PyTorch's own Python tests on the torch that these rules built, beside Debian's counts.

    ./bazelw run //pytorch:python_tests                          # the six runs of docs/pytorch.md
    ./bazelw run //pytorch:python_tests -- test_view_ops.py
    ./bazelw run //pytorch:python_tests -- test_ops.py -k add    # a file and options of pytest

The files are those of the checkout's folder `test`. Exits with 1 if a test fails.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from overlay.pytorch.report import evaluate

# What Debian's python3-torch 2.6.0 gives, on Python 3.13 in a chroot.
REFERENCE = {
    "test_view_ops.py": "318 passed, 123 skipped",
    "test_indexing.py": "81 passed, 7 skipped",
    "test_type_promotion.py": "423 passed",
    "test_ops.py -k add": "558 passed, 175 skipped, 39 xfailed",
    "test_torch.py": "964 passed, 2 failed, 56 skipped",
    "test_autograd.py": "540 passed, 64 failed, 31 skipped, 1 xfailed",
}
_KINDS = ("passed", "failed", "errors?", "skipped", "xfailed", "xpassed")


def counts(line: str) -> str:
    """What the last line of pytest counts, always in one order; empty if it is another line."""
    if not re.search(r" in [\d.]+s\b", line):
        return ""
    found = (re.search(rf"\b\d+ {kind}\b", line) for kind in _KINDS)
    return ", ".join(match[0] for match in found if match)


def problem_of(folder: Path, name: str) -> str:
    """Why a file cannot be run; empty if it can."""
    if (folder / name).is_file():
        return ""
    known = sorted(path.name for path in folder.glob("test_*.py"))
    close = difflib.get_close_matches(name, known) or known[:5]
    return f"{name} is not in {folder}, which has {', '.join(close) or 'no test'}"


def run(folder: Path, words: Sequence[str]) -> tuple[int, str]:
    """Runs one file; pytest's status and its counts."""
    # PyTorch's conftest.py, which shards and reports, is for an older pytest.
    options = ["-q", "--noconftest", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *words]
    # Tests start Python again.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = ""
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            found = counts(line) or found
    return process.returncode, found


def main(arguments: Sequence[str]) -> int:
    """Runs the files and prints what they count; `arguments` begin with the path of present.bzl."""
    present, *words = arguments
    folder = Path(evaluate(Path(present))["SOURCE"]) / "test"
    runs = [words] if words else [name.split() for name in REFERENCE]
    problem = problem_of(folder, runs[0][0])
    if problem:
        sys.exit(problem)
    worst = 0
    lines = []
    for one in runs:
        status, found = run(folder, one)
        worst = max(worst, status)
        reference = REFERENCE.get(" ".join(one), "not seen")
        lines.append(f"{' '.join(one)}: {found or 'nothing ran'}; Debian's: {reference}")
    print("\n" + "\n".join(lines))
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
