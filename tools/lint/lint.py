"""Checks or fixes the form of the whole tree.

    ./bazelw run //tools/lint:fix          format everything, apply the safe corrections
    ./bazelw test //tools/lint/...         check

As a test it takes one linter's name; it says what is wrong and the one command that corrects it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.lint.tree import source_root, tree_files

FIX = "./bazelw run //tools/lint:fix"

_CC = (".cpp", ".cc", ".h", ".cuh", ".cu")
_BUILD = (".bzl", ".bazel")
_TYPED = ("tools",)


@dataclass(frozen=True)
class Linter:
    """One program over some of the files.

    Attributes:
      name: what the test is called.
      wants: whether the program reads a file, given by its path from the root.
      check: command that exits with an error when something is wrong; files are appended.
      fix: commands that correct it, empty where only a person can.
    """

    name: str
    wants: Callable[[Path], bool]
    check: Sequence[str]
    fix: Sequence[Sequence[str]] = ()


def _python(path: Path) -> bool:
    return path.suffix in {".py", ".pyi"}


def linters() -> list[Linter]:
    """Every linter, with the programs that Bazel handed over."""
    buildifier = str(Path(os.environ.get("BUILDIFIER", "buildifier")).absolute())
    module = [sys.executable, "-m"]
    clang_format = [sys.executable, "-c", "import clang_format as c; c.clang_format()"]
    return [
        Linter(
            "buildifier",
            lambda path: path.suffix in _BUILD,
            [buildifier, "-lint=warn", "-mode=diff"],
            [[buildifier, "-lint=fix"]],
        ),
        Linter(
            "ruff",
            _python,
            [*module, "ruff", "check", "--quiet", "--no-cache"],
            [[*module, "ruff", "check", "--fix", "--quiet", "--no-cache"]],
        ),
        Linter(
            "ruff_format",
            _python,
            [*module, "ruff", "format", "--diff", "--quiet", "--no-cache"],
            [[*module, "ruff", "format", "--quiet", "--no-cache"]],
        ),
        Linter(
            "clang_format",
            # Templates of the generator are not C++ yet.
            lambda path: path.suffix in _CC and "templates" not in path.parts,
            [*clang_format, "--dry-run", "--Werror", "--ferror-limit=1"],
            [[*clang_format, "-i"]],
        ),
        Linter(
            "mypy",
            lambda path: path.suffix == ".py" and path.parts[0] in _TYPED,
            [*module, "mypy", f"--cache-dir={os.environ.get('TEST_TMPDIR', os.devnull)}"],
        ),
    ]


def _run(command: Sequence[str], root: Path, files: Sequence[str]) -> int:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run([*command, *files], check=False, cwd=root, env=environment).returncode


def main() -> int:
    """Checks with one linter, or fixes with all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["check", "fix"])
    parser.add_argument("linter", nargs="?")
    arguments = parser.parse_args()
    root = source_root()
    paths = [path.relative_to(root) for path in tree_files(root)]
    failed = 0
    for linter in linters():
        if arguments.linter not in (None, linter.name):
            continue
        files = [str(path) for path in paths if linter.wants(path)]
        if not files:
            sys.exit(f"{linter.name}: no file to read under {root}")
        if arguments.action == "fix":
            for command in linter.fix:
                failed |= _run(command, root, files)
        elif _run(linter.check, root, files):
            hint = f"To correct it: {FIX}" if linter.fix else "Correct the lines above by hand."
            print(f"\n{linter.name} found something in the files above. {hint}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
