"""Where the headers, the libraries and the compilers for extensions are, and whether they fit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import torch

_PACKAGE = Path(torch.__file__).parent
# The first releases that have the parts of C++20 which the headers use.
_OLDEST = {"GCC": (11, 0), "Clang": (16, 0)}


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler.

    Attributes:
      path: the program.
      family: GCC or Clang.
      version: its parts.
      abi: __GXX_ABI_VERSION, 0 where there is none.
    """

    path: str
    family: str
    version: tuple[int, ...]
    abi: int


def _checkout() -> tuple[Path, Path] | None:
    """The checkout and what Bazel built in it, for an editable installation."""
    if (_PACKAGE / "include").is_dir():
        return None
    built = [Path(entry) for entry in torch.__path__ if (Path(entry) / "lib").is_dir()]
    if not built:
        raise RuntimeError(
            f"{_PACKAGE} has neither headers nor libraries: the installation is not complete. "
            "Install its wheel again: pip install --force-reinstall --no-deps bazel-bin/torch/wheel/*.whl, in the checkout that made it"
        )
    return _PACKAGE.parent, built[0].parent


def include_directories() -> list[str]:
    """Directories for `#include <torch/extension.h>`."""
    checkout = _checkout()
    if checkout is None:
        return [str(_PACKAGE / "include")]
    roots = [root / below for root in checkout for below in ("", "aten/src")]
    # What bazel-bin points to is five directories below the output base.
    output_base = Path(os.path.realpath(checkout[1])).parents[4]
    pybind11 = sorted(output_base.glob("external/*pypi_pybind11/site-packages/pybind11/include"))
    return [str(path) for path in [*roots, *pybind11]]


def library_directory() -> str:
    """The directory of libtorch_cpu."""
    checkout = _checkout()
    return str((_PACKAGE if checkout is None else checkout[1] / "torch") / "lib")


def python_include() -> str:
    """The directory of Python.h; RuntimeError with what to install if it is not there."""
    directory = sysconfig.get_paths()["include"]
    if not (Path(directory) / "Python.h").exists():
        raise RuntimeError(
            f"this Python has no headers: {directory}/Python.h does not exist. To install them: "
            "apt-get install --no-install-recommends python3-dev"
        )
    return directory


def _defines(program: str) -> dict[str, str]:
    command = [program, "-dM", "-E", "-x", "c++", os.devnull]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{program} is no C++ compiler; it says: {done.stderr.strip()}")
    lines = [line.split(" ", 2) for line in done.stdout.splitlines()]
    return {line[1]: line[2] if len(line) > 2 else "" for line in lines}


def find_compiler() -> Compiler:
    """The compiler of CXX, or c++; RuntimeError if there is none or it is too old."""
    name = os.environ.get("CXX", "c++")
    path = shutil.which(name)
    if not path:
        raise RuntimeError(
            f"no C++ compiler: {name} was not found in PATH. To install one: "
            "apt-get install --no-install-recommends g++; or name another: CXX=/path/to/g++"
        )
    defines = _defines(path)
    clang = "__clang__" in defines
    names = ["__clang_major__", "__clang_minor__"] if clang else ["__GNUC__", "__GNUC_MINOR__"]
    version = tuple(int(defines.get(one, "0")) for one in names)
    family = "Clang" if clang else "GCC"
    if version < _OLDEST[family]:
        wanted = ".".join(str(part) for part in _OLDEST[family])
        raise RuntimeError(
            f"{path} is {family} {'.'.join(map(str, version))}; torch's headers are C++20 and need {family} {wanted} or later. Name another: CXX=/path/to/g++"
        )
    return Compiler(path, family, version, int(defines.get("__GXX_ABI_VERSION", "0")))


def check_abi(flags: list[str]) -> None:
    """Refuses flags that ask for another ABI than torch's."""
    built = int(torch._C._GLIBCXX_USE_CXX11_ABI)
    for flag in flags:
        found = re.fullmatch(r"-D_GLIBCXX_USE_CXX11_ABI=(\d)", flag)
        if found and int(found[1]) != built:
            raise RuntimeError(
                f"{flag}: torch is built with _GLIBCXX_USE_CXX11_ABI={built}, and an extension of another ABI does not link. Leave the flag out: the right one is added"
            )
        if flag == "-stdlib=libc++":
            raise RuntimeError(
                "-stdlib=libc++: torch is built with libstdc++, and an extension of another standard library does not link. Leave the flag out"
            )
