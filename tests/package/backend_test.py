"""pip and the backend, with a bazelw that only says what it was asked."""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.package.environment import Environment, fresh_environment

# Makes what Bazel would; everything that it is told is in the file `asked`.
_BAZELW = """#!/bin/sh
echo "$@" >> asked
echo "INFO: 12 of 34 actions"
echo "USE_OPENMP is ${USE_OPENMP-unset}"
[ ! -e broken ] || { echo "ERROR: no such operator"; exit 3; }
case "$*" in
*--output_groups=metadata*)
  info=bazel-bin/torch/wheel_metadata/torch-2.13.0+bazel.0.1.dist-info
  mkdir -p "$info"
  printf 'Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0+bazel.0.1\n' > "$info/METADATA"
  exit 0
esac
mkdir -p bazel-bin/torch/wheel_stamped
cp made.whl "bazel-bin/torch/wheel_stamped/$(cat made.name)"
echo "built = 1" > bazel-bin/torch/_C.py
env >> variables
"""
_TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"


@dataclass(frozen=True)
class Tree:
    """A checkout in which nothing takes time, and an environment."""

    root: Path
    environment: Environment

    def pip(self, *words: str | Path, check: bool = True, **variables: str) -> tuple[int, str]:
        """Runs pip in the checkout: its status, and everything it said."""
        command = [sys.executable, "-m", "pip", "--python", self.environment.python, *words]
        done = self.environment.run(
            *command, check=check, cwd=self.root, env={"PIP_NO_INDEX": "1", **variables}
        )
        return done.returncode, done.stdout + done.stderr

    def asked(self) -> str:
        """The last command that Bazel got."""
        return (self.root / "asked").read_text(encoding="utf-8").splitlines()[-1]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    root = tmp_path / "check out"
    (root / "torch").mkdir(parents=True)
    for name in os.environ["FILES"].split():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, root / name)
    (root / "tools/__init__.py").touch()
    (root / "tools/package/__init__.py").touch()
    (root / "torch/__init__.py").write_text("from torch._C import built\nanswer = 1\n")
    bazelw = root / "bazelw"
    bazelw.write_text(_BAZELW, encoding="utf-8")
    bazelw.chmod(0o755)
    name = f"torch-2.13.0+bazel.0.1-{_TAG}-{_TAG}-linux_{os.uname().machine}.whl"
    (root / "made.name").write_text(name)
    info = "torch-2.13.0+bazel.0.1.dist-info"
    with zipfile.ZipFile(root / "made.whl", "w") as archive:
        archive.writestr("torch/__init__.py", "answer = 2\n")
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0+bazel.0.1"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\n")
        archive.writestr(f"{info}/RECORD", "")
    return Tree(root, fresh_environment(tmp_path / "environment"))


def answer(tree: Tree) -> str:
    """What a program in the environment finds in the installed package."""
    program = "import torch; print(torch.answer)"
    return tree.environment.run(tree.environment.python, "-c", program).stdout.strip()


def test_install(tree: Tree) -> None:
    _, said = tree.pip("install", "-v", ".", MAX_JOBS="3", USE_OPENMP="0")
    assert "build //torch:wheel --config=stamp --jobs=3 --openmp=false" in tree.asked()
    assert "torch: INFO: 12 of 34 actions" in said
    # The flag says it; bazelw would warn of a variable that Bazel passes over.
    assert "torch: USE_OPENMP is unset" in said
    assert answer(tree) == "2"


def test_a_pip_that_bazel_runs_is_a_pip_of_its_own(tree: Tree) -> None:
    """It fetches source packages, and would look for this backend in them."""
    tree.pip("install", ".")
    variables = (tree.root / "variables").read_text(encoding="utf-8")
    assert "PATH=" in variables
    assert "BUILD_BACKEND" not in variables
    assert "BACKEND_PATH" not in variables


def test_the_wheel_is_built_under_its_own_heading(tree: Tree) -> None:
    log = tree.root / "log"
    tree.pip("install", "--log", log, ".")
    said = log.read_text(encoding="utf-8")
    asked = (tree.root / "asked").read_text(encoding="utf-8").splitlines()
    assert ["--output_groups=metadata,-stamped" in line for line in asked] == [True, False]
    # pip's headings, and Bazel's progress below the second.
    metadata, _, wheel = said.partition("Building wheel for torch")
    assert "Preparing metadata" in metadata
    assert asked[0] in metadata
    assert asked[1] in wheel


