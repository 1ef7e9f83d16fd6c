"""contract.bzl names what the tree uses of each module, and nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.lint.tree import source_root, tree_files

ROOT = source_root()
CONTRACT = ROOT / "tests/system_mode/contract.bzl"
# Modules of their own, which stand for others or depend on this one.
ELSEWHERE = (
    "third_party/system/",
    "third_party/system_registry/",
    "tests/package/consumer/",
    "overlay/pytorch/files/",
)

# @metal and @vulkan are repositories of this module's own.
LOAD = re.compile(r'load\(\s*"(@(?!torch//|metal//|vulkan//)\w+//[^"]*)",([^)]*)\)')
SYMBOL = re.compile(r'"(\w+)"')


def build_files() -> Iterator[Path]:
    for path in tree_files(ROOT):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in {".bazel", ".bzl"} and not name.startswith(ELSEWHERE):
            yield path


def loads(path: Path) -> set[tuple[str, str]]:
    """Files of other modules that a file loads, with each symbol."""
    text = path.read_text(encoding="utf-8")
    return {
        (label, symbol)
        for label, symbols in LOAD.findall(text)
        # The tree's own rule makes these repositories in both modes.
        if not label.startswith("@pytorch_")
        for symbol in SYMBOL.findall(symbols)
    }


def stand_ins() -> list[str]:
    return sorted(path.parent.name for path in ROOT.glob("third_party/system/*/MODULE.bazel"))


def labels(path: Path) -> set[str]:
    """Labels of modules that have a stand-in."""
    text = LOAD.sub("", path.read_text(encoding="utf-8"))
    found = re.findall(rf'"(@(?:{"|".join(stand_ins())})(?://[^"]*)?)"', text)
    # Beginnings of labels are what tests/layers looks for.
    return {label for label in found if not label.endswith(":")}


def test_every_load_is_in_the_contract() -> None:
    used = {load for path in build_files() if path != CONTRACT for load in loads(path)}
    assert len(used) > 20
    written = loads(CONTRACT)
    assert sorted(used - written) == [], "the tree loads it: write it into contract.bzl"
    assert sorted(written - used) == [], "nothing loads it any more: take it out of contract.bzl"


def test_every_label_is_in_the_contract() -> None:
    used = {label for path in build_files() if path != CONTRACT for label in labels(path)}
    assert len(used) > 5
    written = labels(CONTRACT)
    assert sorted(used - written) == [], "the tree names it: write it into contract.bzl"
    assert sorted(written - used) == [], "nothing names it any more: take it out of contract.bzl"


@pytest.mark.parametrize("case", ["_FOUND", "_NONE"])
def test_the_toolkit_has_every_label_with_and_without_one(case: str) -> None:
    """A build without CUDA loads what names @cuda, on machines that have no toolkit too."""
    text = (ROOT / "toolchains/cuda/extensions.bzl").read_text(encoding="utf-8")
    written = re.search(rf'^{case} = """(.*?)^"""', text, re.DOTALL | re.MULTILINE)
    assert written
    here = set(re.findall(r'(?:name = |exports_files\(\[)"([\w.]+)"', written[1]))
    used = {
        label
        for path in build_files()
        for label in re.findall(r'"@cuda//:([\w.]+)', path.read_text(encoding="utf-8"))
    }
    assert len(used) > 3
    assert sorted(used - here) == []


def named_versions(text: str) -> dict[str, str]:
    return dict(re.findall(r'bazel_dep\(name = "(\w+)", version = "([^"]+)"', text))


VERSIONS = named_versions((ROOT / "MODULE.bazel").read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", stand_ins())
def test_a_stand_in_has_the_version_of_its_module(module: str) -> None:
    assert module in VERSIONS, f"MODULE.bazel has no {module}: take third_party/system/{module} out"
    own = (ROOT / "third_party/system" / module / "MODULE.bazel").read_text(encoding="utf-8")
    assert f'version = "{VERSIONS[module]}"' in own.partition("bazel_dep")[0]


def test_users_are_told_the_versions_of_the_module() -> None:
    """Messages and pages name a module's version as MODULE.bazel does."""
    told = {
        path.relative_to(ROOT).as_posix(): named_versions(path.read_text(encoding="utf-8"))
        for path in tree_files(ROOT)
        if path.suffix in {".bzl", ".md"}
    }
    assert "rules_apple" in told["toolchains/metal/extensions.bzl"]
    assert "rules_apple" in told["docs/backends.md"]
    wrong = [
        f"{name} says {module} {version}, MODULE.bazel {VERSIONS[module]}"
        for name, versions in told.items()
        for module, version in versions.items()
        if version != VERSIONS.get(module, version)
    ]
    assert wrong == []


def test_a_child_process_finds_no_modules_that_its_parent_does_not_name() -> None:
    command = [sys.executable, "-c", "import tools.lint.tree"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "No module named 'tools'" in done.stderr
    assert os.environ["PYTHONSAFEPATH"] == "1"
