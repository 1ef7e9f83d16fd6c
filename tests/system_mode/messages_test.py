"""What a build says where a package, a header or a Python is missing: Bazel inside a test."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

RUNFILES = Path(os.environ.get("TEST_SRCDIR", "."))
BAZEL = Path("/usr/bin/bazel")
INSTALLED = Path("/usr/share/bazel")

# Modules that Bazel's own tools ask for; nothing here loads from them.
UNUSED = (
    "apple_support",
    "buildozer",
    "platforms",
    "protobuf",
    "rules_cc",
    "rules_java",
    "rules_license",
    "rules_proto",
    "rules_python",
    "zlib",
)

MODULE = """
bazel_dep(name = "system_library")
local_path_override(module_name = "system_library", path = "system_library")
libraries = use_extension("//:libraries.bzl", "libraries")
use_repo(libraries, "eigen", "headless", "libraryless", "openblas")
host_python = use_extension("//:python.bzl", "host_python")
use_repo(host_python, "host_python", "python_3.12")
"""

LIBRARIES = """
load("@system_library//:system_library.bzl", "system_library")

def _libraries_impl(_module_ctx):
    system_library(
        name = "eigen",
        headers = ["Eigen"],
        library = "eigen",
        probe = "int main() {}",
    )
    system_library(
        name = "openblas",
        headers = ["cblas.h"],
        library = "openblas",
    )
    system_library(
        name = "headless",
        headers = ["no_such_header"],
        library = "highway",
    )
    system_library(
        name = "libraryless",
        headers = ["present.h"],
        library = "highway",
        libs = ["of_the_header"],
        probe = "#include <present.h>\\nint main() { return of_the_header(); }",
    )

