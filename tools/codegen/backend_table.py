"""The tables of config/backends.bzl, which is Starlark that Python reads too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any


def read_tables(path: Path) -> Mapping[str, Any]:
    """The tables of a file of Starlark that loads nothing, by name."""
    names: dict[str, Any] = {"struct": SimpleNamespace}
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), names)
    return names


_TABLES = read_tables(Path(__file__).parents[2] / "config/backends.bzl")

# Backends by name, in the order of their dispatch keys.
BACKENDS: Mapping[str, Any] = _TABLES["BACKENDS"]
# Their dispatch keys.
BACKEND_KEYS: tuple[str, ...] = tuple(backend.key for backend in BACKENDS.values())
# Those that an option turns on.
OPTIONAL_BACKENDS: Mapping[str, Any] = _TABLES["OPTIONAL_BACKENDS"]
# Numbers of the kinds of device, in the order of PyTorch's message.
DEVICE_TYPES: Mapping[str, int] = _TABLES["DEVICE_TYPES"]
# Devices that no string names.
UNNAMED_DEVICE_TYPES: frozenset[str] = frozenset(_TABLES["UNNAMED_DEVICE_TYPES"])
