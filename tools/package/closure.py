"""Whether everything that packaged libraries load at run time will be there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tools.package.elf import Needs
from tools.package.platform_tag import MANYLINUX_LIBRARIES


class PackageError(Exception):
    """The package cannot work; the message says why and what to do."""


def closure_errors(libraries: Mapping[str, Needs], declared: Collection[str] = ()) -> list[str]:
    """Says what is missing.

    Args:
      libraries: what each packaged file needs, by its path in the package.
      declared: names of libraries that come with a package this one depends on.

    Returns:
      A sentence for each library that is needed and neither packaged, declared nor part of every
      Linux system; empty when all is there.
    """
    inside = {needs.soname or path.rsplit("/", 1)[-1] for path, needs in libraries.items()}
    available = inside | set(declared) | MANYLINUX_LIBRARIES
    return [
        f"{path} needs {name}, which is not in the package, not of a declared dependency and not "
        "part of every Linux system. Bundle it (`runtime_libraries` of the install_tree in "
        "//torch/BUILD.bazel) or link it statically"
        for path, needs in sorted(libraries.items())
        for name in needs.needed
        if name not in available
    ]
