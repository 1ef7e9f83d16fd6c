"""A fresh virtual environment, without anything of the user's or of Bazel's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Environment:
    """A virtual environment and an empty home.

    Attributes:
      root: directory of both.
    """

    root: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.root / "venv/bin/python"

    @property
    def site_packages(self) -> Path:
        """Where packages are installed."""
        (found,) = (self.root / "venv/lib").glob("python*/site-packages")
        return found

    def variables(self) -> dict[str, str]:
        """The whole environment of its programs."""
        path = f"{self.root}/venv/bin:/usr/local/bin:/usr/bin:/bin"
        return {"HOME": str(self.root / "home"), "LANG": "C.UTF-8", "PATH": path}

    def run(
        self,
        *command: str | Path,
        check: bool = True,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program; its output is in the result, and in the error if it fails."""
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            check=False,
            cwd=cwd or self.root / "home",
            env={**self.variables(), **(env or {})},
            text=True,
        )
        if check:
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done

    def pip(
        self, *arguments: str | Path, check: bool = True, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs the host's pip for this environment, without an index."""
        words = ["-m", "pip", "--python", self.python, *arguments]
        env = {"PIP_NO_INDEX": "1", **variables}
        return self.run(sys.executable, *words, check=check, env=env)

    def install(self, *wheels: Path) -> None:
        """Installs wheels."""
        options = ("--no-deps", "--disable-pip-version-check", "--no-compile")
        self.pip("install", *options, *wheels)


def fresh_environment(
    root: Path, python: str = sys.executable, with_pip: bool = False
) -> Environment:
    """Makes one of an interpreter, with a pip of its own if asked for; `root` must not exist."""
    (root / "home").mkdir(parents=True)
    options = [] if with_pip else ["--without-pip"]
    command = [python, "-I", "-m", "venv", *options, str(root / "venv")]
    subprocess.run(command, check=True)
    return Environment(root)
