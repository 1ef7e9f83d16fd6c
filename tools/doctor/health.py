"""Checks of an installation and of the machine below it, for which torch need not load.

In an installed torch this file is torch/_health.py: `import torch` asks it whether the libraries
are whole, `python -m torch.utils.collect_env` asks it for everything.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import struct
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

OK, WARNING, FAULT = "ok", "warning", "fault"
_GIB = 1 << 30


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
      part: what was checked: `compiler`, `disk`.
      status: OK, WARNING (works, but not well) or FAULT.
      says: the fact.
      line: for a warning or a fault, the line to type.
      file: which file answered.
      version: of that file.
      package: that it comes from.
      why: why this file and no other.
    """

    part: str
    status: str
    says: str
    line: str = ""
    file: str = ""
    version: str = ""
    package: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        if (self.status == OK) == bool(self.line):
            raise ValueError(f"{self.part}: a finding has a line to type unless all is well")

    def text(self) -> str:
        """The finding for people."""
        rows = [f"{self.status:<8} {self.part}: {self.says}"]
        origin = "; ".join(word for word in (self.version, self.package, self.why) if word)
        if self.file or origin:
            answer = f"{self.file} ({origin})" if self.file and origin else self.file or origin
            rows.append(" " * 9 + answer)
        if self.line:
            rows.append(" " * 9 + "Type: " + self.line)
        return "\n".join(rows)

    def json(self) -> dict[str, str]:
        """The finding for programs."""
        return asdict(self)


