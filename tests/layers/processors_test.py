"""Code for newer processors is in functions that only they run.

A function of a header that several sources compile is in the library once. If the linker kept the
copy of a source that is compiled for AVX-512, other processors would stop at an illegal
instruction.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterator

import pytest

# Instructions that began with AVX: their names begin with v, or they use its registers.
_NEWER = re.compile(
    r"%[yz]mm|\t(v(mov|pxor|xorp|add|mul|sub|div|cvt|zeroupper|perm|broadcast)\w*)\b"
)
_FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")


def functions_with_newer_code(library: str) -> Iterator[str]:
    """The names of functions that hold an instruction of AVX or later."""
    command = ["objdump", "--disassemble", "--no-show-raw-insn", library]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        name = found = ""
        for line in process.stdout:
            if function := _FUNCTION.match(line):
                name = function[1]
            elif name != found and _NEWER.search(line):
                found = name
                yield name
    assert process.returncode == 0


# A function of a capability's namespace, or of one source alone, as the compiler's copies of a
# function are whose arguments it changed: the linker merges none of these.
_SEPARATE = re.compile(r"AVX|_GLOBAL__N_|^_ZL|\.(isra|constprop|part)\.")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors have other names")
def test_only_functions_of_a_capability_have_its_instructions() -> None:
    newer = set(functions_with_newer_code(os.environ["TORCH_CPU"]))
    if not newer:
        pytest.skip("this build is for one kind of processor")
    assert any("AVX512" in name for name in newer)
    assert [name for name in newer if not _SEPARATE.search(name)] == []
