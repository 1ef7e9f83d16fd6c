"""Facts for a report of a problem: python -m torch.utils.collect_env"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from torch import _health

_PACKAGES = re.compile(r"torch|numpy|triton|nvidia|cuda|mkl|onnx", re.IGNORECASE)
_UNKNOWN = "Could not collect"


def _first_line(*command: str) -> str:
    """What a program says first; a standing phrase when it is not there."""
    if not shutil.which(command[0]):
        return _UNKNOWN
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0] if done.returncode == 0 and lines else _UNKNOWN


def _system() -> str:
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return platform.platform()
    return f"{release.get('PRETTY_NAME', release['NAME'])} ({platform.machine()})"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"^model name\s*:\s*(.*)$", file.read(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or _UNKNOWN


def _packages() -> list[str]:
    found = {
        f"{distribution.metadata['Name']}=={distribution.version}"
        for distribution in importlib.metadata.distributions()
        if _PACKAGES.search(distribution.metadata["Name"] or "")
    }
    return [f"[pip3] {package}" for package in sorted(found)]


def checks() -> list[_health.Finding]:
    """What is checked of the installation and of the machine."""
    import torch

    installed = _health.broken_libraries(torch.__path__)
    for directory in [] if installed else torch.__path__:
        installed += _health.mixed_files(Path(directory))
    temporary = Path(tempfile.gettempdir())
    return [
        *installed,
        _health.home(),
        _health.disk("temporary files", temporary, 1 << 30, "export TMPDIR=$HOME/tmp"),
        _health.clock(Path(directory, "__init__.py") for directory in torch.__path__),
    ]


def get_pretty_env_info() -> str:
    """The whole report; torch's own part says why it is missing when torch does not load."""
    try:
        import torch
        import torch.__config__

        version, debug = str(torch.__version__), str(torch.version.debug)
        cuda = torch.version.cuda or "None"
        details = torch.__config__.show() + "\n\n" + torch.__config__.parallel_info()
    except ImportError as error:
        version, debug, cuda, details = f"N/A: {error}", "N/A", "N/A", ""
    bits = "64-bit" if sys.maxsize > 2**32 else "32-bit"
    lines = [
        f"PyTorch version: {version}",
        f"Is debug build: {debug}",
        f"CUDA used to build PyTorch: {cuda}",
        "",
        f"OS: {_system()}",
        f"GCC version: {_first_line('gcc', '--version')}",
        f"Clang version: {_first_line('clang', '--version')}",
        f"CMake version: {_first_line('cmake', '--version')}",
        f"Libc version: {'-'.join(platform.libc_ver())}",
        "",
        f"Python version: {platform.python_version()} ({bits} runtime)",
        f"Python platform: {platform.platform()}",
        f"CUDA compiler: {_first_line('nvcc', '--version')}",
        f"GPU driver: {_first_line('nvidia-smi', '-L')}",
        "",
        f"CPU: {_processor()}",
        "",
        "Versions of relevant libraries:",
        *(_packages() or [_UNKNOWN]),
    ]
    findings = "\n".join(finding.text() for finding in checks())
    return "\n".join([*lines, "", details.rstrip(), "", "Checks:", findings]).rstrip() + "\n"


def main() -> None:
    """Prints the report."""
    print("Collecting environment information...")
    print(get_pretty_env_info(), end="")


if __name__ == "__main__":
    main()
