"""Shaders are written down as C++ whole and in order, and other files are refused."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tools.shaders.embed import NotMetallibError, NotSpirvError, main, metallib_source, words

MAGIC = 0x07230203


def spirv(code: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in [MAGIC, *code])


def test_every_word_is_there_in_order(tmp_path: Path) -> None:
    code = {name: [random.getrandbits(32) for _ in range(n)] for name, n in [("b", 20), ("a", 3)]}
    for name, values in code.items():
        (tmp_path / f"{name}.spv").write_bytes(spirv(values))
    out = tmp_path / "out.cpp"
    assert main(["--output", str(out), *(str(tmp_path / f"{name}.spv") for name in code)]) == 0
    text = out.read_text()
    for name, values in code.items():
        found = re.search(rf"k_{name}\[\] = \{{(.*?)\}};", text, re.DOTALL)
        assert found is not None
        assert [int(w, 16) for w in re.findall(r"0x[0-9a-f]+", found[1])] == [MAGIC, *values]
    assert re.findall(r'\{"(\w+)", k_\1, (\d+)\}', text) == [("a", "4"), ("b", "21")]
    assert "kShaderCount = 2;" in text


@pytest.mark.parametrize("data", [b"", b"\x7fELF", spirv([1]) + b"x", b"\x02\x03\x07"])
def test_another_file_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(NotSpirvError, match=r"x.spv is no SPIR-V"):
        words(data, "x.spv")
    (tmp_path / "x.spv").write_bytes(data)
    assert main(["--output", str(tmp_path / "o.cpp"), str(tmp_path / "x.spv")]) == 1


def test_every_byte_of_a_metallib_is_there_in_order(tmp_path: Path) -> None:
    data = b"MTLB" + random.randbytes(1 + random.randrange(200))
    (tmp_path / "x.metallib").write_bytes(data)
    out = tmp_path / "out.cpp"
    assert main(["--output", str(out), "--metallib", str(tmp_path / "x.metallib")]) == 0
    found = re.search(r"kMetallib\[\] = \{(.*?)\};", out.read_text(), re.DOTALL)
    assert found is not None
    assert bytes(int(byte) for byte in re.findall(r"\d+", found[1])) == data
    assert f"kMetallibSize = {len(data)};" in out.read_text()


@pytest.mark.parametrize("data", [b"", b"MTL", b"\x7fELF"])
def test_another_file_is_no_metallib(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(NotMetallibError, match=r"x.metallib is no library of Metal"):
        metallib_source(data, "x.metallib")
    (tmp_path / "x.metallib").write_bytes(data)
    arguments = ["--output", str(tmp_path / "o.cpp"), "--metallib", str(tmp_path / "x.metallib")]
    assert main(arguments) == 1
