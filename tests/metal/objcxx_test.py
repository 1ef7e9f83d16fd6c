"""The sources of the MPS backend are parsed and type-checked where there is no Mac.

Declarations of Apple's frameworks are those of `frameworks/`, written from their documentation.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path("aten/src/ATen/mps/Device.mm")
# Those that every backend of shaders compiles, here for this one.
SHARED = sorted(Path("aten/src/ATen/shaders").glob("*.cpp"))


def find_clang() -> str:
    """GCC of Debian has no Objective-C++: the newest Clang that is there."""
    names = ["clang++", *(f"clang++-{version}" for version in range(30, 13, -1))]
    return next((path for name in names if (path := shutil.which(name, path="/usr/bin"))), "")


CLANG = find_clang()
pytestmark = pytest.mark.skipif(not CLANG, reason="no clang: apt-get install clang")


def complaints(path: Path) -> str:
    """What Clang says of a source; nothing if all is well."""
    language = ["objective-c++", "-fobjc-arc", "-fblocks", "-fobjc-runtime=macosx-12.3"]
    found = subprocess.run(
        [
            CLANG, "-x", *(language if path.suffix == ".mm" else ["c++"]), "-std=c++20",
            "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
            "-Wno-unknown-warning-option", "-I.", "-Iaten/src", "-Itests/metal/frameworks",
            "-DTORCH_SHADERS_BACKEND=MPS", str(path),
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return found.stderr


@pytest.mark.parametrize("path", [SOURCE, *SHARED], ids=str)
def test_source_is_checked(path: Path) -> None:
    assert complaints(path) == ""


def test_names_that_metal_lacks_are_noticed(tmp_path: Path) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert "waitUntilCompleted" in text
    wrong = tmp_path / SOURCE.name
    wrong.write_text(text.replace("waitUntilCompleted", "waitUntilComplete"), encoding="utf-8")
    assert "waitUntilComplete" in complaints(wrong)


def test_every_shared_source_is_there() -> None:
    assert {"Device.cpp", "Memory.cpp", "Registration.cpp"} <= {path.name for path in SHARED}
