"""Installs one hash-pinned package with pip and writes the BUILD file of its repository."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

_BUILD = """load("@rules_python//python:py_library.bzl", "py_library")

package(default_visibility = ["//visibility:public"])

_FILES = glob(
    ["site-packages/**"],
    allow_empty = True,
    exclude = ["**/*.pyc", "**/__pycache__/**"],
)

py_library(
    name = "pkg",
    srcs = [f for f in _FILES if f.endswith(".py")],
    data = [f for f in _FILES if not f.endswith(".py")],
    imports = ["site-packages"],
    deps = [{deps}],
)

filegroup(
    name = "files",
    srcs = _FILES,
)

# Programs that the package installs.
filegroup(
    name = "bin",
    srcs = glob(
        ["site-packages/bin/*"],
        allow_empty = True,
    ),
)
"""


def normalize(name: str) -> str:
    """The name of a package as labels write it."""
    return name.lower().replace("-", "_").replace(".", "_")


def install(requirements: Path, target: Path) -> None:
    """Installs the packages of a requirements file into a directory; exits with pip's message."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    command += ["--disable-pip-version-check", "--no-warn-script-location", "--only-binary=:all:"]
    command += ["--root-user-action=ignore", "--require-hashes"]
    command += ["--target", str(target), "-r", str(requirements)]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    if result.returncode == 0:
        return
    if "No module named pip" in result.stderr:
        sys.exit(
            f"{sys.executable} has no pip. To install it:\n\n"
            "    apt-get install --no-install-recommends python3-pip\n"
        )
    sys.exit(
        f"pip could not install it with {sys.executable}:\n{result.stderr}\n"
        "The versions and hashes are in third_party/python/requirements_lock.txt. Check that pip "
        "reaches an index:\n\n    python3 -m pip download --no-deps pyyaml\n"
    )


def dependencies(target: Path, known: set[str]) -> list[str]:
    """Names of the packages that the installed ones need here, among the known ones."""
    from pip._vendor.packaging.requirements import Requirement

    found = set()
    for distribution in importlib.metadata.distributions(path=[str(target)]):
        for text in distribution.requires or []:
            requirement = Requirement(text)
            if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
                continue
            if normalize(requirement.name) in known:
                found.add(normalize(requirement.name))
    return sorted(found)


def main(arguments: list[str]) -> None:
    """Arguments: requirements file, target directory, names of the packages that have labels."""
    requirements, target, known = Path(arguments[0]), Path(arguments[1]), set(arguments[2:])
    target.mkdir(exist_ok=True)
    install(requirements, target)
    deps = ", ".join(f'"@pypi_{name}//:pkg"' for name in dependencies(target, known))
    Path("BUILD.bazel").write_text(_BUILD.format(deps=deps), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
