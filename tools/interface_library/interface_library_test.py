"""Interfaces of libraries that a compiler makes here, and what linkers make of them."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.interface_library import interface_library
from tools.interface_library.interface_library import interface_of, main

SOURCE = """
extern "C" double needed(double), sin(double), cos(double);
namespace code {
int counter = 1;
thread_local int mine = 2;
extern const double table[] = {1, 2, 3};
double f(double x) { return needed(x); }
double g(double x) { return sin(x); }
}
"""

LINKERS = [
    name for name in ("bfd", "gold", "lld", "mold") if shutil.which(f"ld.{name}") or name == "bfd"
]


def compiled(folder: Path, text: str, *options: str, name: str = "libone.so") -> Path:
    """A library of some code."""
    folder.mkdir(exist_ok=True)
    source = folder / "source.cpp"
    source.write_text(text)
    path = folder / name
    command = ["c++", "-shared", "-fPIC", "-O1", str(source), "-o", str(path), *options]
    subprocess.run(command, check=True)
    return path


def interface(path: Path) -> bytes:
    """The interface of a library, as the action writes it."""
    out = path.with_suffix(".ifso")
    assert main([str(path), str(out)]) == 0
    return out.read_bytes()


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., bytes]:
    """Makes interfaces, each of a library in a folder of its own."""
    numbers = itertools.count()

    def make(text: str, *options: str) -> bytes:
        return interface(compiled(tmp_path / str(next(numbers)), text, *options))

    return make


def symbols(path: Path) -> list[list[str]]:
    """Name, type, binding, visibility and size of dynamic symbols, as readelf knows them."""
    out = subprocess.run(
        ["readelf", "--dyn-syms", "--wide", str(path)], check=True, capture_output=True, text=True
    ).stdout
    rows = [line.split() for line in out.splitlines() if ":" in line]
    return sorted([row[7], *row[3:6], row[2]] for row in rows if len(row) >= 8)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("needed(x)", "needed(x) * 3 + needed(x - 1) / (x + 7)"),
        ("sin(x)", "cos(x)"),
        ("counter = 1", "counter = 9"),
        ("double f(double x) { return needed(x); }\n", ""),
        (
            "int counter",
            'static int hidden[100]; int use() __attribute__((visibility("hidden")));'
            " int use() { return hidden[3]++; } int counter",
        ),
    ],
    ids=["longer", "from another library", "a value", "order", "hidden"],
)
def test_what_dependents_do_not_see(made: Callable[..., bytes], old: str, new: str) -> None:
    changed = SOURCE.replace(old, new)
    if not new:  # The same function, elsewhere.
        changed = changed.replace("int counter", old + "int counter")
    assert changed != SOURCE
    assert made(changed) == made(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("double g(", "double h(double x) { return x; }\ndouble g("),
        ("double g(", "double g_("),
        ("int counter", "long counter"),
        ("int counter", "__attribute__((weak)) int counter"),
        ("double f(", '__attribute__((visibility("protected"))) double f('),
        ("return needed(x)", "return 1"),
        ("{1, 2, 3}", "{1, 2, 3, 4}"),
    ],
    ids=["more", "renamed", "size", "weak", "visibility", "undefined", "length"],
)
def test_what_dependents_see(made: Callable[..., bytes], old: str, new: str) -> None:
    assert old in SOURCE
    assert made(SOURCE.replace(old, new)) != made(SOURCE)


@pytest.mark.parametrize("option", ["-Wl,-soname,libother.so", "-Wl,-rpath,/one", "-lresolv"])
def test_how_it_is_loaded_is_seen(made: Callable[..., bytes], option: str) -> None:
    assert made(SOURCE, "-Wl,--no-as-needed", option) != made(SOURCE, "-Wl,--no-as-needed")


def test_symbols_are_those_of_the_library(tmp_path: Path) -> None:
    library = compiled(tmp_path, SOURCE)
    interface(library)
    wanted = [
        [*row[:-1], "0" if row[1] in ("FUNC", "NOTYPE") else row[-1]]
        for row in symbols(library)
        if "@" not in row[0]
    ]
    assert {row[0] for row in wanted} >= {"needed", "_ZN4code1fEd", "_ZN4code7counterE"}
    assert symbols(library.with_suffix(".ifso")) == wanted


def linked(folder: Path, linker: str, library: Path, text: str, *options: str) -> str:
    """What a program says that is linked with a file, or the errors that keep it from running."""
    source = folder / "main.cpp"
    source.write_text(text)
    program = folder / "program"
    program.unlink(missing_ok=True)
    command = ["c++", f"-fuse-ld={linker}", *options, str(source), str(library), "-o", str(program)]
    done = subprocess.run(
        [*command, f"-Wl,-rpath,{folder}"], check=False, capture_output=True, text=True
    )
    if done.returncode:
        return done.stderr.replace(library.name, "LIBRARY").replace(str(program), "")
    done = subprocess.run([str(program)], check=False, capture_output=True, text=True)
    return done.stdout + done.stderr


PROGRAM = """
#include <stdint.h>
#include <stdio.h>
extern "C" double needed(double x) { return x + 0.5; }
namespace code {
extern int counter;
extern thread_local int mine;
extern const double table[3];
double f(double);
}
int main() {
  code::counter += 4;
  printf("%d %d %g %g\\n", code::counter, code::mine, code::table[2], code::f(1));
  return reinterpret_cast<uintptr_t>(&code::table) % 16;
}
"""


@pytest.mark.parametrize("options", [(), ("-no-pie", "-fno-pic")], ids=["pie", "copies of data"])
@pytest.mark.parametrize("linker", LINKERS)
def test_a_program_linked_with_it_runs(
    tmp_path: Path, linker: str, options: tuple[str, ...]
) -> None:
    library = compiled(tmp_path, SOURCE)
    interface(library)
    said = linked(tmp_path, linker, library.with_suffix(".ifso"), PROGRAM, *options)
    # The library says no name of itself, and is found by that of its file.
    assert said == "5 2 3 1.5\n"


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize(
    ("old", "new"),
    [('extern "C" double needed(double x) { return x + 0.5; }', ""), (" f(", " absent(")],
    ids=["what the library takes", "what the program takes"],
)
def test_what_is_missing_is_missing(tmp_path: Path, linker: str, old: str, new: str) -> None:
    library = compiled(tmp_path, SOURCE, "-Wl,-soname,libone.so")
    interface(library)
    text = PROGRAM.replace(old, new).replace("::f(", f"::{'absent' if new else 'f'}(")
    assert text != PROGRAM
    one = linked(tmp_path, linker, library, text)
    other = linked(tmp_path, linker, library.with_suffix(".ifso"), text)
    assert "undefined" in one
    assert "undefined" in other


def test_a_library_with_versions_is_its_own(tmp_path: Path) -> None:
    script = tmp_path / "versions"
    script.write_text("ONE { global: *; };\n")
    library = compiled(tmp_path, SOURCE, f"-Wl,--version-script={script}")
    assert interface(library) == library.read_bytes()


def test_what_is_no_library_is_its_own(tmp_path: Path) -> None:
    source = tmp_path / "source.cpp"
    source.write_text(SOURCE)
    subprocess.run(["c++", "-c", str(source), "-o", str(tmp_path / "one.o")], check=True)
    for data in (b"", b"INPUT(libother.so)\n", (tmp_path / "one.o").read_bytes()):
        assert interface_of(data, "libone.so") == data


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    library = compiled(tmp_path, SOURCE)
    library.write_bytes(library.read_bytes()[:2000])
    said: list[str] = []
    assert main([str(library), str(tmp_path / "out")], said.append) == 1
    assert said and said[0].startswith(f"{library}: the ELF file is damaged: ")


@pytest.mark.parametrize("kind", [(1, 1), (1, 2), (2, 2)], ids=["32", "32 big", "64 big"])
def test_other_classes_and_byte_orders(tmp_path: Path, kind: tuple[int, int]) -> None:
    """No such compiler need be here: an interface is written so, and read by readelf and us."""
    library = compiled(tmp_path, SOURCE)
    data = library.read_bytes()
    identity = data[:4] + bytes(kind) + data[6:16]
    layout = interface_library._Layout(identity)
    read = interface_library._read(data, interface_library._Layout(data[:16]))
    assert read is not None
    read.header = (identity, *read.header[1:])
    other = tmp_path / "other.ifso"
    other.write_bytes(interface_library._write(read, layout, library.name))
    interface(library)
    assert symbols(other) == symbols(library.with_suffix(".ifso"))
    assert interface_of(other.read_bytes(), "another.so") == other.read_bytes()
