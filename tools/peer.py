"""Other Python interpreters, which programs of this tree compare themselves with."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

# Modules that a package of another name brings.
_PACKAGES = {"torchgen": "torch", "yaml": "PyYAML"}


def interpreter(*modules: str) -> Callable[[str], str]:
    """Makes a `type=` of argparse for an option that names an interpreter.

    Args:
      modules: those that it must have.

    Returns:
      A function from what the user typed to the program, which raises argparse.ArgumentTypeError
      with what to type instead. Relative paths begin where `bazel run` was called.
    """
    packages = " ".join(_PACKAGES.get(module, module) for module in modules)
    code = f"import importlib.util as u; print(*(m for m in {modules} if not u.find_spec(m)))"

    def read(word: str) -> str:
        start = Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")).absolute()
        program = str(start / word) if "/" in word else word
        if shutil.which(program) is None:
            raise argparse.ArgumentTypeError(
                f"{word} is no program. To make such a Python: "
                f"python3 -m venv /tmp/peer && /tmp/peer/bin/pip install {packages}"
            )
        # Without what this program runs with: it would find this tree's torch.
        plain = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run(
            [program, "-c", code], capture_output=True, check=False, cwd="/", env=plain, text=True
        )
        if done.returncode != 0:
            said = (done.stderr.strip() or "nothing").splitlines()[-1]
            raise argparse.ArgumentTypeError(f"{word} does not run as a Python; it says: {said}")
        if done.stdout.strip():
            raise argparse.ArgumentTypeError(
                f"{word} has no {done.stdout.strip()}. Type: {word} -m pip install {packages}"
            )
        return program

    return read
