"""Each shader becomes one function of Metal's language, with the same buffers and constants."""

from __future__ import annotations

import re
from pathlib import Path

# The sources of shaders.
FOLDER = Path("aten/src/ATen/native/shaders/glsl")


def sources() -> dict[str, str]:
    """The text of each shader, with what it includes, by its name."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.*")}

    def whole(name: str) -> str:
        return re.sub(r'#include "(\S+)"', lambda match: whole(match[1]), texts[name])

    return {name.removesuffix(".comp"): whole(name) for name in texts if name.endswith(".comp")}


def kernel(name: str, text: str) -> list[str]:
    """The parameters of the file's only function for the device, which has its name."""
    found = re.findall(r"^kernel void (\w+)\((.*)\)$", text, re.MULTILINE)
    assert [function for function, _ in found] == [name]
    return re.findall(r"\[\[(\w+(?:\(\d+\))?)\]\]", found[0][1])


def generated() -> dict[str, str]:
    """The text of each file in Metal's language, by its name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.metal")}


def test_every_shader_is_there() -> None:
    names = generated()
    stems = {name.partition("_")[0] for name in names}
    assert stems == {name.partition("_")[0] for name in sources()}
    assert len(names) > 80


def test_functions_buffers_and_constants() -> None:
    shaders = sources()
    for name, text in generated().items():
        shader = max((s for s in shaders if name.startswith(s + "_")), key=len)
        bindings = {int(n) for n in re.findall(r"binding = (\d+)\)", shaders[shader])}
        buffers = [p for p in kernel(name, text) if p.startswith("buffer(")]
        assert len(set(buffers)) == len(buffers)
        assert {int(b[7:-1]) for b in buffers} <= bindings, name
        assert "buffer(0)" in buffers, name
        wanted = {int(n) for n in re.findall(r"constant_id = (\d+)\)", shaders[shader])}
        made = {int(n) for n in re.findall(r"\[\[function_constant\((\d+)\)\]\]", text)}
        assert made, name
        assert made <= wanted | {0}, name
        assert text.count("{") == text.count("}")


def test_elements_have_metals_types() -> None:
    texts = generated()
    for name, element in {
        "unary_float": "float", "unary_half": "half", "unary_int": "int", "unary_long": "long",
        "unary_byte": "uchar", "index_short": "ushort",
    }.items():  # fmt: skip
        assert re.search(rf"^    {element} result\[1\];$", texts[name], re.MULTILINE), name
