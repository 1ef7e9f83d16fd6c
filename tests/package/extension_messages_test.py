"""What torch.utils.cpp_extension tells nvcc, and what it says before anything is compiled."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.package.environment import Environment
from tests.package.extension_environment import extension_environment, python, refused


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return extension_environment(tmp_path_factory.mktemp("messages") / "e", ["setuptools"])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "x.cpp"
    path.write_text("int f() { return undeclared; }\n", encoding="utf-8")
    return path


def load(source: Path | str, more: str = "") -> str:
    """A program that loads an extension."""
    return f"from torch.utils.cpp_extension import load; load('x', ['{source}'], {more})"


def program(root: Path, text: str) -> Path:
    """A program that only prints."""
    root.parent.mkdir(parents=True, exist_ok=True)
    root.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    root.chmod(0o755)
    return root


def test_no_compiler(environment: Environment, source: Path) -> None:
    said = refused(environment, load(source), CXX="/no/such/g++")
    assert "no C++ compiler: /no/such/g++ was not found in PATH" in said
    assert "apt-get install --no-install-recommends g++" in said


def test_a_compiler_that_does_not_fit(environment: Environment, source: Path) -> None:
    old = program(source.parent / "old", "echo '#define __GNUC__ 9\n#define __GNUC_MINOR__ 4'")
    said = refused(environment, load(source), CXX=str(old))
    assert "is GCC 9.4; torch's headers are C++20 and need GCC 11.0 or later" in said
    other = program(source.parent / "other", "echo 'no such option' >&2; exit 2")
    said = refused(environment, load(source), CXX=str(other))
    assert f"{other} is no C++ compiler; it says: no such option" in said


def test_a_compiler_for_this_torch(environment: Environment, source: Path) -> None:
    name = "get_compiler_abi_compatibility_and_version"
    text = f"from torch.utils.cpp_extension import {name} as f; print(f('c++')[0], f('/no/such'))"
    assert python(environment, text) == "True (False, (0, 0))\n"


def test_an_error_of_the_compiler(environment: Environment, source: Path) -> None:
    said = refused(environment, load(source))
    assert "Error building extension" in said
    assert "undeclared" in said


@pytest.mark.parametrize(
    ("target", "header", "message"),
    [
        ("2ULL << 56 | 9ULL << 48", "torch/csrc/stable/ops.h", "can target PyTorch 2.10"),
        ("3ULL << 56", "torch/csrc/stable/ops.h", "is newer than these headers"),
        (
            "2ULL << 56 | 10ULL << 48",
            "torch/extension.h",
            "torch/all.h is no part of the stable ABI",
        ),
    ],
)
def test_versions_of_the_stable_abi(
    environment: Environment, source: Path, target: str, header: str, message: str
) -> None:
    source.write_text(f"#define TORCH_TARGET_VERSION ({target})\n#include <{header}>\n", "utf-8")
    assert message in refused(environment, load(source))


def test_another_abi(environment: Environment, source: Path) -> None:
    said = refused(environment, load(source, "extra_cflags=['-D_GLIBCXX_USE_CXX11_ABI=0']"))
    assert "torch is built with _GLIBCXX_USE_CXX11_ABI=1" in said
    assert "Leave the flag out" in said
    said = refused(environment, load(source, "extra_cflags=['-stdlib=libc++']"))
    assert "torch is built with libstdc++, and an extension of another standard library" in said


def test_values_and_places(environment: Environment, source: Path) -> None:
    for jobs in ("many", "²", "0"):
        said = refused(environment, load(source), MAX_JOBS=jobs)
        assert f"MAX_JOBS={jobs}: wanted a number from 1. Type: MAX_JOBS=4" in said
    said = refused(environment, load("absent.cpp"))
    assert "absent.cpp does not exist; give sources relative to" in said
    said = refused(environment, load(source), TORCH_EXTENSIONS_DIR=str(source))
    assert f"cannot write {source}/x" in said
    assert "TORCH_EXTENSIONS_DIR=DIRECTORY" in said
    text = "from torch.utils.cpp_extension import BuildExtension as B; B.with_options(x=1)"
    assert "BuildExtension has no option x" in refused(environment, text)


def test_what_is_missing(environment: Environment, source: Path) -> None:
    # None in the modules stands for a package that is not installed.
    text = "import sys; sys.modules['setuptools'] = None\n"
    text += "from torch.utils.cpp_extension import CppExtension as C; C('x', ['x.cpp'])"
    assert "setup.py needs setuptools. To install it: pip install" in refused(environment, text)
    text = "import sysconfig; from torch.utils import cpp_extension\n"
    text += "sysconfig.get_paths = lambda: {'include': '/no/such'}\n"
    said = refused(environment, text + load(source))
    assert "this Python has no headers: /no/such/Python.h does not exist" in said
    assert "apt-get install --no-install-recommends python3-dev" in said


def test_an_incomplete_installation(environment: Environment, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("include")
    shutil.copytree(environment.site_packages / "torch", tmp_path / "torch", ignore=ignored)
    text = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    # Its libraries are in use already, and gone by the time that it looks for them.
    text += "import shutil, torch; from torch.utils import _cpp_toolchain as t\n"
    text += f"shutil.rmtree({str(tmp_path / 'torch/lib')!r}); t.include_directories()"
    said = refused(environment, text)
    assert "has neither headers nor libraries: the installation is not complete" in said
    assert "pip install --force-reinstall --no-deps bazel-bin/torch/wheel/*.whl" in said


# As a build with CUDA says; nothing is compiled.
_CUDA = "import torch; torch.version.cuda = '13.0'; from torch.utils import _cpp_cuda as c; "


def toolkit(root: Path, says: str = "Cuda compilation tools, release 13.2, V13.2.1") -> str:
    """The root of a toolkit whose nvcc only says its version."""
    program(root / "bin/nvcc", f"echo '{says}'")
    return str(root)


def test_no_cuda(environment: Environment, tmp_path: Path) -> None:
    if (environment.site_packages / "torch/lib/libtorch_cuda.so").exists():
        pytest.skip("this build has CUDA")
    said = refused(environment, load("x.cu", "with_cuda=True"))
    assert "this build of torch has no CUDA" in said
    assert "USE_CUDA=1 pip install ." in said
    text = "from torch.utils.cpp_extension import load_inline as l; "
    text += "l('x', 'int f() { return 1; }', cuda_sources='__global__ void g() {}')"
    assert "this build of torch has no CUDA" in refused(environment, text)
    said = refused(environment, _CUDA + "c.find_toolkit()", CUDA_HOME=str(tmp_path))
    assert f"no CUDA compiler: {tmp_path} has no bin/nvcc. Name the toolkit: CUDA_HOME=" in said


def test_a_toolkit_that_does_not_fit(environment: Environment, tmp_path: Path) -> None:
    old = toolkit(tmp_path / "old", "Cuda compilation tools, release 12.8, V12.8.93")
    said = refused(environment, _CUDA + "c.find_toolkit()", CUDA_HOME=old)
    assert f"{old} is CUDA 12.8, and torch was compiled with CUDA 13.0" in said
    assert "CUDA_HOME=/usr/local/cuda-13.0" in said
    broken = toolkit(tmp_path / "broken", "cannot start")
    said = refused(environment, _CUDA + "c.find_toolkit()", CUDA_HOME=broken)
    assert f"{broken}/bin/nvcc is no CUDA compiler; it says: cannot start" in said


@pytest.mark.parametrize(
    ("listed", "codes"),
    [
        ("8.0;9.0a+PTX", ["80,sm_80", "90a,sm_90a", "90a,compute_90a"]),
        ("7.5 8.0", ["75,sm_75", "80,sm_80"]),
        ("Ampere", ["80,sm_80", "86,sm_86", "86,compute_86"]),
        ("Hopper", ["90,sm_90", "90,compute_90"]),
    ],
)
def test_architectures(
    environment: Environment, tmp_path: Path, listed: str, codes: list[str]
) -> None:
    text = _CUDA + "print(*c.find_toolkit().arch_flags())"
    where = toolkit(tmp_path)
    flags = python(environment, text, CUDA_HOME=where, TORCH_CUDA_ARCH_LIST=listed).split()
    assert flags == [f"-gencode=arch=compute_{code.replace(',', ',code=')}" for code in codes]


def test_all_and_common_architectures_are_those_of_nvcc(
    environment: Environment, tmp_path: Path
) -> None:
    text = _CUDA + "print(*c.find_toolkit().arch_flags())"
    for name in ("All", "Common"):
        where = toolkit(tmp_path)
        said = python(environment, text, CUDA_HOME=where, TORCH_CUDA_ARCH_LIST=name)
        assert "code=sm_90" in said
        assert "sm_70" not in said  # CUDA 13 no longer compiles for Volta.
        assert re.search(r"code=compute_\d+$", said.strip())


def test_architectures_of_the_flags_and_of_torch(environment: Environment, tmp_path: Path) -> None:
    text = _CUDA + "torch._C._cuda_getArchFlags = lambda: 'sm_80 compute_80'\n"
    text += "t = c.find_toolkit(); print(t.arch_flags()); print(t.arch_flags(['-arch=sm_75']))"
    expected = [f"-gencode=arch=compute_80,code={kind}_80" for kind in ("sm", "compute")]
    assert python(environment, text, CUDA_HOME=toolkit(tmp_path)) == f"{expected}\n[]\n"


def test_an_architecture_that_is_none(environment: Environment, tmp_path: Path) -> None:
    text = _CUDA + "c.find_toolkit().arch_flags()"
    where = toolkit(tmp_path)
    said = refused(environment, text, CUDA_HOME=where, TORCH_CUDA_ARCH_LIST="8")
    assert "TORCH_CUDA_ARCH_LIST: '8' in '8' is nothing that nvcc 13.2 compiles for" in said
    assert "Names: All, Common, Turing, Ampere" in said
    assert 'Type for example: TORCH_CUDA_ARCH_LIST="8.0;9.0+PTX"' in said


def test_paths(environment: Environment, tmp_path: Path) -> None:
    text = "from torch.utils import cpp_extension as c; "
    text += "print(c.include_paths()[0], c.library_paths()[0])"
    torch = environment.site_packages / "torch"
    assert python(environment, text) == f"{torch / 'include'} {torch / 'lib'}\n"
    text = _CUDA + "from torch.utils.cpp_extension import include_paths as i, library_paths as l; "
    text += "print(i('cuda')[1], l('cuda')[1])"
    where = toolkit(tmp_path)
    assert python(environment, text, CUDA_HOME=where) == f"{where}/include {where}/lib\n"
    (tmp_path / "lib64").mkdir()
    assert python(environment, text, CUDA_HOME=where) == f"{where}/include {where}/lib64\n"
