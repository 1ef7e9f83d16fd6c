"""Compiles one of PyTorch's C++ test files with an installed torch, and runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ledger import Outcomes

# Where the files include each other from. The rest of the source tree stays out of the compiler's
# reach: a header that the installed torch lacks must be missed.
_FOLDERS = {
    "c10/test": "c10/test",
    "aten/src/ATen/core/boxing/impl/test_helpers.h": "ATen/core/boxing/impl/test_helpers.h",
    "aten/src/ATen/test": "ATen/test",
    "test/cpp": "test/cpp",
}
# Says that a header of PyTorch is left out on purpose.
_REFUSAL = "this release is without"


def places(python: str, environment: dict[str, str]) -> dict[str, Any]:
    """The folders of headers and libraries of an installed torch, and its version."""
    code = (
        "import json, torch; from torch.utils import cpp_extension as e; "
        "print(json.dumps(dict(version=torch.__version__, include=e.include_paths(), "
        "libraries=e.library_paths())))"
    )
    done = subprocess.run(
        [python, "-c", code], capture_output=True, check=True, cwd="/", env=environment, text=True
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _compiled(source: Path, file: Path, torch: dict[str, Any], folder: Path) -> str:
    """Compiles and links `file` into `folder`/test; the compiler's first error, or nothing."""
    for name, place in _FOLDERS.items():
        link = folder / "include" / place
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(source / name)
    words = [os.environ.get("CXX", "c++"), "-std=c++20", "-w", "-O0", "-o", str(folder / "test")]
    words += [f"-isystem{path}" for path in torch["include"]]
    words += [f"-I{folder / 'include'}", str(file)]
    for path in torch["libraries"]:
        words += [f"-L{path}", f"-Wl,-rpath,{path}"]
    words += ["-Wl,--no-as-needed", "-lc10", "-ltorch_cpu", "-ltorch", "-Wl,--as-needed"]
    words += ["-lgtest_main", "-lgmock", "-lgtest", "-lpthread"]
    done = subprocess.run(words, capture_output=True, check=False, text=True)
    if not done.returncode:
        return ""
    lines = done.stderr.splitlines()
    first = next((x for x in lines if re.search(r": (fatal )?error: |undefined ref", x)), lines[-1])
    if "gtest" in first and ("No such file" in first or "cannot find" in first):
        raise SystemExit(
            f"{first}\nPyTorch's C++ tests need GoogleTest: apt-get install libgmock-dev libgtest-dev"
        )
    return re.sub(r"^\S*/", "", first)


def _run(program: Path, only: str, patience: float) -> tuple[dict[str, tuple[str, str]], str]:
    """The outcomes of the tests of a program that fit `only`, and how it ended otherwise."""
    report = program.parent / "report.json"
    report.unlink(missing_ok=True)
    words = [str(program), f"--gtest_output=json:{report}", f"--gtest_filter={only}"]
    try:
        done = subprocess.run(
            words, capture_output=True, check=False, cwd=program.parent, timeout=patience
        )
    except subprocess.TimeoutExpired:
        return {}, f"no end after {patience:.0f} s"
    if done.returncode < 0 or not report.exists():
        return {}, f"exit status {done.returncode}" if done.returncode else ""
    outcomes = {}
    for suite in json.loads(report.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            texts = [failure["failure"] for failure in test.get("failures", [])]
            # The first line is the place, as a path of this machine.
            reason = " ".join(texts[0].split("\n")[1:4]) if texts else ""
            outcome = "skipped" if test["result"] == "SKIPPED" else "failed" if texts else "passed"
            outcomes[f"{suite['name']}.{test['name']}"] = (outcome, reason)
    return outcomes, ""


def run_file(
    source: Path, file: Path, torch: dict[str, Any], patience: float
) -> tuple[Outcomes, str]:
    """What became of each test of a C++ file.

    Args:
      source: PyTorch's source tree.
      file: one of its C++ test files, with or without GoogleTest.
      torch: the installed torch, from `places`.
      patience: seconds that one test may take.

    Returns:
      The outcomes, and the compiler's first error where the file does not compile. A program
      without GoogleTest is one test, `main`.
    """
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        error = _compiled(source, file, torch, folder)
        if error:
            return {}, error
        program = folder / "test"
        outcomes, end = _run(program, "*", patience * 10)
        if outcomes:
            return outcomes, ""
        listed = subprocess.run(
            [str(program), "--gtest_list_tests"],
            capture_output=True,
            check=False,
            text=True,
            timeout=patience,
        ).stdout
        names = test_names(listed)
        if not names:
            return {"main": ("failed", end) if end else ("passed", "")}, ""
        # A crash or a hang: each test in a process of its own.
        for name in names:
            found, end = _run(program, name, patience)
            kind = "hung" if end.startswith("no end") else "crashed"
            outcomes[name] = found.get(name, (kind, end))
        return outcomes, ""


def test_names(listed: str) -> list[str]:
    """The tests that --gtest_list_tests printed."""
    names, suite = [], ""
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  ") and suite:
            names.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return names


def without(peer: Outcomes, error: str) -> Outcomes:
    """The outcomes of a file that compiles with PyTorch alone."""
    outcome = "absent" if _REFUSAL in error else "failed"
    return dict.fromkeys(peer, (outcome, f"does not compile: {error}"))
