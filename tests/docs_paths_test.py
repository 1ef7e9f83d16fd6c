"""What the pages for people name exists: files, folders and packages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.lint.tree import source_root, tree_files

ROOT = source_root()
FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != ".")
FOLDERS = [name for name in FOLDERS if not name.startswith("bazel-")]
# A changelog speaks of what is gone, too, and packaging of what is installed.
OTHERS = {"CHANGELOG.md", "packaging.md"}
PAGES = [path for path in tree_files(ROOT) if path.suffix == ".md" and path.name not in OTHERS]


def named(text: str, folders: list[str]) -> Iterator[str]:
    """Paths from the root of the tree, of files and of packages, in the code spans of a page.

    Those with a placeholder in them are left out: `<name>`, `X.cpp`, `_N.cpp`.
    """
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for span in re.findall(r"`([^`]+)`", text):
        if found := re.fullmatch(r"//([\w./-]*)(:[\w./+-]+)?", span):
            path = found[1].removesuffix("...").rstrip("/")
            if path:
                yield path
        elif (
            re.fullmatch(r"[\w.+-]+(/[\w.+-]+)+/?", span)
            and span.split("/")[0] in folders
            and not re.search(r"\bX|X\b|_N\.", span)
        ):
            yield span.rstrip("/")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_names_what_exists(page: Path) -> None:
    paths = set(named(page.read_text(encoding="utf-8"), FOLDERS))
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_paths_are_found() -> None:
    text = (
        "`c10/core/Device.h`, `//c10/core:core` and `//tests/...`; not `a/b`, `c10/X.cpp`, "
        "`//...`,\n`c10/<name>` nor\n\n```sh\n`c10/gone`\n```\n"
    )
    assert list(named(text, ["c10"])) == ["c10/core/Device.h", "c10/core", "tests"]
