"""The packing program: the same bytes from anywhere, and its messages."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import random
import struct
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.package.closure import PackageError
from tools.package.elf import installed, read_needs
from tools.package.sdk import build as build_archive
from tools.package.wheel import Stamp, build, build_metadata, read_stamp

FACTS: dict[str, Any] = {
    "components": [],
    "cpu": os.uname().machine,
    "cuda": "",
    "debug": False,
    "license": "BSD-3-Clause",
    "name": "torch",
    "os": "linux",
    "provided": [],
    "python": "3.11",
    "requires": [],
    "requires_others": [],
    "summary": "A test",
    "system": [],
    "version": "1.2.3+bazel.0.1",
    "version_file": "",
}


def shared_library(path: Path, text: str, *options: str) -> Path:
    """Compiles a library."""
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    command = ["cc", "-shared", "-fPIC", source.name, "-o", path.name, *options]
    subprocess.run(command, check=True, cwd=path.parent)
    return path


def manifest(root: Path, files: dict[str, Path], **changes: Any) -> dict[str, Any]:
    """A manifest of some files, in an order of its own."""
    (root / "LICENSE").write_text("do as you like\n", encoding="utf-8")
    entries = [[name, str(path)] for name, path in files.items()]
    random.shuffle(entries)
    return FACTS | {"entries": entries, "license_text": str(root / "LICENSE")} | changes


def tree(root: Path) -> dict[str, Any]:
    """A package in a directory, with times and modes of that directory's own."""
    root.mkdir(parents=True)
    files = {}
    for number, name in enumerate(["torch/__init__.py", "torch/nn/a.py", "torch/include/b.h"]):
        path = root / f"{number}"
        path.write_text(f"contents of {name}\n", encoding="utf-8")
        path.chmod(random.choice([0o600, 0o644, 0o755]))
        os.utime(path, (random.randrange(10**9), random.randrange(10**9)))
        files[name] = path
    files["torch/version.py"] = Path(os.environ["VERSION"])
    return manifest(root, files, version_file="torch/version.py")


def mach_o(command: int, *words: int) -> bytes:
    """A library of macOS with one command that says nothing and one of these words."""
    other = struct.pack("<IIQ", 0x1B, 16, 0)
    said = struct.pack(f"<II{len(words)}I", command, 8 + 4 * len(words), *words)
    header = (0xFEEDFACF, 0x0100000C, 0, 6, 2, len(other) + len(said), 0, 0)
    return struct.pack("<8I", *header) + other + said


@pytest.mark.parametrize(
    ("commands", "tag"),
    [
        ([], "macosx_11_0_arm64"),
        # LC_BUILD_VERSION: the platform, the oldest system, the SDK, no tools.
        ([(0x32, 1, 12 << 16 | 3 << 8, 14 << 16, 0)], "macosx_12_0_arm64"),
        # LC_VERSION_MIN_MACOSX
        ([(0x24, 10 << 16 | 15 << 8, 0)], "macosx_11_0_arm64"),
        ([(0x24, 10 << 16, 0), (0x32, 1, 14 << 16 | 2 << 8, 15 << 16, 0)], "macosx_14_0_arm64"),
    ],
)
def test_macos_is_what_libraries_say(
    commands: list[tuple[int, ...]], tag: str, tmp_path: Path
) -> None:
    files = {}
    for number, command in enumerate(commands):
        path = tmp_path / f"{number}.dylib"
        path.write_bytes(mach_o(*command))
        files[f"torch/lib/{number}.dylib"] = path
    facts = manifest(tmp_path, files, os="macos", cpu="aarch64")
    assert build(facts, Stamp(), tmp_path).name.endswith(f"-cp311-cp311-{tag}.whl")


def test_the_same_contents_are_the_same_bytes(tmp_path: Path) -> None:
    wheels = []
    for place in ("here", "a place/with spaces"):
        (tmp_path / place / "out").mkdir(parents=True)
        wheels.append(build(tree(tmp_path / place / "in"), Stamp(), tmp_path / place / "out"))
    assert wheels[0].name == wheels[1].name
    assert wheels[0].read_bytes() == wheels[1].read_bytes()


def test_record_and_stamp(tmp_path: Path) -> None:
    wheel = build(tree(tmp_path / "in"), Stamp("1a2b3c4d5e", dirty=True), tmp_path)
    assert wheel.name.startswith(
        "torch-1.2.3+bazel.0.1.git1a2b3c4.dirty-cp311-cp311-manylinux_2_17_"
    )
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        info = next(name for name in names if name.endswith("/RECORD")).rpartition("/")[0]
        for path, digest, size in csv.reader(io.StringIO(archive.read(f"{info}/RECORD").decode())):
            names.remove(path)
            if not path.endswith("RECORD"):
                data = archive.read(path)
                assert len(data) == int(size)
                assert hashlib.sha256(data).digest().hex()[:8] == _hex(digest)[:8]
        assert not names
        version = archive.read("torch/version.py").decode()
        bill = json.loads(archive.read(f"{info}/sboms/torch.spdx.json"))
    values: dict[str, Any] = {}
    exec(version, values)
    assert values["__version__"] == "1.2.3+bazel.0.1.git1a2b3c4.dirty"
    assert values["git_version"] == "1a2b3c4d5e"
    assert values["cuda"] is None
    assert values["debug"] is False
    assert bill["spdxVersion"] == "SPDX-2.3"
    assert bill["packages"][0]["versionInfo"] == "1.2.3+bazel.0.1.git1a2b3c4.dirty"


