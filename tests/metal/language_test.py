"""Each shader becomes one function of Metal's language, with the same buffers and constants."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


def sources(request: pytest.FixtureRequest) -> dict[str, str]:
    """The text of each shader, with what it includes, by its name."""
    files: list[Path] = request.config.getoption("--shaders")
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}

    def whole(name: str) -> str:
        return re.sub(r'#include "(\S+)"', lambda match: whole(match[1]), texts[name])

    return {name.removesuffix(".comp"): whole(name) for name in texts if name.endswith(".comp")}


def kernel(name: str, text: str) -> list[str]:
    """The parameters of the file's only function for the device, which has its name."""
    found = re.findall(r"^kernel void (\w+)\((.*)\)$", text, re.MULTILINE)
    assert [function for function, _ in found] == [name]
    return re.findall(r"\[\[(\w+(?:\(\d+\))?)\]\]", found[0][1])


def test_every_shader_is_there(request: pytest.FixtureRequest) -> None:
    generated: list[Path] = request.config.getoption("--generated")
    stems = {path.stem.rpartition("_")[0] for path in generated}
    assert all(any(stem.startswith(name) for stem in stems) for name in sources(request))
    assert len(generated) > 80


def test_functions_buffers_and_constants(request: pytest.FixtureRequest) -> None:
    shaders = sources(request)
    for path in request.config.getoption("--generated"):
        text = path.read_text(encoding="utf-8")
        shader = max((s for s in shaders if path.stem.startswith(s + "_")), key=len)
        bindings = [int(n) for n in re.findall(r"binding = (\d+)\)", shaders[shader])]
        buffers = [p for p in kernel(path.stem, text) if p.startswith("buffer(")]
        assert len(set(buffers)) == len(buffers)
        assert {int(b[7:-1]) for b in buffers} <= set(bindings), path.name
        assert "buffer(0)" in buffers, path.name
        wanted = {int(n) for n in re.findall(r"constant_id = (\d+)\)", shaders[shader])}
        made = {int(n) for n in re.findall(r"\[\[function_constant\((\d+)\)\]\]", text)}
        assert made <= wanted | {0}, path.name
        assert made, path.name
        assert text.count("{") == text.count("}")


def test_elements_have_metals_types(request: pytest.FixtureRequest) -> None:
    texts = {p.stem: p.read_text(encoding="utf-8") for p in request.config.getoption("--generated")}
    for name, element in {
        "unary_float": "float", "unary_half": "half", "unary_int": "int", "unary_long": "long",
        "unary_byte": "uchar", "index_short": "ushort",
    }.items():  # fmt: skip
        assert re.search(rf"^    {element} result\[1\];$", texts[name], re.MULTILINE), name
