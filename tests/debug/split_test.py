"""The debug information of a release wheel: none inside, all of it in files beside it."""

from __future__ import annotations

import io
import os
import re
import shutil
import struct
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

(WHEEL,) = Path(os.environ["WHEEL"]).glob("*.whl")
DEBUG = {path.name: path for path in map(Path, os.environ["DEBUG_FILES"].split())}


def libraries() -> dict[str, bytes]:
    """Libraries of the tree in the wheel, by name."""
    others = re.compile(r"lib(gomp|scipy_openblas)\.so")
    with zipfile.ZipFile(WHEEL) as archive:
        names = [name for name in archive.namelist() if ".so" in name and not others.search(name)]
        return {Path(name).name: archive.read(name) for name in names}


def test_each_library_names_its_file() -> None:
    assert len(libraries()) == len(DEBUG) == 5
    for name, data in libraries().items():
        elf = ELFFile(io.BytesIO(data))
        assert not [one.name for one in elf.iter_sections() if one.name.startswith(".debug")], name
        # The name, zeros to a multiple of four bytes, and the CRC of the whole file.
        link = elf.get_section_by_name(".gnu_debuglink").data()
        assert link.split(b"\0")[0].decode() == f"{name}.debug"
        assert struct.unpack("<I", link[-4:])[0] == zlib.crc32(DEBUG[f"{name}.debug"].read_bytes())


def test_a_source_with_symbols_is_named() -> None:
    with DEBUG["libtorch_python.so.debug"].open("rb") as file:
        names = [
            unit.get_top_DIE().attributes["DW_AT_name"].value.decode()
            for unit in ELFFile(file).get_dwarf_info().iter_CUs()
        ]
    assert "torch/csrc/Module.cpp" in names


def test_gdb_finds_the_line_of_a_stripped_library(tmp_path: Path) -> None:
    gdb = shutil.which("gdb", path="/usr/local/bin:/usr/bin:/bin")
    if not gdb:
        pytest.skip("this machine has no gdb: apt-get install --no-install-recommends gdb")
    library = tmp_path / "libtorch_python.so"
    library.write_bytes(libraries()["libtorch_python.so"])
    # A debug link is looked for beside the library, among other places.
    shutil.copy(DEBUG["libtorch_python.so.debug"], tmp_path)
    words = [gdb, "-nx", "-batch", "-ex", "info line initModule", str(library)]
    done = subprocess.run(words, capture_output=True, check=True, text=True)
    assert 'of "torch/csrc/Module.cpp" starts at address' in done.stdout, done.stdout + done.stderr
