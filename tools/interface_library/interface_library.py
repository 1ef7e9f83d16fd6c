"""Writes the interface of an ELF shared library: what a linker reads of it, and nothing else.

Usage: interface_library LIBRARY INTERFACE

What is linked with the interface is what it would be if it were linked with the library, except
that some linkers put dynamic symbols in another order; and what would be refused is refused. The
interface holds the library's name, what it needs, where it looks for that, and its dynamic symbols,
sorted. Of functions it holds neither addresses nor sizes, so an edit inside one leaves it as it
was. What the library takes from others is there too, unless it names the version, as it does for
the C library.

A program that is not position-independent gets copies of data. For those the interface keeps sizes
and alignment, and which names stand for the same data.

A library with symbol versions of its own is its own interface, and so is what is no ELF library.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

_MAGIC = b"\x7fELF"

# Types of sections, and their flags.
_NULL, _STRTAB, _DYNAMIC, _NOBITS, _DYNSYM = 0, 3, 6, 8, 11
_VERSYM = 0x6FFFFFFF
_WRITE, _ALLOC, _EXECINSTR, _TLS = 1, 2, 4, 0x400

# Tags of the dynamic section whose values are strings.
_NEEDED, _SONAME, _RPATH, _RUNPATH = 1, 14, 15, 29

# Symbols: their sections, bindings and types.
_UNDEFINED, _RESERVED = 0, 0xFF00
_LOCAL = 0
_OBJECT, _COMMON, _TLS_OBJECT = 1, 5, 6

# A symbol's version: of those up to this one there is none.
_GLOBAL_VERSION = 1


class _Layout:
    """How the records of one class and byte order lie in a file."""

    def __init__(self, identity: bytes) -> None:
        """From the first bytes of the file."""
        self.wide = identity[4] == 2
        order = "<" if identity[5] == 1 else ">"
        word = "Q" if self.wide else "I"
        self.header = struct.Struct(f"{order}16sHHI{word}{word}{word}IHHHHHH")
        self.section = struct.Struct(f"{order}II{word}{word}{word}{word}II{word}{word}")
        self.symbol = struct.Struct(order + ("IBBHQQ" if self.wide else "IIIBBH"))
        self.dynamic = struct.Struct(order + word * 2)
        self.version = struct.Struct(order + "H")
        self.alignment = 8 if self.wide else 4


@dataclass(frozen=True)
class _Section:
    """A section header."""

    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


@dataclass(frozen=True, order=True)
class _Symbol:
    """A dynamic symbol; those without a section are undefined."""

    name: bytes
    info: int
    other: int
    section: int
    value: int
    size: int

    @property
    def is_data(self) -> bool:
        """Whether linkers may copy it, or reserve room for it."""
        return self.info & 15 in (_OBJECT, _COMMON, _TLS_OBJECT)


@dataclass
class _Library:
    """What a linker reads of a library.

    Attributes:
      header: the fields of the file's header.
      dynamic: tags with strings, in their order.
      symbols: the global ones, without those that another library's version says.
      sections: all section headers.
    """

    header: tuple[bytes | int, ...]
    dynamic: list[tuple[int, bytes]]
    symbols: list[_Symbol]
    sections: list[_Section]


def interface_of(data: bytes, file_name: str) -> bytes:
    """The interface of a library, or the library itself where it is its own.

    Args:
      data: the library.
      file_name: its name for those that link it, if it says none itself.

    Returns:
      The file's bytes.

    Raises:
      ValueError: an ELF file is damaged.
    """
    if data[:4] != _MAGIC:
        return data
    try:
        layout = _Layout(data[:16])
        library = _read(data, layout)
    except (IndexError, struct.error) as error:
        raise ValueError(f"the ELF file is damaged: {error}") from error
    return data if library is None else _write(library, layout, file_name)


def _read(data: bytes, layout: _Layout) -> _Library | None:
    """Reads a library; None where it has symbol versions of its own, or no dynamic symbols."""
    header = layout.header.unpack_from(data)
    start, entry_size, count = header[6], header[11], header[12]
    sections = [
        _Section(*layout.section.unpack_from(data, start + number * entry_size))
        for number in range(count)
    ]
    by_type = {section.type: section for section in sections}
    if _DYNSYM not in by_type or _DYNAMIC not in by_type:
        return None

    def content(section: _Section) -> bytes:
        return data[section.offset : section.offset + section.size]

    def text(strings: bytes, offset: int) -> bytes:
        return strings[offset : strings.index(b"\0", offset)]

    versions = (
        [version for (version,) in layout.version.iter_unpack(content(by_type[_VERSYM]))]
        if _VERSYM in by_type
        else None
    )
    table = by_type[_DYNSYM]
    strings = content(sections[table.link])
    symbols = []
    for number, fields in enumerate(layout.symbol.iter_unpack(content(table))):
        if layout.wide:
            name, info, other, section, value, size = fields
        else:
            name, value, size, info, other, section = fields
        if info >> 4 == _LOCAL:
            continue
        if versions and versions[number] & 0x7FFF > _GLOBAL_VERSION:
            if section != _UNDEFINED:
                return None
            continue
        symbols.append(_Symbol(text(strings, name), info, other, section, value, size))
    strings = content(sections[by_type[_DYNAMIC].link])
    dynamic = [
        (tag, text(strings, value))
        for tag, value in layout.dynamic.iter_unpack(content(by_type[_DYNAMIC]))
        if tag in (_NEEDED, _SONAME, _RPATH, _RUNPATH)
    ]
    return _Library(header, dynamic, symbols, sections)


class _Strings:
    """A table of strings, each once."""

    def __init__(self) -> None:
        """With the empty string."""
        self._offsets = {b"": 0}
        self.content = bytearray(b"\0")

    def add(self, text: bytes) -> int:
        """Where a string stands."""
        if text not in self._offsets:
            self._offsets[text] = len(self.content)
            self.content += text + b"\0"
        return self._offsets[text]


# The sections of an interface: those of the tables, and those that symbols are in.
_NAMES = (b"", b".dynsym", b".dynstr", b".dynamic", b".text", b".rodata", b".data", b".tbss")
_DYNSTR, _TEXT, _RODATA, _DATA, _TBSS = 2, 4, 5, 6, 7
# A cache line, which is more than most data asks for.
_LEAST_ALIGNMENT = 64


def _place(symbol: _Symbol, sections: Sequence[_Section]) -> int:
    """The section of the interface that a symbol is in."""
    if symbol.section == _UNDEFINED or symbol.section >= _RESERVED:
        return symbol.section
    if not symbol.is_data:
        return _TEXT
    if symbol.info & 15 == _TLS_OBJECT:
        return _TBSS
    return _DATA if sections[symbol.section].flags & _WRITE else _RODATA


def _moved(symbols: Iterable[_Symbol], sections: Sequence[_Section]) -> tuple[list[_Symbol], int]:
    """The symbols where the interface has them, and the alignment of their sections."""
    symbols = sorted(symbols)
    data = [symbol for symbol in symbols if _place(symbol, sections) in (_RODATA, _DATA, _TBSS)]
    alignment = max(
        [_LEAST_ALIGNMENT, *(sections[symbol.section].alignment for symbol in data)],
    )
    largest: dict[tuple[int, int], int] = {}
    for symbol in data:
        key = symbol.section, symbol.value
        largest[key] = max(largest.get(key, 1), symbol.size)
    addresses: dict[tuple[int, int], int] = {}
    # Nothing is at the address of the functions.
    next_address = alignment
    for key, size in largest.items():
        addresses[key] = next_address
        next_address += -(-size // alignment) * alignment
    result = []
    for symbol in symbols:
        place = _place(symbol, sections)
        if place in (_RODATA, _DATA, _TBSS):
            value = addresses[symbol.section, symbol.value]
            result.append(replace(symbol, section=place, value=value))
        elif place == _TEXT:
            result.append(replace(symbol, section=place, value=0, size=0))
        else:
            result.append(replace(symbol, size=0))
    return result, alignment


def _write(library: _Library, layout: _Layout, file_name: str) -> bytes:
    """An ELF file of tables alone."""
    strings = _Strings()
    symbols, alignment = _moved(library.symbols, library.sections)
    symbol_table = bytearray(layout.symbol.size)
    for symbol in symbols:
        name = strings.add(symbol.name)
        meaning = symbol.info, symbol.other, symbol.section
        place = symbol.value, symbol.size
        rest = (*meaning, *place) if layout.wide else (*place, *meaning)
        symbol_table += layout.symbol.pack(name, *rest)
    dynamic = list(library.dynamic)
    if _SONAME not in dict(dynamic):
        dynamic.append((_SONAME, file_name.encode()))
    dynamic_table = b"".join(
        layout.dynamic.pack(tag, strings.add(text)) for tag, text in dynamic
    ) + layout.dynamic.pack(_NULL, 0)

    names = [strings.add(name) for name in _NAMES]
    size = layout.header.size
    out = bytearray(size)
    sections = [_Section(*(0,) * 10)]
    tables = (
        (_DYNSYM, _ALLOC, bytes(symbol_table), 1, layout.symbol.size),
        (_STRTAB, _ALLOC, bytes(strings.content), 0, 0),
        (_DYNAMIC, _ALLOC | _WRITE, dynamic_table, 0, layout.dynamic.size),
    )
    for table, flags, content, info, entry_size in tables:
        out.extend(b"\0" * (-len(out) % layout.alignment))
        sections.append(
            _Section(
                *(names[len(sections)], table, flags, 0, len(out), len(content)),
                *(0 if table == _STRTAB else _DYNSTR, info, layout.alignment, entry_size),
            )
        )
        out.extend(content)
    for flags in (_EXECINSTR, 0, _WRITE, _WRITE | _TLS):
        name = names[len(sections)]
        sections.append(_Section(name, _NOBITS, _ALLOC | flags, 0, len(out), 0, 0, 0, alignment, 0))
    identity, kind, machine, version, _, _, _, machine_flags, header_size = library.header[:9]
    out[:size] = layout.header.pack(
        *(identity, kind, machine, version, 0, 0, len(out), machine_flags, header_size),
        # No headers of programs; the names of sections stand among those of symbols.
        *(0, 0, layout.section.size, len(sections), _DYNSTR),
    )
    for section in sections:
        out += layout.section.pack(*astuple(section))
    return bytes(out)


def main(arguments: Sequence[str], say: Callable[[str], object] = sys.stderr.write) -> int:
    """Writes one interface."""
    library, interface = map(Path, arguments)
    try:
        interface.write_bytes(interface_of(library.read_bytes(), library.name))
    except ValueError as error:
        say(f"{library}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
