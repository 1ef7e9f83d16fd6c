"""Archives whose bytes depend on their contents alone: sorted entries, fixed times and modes."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

# The first time that a zip file can say.
_TIME = (1980, 1, 1, 0, 0, 0)
_FILE, _PROGRAM = 0o644, 0o755


def is_program(name: str) -> bool:
    """Whether an entry is installed executable: libraries and programs, by where they are."""
    return name.endswith(".so") or ".so." in name or "bin" in name.split("/")[:-1]


def write_zip(path: Path, entries: Mapping[str, bytes], last: str = "") -> None:
    """Writes a zip file; `last` names the entry that goes to the end."""
    names = sorted(entries, key=lambda name: (name == last, name))
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name, _TIME)
            info.create_system = 3  # Unix, wherever it is written.
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100000 | (_PROGRAM if is_program(name) else _FILE)) << 16
            archive.writestr(info, entries[name], compresslevel=9)


def write_tar(path: Path, entries: Mapping[str, bytes]) -> None:
    """Writes an uncompressed tar file."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(entries):
            info = tarfile.TarInfo(name)
            info.size = len(entries[name])
            info.mode = _PROGRAM if is_program(name) else _FILE
            info.mtime = 315532800  # 1980-01-01, as in zip files.
            archive.addfile(info, io.BytesIO(entries[name]))
