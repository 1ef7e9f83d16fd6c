"""What to do when the compiled part of the package does not load."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def explain(error: ImportError, directory: Path) -> str:
    """A message for whoever imported the package.

    Args:
      error: what the loader said.
      directory: where the package is installed.

    Returns:
      What is wrong and what to type; the loader's own words where they say it best.
    """
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if found := re.search(r"version `(GLIBC|GLIBCXX|CXXABI)_([\d.]+)' not found", str(error)):
        library, version = found.groups()
        name = "glibc" if library == "GLIBC" else f"a C++ library with {library}"
        return (
            f"this build of torch needs {name} {version} or later, and this system has an older "
            f"one ({error}). Install a wheel whose manylinux tag is at most this system's glibc, "
            "or build it here: pip install . in a checkout"
        )
    if found := re.search(r"(\S+\.so\S*): cannot open shared object file", str(error)):
        return (
            f"torch was not installed completely: {found.group(1)} is missing ({error}). "
            "Install its wheel again: pip install --force-reinstall --no-deps "
            "bazel-bin/torch/wheel/*.whl, in the checkout that made it"
        )
    modules = sorted(path.name for path in directory.glob("_C.*"))
    versions = [re.search(r"cpython-(\d)(\d+)", name) for name in modules]
    built = [f"{version[1]}.{version[2]}" for version in versions if version]
    if built and here not in built:
        return (
            f"torch is built for Python {', '.join(built)}, and this is Python {here}. Make "
            f"the wheel for this one in a checkout: ./bazelw build //torch:wheel "
            f"--python_version={here}; then {sys.executable} -m pip install "
            "bazel-bin/torch/wheel/*.whl"
        )
    if not modules:
        return (
            f"{directory} holds torch's sources and no compiled torch._C. Leave that directory, or "
            "build it: pip install -e ."
        )
    return str(error)