def _hex(digest: str) -> str:
    text = digest.removeprefix("sha256=")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).hex()


def test_metadata_alone_is_that_of_the_wheel(tmp_path: Path) -> None:
    facts = manifest(tmp_path, {"torch/a.py": tmp_path / "not_built"}, requires=["torch-other"])
    stamp = Stamp("0123456789abcdef", dirty=True)
    info = build_metadata(facts, stamp, tmp_path / "metadata")
    (tmp_path / "not_built").write_text("a = 1\n")
    wheel = build(facts, stamp, tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"{info.name}/METADATA") == (info / "METADATA").read_bytes()
    assert "torch-other==1.2.3" in (info / "METADATA").read_text()


def test_a_library_that_is_not_there(tmp_path: Path) -> None:
    absent = shared_library(tmp_path / "b/libabsent.so", "int f(void) { return 1; }")
    user = shared_library(
        tmp_path / "a/libuser.so",
        "int f(void); int g(void) { return f(); }",
        f"-L{absent.parent}",
        "-labsent",
    )
    facts = manifest(tmp_path, {"torch/lib/libuser.so": user})
    with pytest.raises(PackageError) as caught:
        build(facts, Stamp(), tmp_path)
    assert "torch/lib/libuser.so needs libabsent.so, which is not in the package" in str(
        caught.value
    )
    assert "runtime_libraries" in str(caught.value)
    with pytest.raises(PackageError, match="torch/lib/libuser.so needs libabsent.so"):
        build_archive(facts, tmp_path / "libtorch.zip")
    build(facts | {"provided": ["libabsent.so"]}, Stamp(), tmp_path)
    both = manifest(tmp_path, {"torch/lib/libuser.so": user, "torch/lib/libabsent.so": absent})
    build(both, Stamp(), tmp_path)


def test_a_library_of_the_distribution_ties_the_wheel_to_it(tmp_path: Path) -> None:
    absent = shared_library(tmp_path / "b/libabsent.so", "int f(void) { return 1; }")
    links = (f"-L{absent.parent}", "-labsent")
    user = shared_library(
        tmp_path / "a/libuser.so", "int f(void); int g(void) { return f(); }", *links
    )
    facts = manifest(tmp_path, {"torch/lib/libuser.so": user})
    wheel = build(facts | {"system": ["libabsent"]}, Stamp(), tmp_path)
    assert wheel.name.endswith(f"-cp311-cp311-linux_{os.uname().machine}.whl")
    with pytest.raises(PackageError, match="libabsent.so, which is not in the package"):
        build(facts | {"system": ["libabs"]}, Stamp(), tmp_path)


def test_a_module_that_does_not_say_its_version(tmp_path: Path) -> None:
    facts = tree(tmp_path / "in") | {"version_file": "torch/__init__.py"}
    with pytest.raises(PackageError, match="wanted one line `__version__ = ...`, and there are 0"):
        build(facts, Stamp(), tmp_path)


def test_a_library_of_another_processor(tmp_path: Path) -> None:
    library = shared_library(tmp_path / "a/liba.so", "int f(void) { return 1; }")
    other = "aarch64" if os.uname().machine == "x86_64" else "x86_64"
    facts = manifest(tmp_path, {"torch/lib/liba.so": library}, cpu=other)
    with pytest.raises(PackageError, match=f"the target platform is {other}, but libraries are"):
        build(facts, Stamp(), tmp_path)


def test_stamp_without_a_status_command(tmp_path: Path) -> None:
    status = tmp_path / "stable-status.txt"
    status.write_text("BUILD_USER me\n", encoding="utf-8")
    with pytest.raises(PackageError, match="Type: --config=stamp"):
        read_stamp(status)
    status.write_text("STABLE_GIT_COMMIT abc\nSTABLE_GIT_DIRTY 0\n", encoding="utf-8")
    assert read_stamp(status) == Stamp("abc")
    assert read_stamp(None).of("1.2") == "1.2"
    assert Stamp("1a2b3c4d5e").of("1.2") == "1.2+git1a2b3c4"


def test_the_build_own_directories_leave_the_run_path(tmp_path: Path) -> None:
    library = shared_library(
        tmp_path / "a/liba.so",
        "int f(void) { return 1; }",
        "-Wl,--enable-new-dtags,-rpath,$ORIGIN/../_solib/x:$ORIGIN/lib",
    )
    assert read_needs(library).run_path == "$ORIGIN/../_solib/x:$ORIGIN/lib"
    copy = tmp_path / "copy.so"
    copy.write_bytes(installed(library))
    assert read_needs(copy).run_path == "$ORIGIN/lib"
    assert read_needs(copy).needed == read_needs(library).needed
    copy.write_bytes(installed(copy))
    assert read_needs(copy).run_path == "$ORIGIN/lib"
    library = shared_library(
        tmp_path / "b/libb.so",
        "int f(void) { return 1; }",
        "-Wl,--enable-new-dtags,-rpath,$ORIGIN/../_solib/x:$ORIGIN:$ORIGIN/../other",
    )
    copy.write_bytes(installed(library))
    assert read_needs(copy).run_path == "$ORIGIN:$ORIGIN/../other"
