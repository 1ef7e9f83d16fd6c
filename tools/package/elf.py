"""What a shared library asks of the system that loads it."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from tools.package.older_glibc import for_older_glibc

MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class Needs:
    """One ELF file.

    Attributes:
      machine: the processor, as wheels name it: x86_64, aarch64.
      soname: its name for those that link it; empty when it has none.
      needed: names of the libraries that it loads, in order.
      versions: symbol versions that it asks for, by library.
      run_path: where it looks for them first.
    """

    machine: str
    soname: str = ""
    needed: tuple[str, ...] = ()
    versions: dict[str, frozenset[str]] = field(default_factory=dict)
    run_path: str = ""

    def all_versions(self) -> set[str]:
        """Symbol versions of every library."""
        return {version for versions in self.versions.values() for version in versions}


def installed(path: Path) -> bytes:
    """The file's bytes as a package has them; of a library, one that runs on other systems too."""
    data = path.read_bytes()
    return for_older_glibc(_with_own_run_path(data)) if data[:4] == MAGIC else data


def _with_own_run_path(data: bytes) -> bytes:
    """A library without the build's own directories on its run path.

    Bazel puts the directories of its output tree, `_solib_*`, before those that our rules ask for,
    which are the string's end: the entry is made to point there.
    """
    dynamic = ELFFile(io.BytesIO(data)).get_section_by_name(".dynamic")
    if dynamic is None:
        return data
    edited = bytearray(data)
    for number, tag in enumerate(dynamic.iter_tags()):
        if tag.entry.d_tag == "DT_RUNPATH" and "_solib" in tag.runpath:
            prefix = tag.runpath.find(":", tag.runpath.rindex("_solib")) + 1
            if prefix == 0:
                continue
            at = dynamic["sh_offset"] + number * dynamic["sh_entsize"]
            value = at + dynamic["sh_entsize"] // 2
            width = dynamic["sh_entsize"] // 2
            moved = tag.entry.d_val + prefix
            edited[value : value + width] = moved.to_bytes(width, "little")
    return bytes(edited)


_MACHINES = {
    "EM_X86_64": "x86_64",
    "EM_AARCH64": "aarch64",
    "EM_RISCV": "riscv64",
    "EM_PPC64": "ppc64le",
}


def is_elf(path: Path) -> bool:
    """Whether the file is an ELF file."""
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def read_needs(path: Path) -> Needs:
    """Reads one library or program."""
    return needs_of(path.read_bytes())


def needs_of(data: bytes) -> Needs:
    """What the bytes of a library or program ask for."""
    elf = ELFFile(io.BytesIO(data))
    machine = _MACHINES.get(elf["e_machine"], str(elf["e_machine"]))
    soname, run_path, needed = "", "", []
    versions: dict[str, frozenset[str]] = {}
    for section in elf.iter_sections():
        if isinstance(section, DynamicSection):
            for tag in section.iter_tags():
                if tag.entry.d_tag == "DT_NEEDED":
                    needed.append(tag.needed)
                elif tag.entry.d_tag == "DT_SONAME":
                    soname = tag.soname
                elif tag.entry.d_tag == "DT_RUNPATH":
                    run_path = tag.runpath
        elif isinstance(section, GNUVerNeedSection):
            for library, symbols in section.iter_versions():
                versions[library.name] = frozenset(symbol.name for symbol in symbols)
    return Needs(machine, soname, tuple(needed), versions, run_path)
