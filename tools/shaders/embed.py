"""Writes compiled shaders down as a C++ source.

SPIR-V becomes the table of ATen/vulkan/ShaderTable.h, a library of Metal's functions that of
ATen/mps/Metallib.h.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

# The first word of every SPIR-V file.
_MAGIC = 0x07230203
# How every library of Metal begins.
_METALLIB_MAGIC = b"MTLB"


class NotSpirvError(Exception):
    """A file that holds no SPIR-V."""


class NotMetallibError(Exception):
    """A file that is no library of Metal's functions."""


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


def metallib_source(data: bytes, name: str) -> str:
    """The C++ source for a library; raises `NotMetallibError` for another file."""
    if not data.startswith(_METALLIB_MAGIC):
        raise NotMetallibError(
            f"{name} is no library of Metal: it does not begin with {_METALLIB_MAGIC.decode()}"
        )
    lines = [
        "    " + ", ".join(str(byte) for byte in data[i : i + 24]) + ","
        for i in range(0, len(data), 24)
    ]
    return f"""\
// {"@" + "generated"} by //tools/shaders:embed; edit the shaders instead.

#include <ATen/mps/Metallib.h>

namespace at::mps {{

const unsigned char kMetallib[] = {{
{chr(10).join(lines)}
}};
const size_t kMetallibSize = {len(data)};

}}  // namespace at::mps
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--metallib", type=Path, help="a library of Metal's functions")
    given.add_argument("shaders", type=Path, nargs="*", default=[], help="files of SPIR-V")
    args = parser.parse_args(argv)
    try:
        if args.metallib:
            text = metallib_source(args.metallib.read_bytes(), str(args.metallib))
        else:
            text = source({path.stem: words(path.read_bytes(), str(path)) for path in args.shaders})
    except (NotMetallibError, NotSpirvError) as error:
        print(error, file=sys.stderr)
        return 1
    args.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