def truncated(path: Path) -> str:
    """What is wrong with a shared library's file; empty if it is whole.

    The table of sections is the last thing in such a file. The loader maps a file that ends early,
    and the program dies of SIGBUS when it reads what is not there.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(64)
    if len(header) < 64 or header[:4] != b"\x7fELF":
        return "it is no ELF file" if size else "it is empty"
    if header[4] != 2:
        return ""  # Of a 32-bit processor.
    order = "<" if header[5] == 1 else ">"
    (table,) = struct.unpack_from(order + "Q", header, 40)
    entry, entries = struct.unpack_from(order + "HH", header, 58)
    whole = table + entry * entries
    return f"it has {size} of at least {whole} bytes" if size < whole else ""


def _libraries(directories: Iterable[str]) -> list[Path]:
    found = []
    for directory in map(Path, directories):
        found += sorted(directory.glob("_C*.so")) + sorted(directory.glob("lib/*.so*"))
    # In a checkout, Bazel leaves a link without its file if a cache had a library that this build
    # does not need.
    return [path for path in found if path.exists()]


_AGAIN = (
    "pip install --force-reinstall --no-deps bazel-bin/torch/wheel/*.whl"
    " (in the checkout that made the wheel)"
)


def broken_libraries(directories: Iterable[str]) -> list[Finding]:
    """Libraries of torch that are not whole.

    Args:
      directories: `torch.__path__`.
    """
    return [
        Finding("installation", FAULT, f"{path.name} is damaged: {wrong}", _AGAIN, file=str(path))
        for path in _libraries(directories)
        if (wrong := truncated(path))
    ]


class DamagedLibraryError(ImportError):
    """A library of torch is not whole."""


def require_whole_libraries(directories: Iterable[str]) -> None:
    """Raises DamagedLibraryError where a library of torch is not whole.

    Args:
      directories: `torch.__path__`.
    """
    for broken in broken_libraries(directories):
        raise DamagedLibraryError(f"{broken.says}. Install {broken.file} again: {broken.line}")


def mixed_files(directory: Path) -> list[Finding]:
    """Files of an installed wheel that are not those of the wheel, by its list of hashes.

    Args:
      directory: the folder `torch` of an installation.
    """
    findings = []
    for record in directory.parent.glob("torch-*.dist-info/RECORD"):
        lines = record.read_text(encoding="utf-8").splitlines()
        wrong = []
        for line in lines:
            name, digest, _ = line.rsplit(",", 2)
            path = record.parents[1] / name.strip('"')
            if not digest.startswith("sha256=") or not name.startswith("torch/"):
                continue
            if not path.exists():
                wrong.append(f"{name} is missing")
            elif _digest(path) != digest.removeprefix("sha256="):
                wrong.append(f"{name} is another file than the wheel's")
        shown = ", ".join(wrong[:3]) + (f" and {len(wrong) - 3} more" if len(wrong) > 3 else "")
        if wrong:
            findings.append(Finding("installation", FAULT, shown, _AGAIN, file=str(record)))
        else:
            says = f"the {len(lines)} files of the wheel are whole"
            findings.append(Finding("installation", OK, says, file=str(record)))
    return findings


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return base64.urlsafe_b64encode(digest.digest()).decode().rstrip("=")


def disk(part: str, path: Path, needed: int, line: str, free: int | None = None) -> Finding:
    """Whether a folder, or the nearest one above it, can be written and has room.

    Args:
      part: for the finding, `disk cache`.
      path: the folder; it need not exist.
      needed: bytes that a build uses there.
      line: what to type if it cannot be used.
      free: bytes that are free, where the caller knows better.
    """
    folder = path
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".torch-doctor-") as file:
            file.write(bytes(4096))
            file.flush()
            age = time.time() - os.fstat(file.fileno()).st_mtime
    except OSError as error:
        return Finding(
            part, FAULT, f"{folder} cannot be written: {error.strerror}", line, str(path)
        )
    if abs(age) > 60:
        says = f"the clock of the file system of {folder} is {age:+.0f} s off this machine's"
        return Finding(part, FAULT, says, "sudo timedatectl set-ntp true", str(path))
    free = shutil.disk_usage(folder).free if free is None else free
    says = f"{free / _GIB:.1f} GiB free; a build uses about {needed / _GIB:.0f} GiB there"
    if free < 1 * _GIB:
        return Finding(part, FAULT, f"{folder} is full: {says}", line, str(path))
    if free < needed:
        return Finding(part, WARNING, says, line, str(path))
    return Finding(part, OK, says, file=str(path))


def available_memory() -> int:
    """Bytes that programs can still have: the kernel's word, or the control group's limit."""
    free = 1 << 62
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
    limit, used = _read("/sys/fs/cgroup/memory.max"), _read("/sys/fs/cgroup/memory.current")
    if limit.strip().isdigit() and used.strip().isdigit():
        free = min(free, int(limit) - int(used))
    return free


def processes_killed() -> int:
    """How many processes of this control group the kernel has killed for want of memory."""
    for line in _read("/sys/fs/cgroup/memory.events").splitlines():
        if line.startswith("oom_kill "):
            return int(line.split()[1])
    return 0


# What the heaviest source takes, and Bazel itself.
_MEMORY_OF_A_JOB = int(1.3 * _GIB)
_MEMORY_OF_BAZEL = 1 * _GIB


def memory(jobs: int, available: int, killed: int) -> Finding:
    """Whether so many compilers fit into memory.

    Args:
      jobs: how many run at a time.
      available: bytes.
      killed: processes that the kernel killed already.
    """
    fit = max(1, (available - _MEMORY_OF_BAZEL) // _MEMORY_OF_A_JOB)
    says = f"{available / _GIB:.1f} GiB available for {jobs} jobs of up to 1.3 GiB"
    line = f"echo 'build --jobs={min(fit, jobs)}' >> .bazelrc.user"
    if jobs > fit:
        return Finding("memory", FAULT, says + "; a compiler may be Killed", line)
    if killed:
        says += f"; the kernel has killed {killed} processes for want of memory"
        return Finding(
            "memory", WARNING, says, f"echo 'build --jobs={max(1, jobs // 2)}' >> .bazelrc.user"
        )
    return Finding("memory", OK, says)


def clock(files: Iterable[Path], now: float | None = None) -> Finding:
    """Whether the clock is behind what was written before.

    Args:
      files: that were written in the past.
      now: the time, where the caller knows better.
    """
    now = time.time() if now is None else now
    ahead = [(path.stat().st_mtime - now, path) for path in files if path.exists()]
    seconds, path = max(ahead, default=(0.0, Path()))
    if seconds > 60:
        says = f"{path} was written {seconds:.0f} s in the future: the clock is off"
        return Finding("clock", FAULT, says, "sudo timedatectl set-ntp true")
    return Finding("clock", OK, time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now)))


def home() -> Finding:
    """Whether HOME can be written, where caches go."""
    name = os.environ.get("HOME", "")
    if not name:
        return Finding("home", WARNING, "HOME is not set", "export HOME=/tmp/$(id -un)")
    return disk("home", Path(name), 1 * _GIB, "export HOME=/tmp/$(id -un)")


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
