"""A shader asks a device for the types of its elements alone: others run where these lack."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

SHADERS = sorted(Path("aten/src/ATen/native/shaders/glsl").glob("*.spv"))

# Numbers of SPIR-V, section 3.31.
OP_CAPABILITY = 17
SHADER, FLOAT16, INT64, INT16, INT8 = 1, 9, 11, 22, 39
STORAGE_16, STORAGE_8 = 4433, 4448

# What may be needed by whoever has such a word in its name.
NEEDS = {
    "atomicbyte": {INT64, INT8, STORAGE_8},
    "atomichalf": {INT64, FLOAT16, STORAGE_16},
    "atomiclong": {INT64},
    "bool": {INT8, STORAGE_8},
    "byte": {INT8, STORAGE_8},
    "half": {STORAGE_16},
    "long": {INT64},
    "short": {INT16, STORAGE_16},
    # Their results or masks are bool.
    "compare": {INT8, STORAGE_8},
    "is": {INT8, STORAGE_8},
    "select": {STORAGE_8},
    "masked": {STORAGE_8},
    # Their places are int64.
    "extreme": {INT64},
    "gather": {INT64},
    "index": {INT64},
    "pool": {INT64},
}


def capabilities(path: Path) -> set[int]:
    """What a module of SPIR-V declares."""
    data = path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    found, at = set(), 5
    while at < len(words):
        if words[at] & 0xFFFF == OP_CAPABILITY:
            found.add(words[at + 1])
        at += words[at] >> 16
    return found


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: str(path.stem))
def test_a_shader_needs_its_types_alone(path: Path) -> None:
    allowed = {SHADER}.union(*(NEEDS.get(word, set()) for word in path.stem.split("_")))
    assert capabilities(path) <= allowed


def test_all_shaders_are_there() -> None:
    assert {"binary_float", "index_atomiclong", "product_int"} <= {path.stem for path in SHADERS}
