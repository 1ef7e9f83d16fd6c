"""The wheel on an older distribution: its C library, its C++ library and its Python.

./bazelw run //tests/package:older_system    # Debian 12: glibc 2.36 and CPython 3.11

Takes Debian's packages apart in a directory and runs Python there by chroot, as root.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

_WHEEL = Path(os.environ["WHEEL"])
_HELLO = Path(os.environ["HELLO"])
_PACKAGES = (
    *("libbz2-1.0", "libc6", "libcrypt1", "libexpat1", "libffi8", "libgcc-s1", "liblzma5"),
    *(
        "libpython3.11-minimal",
        "libpython3.11-stdlib",
        "libstdc++6",
        "python3.11-minimal",
        "zlib1g",
    ),
)
_PROGRAM = """
import platform, torch
print(*platform.libc_ver(), "Python", platform.python_version(), "torch", torch.__version__)
x = torch.linspace(0.05, 0.95, 64, dtype=torch.float64)
# What glibc has several versions of, in float32 against float64.
for name in "acos acosh asin atanh cosh hypot lgamma log10 fmod sinh sqrt".split():
    arguments = [x + 1 if name == "acosh" else x] + [x.flip(0)] * (name in ("fmod", "hypot"))
    exact = getattr(torch, name)(*arguments)
    single = getattr(torch, name)(*[one.float() for one in arguments]).double()
    assert torch.allclose(single, exact, rtol=1e-5, atol=1e-6), name
"""


def fetched(directory: Path) -> Path:
    """A root directory with a Python of Debian 12."""
    packages = directory / "packages"
    packages.mkdir()
    words = [f"{one}/bookworm" for one in _PACKAGES]
    done = subprocess.run(
        ["apt-get", "download", "-q", *words],
        capture_output=True,
        check=False,
        cwd=packages,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{done.stderr}apt knows no packages of Debian 12; add bookworm to its sources")
    root = directory / "root"
    for package in sorted(packages.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)
    return root


def main() -> None:
    """Unpacks the system and the wheel, and runs programs."""
    with tempfile.TemporaryDirectory() as name:
        root = fetched(Path(name))
        (wheel,) = _WHEEL.glob("*-cp311-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(root / "site")
        for program in (_PROGRAM, _HELLO.read_text(encoding="utf-8")):
            command = ["/usr/sbin/chroot", root, "/usr/bin/python3.11", "-c", program]
            subprocess.run(command, check=True, env={"PYTHONPATH": "/site"})
        print(f"{wheel.name} works on Debian 12")


if __name__ == "__main__":
    main()
