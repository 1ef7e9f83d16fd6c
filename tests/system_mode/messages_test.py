"""What a build says where a package, a Python or a CUDA toolkit is missing: Bazel inside a test."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
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
cuda = use_extension("//toolchains/cuda:extensions.bzl", "cuda")
use_repo(cuda, "cuda")
vulkan = use_extension("//toolchains/vulkan:extensions.bzl", "vulkan")
use_repo(vulkan, "vulkan")
metal = use_extension("//toolchains/metal:extensions.bzl", "metal")
use_repo(metal, "metal")
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
        libs = ["openblas"],
        option = "blas",
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

TOOLCHAINS = {
    "third_party/system_library": ["unavailable.bzl"],
    "toolchains/cuda": ["extensions.bzl", "wheels.bzl"],
    "toolchains/metal": ["extensions.bzl"],
    "toolchains/vulkan": ["extensions.bzl"],
}

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

    def bazel(
        self, command: str, *arguments: str, tree: str = "workspace"
    ) -> subprocess.CompletedProcess[str]:
        """Runs Bazel in the workspace or another, its own programs first in PATH."""
        startup = [f"--output_user_root={self.root}/output", "--nosystem_rc", "--nohome_rc"]
        startup += [f"--install_base={INSTALLED}", "--trust_install_base", "--max_idle_secs=60"]
        startup += ["--host_jvm_args=-XX:TieredStopAtLevel=1"]
        return subprocess.run(
            [str(BAZEL), *startup, command, *arguments],
            cwd=self.root / tree,
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
    for folder, names in TOOLCHAINS.items():
        (tree / folder).mkdir(parents=True)
        (tree / folder / "BUILD.bazel").touch()
        for name in names:
            shutil.copy(RUNFILES / os.environ["TEST_WORKSPACE"] / folder / name, tree / folder)
    (tree / "MODULE.bazel").write_text(MODULE, encoding="utf-8")
    (tree / "libraries.bzl").write_text(LIBRARIES, encoding="utf-8")
    (tree / "BUILD.bazel").touch()
    made = Workspace(root)
    yield made
    made.bazel("shutdown")


def test_a_registry_of_which_bazelw_knows_the_end(workspace: Workspace) -> None:
    """A withdrawn version and a page of a proxy end in 48, a registry that is not there in 32."""
    module = workspace.root / "registry/modules/withdrawn"
    (module / "1.0").mkdir(parents=True)
    (workspace.root / "registry/bazel_registry.json").write_text("{}", encoding="utf-8")
    (module / "metadata.json").write_text(
        '{"versions": ["1.0"], "yanked_versions": {"1.0": "it was wrong"}}', encoding="utf-8"
    )
    (module / "1.0/source.json").write_text('{"type": "local_path", "path": "x"}', encoding="utf-8")
    (module / "1.0/MODULE.bazel").write_text('module(name = "withdrawn", version = "1.0")\n')
    tree = workspace.root / "withdrawn"
    tree.mkdir()
    (tree / "BUILD.bazel").touch()
    (tree / "MODULE.bazel").write_text('bazel_dep(name = "withdrawn", version = "1.0")\n')
    flags = [f"--override_module={name}={workspace.root}/{name}" for name in UNUSED]
    flags += ["--lockfile_mode=off"]
    registry = f"--registry=file://{workspace.root}/registry"

    def query(*options: str) -> tuple[int, str]:
        done = workspace.bazel("query", "//:all", *flags, *options, tree="withdrawn")
        return done.returncode, done.stderr

    status, said = query(registry)
    assert status == 48, said
    assert "Yanked version detected" in said
    assert "withdrawn@1.0, for the reason: it was wrong" in said
    assert "--allow_yanked_versions" in said
    (module / "1.0/MODULE.bazel").write_text("<!DOCTYPE html><title>Sign in</title>\n")
    assert query(registry)[0] == 48
    status, said = query("--registry=http://127.0.0.1:1/")
    assert status == 32, said
    assert "Error accessing registry" in said


def test_a_registry_goes_on_and_the_host_of_an_archive_stops(workspace: Workspace) -> None:
    """Bazel's status is that of a failed build; bazelw reads what Bazel said."""
    module = workspace.root / "registry/modules/stopped/1.0"
    module.mkdir(parents=True)
    (workspace.root / "registry/bazel_registry.json").write_text("{}", encoding="utf-8")
    (module / "MODULE.bazel").write_text('module(name = "stopped", version = "1.0")\n')
    source = {"url": "http://127.0.0.1:1/x.tar.gz", "integrity": f"sha256-{'A' * 43}="}
    (module / "source.json").write_text(json.dumps(source), encoding="utf-8")
    tree = workspace.root / "stopped"
    tree.mkdir()
    (tree / "BUILD.bazel").write_text('alias(name = "all_of_it", actual = "@stopped//:x")\n')
    (tree / "MODULE.bazel").write_text('bazel_dep(name = "stopped", version = "1.0")\n')
    flags = [f"--override_module={name}={workspace.root}/{name}" for name in UNUSED]
    flags += ["--lockfile_mode=off", f"--registry=file://{workspace.root}/registry"]
    done = workspace.bazel("build", "//:all_of_it", *flags, tree="stopped")
    assert done.returncode == 1, done.stderr
    program = RUNFILES / os.environ["TEST_WORKSPACE"] / "tools/failed_download.py"
    words = [str(program), str(tree), f"--output_user_root={workspace.root}/output", "build"]
    host = subprocess.run([sys.executable, *words], capture_output=True, check=True, text=True)
    assert host.stdout == "127.0.0.1:1\n", done.stderr


