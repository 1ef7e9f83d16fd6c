"""The platform tag that a wheel may claim: what PEP 600 allows for the symbols it really needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

# Libraries that every system of a manylinux tag has (PEP 513, PEP 600).
MANYLINUX_LIBRARIES = frozenset(
    {
        "ld-linux-aarch64.so.1",
        "ld-linux-x86-64.so.2",
        "libatomic.so.1",
        "libc.so.6",
        "libdl.so.2",
        "libgcc_s.so.1",
        "libm.so.6",
        "libmvec.so.1",
        "libpthread.so.0",
        "libresolv.so.2",
        "librt.so.1",
        "libstdc++.so.6",
        "libutil.so.1",
    }
)

# From when on all distributions with a glibc have a version of GCC's libraries: the first minor
# version of glibc 2 by the last symbol version, ascending (the policies of PEP 600).
_FIRST_GLIBC = {
    "CXXABI": [((1, 3, 7), 17), ((1, 3, 10), 24), ((1, 3, 11), 27), ((1, 3, 12), 31),
               ((1, 3, 13), 34), ((1, 3, 15), 39)],
    "GCC": [((4, 8, 0), 17), ((7, 0, 0), 27), ((12, 0, 0), 35), ((14, 0, 0), 39)],
    "GLIBCXX": [((3, 4, 19), 17), ((3, 4, 22), 24), ((3, 4, 24), 27), ((3, 4, 28), 31),
                ((3, 4, 29), 34), ((3, 4, 30), 35), ((3, 4, 33), 39)],
}  # fmt: skip

_OLDEST = 17


class TooNewError(ValueError):
    """A symbol version that no known release of glibc comes with."""


@dataclass(frozen=True)
class Demand:
    """The least glibc that a symbol version implies.

    Attributes:
      glibc: minor version of glibc 2.
      version: the symbol version that implies it.
    """

    glibc: int
    version: str


def demand(version: str) -> Demand | None:
    """What one symbol version implies; None for versions without a number."""
    found = re.fullmatch(r"([A-Z]+)_(\d+(?:\.\d+)*)", version)
    if not found:
        # Introduced with glibc 2.36; pip knows no finer tag.
        return Demand(36, version) if version == "GLIBC_ABI_DT_RELR" else None
    family, numbers = found.group(1), tuple(int(part) for part in found.group(2).split("."))
    if family == "GLIBC":
        return Demand(max(numbers[1], _OLDEST), version)
    for last, glibc in _FIRST_GLIBC.get(family, []):
        if numbers <= last:
            return Demand(glibc, version)
    if family in _FIRST_GLIBC:
        raise TooNewError(
            f"{version} is newer than every compiler this packager knows. Build with GCC 14 or older, or add the version to tools/package/platform_tag.py"
        )
    return None


def least_glibc(versions: Iterable[str]) -> Demand:
    """The strongest demand among symbol versions."""
    demands = [found for version in sorted(versions) if (found := demand(version))]
    return max(demands, key=lambda one: one.glibc, default=Demand(_OLDEST, ""))


def platform_tag(machine: str, versions: Iterable[str]) -> str:
    """The most that a wheel with these symbols may claim: `manylinux_2_28_x86_64`."""
    return f"manylinux_2_{least_glibc(versions).glibc}_{machine}"
