"""Makes a tree that is another one with its BUILD files replaced by others.

Folders that hold a BUILD file, in either tree, are made; everything else is a link into the source,
so that an edit there is seen at once. Run as `lay_over.py SOURCE OVERLAY OUT`; prints the folders
that were made, for which new entries in the source mean a new layout.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

BUILD_FILES = ("BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "REPO.bazel")
# What a build or an editor leaves in a checkout; nothing of it is a source.
SKIPPED = (".git", "build", "dist", "__pycache__", ".mypy_cache", "bazel-out", "bazel-bin")


def folders_with_build_files(root: Path) -> set[Path]:
    """The folders below `root`, relative to it, that hold a BUILD file, and those above them."""
    found = {Path()}
    for parent, folders, files in os.walk(root):
        folders[:] = [
            name for name in folders if name not in SKIPPED and not name.startswith("bazel-")
        ]
        if any(name in BUILD_FILES for name in files):
            below = Path(parent).relative_to(root)
            found |= {below, *below.parents}
    return found


def lay_over(source: Path, overlay: Path, out: Path) -> list[Path]:
    """Links `source` and the BUILD files of `overlay` into `out`; returns what it made."""
    made = folders_with_build_files(source) | folders_with_build_files(overlay)
    for folder in sorted(made):
        (out / folder).mkdir(parents=True, exist_ok=True)
        entries: dict[str, Path] = {}
        for tree in (source, overlay):
            if not (tree / folder).is_dir():
                continue
            for entry in sorted((tree / folder).iterdir()):
                if tree == source and (entry.name in BUILD_FILES or entry.name in SKIPPED):
                    continue
                if folder / entry.name not in made:
                    entries[entry.name] = entry
        for name, entry in entries.items():
            link = out / folder / name
            if link.is_symlink():
                link.unlink()
            link.symlink_to(entry)
    return sorted(made)


def main() -> None:
    """Lays one tree over another."""
    source, overlay, out = (Path(word) for word in sys.argv[1:])
    for folder in lay_over(source, overlay, out):
        if (source / folder).is_dir():
            print(folder)


if __name__ == "__main__":
    main()
