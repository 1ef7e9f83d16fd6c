"""A CMake project, a pkg-config user and a static program, each with an unpacked libtorch."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import cmake
import ninja
import pytest

CMAKE = Path(cmake.CMAKE_BIN_DIR) / "cmake"
# Not ninja.BIN_DIR, which finds what pip installed, and else nothing.
NINJA = Path(ninja.__file__).parents[1] / "bin/ninja"
PROJECT = Path(os.environ["PROJECT"]).resolve().parent
OUTPUT = " 2\n 4\n 6\n[ CPUFloatType{3} ]\n12\n"


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    """Runs a program with next to no environment; what it printed."""
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        check=False,
        cwd=cwd,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(cwd)} | variables,
        text=True,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(os.environ["ZIP"]) as archive:
        archive.extractall(root)
    return root / "libtorch"


def build(prefix: Path, directory: Path, generator: str) -> str:
    """Configures and builds the project; what its program prints."""
    shutil.copytree(PROJECT, directory / "source", dirs_exist_ok=True)
    program = f"-DCMAKE_MAKE_PROGRAM={NINJA}" if generator == "Ninja" else "-DUNUSED=1"
    prefixes = f"-DCMAKE_PREFIX_PATH={prefix}"
    run(CMAKE, "-G", generator, program, prefixes, "-S", "source", "-B", "build", cwd=directory)
    run(CMAKE, "--build", "build", cwd=directory)
    return run(directory / "build/hello_world", cwd=directory)


def test_ninja_after_a_move_to_a_path_with_spaces(shared: Path, tmp_path: Path) -> None:
    moved = tmp_path / "another place" / "lib torch"
    shutil.copytree(shared, moved)
    assert build(moved, tmp_path, "Ninja") == OUTPUT


def test_make(shared: Path, tmp_path: Path) -> None:
    if not shutil.which("make"):
        pytest.skip("this machine has no make")
    assert build(shared, tmp_path, "Unix Makefiles") == OUTPUT


def test_static(tmp_path: Path) -> None:
    with tarfile.open(os.environ["STATIC"]) as archive:
        archive.extractall(tmp_path)
    assert build(tmp_path / "libtorch", tmp_path, "Ninja") == OUTPUT
    needed = run("ldd", tmp_path / "build/hello_world", cwd=tmp_path)
    assert "libtorch" not in needed
    assert "libc10" not in needed


def test_pkg_config(shared: Path, tmp_path: Path) -> None:
    if not shutil.which("pkg-config"):
        pytest.skip("this machine has no pkg-config")
    moved = tmp_path / "with spaces"
    shutil.copytree(shared, moved)
    path = f'PKG_CONFIG_PATH="{moved}/lib/pkgconfig"'
    script = f'{path}; export PKG_CONFIG_PATH; eval c++ "{PROJECT}/main.cpp" -o program '
    script += "$(pkg-config --cflags --libs torch) && pkg-config --modversion torch"
    version = run("sh", "-c", script, cwd=tmp_path)
    assert version == (shared / "build-version").read_text()
    assert run("./program", cwd=tmp_path, LD_LIBRARY_PATH=str(moved / "lib")) == OUTPUT


def test_the_link_line_of_programs_for_pytorch(shared: Path, tmp_path: Path) -> None:
    """-ltorch has no code, and loads the other layers."""
    libraries = shared / "lib"
    words: list[str | Path] = ["c++", "-std=c++20", "-I", shared / "include", PROJECT / "main.cpp"]
    words += ["-o", "program", "-L", libraries, "-ltorch", "-ltorch_cpu", "-lc10"]
    run(*words, cwd=tmp_path)
    assert run("./program", cwd=tmp_path, LD_LIBRARY_PATH=str(libraries)) == OUTPUT
    needed = run("readelf", "--dynamic", libraries / "libtorch.so", cwd=tmp_path)
    for name in ("libtorch_cpu.so", "libc10.so"):
        assert f"Shared library: [{name}]" in needed


@pytest.mark.parametrize("name", ["data", "nn", "optim"])
def test_the_front_end_is_not_there_and_says_so(shared: Path, tmp_path: Path, name: str) -> None:
    source = tmp_path / "source.cpp"
    source.write_text(f"#include <torch/{name}.h>\n", encoding="utf-8")
    command = ["c++", "-fsyntax-only", "-I", str(shared / "include"), str(source)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    said = f"#error \"torch/{name}.h: this release is without PyTorch's C++ front end; "
    assert said in done.stderr, done.stderr


def test_both_archives_hold_the_same(shared: Path) -> None:
    with tarfile.open(os.environ["TAR"]) as archive:
        names = {member.name for member in archive if member.isfile()}
    with zipfile.ZipFile(os.environ["ZIP"]) as zipped:
        assert names == set(zipped.namelist())
    assert "libtorch/lib/libtorch_cpu.so" in names
    assert "libtorch/include/ATen/ops/add.h" in names
    assert "libtorch/share/licenses/eigen/LICENSE" in names
    assert "libtorch/share/sbom/libtorch.spdx.json" in names
    assert not [name for name in names if "python" in name]


def configure(prefix: Path, directory: Path, wanted: str = "2.13") -> str:
    """What CMake says about a prefix that will not do."""
    directory.mkdir(exist_ok=True)
    lists = "cmake_minimum_required(VERSION 3.18)\nproject(p CXX)\n"
    (directory / "CMakeLists.txt").write_text(lists + f"find_package(Torch {wanted} REQUIRED)\n")
    command = [str(CMAKE), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={NINJA}"]
    command += [f"-DCMAKE_PREFIX_PATH={prefix}", "."]
    done = subprocess.run(command, capture_output=True, check=False, cwd=directory, text=True)
    assert done.returncode != 0
    return " ".join(done.stderr.split())


def test_an_incomplete_installation(shared: Path, tmp_path: Path) -> None:
    shutil.copytree(shared, tmp_path / "half")
    (tmp_path / "half/lib/libtorch_cpu.so").unlink()
    said = configure(tmp_path / "half", tmp_path / "p")
    assert "libtorch_cpu.so does not exist: the installation is not complete" in said


@pytest.mark.parametrize("wanted", ["2.14", "3.0", "2.13.999"])
def test_another_version(shared: Path, tmp_path: Path, wanted: str) -> None:
    said = configure(shared, tmp_path / "p", wanted)
    assert f'compatible with requested version "{wanted}"' in said
