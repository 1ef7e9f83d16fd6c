"""What a library of macOS says of the system that loads it."""

from __future__ import annotations

import struct

MAGIC = b"\xcf\xfa\xed\xfe"
_HEADER_BYTES = 32
_COMMANDS_AT = 16
# LC_VERSION_MIN_MACOSX has the version first; LC_BUILD_VERSION has it behind the platform.
_VERSION_OFFSETS = {0x24: 8, 0x32: 12}


def minimum_os(data: bytes) -> tuple[int, int]:
    """The oldest macOS that a 64-bit Mach-O file is linked for; (0, 0) where it does not say.

    Source: `mach-o/loader.h` of Apple's XNU.
    """
    (commands,) = struct.unpack_from("<I", data, _COMMANDS_AT)
    at = _HEADER_BYTES
    for _ in range(commands):
        command, size = struct.unpack_from("<II", data, at)
        if command in _VERSION_OFFSETS:
            (version,) = struct.unpack_from("<I", data, at + _VERSION_OFFSETS[command])
            return version >> 16, version >> 8 & 0xFF
        at += size
    return 0, 0
