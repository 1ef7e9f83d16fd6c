"""What a shared library asks of the system that loads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

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
    """The file's bytes, with the build's own directories taken off its run path.

    Bazel puts the directories of its output tree before the one that our rules ask for, which is
    the string's end: the entry is made to point there.
    """
    data = bytearray(path.read_bytes())
    if data[:4] != MAGIC:
        return bytes(data)
    with path.open("rb") as file:
        dynamic = ELFFile(file).get_section_by_name(".dynamic")
        if dynamic is None:
            return bytes(data)
        for number, tag in enumerate(dynamic.iter_tags()):
            if tag.entry.d_tag == "DT_RUNPATH" and ":" in tag.runpath:
                prefix = tag.runpath.rindex(":") + 1
                at = dynamic["sh_offset"] + number * dynamic["sh_entsize"]
                value = at + dynamic["sh_entsize"] // 2
                width = dynamic["sh_entsize"] // 2
                moved = tag.entry.d_val + prefix
                data[value : value + width] = moved.to_bytes(width, "little")
    return bytes(data)


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
    with path.open("rb") as file:
        elf = ELFFile(file)
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
