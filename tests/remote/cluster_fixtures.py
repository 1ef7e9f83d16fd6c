"""Fixtures of the tests that have a cluster; each says itself how long its `cluster` lives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.remote.cluster import OwnCluster, use
from tests.remote.workspace import Workspace, small_workspace
from tools.lint.tree import source_root


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    made = small_workspace(source_root(), tmp_path_factory.mktemp("small") / "tree")
    yield made
    made.close()


@pytest.fixture
def checkout(workspace: Workspace, cluster: OwnCluster) -> Workspace:
    """The small workspace, which built nothing yet and knows the cluster."""
    workspace.bazel("clean")
    use(workspace, cluster)
    return workspace
