"""Wheels for each CPython that the tree builds for, each installed in a fresh environment of it.

./bazelw run //tests/package:pythons              # 3.11 3.12 3.13 3.14
./bazelw run //tests/package:pythons -- 3.12

A Python that this machine has not is skipped, and said to be. What does not depend on Python must
be the same bytes for all.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.package.environment import Environment, fresh_environment

_VERSIONS = ("3.11", "3.12", "3.13", "3.14")
_TARGETS = {name: f"bazel-bin/torch/{name}" for name in ("wheel", "libtorch_wheel", "thin_wheel")}
_PROGRAM = """
import sys, torch
x = torch.ones(2, 2, requires_grad=True)
torch.nn.functional.linear(x, x).relu().sum().backward()
assert torch.is_tensor(x.grad) and x.grad.shape == (2, 2), x.grad
print("%d.%d" % sys.version_info[:2], torch.__version__, x.grad.sum().item())
"""


def interpreter(version: str) -> str | None:
    """A CPython of this version, from where //toolchains/python looks for one, or None."""
    named = os.environ.get("PYTHON_BIN_PATH_" + version.replace(".", "_"))
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    tag = "cp" + version.replace(".", "")
    found = [named] if named else [shutil.which(f"python{version}")]
    found += [str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python{version}"))]
    found.append(f"/opt/python/{tag}-{tag}/bin/python")
    probe = "import sys; print('%d.%d' % sys.version_info[:2])"
    for path in found:
        if not path or not Path(path).exists():
            continue
        done = subprocess.run([path, "-c", probe], capture_output=True, check=False, text=True)
        if done.stdout.strip() == version:
            return path
    return None


def built(root: Path, version: str, startup: list[str], directory: Path) -> dict[str, Path]:
    """Builds the wheels for one version; copies of them."""
    flags = [f"--python_version={version}"]
    targets = [f"//torch:{name}" for name in _TARGETS]
    subprocess.run(
        [str(root / "bazelw"), *startup, "build", *targets, *flags], cwd=root, check=True
    )
    wheels = {}
    for name, built_directory in _TARGETS.items():
        (wheel,) = (root / built_directory).glob("*.whl")
        # The whole wheel and the thin one may have the same name.
        wheels[name] = directory / version / name / wheel.name
        wheels[name].parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(wheel, wheels[name])
    return wheels


def runs(environment: Environment, version: str) -> None:
    """Whether the installed package works, in the Python that it is meant for."""
    said = environment.run(environment.python, "-c", _PROGRAM).stdout.split()
    assert said[0] == version, said
    # The derivative of the sum of x x' by x, with x all ones: 4 in each of 4 places.
    assert said[2] == "16.0", said


def main() -> None:
    """Builds, installs and runs, a version after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("versions", nargs="*", default=_VERSIONS, metavar="VERSION")
    parser.add_argument("--startup", action="append", default=[], help="flags before the command")
    arguments = parser.parse_args()
    root = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    libraries = set()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for version in arguments.versions:
            python = interpreter(version)
            if not python:
                print(f"{version}: skipped, this machine has no CPython {version}")
                continue
            wheels = built(root, version, arguments.startup, directory)
            tag = "cp" + version.replace(".", "")
            assert f"-{tag}-{tag}-" in wheels["wheel"].name, wheels["wheel"]
            libraries.add(hashlib.sha256(wheels["libtorch_wheel"].read_bytes()).hexdigest())
            whole = fresh_environment(directory / version / "whole", python)
            whole.install(wheels["wheel"])
            runs(whole, version)
            split = fresh_environment(directory / version / "split", python)
            split.install(wheels["libtorch_wheel"], wheels["thin_wheel"])
            runs(split, version)
            print(
                f"{version}: {wheels['wheel'].name} works, and so do the two that it is split into"
            )
    if len(libraries) > 1:
        sys.exit("the wheels of the C++ libraries differ, and none of them depends on Python")


if __name__ == "__main__":
    main()
