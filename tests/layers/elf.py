"""What a shared library says of itself, read with readelf and nm."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

_DYNAMIC = re.compile(r"\((NEEDED|SONAME|RUNPATH|RPATH)\).*\[(.*)\]")
# Symbols that the linker makes in every library.
_LINKER = {"__bss_start", "_edata", "_end", "_fini", "_init"}
_SYMBOL = re.compile(r"^(?:[0-9a-f]+)?\s+(\w) (.+)$")


@dataclass(eq=False)
class SharedLibrary:
    """One ELF file.

    Attributes:
      path: where it is.
      soname: its name for those that link it; empty when it has none.
      needed: names of the libraries that it loads, in order.
      run_paths: directories where the loader looks for them.
      defined: demangled symbols that it exports, with nm's letter.
      undefined: demangled symbols that others must define; weak ones left out.
    """

    path: Path
    soname: str = ""
    needed: list[str] = field(default_factory=list)
    run_paths: list[str] = field(default_factory=list)
    defined: dict[str, str] = field(default_factory=dict)
    undefined: set[str] = field(default_factory=set)


def _output(*command: str) -> list[str]:
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()


def read_shared_library(path: Path) -> SharedLibrary:
    """Reads one library."""
    library = SharedLibrary(path)
    for line in _output("readelf", "--dynamic", "--wide", str(path)):
        if found := _DYNAMIC.search(line):
            tag, value = found.groups()
            if tag == "NEEDED":
                library.needed.append(value)
            elif tag == "SONAME":
                library.soname = value
            else:
                library.run_paths += value.split(":")
    for line in _output("nm", "--dynamic", "--demangle", str(path)):
        if found := _SYMBOL.match(line):
            letter, name = found.groups()
            if letter == "U":
                library.undefined.add(name.split("@")[0])
            elif letter not in "wv" and name not in _LINKER:
                library.defined[name.split("@")[0]] = letter
    return library


def owner(symbol: str) -> str:
    """The outermost namespace of a demangled symbol, or the symbol itself in none.

    A template's arguments and a function's return type do not own it.
    """
    name = re.sub(
        r"^(?:vtable|VTT|typeinfo name|typeinfo|guard variable|reference temporary #\d+|"
        r"construction vtable|TLS init function|TLS wrapper function) for ",
        "",
        symbol,
    )
    name = re.sub(r"^(?:non-virtual|virtual) thunk to ", "", name)
    previous = ""
    while previous != name:
        previous = name
        name = re.sub(r"<[^<>]*>", "", name)
    name = name.split("(")[0].split("[")[0].rstrip()
    return name.split(" ")[-1].split("::")[0]