def test_metadata_of_a_checkout_starts_no_build(tree: Tree) -> None:
    program = "from tools.package import backend; "
    program += "print(backend.prepare_metadata_for_build_editable('info'))"
    done = tree.environment.run(sys.executable, "-c", program, cwd=tree.root)
    folder = tree.root / "info" / done.stdout.strip()
    assert "Name: torch\n" in (folder / "METADATA").read_text(encoding="utf-8")
    assert not (tree.root / "asked").exists()


def test_wheel_with_settings(tree: Tree) -> None:
    # `-C` came with pip 23.1; Debian 12 has 23.0.
    settings = [
        "--config-settings=bazel=--verbose_failures",
        "--config-settings=startup=--max_idle_secs=9",
    ]
    tree.pip("wheel", ".", "--wheel-dir", "out", *settings)
    assert tree.asked().startswith("--max_idle_secs=9 build //torch:wheel")
    assert "--verbose_failures" in tree.asked()
    assert [path.name for path in (tree.root / "out").iterdir()] == [
        (tree.root / "made.name").read_text()
    ]


def test_editable(tree: Tree) -> None:
    tree.pip("install", "-e", ".")
    assert tree.asked().startswith("build //torch //torch:extension --remote_download_regex=")
    assert answer(tree) == "1"
    program = "import importlib.metadata as m; print(m.version('torch'))"
    installed = tree.environment.run(tree.environment.python, "-c", program).stdout.strip()
    version: dict[str, str] = {}
    exec(Path(os.environ["VERSION"]).read_text(encoding="utf-8"), version)
    assert installed == version["__version__"]
    source = tree.root / "torch/__init__.py"
    source.write_text("from torch._C import built\nanswer = built + 40\n")
    assert answer(tree) == "41"
    # Another size: Python regards a source with the same second and size as unchanged.
    (tree.root / "bazel-bin/torch/_C.py").write_text("built = 1 + 1\n")
    assert answer(tree) == "42"
    tree.pip("uninstall", "--yes", "torch")
    program = "import torch"
    assert tree.environment.run(tree.environment.python, "-c", program, check=False).returncode


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"USE_CUDDA": "1"}, "USE_CUDDA is no variable of this build. Did you mean USE_CUDA?"),
        ({"DEBUG": "1", "CMAKE_BUILD_TYPE": "Release"}, "Unset one: unset DEBUG"),
        ({"USE_MAGMA": "1"}, "this version has no MAGMA. Type: USE_MAGMA=0"),
    ],
)
def test_messages_reach_the_user(tree: Tree, variables: dict[str, str], message: str) -> None:
    status, said = tree.pip("wheel", ".", check=False, **variables)
    assert status != 0
    assert message in " ".join(said.split())
    assert not (tree.root / "asked").exists()


def test_no_compiler(tree: Tree, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "mkdir", "cp", "cat"):
        (programs / name).symlink_to(shutil.which(name) or name)
    status, said = tree.pip("wheel", ".", check=False, PATH=str(programs))
    assert status != 0
    assert "no C++ compiler (c++) in PATH" in said
    assert "apt-get install --no-install-recommends g++" in said


def test_bazel_fails(tree: Tree) -> None:
    (tree.root / "broken").touch()
    status, said = tree.pip("wheel", ".", check=False)
    assert status != 0
    assert "torch: ERROR: no such operator" in said
    assert "Bazel failed with 3; the reason is above. To see it again: ./bazelw build" in said


def test_a_directory_that_cannot_be_written(tree: Tree) -> None:
    program = "from tools.package.backend import build_wheel; build_wheel('no/such/directory')"
    done = tree.environment.run(sys.executable, "-c", program, cwd=tree.root, check=False)
    assert done.returncode == 1
    assert "torch: cannot write no/such/directory/torch-2.13.0+bazel.0.1-" in done.stderr
    assert "pip wheel . --wheel-dir=DIRECTORY" in done.stderr


def test_a_python_that_it_is_not_built_for(tree: Tree, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    python = programs / "python3"
    python.write_text("#!/bin/sh\necho 3.98\n")
    python.chmod(0o755)
    program = "import sys; sys.version_info = (3, 99); sys.path.insert(0, '.'); "
    program += "from tools.package.backend import build_wheel; build_wheel('.')"
    path = f"{programs}:/usr/bin:/bin"
    done = tree.environment.run(
        sys.executable, "-c", program, cwd=tree.root, check=False, env={"PATH": path}
    )
    assert (
        "this is CPython 3.99, and torch builds for CPython 3.11, 3.12, 3.13, 3.14" in done.stderr
    )


def test_no_source_archive(tree: Tree) -> None:
    program = "from tools.package.backend import build_sdist; build_sdist('.')"
    done = tree.environment.run(sys.executable, "-c", program, cwd=tree.root, check=False)
    assert "there is no source archive; clone the repository, and pip install ." in done.stderr
