"""Writes SPIR-V files down as a C++ source: the table of ATen/vulkan/ShaderTable.h."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

# The first word of every file.
_MAGIC = 0x07230203


class NotSpirvError(Exception):
    """A file that holds no SPIR-V."""


def words(data: bytes, name: str) -> list[int]:
    """The words of a file in the order of this machine; raises `NotSpirvError` for another file."""
    result = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
    if len(data) % 4 != 0 or not result or result[0] != _MAGIC:
        raise NotSpirvError(f"{name} is no SPIR-V: its first word is not {_MAGIC:#010x}")
    return result


def source(shaders: Mapping[str, Sequence[int]]) -> str:
    """The C++ source for shaders by name."""
    arrays = []
    entries = []
    for name, code in sorted(shaders.items()):
        lines = [
            "    " + ", ".join(f"{word:#010x}" for word in code[i : i + 8]) + ","
            for i in range(0, len(code), 8)
        ]
        arrays.append(f"constexpr uint32_t k_{name}[] = {{\n" + "\n".join(lines) + "\n};\n")
        entries.append(f'    {{"{name}", k_{name}, {len(code)}}},\n')
    return f"""\
// {"@" + "generated"} by //tools/shaders:embed; edit the shaders instead.

#include <ATen/vulkan/ShaderTable.h>

namespace at::vulkan {{
namespace {{

{"".join(arrays)}
}}  // namespace

const ShaderBinary kShaders[] = {{
{"".join(entries)}}};
const size_t kShaderCount = {len(entries)};

}}  // namespace at::vulkan
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("shaders", type=Path, nargs="+")
    args = parser.parse_args(argv)
    try:
        shaders = {path.stem: words(path.read_bytes(), str(path)) for path in args.shaders}
    except NotSpirvError as error:
        print(error, file=sys.stderr)
        return 1
    args.output.write_text(source(shaders), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
