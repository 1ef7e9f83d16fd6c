"""Lets a library that was linked with a new glibc run on an older one.

A linker binds each function to its newest version. Where the C library keeps an older version of
the same function, and the two differ in nothing that this code can see, the packaged copy asks for
the older one.
"""

from __future__ import annotations

import io
import struct
from collections import Counter
from dataclasses import dataclass, field

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section

# The minor version of glibc 2 that packages aim at: later versions of symbols are replaced.
FLOOR = 34

# The first version of all symbols of a processor's glibc.
_FIRST = {"EM_X86_64": "GLIBC_2.2.5", "EM_AARCH64": "GLIBC_2.17"}

# Functions of glibc whose later version leaves out the handling of errors from System V, by the
# version: the numbers are the same.
_WITHOUT_SYSTEM_V = {
    "GLIBC_2.35": "hypot hypotf",
    "GLIBC_2.38": "fmod fmodf",
    "GLIBC_2.39": "exp10",
    "GLIBC_2.43": "acosf acoshf asinf atan2f atanhf coshf lgammaf lgammaf_r log10f remainder "
    "remainderf sinhf sqrtf tgammaf",
}

# Functions that read numbers, which in C23 may be binary: `0b101` where the base is 0 or 2.
_READS_BINARY = "__isoc23_"
_READERS = {f"{_READS_BINARY}strto{kind}" for kind in ("l", "ll", "ul", "ull")}

# The later version is called without a lock's check that the thread library is there.
_CONDITION_WAIT = "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"

_VERNEED = struct.Struct("<HHIII")
_VERNAUX = struct.Struct("<IHHII")


def elf_hash(name: bytes) -> int:
    """The hash of a symbol version, from the System V ABI's section on hash tables."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        if high:
            value ^= high >> 24
        value &= ~high
    return value


def _replacement(symbol: str, version: str, first: str) -> tuple[str, str] | None:
    """The name and the version to ask for instead; None where the version stays."""
    if symbol in _WITHOUT_SYSTEM_V.get(version, "").split():
        return symbol, first
    if symbol in _READERS and version == "GLIBC_2.38":
        return symbol.removeprefix(_READS_BINARY), first
    if symbol == _CONDITION_WAIT and version == "GLIBCXX_3.4.30":
        return symbol, "GLIBCXX_3.4.11"
    return None


@dataclass
class _Version:
    """A version that a library is asked for: where its entry is, and its number for symbols."""

    at: int
    name: str
    number: int


@dataclass
class _Library:
    """The versions that one library is asked for."""

    at: int
    versions: list[_Version] = field(default_factory=list)

    def find(self, name: str) -> _Version | None:
        """The entry of a version."""
        return next((one for one in self.versions if one.name == name), None)


def _read_libraries(data: bytearray, section: Section, strings: Section) -> list[_Library]:
    libraries = []
    at = section["sh_offset"]
    for _ in range(section["sh_info"]):
        _, count, _, first, following = _VERNEED.unpack_from(data, at)
        library = _Library(at)
        entry = at + first
        for _ in range(count):
            _, _, number, name, next_entry = _VERNAUX.unpack_from(data, entry)
            library.versions.append(_Version(entry, strings.get_string(name), number))
            entry += next_entry
        libraries.append(library)
        at += following
    return libraries


def _write_library(data: bytearray, library: _Library) -> None:
    """Links the entries that are left to one another."""
    entries = library.versions
    version, _, file, _, following = _VERNEED.unpack_from(data, library.at)
    _VERNEED.pack_into(
        data, library.at, version, len(entries), file, entries[0].at - library.at, following
    )
    for one, other in zip(entries, [*entries[1:], None], strict=True):
        hashed, flags, number, name, _ = _VERNAUX.unpack_from(data, one.at)
        _VERNAUX.pack_into(
            data, one.at, hashed, flags, number, name, other.at - one.at if other else 0
        )


def _rename(data: bytearray, version: _Version, name: str, at: int) -> None:
    """Gives an entry another version, whose name is there in the table of strings."""
    _, flags, number, _, following = _VERNAUX.unpack_from(data, version.at)
    hashed = elf_hash(name.encode())
    _VERNAUX.pack_into(data, version.at, hashed, flags, number, at, following)
    version.name = name


def for_older_glibc(data: bytes) -> bytes:
    """The library's bytes, of the same length, with older versions of symbols that serve as well.

    What has no such version, or not in the tables of this library, stays as it is.
    """
    elf = ELFFile(io.BytesIO(data))
    names = (".dynsym", ".dynstr", ".gnu.version", ".gnu.version_r")
    symbols, strings, numbers, needs = (elf.get_section_by_name(name) for name in names)
    first = _FIRST.get(elf["e_machine"])
    if not (first and symbols and strings and numbers and needs):
        return data
    edited = bytearray(data)
    libraries = _read_libraries(edited, needs, strings)
    by_number = {one.number: (library, one) for library in libraries for one in library.versions}

    # Symbols to change, by the entry of the version that they ask for and the one they shall.
    changes: list[tuple[int, str, _Library, _Version, str]] = []
    users = dict.fromkeys(by_number, 0)
    for index, symbol in enumerate(symbols.iter_symbols()):
        at = numbers["sh_offset"] + 2 * index
        number = int.from_bytes(edited[at : at + 2], "little")
        if symbol["st_shndx"] != "SHN_UNDEF" or number not in by_number:
            continue
        users[number] += 1
        library, version = by_number[number]
        if found := _replacement(symbol.name, version.name, first):
            renamed, older = found
            changes.append((index, symbol.name.removesuffix(renamed), library, version, older))

    moving = Counter((version.number, older) for _, _, _, version, older in changes)
    for index, dropped, library, version, older in changes:
        wanted = library.find(older)
        if wanted is None:
            name = strings.data().find(older.encode() + b"\0")
            if name < 0 or moving[version.number, older] < users[version.number]:
                continue
            _rename(edited, version, older, name)
            wanted = version
        at = numbers["sh_offset"] + 2 * index
        edited[at : at + 2] = wanted.number.to_bytes(2, "little")
        # The new name is the end of the old one.
        name = symbols["sh_offset"] + symbols["sh_entsize"] * index
        moved = int.from_bytes(edited[name : name + 4], "little") + len(dropped)
        edited[name : name + 4] = moved.to_bytes(4, "little")
        users[wanted.number] += 1
        users[version.number] -= 1
        if not users[version.number]:
            library.versions.remove(version)
            _write_library(edited, library)
    return bytes(edited)