def test_every_missing_package_is_in_one_line(workspace: Workspace) -> None:
    workspace.program("pkg-config", "exit 1")
    said = workspace.fetch("eigen")
    assert "eigen was not found by pkg-config" in said
    line = next(line for line in said.splitlines() if line.strip().startswith("apt-get install"))
    packages = line.split()[line.split().index("--no-install-recommends") + 1 :]
    assert packages[0] == "libeigen3-dev"
    assert {"libgtest-dev", "libhwy-dev"} <= set(packages)


def _openblas(workspace: Workspace) -> tuple[str, dict[str, object]]:
    """The BUILD file and the facts of @openblas."""
    done = workspace.look("openblas")
    assert done.returncode == 0, done.stderr
    made = next(workspace.root.glob("output/*/external/*libraries?openblas"))
    return (made / "BUILD.bazel").read_text(), json.loads((made / "facts.json").read_text())


def test_a_package_that_an_option_needs_may_be_missing(workspace: Workspace) -> None:
    """It can be asked about then; whoever needs it is told what to install."""
    workspace.program("pkg-config", f'echo "{workspace.root}/include"; test "$2" != openblas')
    build, facts = _openblas(workspace)
    line = "apt-get install --no-install-recommends libopenblas-dev"
    for target in ("headers", "openblas"):
        assert f'unavailable(name = "{target}", message = "openblas was not found' in build
    assert line in build
    assert str(facts["missing"]).split("\n")[2].strip() == line


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


