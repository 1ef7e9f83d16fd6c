"""Brings the lists of backends and devices in c10 up to date with config/backends.bzl.

    python -m tools.backends.c10_lists c10/core/DispatchKey.h=OUT ...

writes each file as it should be. `backend_table.h` is written whole; of the other files only the
lists change: what is in them keeps its order and its comments.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tools.codegen.backend_table import BACKENDS, DEVICE_TYPES, UNNAMED_DEVICE_TYPES

_IN_C10 = [backend for backend in BACKENDS.values() if backend.in_c10]
_KEYS = [backend.key for backend in _IN_C10]
_AUTOGRAD = [f"Autograd{backend.key}" for backend in _IN_C10 if backend.autograd]
_AUTOCAST = [backend.autocast for backend in _IN_C10 if backend.autocast]


class ListError(ValueError):
    """A file does not have the list that it should."""


def merged(old: Sequence[str], wanted: Iterable[str]) -> list[str]:
    """The wanted names: those of the old list in its order, the new ones before its last."""
    wanted = list(dict.fromkeys(wanted))
    kept = [name for name in old if name in wanted]
    new = [name for name in wanted if name not in kept]
    return [*kept[:-1], *new, *kept[-1:]]


def _replaced(text: str, pattern: str, change: Callable[[re.Match[str]], str]) -> str:
    """The text with the one place that the pattern finds changed."""
    result, count = re.subn(pattern, change, text, flags=re.DOTALL)
    if count != 1:
        raise ListError(f"{count} places look like {pattern!r}, wanted one")
    return result


def _macro_lines(text: str, first: str, last: str, wanted: Sequence[str]) -> str:
    """Updates the lines `_(first)` to `_(last)` of a macro."""

    def change(found: re.Match[str]) -> str:
        names = re.findall(r"_\((\w+)\)", found[0])
        width = found[0].index("\\")
        return "".join(f"  _({name})".ljust(width) + "\\\n" for name in merged(names, wanted))

    return _replaced(
        text, rf"  _\({first}\) +\\\n(?:  _\(\w+\) +\\\n)*?  _\({last}\) +\\\n", change
    )


def dispatch_key_h(text: str) -> str:
    """The runtime keys."""
    text = _macro_lines(text, "CPU", "PrivateUse1", _KEYS)
    text = _macro_lines(text, "AutogradOther", "AutogradPrivateUse1", ["AutogradOther", *_AUTOGRAD])
    return _macro_lines(text, "AutocastCPU", "AutocastPrivateUse1", _AUTOCAST)


def _key_set(text: str, name: str, wanted: Sequence[str]) -> str:
    """Updates `constexpr DispatchKeySet name({...});`."""

    def change(found: re.Match[str]) -> str:
        names = merged(re.findall(r"DispatchKey::(\w+)", found[2]), wanted)
        keys = [f"DispatchKey::{name}" for name in names]
        inline = f"{found[1]}{{{', '.join(keys)}}});"
        if "\n" not in found[2] and len(inline) <= 100:
            return inline
        return f"{found[1]}{{\n" + "".join(f"    {key},\n" for key in keys) + "});"

    return _replaced(text, rf"(constexpr DispatchKeySet {name}\()\{{(.*?)\}}\);", change)


def dispatch_key_set_h(text: str) -> str:
    """The sets of autograd's and autocast's keys."""
    text = _key_set(text, "autograd_dispatch_keyset", ["AutogradOther", *_AUTOGRAD])
    text = _key_set(text, "autocast_dispatch_keyset", _AUTOCAST)
    others = [backend.key for backend in _IN_C10 if not backend.autograd]
    return _key_set(text, "autogradother_backends", others)


def backend_h(text: str) -> str:
    """The older enumeration, in the order of the dispatch keys."""
    names = [*_KEYS, "Undefined", "NumOptions"]

    def change(found: re.Match[str]) -> str:
        inline = f"enum class Backend {{ {', '.join(names)} }};"
        lines = "enum class Backend {\n  " + ",\n  ".join(names) + "\n};"
        return inline if len(inline) <= 100 else lines

    return _replaced(text, r"enum class Backend \{.*?\};", change)


def device_type_h(text: str) -> str:
    """The enumeration of devices, and a constant for the device of each backend."""
    by_number = sorted(DEVICE_TYPES.items(), key=lambda item: item[1])

    def enumeration(found: re.Match[str]) -> str:
        comments = dict(re.findall(r"  (\w+) = \d+,(  //[^\n]*)", found[0]))
        lines = [f"  {name} = {number},{comments.get(name, '')}\n" for name, number in by_number]
        lines.append(f"  COMPILE_TIME_MAX_DEVICE_TYPES = {len(by_number)},\n")
        return "enum class DeviceType : int8_t {\n" + "".join(lines) + "};"

    text = _replaced(text, r"enum class DeviceType : int8_t \{.*?\};", enumeration)

    def constants(found: re.Match[str]) -> str:
        old = re.findall(r"DeviceType k(\w+)", found[0])
        names = merged(old, [*old, *(backend.device for backend in _IN_C10)])
        return "".join(f"constexpr DeviceType k{name} = DeviceType::{name};\n" for name in names)

    return _replaced(text, r"(?:constexpr DeviceType k\w+ = DeviceType::\w+;\n)+", constants)


def _macro(name: str, rows: Sequence[str]) -> str:
    """A macro that calls its argument with each row."""
    lines = [f"#define {name}(_)", *(f"  _({row})" for row in rows)]
    width = max(map(len, lines[:-1])) + 1
    return " \\\n".join([*(line.ljust(width - 1) for line in lines[:-1]), lines[-1]]) + "\n"


def device_name(device: str) -> str:
    """The name of a device in upper case; an extension may give PrivateUse1 another."""
    return "PRIVATEUSEONE" if device == "PrivateUse1" else device.upper()


def backend_table_h() -> str:
    """What the sources of c10 know of backends and devices."""
    devices = [f'{device}, "{device_name(device)}"' for device in DEVICE_TYPES]
    named = [device for device in DEVICE_TYPES if device not in UNNAMED_DEVICE_TYPES]
    backends = [
        f"{b.key}, {b.device}, {f'Autograd{b.key}' if b.autograd else 'AutogradOther'}, "
        f"{b.autocast or 'Undefined'}"
        for b in _IN_C10
    ]
    return f"""\
#pragma once

// Generated from config/backends.bzl by `./bazelw run //tools:update`; do not edit.

// Each kind of device, with its name.
{_macro("C10_FORALL_DEVICE_TYPES", devices)}
// The devices that a string may name, in the order of PyTorch's message.
{_macro("C10_FORALL_NAMED_DEVICE_TYPES", named)}
// The dispatch key of each backend, the device of its tensors, its keys of autograd and autocast.
{_macro("C10_FORALL_BACKENDS", backends)}"""


UPDATES: Mapping[str, Callable[[str], str]] = {
    "Backend.h": backend_h,
    "DeviceType.h": device_type_h,
    "DispatchKey.h": dispatch_key_h,
    "DispatchKeySet.h": dispatch_key_set_h,
    "backend_table.h": lambda _: backend_table_h(),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the files of the command line as they should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help=f"FILE=OUT, FILE any of {', '.join(UPDATES)}")
    for pair in parser.parse_args(argv).files:
        file, out = map(Path, pair.split("="))
        text = UPDATES[file.name](file.read_text(encoding="utf-8"))
        out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
