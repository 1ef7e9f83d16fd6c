"""Libraries that this machine linked, made to run on an older one: what they need, and results."""

from __future__ import annotations

import ctypes
import math
import os
import platform
import subprocess
from pathlib import Path

import pytest

from tools.package.elf import needs_of
from tools.package.older_glibc import FLOOR, for_older_glibc

# Each calls what later versions of glibc, or of the C++ library, have under a version of their own.
SOURCE = """
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
float arc(float x) { return acosf(x); }
float root(float x) { return sqrtf(x); }
double rest(double x, double y) { return fmod(x, y); }
double side(double x, double y) { return hypot(x, y); }
double wave(double x) { return sin(x); }
long number(const char* text) { return strtol(text, 0, 10); }
"""

WAITS = """
#include <condition_variable>
std::mutex mutex;
std::condition_variable condition;
void wait_for_it() {
  std::unique_lock<std::mutex> lock(mutex);
  condition.wait(lock);
}
"""

OWN_GLIBC = int(platform.libc_ver()[1].split(".")[1])


def linked(path: Path, text: str, compiler: str = "cc") -> bytes:
    """A library of this machine's, with checks of unresolved names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".c" if compiler == "cc" else ".cpp")
    source.write_text(text, encoding="utf-8")
    words = [compiler, "-shared", "-fPIC", "-fno-builtin", "-Wl,-z,defs", source, "-o", path, "-lm"]
    subprocess.run([str(word) for word in words], check=True)
    return path.read_bytes()


def least(data: bytes) -> int:
    """The minor version of the glibc that the bytes ask for."""
    found = [one for one in needs_of(data).all_versions() if one.startswith("GLIBC_2.")]
    return max(int(one.split(".")[1]) for one in found)


def test_functions_whose_versions_differ_in_their_names_alone(tmp_path: Path) -> None:
    data = linked(tmp_path / "libnew.so", SOURCE)
    # The file starts with as new a demand as this machine makes.
    assert least(data) > FLOOR or OWN_GLIBC <= FLOOR
    older = for_older_glibc(data)
    assert len(older) == len(data)
    assert least(older) <= FLOOR
    assert for_older_glibc(older) == older

    path = tmp_path / "libolder.so"
    path.write_bytes(older)
    library = ctypes.CDLL(str(path))
    for name, kind, arguments, expected in (
        ("arc", ctypes.c_float, (0.3,), math.acos(0.3)),
        ("root", ctypes.c_float, (2.0,), math.sqrt(2.0)),
        ("rest", ctypes.c_double, (7.5, 2.0), math.fmod(7.5, 2.0)),
        ("side", ctypes.c_double, (3.0, 5.0), math.hypot(3.0, 5.0)),
        ("wave", ctypes.c_double, (0.7,), math.sin(0.7)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = kind, [kind] * len(arguments)
        assert math.isclose(function(*arguments), expected, rel_tol=1e-6), name
    library.number.argtypes, library.number.restype = [ctypes.c_char_p], ctypes.c_long
    assert library.number(b"-1234") == -1234


def test_the_only_version_of_a_library(tmp_path: Path) -> None:
    text = "#include <math.h>\nfloat f(float x, float y) { return hypotf(x, y); }\n"
    text += "#include <stdlib.h>\nvoid* g(void) { return malloc(1); }\n"
    older = for_older_glibc(linked(tmp_path / "libside.so", text))
    assert len(needs_of(older).versions["libm.so.6"]) == 1
    assert least(older) <= FLOOR
    path = tmp_path / "libolder.so"
    path.write_bytes(older)
    side = ctypes.CDLL(str(path), mode=os.RTLD_NOW).f
    side.restype, side.argtypes = ctypes.c_float, [ctypes.c_float] * 2
    assert side(3.0, 4.0) == 5.0


def test_waiting_on_a_condition(tmp_path: Path) -> None:
    older = for_older_glibc(linked(tmp_path / "libwaits.so", WAITS, "c++"))
    versions = needs_of(older).versions["libstdc++.so.6"]
    assert "GLIBCXX_3.4.30" not in versions
    path = tmp_path / "libolder.so"
    path.write_bytes(older)
    # Every name is looked for now, not when it is called first.
    ctypes.CDLL(str(path), mode=os.RTLD_NOW)


@pytest.mark.skipif(OWN_GLIBC < 36, reason="this machine's glibc has no arc4random")
def test_a_function_that_no_older_glibc_has(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nunsigned f(void) { return arc4random(); }\n"
    data = linked(tmp_path / "librandom.so", text)
    assert least(data) == least(for_older_glibc(data)) == 36


def test_a_library_that_asks_for_no_version(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int f(void) { return 1; }\n", encoding="utf-8")
    library = tmp_path / "liba.so"
    subprocess.run(["cc", "-shared", "-nostdlib", "-o", library, source], check=True)
    data = library.read_bytes()
    assert for_older_glibc(data) == data
