"""The files of the source tree, for tests about all of them.

Such a test runs outside the sandbox and starts from where a runfile really lies, so that no
package can forget to list its files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_SKIPPED = {"__pycache__", "node_modules"}
# The last is a directory in a checkout and a file in a worktree.
_NOT_SOURCES = (".pyc", ".user", ".bazelrc.mode", "compile_commands.json", ".git")


def source_root() -> Path:
    """The directory of the checked-out tree, under `bazel run` and under `bazel test`."""
    if workspace := os.environ.get("BUILD_WORKSPACE_DIRECTORY"):
        return Path(workspace)
    return Path("MODULE.bazel").resolve(strict=True).parent


def tree_files(root: Path) -> Iterator[Path]:
    """Every file of the tree, in order, without what git and builds leave beside it."""
    for directory, subdirectories, names in os.walk(root):
        subdirectories[:] = sorted(
            name
            for name in subdirectories
            if name not in _SKIPPED
            and (not name.startswith(".") or name in {".ci", ".github"})
            and not (Path(directory) == root and name.startswith("bazel-"))
        )
        for name in sorted(names):
            path = Path(directory, name)
            if not path.is_symlink() and not name.endswith(_NOT_SOURCES):
                yield path