libraries = module_extension(implementation = _libraries_impl)
"""

pytestmark = pytest.mark.skipif(
    not (BAZEL.exists() and (INSTALLED / "embedded_tools").exists()),
    reason="needs the distribution's Bazel, which starts without the network",
)


@dataclass
class Workspace:
    """A workspace with the libraries and the Python of the tree, and programs to stand in."""

    root: Path

    def program(self, name: str, script: str) -> Path:
        """A shell script in the workspace's own bin directory."""
        path = self.root / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def bazel(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs Bazel in the workspace, its own programs first in PATH."""
        startup = [f"--output_user_root={self.root}/output", "--nosystem_rc", "--nohome_rc"]
        startup += [f"--install_base={INSTALLED}", "--trust_install_base", "--max_idle_secs=60"]
        startup += ["--host_jvm_args=-XX:TieredStopAtLevel=1"]
        return subprocess.run(
            [str(BAZEL), *startup, command, *arguments],
            cwd=self.root / "workspace",
            env={"PATH": f"{self.root}/bin:/usr/bin:/bin", "HOME": str(self.root)},
            text=True,
            capture_output=True,
            check=False,
        )

    def look(self, repository: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Makes a repository, where that was not done or is out of date."""
        modules = [f"--override_module={name}={self.root}/{name}" for name in UNUSED]
        words = ("--lockfile_mode=off", *options, f"--repo=@{repository}")
        return self.bazel("fetch", *modules, *words)

    def fetch(self, repository: str, *options: str) -> str:
        """Asks for a repository that cannot be made; what Bazel said."""
        result = self.look(repository, *options)
        assert result.returncode != 0, result.stderr
        return result.stderr


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("machine")
    for name in UNUSED:
        (root / name).mkdir()
        (root / name / "MODULE.bazel").write_text(f'module(name = "{name}")\n', encoding="utf-8")
    tree = root / "workspace"
    (tree / "system_library").mkdir(parents=True)
    for path in os.environ["SYSTEM_LIBRARY"].split():
        shutil.copy(RUNFILES / path, tree / "system_library")
    (tree / "system_library/MODULE.bazel").write_text('module(name = "system_library")\n')
    shutil.copy(
        RUNFILES / os.environ["TEST_WORKSPACE"] / "toolchains/python/extensions.bzl",
        tree / "python.bzl",
    )
    (tree / "MODULE.bazel").write_text(MODULE, encoding="utf-8")
    (tree / "libraries.bzl").write_text(LIBRARIES, encoding="utf-8")
    (tree / "BUILD.bazel").touch()
    made = Workspace(root)
    yield made
    made.bazel("shutdown")


def test_every_missing_package_is_in_one_line(workspace: Workspace) -> None:
    workspace.program("pkg-config", "exit 1")
    said = workspace.fetch("eigen")
    assert "eigen was not found by pkg-config" in said
    line = next(line for line in said.splitlines() if line.strip().startswith("apt-get install"))
    packages = line.split()[line.split().index("--no-install-recommends") + 1 :]
    assert packages[0] == "libeigen3-dev"
    assert {"libgtest-dev", "libhwy-dev", "libbenchmark-dev", "pybind11-dev"} <= set(packages)


def test_a_package_that_an_option_needs_is_missing(workspace: Workspace) -> None:
    workspace.program("pkg-config", 'test "$2" != openblas')
    said = workspace.fetch("openblas")
    assert "openblas was not found by pkg-config" in said
    lines = [line.strip() for line in said.splitlines()]
    assert "apt-get install --no-install-recommends libopenblas-dev" in lines


def test_a_package_without_its_headers(workspace: Workspace) -> None:
    workspace.program("pkg-config", "echo /nowhere")
    said = workspace.fetch("headless")
    assert "highway: pkg-config knows it, but no_such_header is in none of /nowhere" in said
    assert "Reinstall its package" in said


def test_headers_without_their_library(workspace: Workspace) -> None:
    """pkg-config and the header say that it is there, and the linker does not find it."""
    (workspace.root / "include").mkdir(exist_ok=True)
    (workspace.root / "include/present.h").write_text("inline int of_the_header() { return 0; }\n")
    workspace.program("pkg-config", f'echo "{workspace.root}/include"')
    said = workspace.fetch("libraryless")
    assert "highway: this does not compile and link" in said
    assert "cannot find -lof_the_header" in said
    assert "apt-get install --reinstall libhwy-dev" in said


def test_a_package_that_does_not_compile(workspace: Workspace) -> None:
    (workspace.root / "include/Eigen").mkdir(parents=True, exist_ok=True)
    workspace.program("pkg-config", f'echo "{workspace.root}/include"')
    compiler = workspace.program("broken-compiler", "echo no such instruction >&2; exit 1")
    said = workspace.fetch("eigen", f"--repo_env=CXX={compiler}")
    assert "eigen: this does not compile and link" in said
    assert "no such instruction" in said
    assert "apt-get install --reinstall libeigen3-dev" in said


def test_a_package_that_goes_is_noticed(workspace: Workspace) -> None:
    """What was found is not looked for again, unless it changes."""
    include = workspace.root / "include"
    include.mkdir(exist_ok=True)
    (include / "cblas.h").touch()
    (include / "openblas.pc").write_text("Version: 1\n", encoding="utf-8")
    workspace.program("pkg-config", f'echo "{include}"')
    found = workspace.look("openblas")
    assert found.returncode == 0, found.stderr
    workspace.program("pkg-config", "exit 1")
    assert workspace.look("openblas").returncode == 0
    (include / "openblas.pc").unlink()
    assert "openblas was not found by pkg-config" in workspace.fetch("openblas")


def test_no_python(workspace: Workspace) -> None:
    said = workspace.fetch("host_python", "--repo_env=PYTHON_BIN_PATH=/no/such/python3")
    assert "No Python: /no/such/python3 was not found" in said
    assert "apt-get install --no-install-recommends python3-dev python3-pip" in said


def test_an_old_python(workspace: Workspace) -> None:
    facts = '{"executable": "/old", "include": "/old", "version": [3, 6, 1]}'
    python = workspace.program("old-python", f"echo '{facts}'")
    said = workspace.fetch("host_python", f"--repo_env=PYTHON_BIN_PATH={python}")
    assert "is Python 3.6; this tree needs 3.9 or later" in said
    assert "--repo_env=PYTHON_BIN_PATH=" in said


def test_a_python_without_headers(workspace: Workspace) -> None:
    facts = '{"executable": "/bare", "include": "/no/headers", "version": [3, 11, 2]}'
    python = workspace.program("bare-python", f"echo '{facts}'")
    said = workspace.fetch("host_python", f"--repo_env=PYTHON_BIN_PATH={python}")
    assert "has no headers: /no/headers/Python.h does not exist" in said
    assert "apt-get install --no-install-recommends python3-dev" in said


def test_a_python_version_that_is_not_here(workspace: Workspace) -> None:
    facts = '{"executable": "/other", "include": "/other", "version": [3, 11, 2]}'
    python = workspace.program("other-python", f"echo '{facts}'")
    said = workspace.fetch("python_3.12", f"--repo_env=PYTHON_BIN_PATH_3_12={python}")
    assert "--python_version=3.12 needs CPython 3.12 with its headers" in said
    assert f"{python}: is Python 3.11" in said
    assert "--repo_env=PYTHON_BIN_PATH_3_12=/path/to/python3.12" in said
    assert "--python_version=host" in said
