"""What binutils show of the libraries of any build: names, and lines of sources with symbols."""

from __future__ import annotations

import os
import re
import subprocess

LIBRARY = os.environ["LIBRARY"]


def said(*command: str) -> str:
    """What a program prints."""
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_nm_shows_where_the_module_starts() -> None:
    line = r"^[0-9a-f]+ T initModule\t\S*torch/csrc/Module\.cpp:(\d+)$"
    assert re.search(line, said("nm", "-C", "-D", "-l", "-g", LIBRARY), re.MULTILINE)


def test_sections() -> None:
    sections = said("readelf", "-S", LIBRARY)
    for name in (".debug_info", ".debug_line", ".debug_abbrev"):
        assert name in sections


def test_operators_have_pytorchs_names() -> None:
    names = said("nm", "-C", "-D", "--defined-only", os.environ["OPERATORS"])
    assert "at::_ops::empty_memory_format::call(c10::ArrayRef<" in names
