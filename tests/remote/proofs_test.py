"""Builds of the same sources are the same, whoever makes them: what a shared cache rests on.

A part of the tree (C++ libraries, a linked program, generated code) is built in one checkout and
then in another, at another path and with another output base.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.remote.cache_server import CacheServer
from tests.remote.workspace import Workspace, tree_checkout
from tools.lint.tree import source_root
from tools.report.compare import first_difference
from tools.report.execution_log import Action, read_log

# To prove it of everything:
#   ./bazelw test //tests/remote:proofs_test --test_env=TARGETS=//... --test_timeout=3600
TARGETS = os.environ.get(
    "TARGETS",
    "//c10/util:util //c10/util:exception_test //aten/src/ATen/ops:generated",
).split()


@dataclass
class Built:
    """What a build did and made.

    Attributes:
      actions: its execution log.
      outputs: digests of its output files.
      said: what Bazel printed.
    """

    actions: list[Action]
    outputs: dict[str, str]
    said: str


def build(checkout: Workspace, log: Path, *options: str) -> Built:
    """Builds, and fetches everything that was made."""
    checkout.bazel("clean")
    log.unlink(missing_ok=True)
    built = checkout.build(
        *options,
        "--remote_download_outputs=all",
        f"--execution_log_json_file={log}",
        *TARGETS,
    )
    assert built.status == 0, built.said[-6000:]
    return Built(read_log(log), checkout.digests(), built.said)


def the_same(left: Built, right: Built) -> None:
    """Both did and made the same; names the first action that did not."""
    found = first_difference(left.actions, right.actions)
    assert found is None, found
    assert left.outputs == right.outputs
    assert len(left.outputs) > 20


@pytest.fixture(scope="module")
def server() -> Iterator[CacheServer]:
    made = CacheServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def checkouts(
    tmp_path_factory: pytest.TempPathFactory, server: CacheServer
) -> Iterator[list[Workspace]]:
    folder = tmp_path_factory.mktemp("proofs")
    roots = [folder / "here", folder / "another/place/of-the-same-tree"]
    made = [tree_checkout(source_root(), root) for root in roots]
    for checkout in made:
        checkout.settings(f"build:cache-endpoint --remote_cache={server.url}")
    yield made
    for checkout in made:
        checkout.close()


@pytest.fixture(scope="module")
def first(checkouts: list[Workspace], tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The build of continuous integration, which fills the cache."""
    return build(checkouts[0], tmp_path_factory.mktemp("first") / "log.json", "--config=ci-writer")


def test_another_checkout_is_all_hits(
    first: Built, checkouts: list[Workspace], server: CacheServer, tmp_path: Path
) -> None:
    held = dict(server.blobs)
    second = build(checkouts[1], tmp_path / "log.json", "--config=remote-cache")
    missed = [f"{a.mnemonic} {a.name}" for a in second.actions if not a.cached]
    assert not missed, f"{missed}\n{first_difference(first.actions, second.actions)}"
    assert len(second.actions) == len(first.actions) > 10
    the_same(first, second)
    assert server.blobs == held


def test_without_a_sandbox_the_same_digests(
    first: Built, checkouts: list[Workspace], tmp_path: Path
) -> None:
    alone = build(checkouts[1], tmp_path / "log.json", "--spawn_strategy=local")
    assert {action.runner for action in alone.actions} == {"local"}
    the_same(first, alone)


def test_another_compilation_mode_is_another_build(
    first: Built, checkouts: list[Workspace], tmp_path: Path
) -> None:
    """Its actions share nothing with the release's, and are hits elsewhere too."""
    mode = "--compilation_mode=fastbuild"
    filled = build(checkouts[0], tmp_path / "filled.json", "--config=ci-writer", mode)
    compiled = [a for a in filled.actions if a.mnemonic == "CppCompile"]
    assert compiled
    assert not any(action.cached for action in compiled)
    second = build(checkouts[1], tmp_path / "log.json", "--config=remote-cache", mode)
    assert all(action.cached for action in second.actions)
    the_same(filled, second)


def test_a_difference_is_named(first: Built, checkouts: list[Workspace], tmp_path: Path) -> None:
    """The proof fails where it should: a header that another checkout has otherwise."""
    header = checkouts[1].root / "c10/util/Exception.h"
    text = header.read_text(encoding="utf-8")
    header.write_text(text + "// Somebody's comment.\n", encoding="utf-8")
    try:
        other = build(checkouts[1], tmp_path / "log.json", "--config=remote-cache")
    finally:
        header.write_text(text, encoding="utf-8")
    found = first_difference(first.actions, other.actions)
    assert found is not None
    assert found.startswith("CppCompile of //c10/")
    assert "  input c10/util/Exception.h: " in found
    # A comment leaves the object files as they were, so nothing after them differs.
    assert any(a.cached for a in other.actions if a.mnemonic == "CppLink"), other.said[-3000:]
