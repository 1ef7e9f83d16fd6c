"""A fresh environment with the wheel, and programs in it that compile extensions."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.package.environment import Environment, fresh_environment


def extension_environment(root: Path, tools: Iterable[str]) -> Environment:
    """Makes one with the wheel of WHEEL and packages of the build; `root` must not exist."""
    made = fresh_environment(root)
    (wheel,) = Path(os.environ["WHEEL"]).resolve().glob("*.whl")
    made.install(wheel)
    # Those of the build, which come before the host's own of the same names.
    found = [next(path for path in sys.path if Path(path, tool).is_dir()) for tool in tools]
    (made.site_packages / "tools.pth").write_text("\n".join(found))
    return made


def python(environment: Environment, program: str, **variables: str) -> str:
    """What a program prints."""
    return environment.run(environment.python, "-c", program, env=variables).stdout


def refused(environment: Environment, program: str, **variables: str) -> str:
    """What a program that fails says of it."""
    done = environment.run(environment.python, "-c", program, check=False, env=variables)
    assert done.returncode == 1, done.stdout
    return " ".join(done.stderr.split())