def test_a_library_in_a_folder_that_the_user_names(workspace: Workspace, tmp_path: Path) -> None:
    """The distribution does not know it, and its package is not asked for."""
    workspace.program("pkg-config", "exit 1")
    option = f"--repo_env=HIGHWAY_ROOT={tmp_path}"
    header = tmp_path / "include/present.h"
    assert f"HIGHWAY_ROOT is {tmp_path}, which has no include/present.h" in workspace.fetch(
        "libraryless", option
    )
    header.parent.mkdir()
    header.write_text("int of_the_header();\n", encoding="utf-8")
    assert "which has no libof_the_header.so in lib" in workspace.fetch("libraryless", option)
    (tmp_path / "lib").mkdir()
    library = tmp_path / "lib/libof_the_header.so"
    compile_shared = ["c++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(library)]
    subprocess.run(compile_shared, input="int other() { return 0; }", text=True, check=True)
    said = workspace.fetch("libraryless", option)
    assert "this does not compile and link" in said
    assert "undefined reference to `of_the_header()'" in said
    assert "apt-get" not in said
    subprocess.run(compile_shared, input="int of_the_header() { return 0; }", text=True, check=True)
    done = workspace.look("libraryless", option)
    assert done.returncode == 0, done.stderr
    made = next(workspace.root.glob("output/*/external/*libraries?libraryless"))
    assert f'"-L{tmp_path}/lib", "-Wl,-rpath,{tmp_path}/lib", "-lof_the_header"' in (
        made / "BUILD.bazel"
    ).read_text(encoding="utf-8")
    flags = f'LINK_FLAGS = ["-L{tmp_path}/lib", "-Wl,-rpath,{tmp_path}/lib", "-lof_the_header"]'
    assert flags in (made / "found.bzl").read_text(encoding="utf-8")
    said = workspace.fetch("libraryless", "--repo_env=HIGHWAY_ROOT=lib")
    assert 'HIGHWAY_ROOT is "lib": it must be the absolute path of a folder' in said


def test_a_package_that_does_not_compile(workspace: Workspace) -> None:
    (workspace.root / "include/Eigen").mkdir(parents=True, exist_ok=True)
    workspace.program("pkg-config", f'echo "{workspace.root}/include"')
    compiler = workspace.program("broken-compiler", "echo no such instruction >&2; exit 1")
    said = workspace.fetch("eigen", f"--repo_env=CXX={compiler}")
    assert "eigen: this does not compile and link" in said
    assert "no such instruction" in said
    assert "apt-get install --reinstall libeigen3-dev" in said


def test_a_package_that_comes_or_goes_is_noticed(workspace: Workspace) -> None:
    """What was found, or not found, is not looked for again, unless it changes."""
    include = workspace.root / "include"
    include.mkdir(exist_ok=True)
    (include / "cblas.h").touch()
    description = include / "openblas.pc"
    description.unlink(missing_ok=True)
    there = workspace.root / "there"
    there.unlink(missing_ok=True)
    # It knows openblas while the file `there` exists, and searches the folder `include`.
    workspace.program(
        "pkg-config",
        f'case "$*" in *openblas*) test -e "{there}" || exit 1 ;; esac\necho "{include}"',
    )
    assert _openblas(workspace)[1]["missing"]
    there.touch()
    assert _openblas(workspace)[1]["missing"]
    description.write_text("Version: 1\n", encoding="utf-8")
    assert not _openblas(workspace)[1]["missing"]
    there.unlink()
    assert not _openblas(workspace)[1]["missing"]
    description.unlink()
    assert _openblas(workspace)[1]["missing"]


def loaded_file(workspace: Workspace, text: str) -> Path:
    """The file that a text of Starlark loads first: what stops the analysis must be there."""
    label = text.partition('load("')[2].partition('"')[0]
    package, _, name = label.rpartition("//")[2].partition(":")
    return workspace.root / "workspace" / package / name


def test_compilers_of_shaders_may_be_missing(workspace: Workspace) -> None:
    """A build without Vulkan goes on then; what needs them is told what to install."""
    done = workspace.look("vulkan", f"--repo_env=PATH={workspace.root}/no/programs")
    assert done.returncode == 0, done.stderr
    made = next(workspace.root.glob("output/*/external/*vulkan?vulkan"))
    assert "FOUND = False" in (made / "found.bzl").read_text()
    build = (made / "BUILD.bazel").read_text()
    assert "Vulkan's shaders and runtime need glslangValidator and spirv-cross" in build
    assert "apt-get install --no-install-recommends glslang-tools spirv-cross" in build
    # What stops the analysis is a file that there is.
    package, _, name = (
        build.partition('load("')[2].partition('"')[0].rpartition("//")[2].partition(":")
    )
    assert (workspace.root / "workspace" / package / name).is_file()


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
    # The repository itself can always be made: an earlier build may have read headers in it.
    done = workspace.look("python_3.12", f"--repo_env=PYTHON_BIN_PATH_3_12={python}")
    assert done.returncode == 0, done.stderr
    made = next(workspace.root.glob("output/*/external/*python_3.12"))
    said = (made / "BUILD.bazel").read_text(encoding="utf-8")
    assert said.count("unavailable") > 1
    assert "--python_version=3.12 needs CPython 3.12 with its headers" in said
    assert f"{python}: is Python 3.11" in said
    assert "--repo_env=PYTHON_BIN_PATH_3_12=/path/to/python3.12" in said
    assert "--python_version=host" in said


# Directories and files of a toolkit, less nvcc, which has to run.
TOOLKIT = {
    "include/cuda_runtime.h": "",
    "include/cuda.h": "#define CUDA_VERSION 13000\n",
    "lib64/libcudart_static.a": "",
}
NVCC = """#!/bin/sh
case "$*" in
  --version) echo "release 13.0, V13.0.88" ;;
  *) echo "no such architecture" >&2; exit 1 ;;
esac
"""


def make_toolkit(root: Path, changes: dict[str, str | None]) -> None:
    """A directory like a CUDA toolkit's; a file is changed, or left out where None is given."""
    files: dict[str, str | None] = {**TOOLKIT, "bin/nvcc": NVCC, **changes}
    for path, text in files.items():
        if text is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
            (root / path).chmod(0o755)


def why_no_toolkit(workspace: Workspace, *options: str) -> str:
    """What a target that needs CUDA would be told; the repository itself can always be made."""
    done = workspace.look("cuda", *options)
    assert done.returncode == 0, done.stderr
    written = workspace.bazel("info", "output_base", "--lockfile_mode=off").stdout.strip()
    (build,) = Path(written).glob("external/*cuda*/BUILD.bazel")
    text = build.read_text(encoding="utf-8")
    assert 'bool_setting(name = "toolkit_found", build_setting_default = False)' in text
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bin/nvcc": None}, "{root}/bin/nvcc does not exist."),
        ({"include/cuda_runtime.h": None}, "{root} has no cuda_runtime.h in include or "),
        (
            {"lib64/libcudart_static.a": None},
            "{root}/include/cuda_runtime.h is there, but {root} has no libcudart_static.a in lib64",
        ),
        (
            {"include/cuda.h": "#define CUDA_VERSION 12080\n"},
            "{root}/bin/nvcc is of CUDA 13.0, but {root}/include/cuda.h is of CUDA 12.8.",
        ),
        ({}, "{root}/bin/nvcc does not compile a probe. Its last words: no such architecture"),
    ],
)
def test_a_toolkit_that_does_not_hold_together(
    workspace: Workspace, tmp_path: Path, changes: dict[str, str | None], said: str
) -> None:
    make_toolkit(tmp_path, changes)
    why = why_no_toolkit(workspace, f"--repo_env=CUDA_PATH={tmp_path}")
    assert said.format(root=tmp_path) in why
    assert "Install a CUDA toolkit of 12.0 or later" in why
    assert "--repo_env=CUDA_PATH=/path/of/toolkit" in why
    assert "--repo_env=CUDA_TOOLKIT=wheels" in why


def test_of_two_toolkits_the_named_one_is_taken(workspace: Workspace, tmp_path: Path) -> None:
    """nvcc in PATH belongs to another than CUDA_PATH: nothing of it is mixed in."""
    workspace.program("nvcc", NVCC.removeprefix("#!/bin/sh\n"))
    make_toolkit(tmp_path, {"include/cuda_runtime.h": None})
    why = why_no_toolkit(workspace, f"--repo_env=CUDA_PATH={tmp_path}")
    assert f"{tmp_path} has no cuda_runtime.h" in why


def test_no_such_kind_of_toolkit(workspace: Workspace) -> None:
    said = workspace.fetch("cuda", "--repo_env=CUDA_TOOLKIT=conda")
    assert "CUDA_TOOLKIT=conda: want local, the toolkit of this machine, or wheels" in said
    assert "--repo_env=CUDA_TOOLKIT=wheels" in said
