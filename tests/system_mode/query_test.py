"""Questions to Bazel that reach the modules of its own tools, with no network."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.budget.checkout import Checkout
from tools.lint.tree import source_root

SYSTEM = Path("/usr/share/bazel/embedded_tools").exists()
pytestmark = pytest.mark.skipif(not SYSTEM, reason="needs the distribution's Bazel")


@pytest.fixture(scope="module")
def checkout() -> Iterator[Checkout]:
    """A copy of the tree."""
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as server:
        scratch = Path(directory).resolve()
        result = Checkout.of(source_root(), scratch / "tree", scratch / "output_base", ())
        server.callback(result.bazel, "shutdown")
        yield result


def test_the_graph_of_modules(checkout: Checkout) -> None:
    graph = checkout.must("mod", "graph")
    assert "rules_cuda@" in graph


def test_what_the_tools_of_bazel_link(checkout: Checkout) -> None:
    labels = checkout.must("query", "deps(@bazel_tools//third_party/zlib)").splitlines()
    assert any(label.startswith("@@zlib") and label.endswith("//:zlib") for label in labels)


def test_a_path_between_two_targets(checkout: Checkout) -> None:
    path = checkout.must("query", "somepath(//c10:libc10, //c10/util)").splitlines()
    assert (path[0], path[-1]) == ("//c10:libc10", "//c10/util:util")


def test_libraries_that_are_not_installed_can_be_asked_about(checkout: Checkout) -> None:
    """A query loads every branch of `--blas`; whichever is absent is a target like the others."""
    names = ("atlas", "blis", "flexiblas", "openblas")
    question = " + ".join(f"deps(@{name}//...)" for name in names)
    labels = checkout.must("query", question).splitlines()
    for name in names:
        assert any(label.endswith(f"{name}//:headers") for label in labels), name


def test_nothing_is_javas(checkout: Checkout) -> None:
    """Bazel reads the toolchains of every module before it analyses a target."""
    checkout.must("build", "--nobuild", "//c10/macros")
    fetched = (checkout.output_base / "external").iterdir()
    assert [path.name for path in fetched if "jdk" in path.name] == []
    refused = checkout.bazel("build", "--nobuild", "@bazel_tools//tools/jdk:jdk")
    assert refused.returncode != 0
    assert "system mode has no toolchain of Java" in refused.stderr
    assert "BAZELW_MODE=registry ./bazelw ..." in refused.stderr
