"""What becomes of builds when workers, scheduler or cache of a cluster fail: some minutes.

./bazelw test //tests/remote:cluster_faults_test
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.remote.cluster import OwnCluster, add_actions, right, started, while_slow_runs
from tests.remote.workspace import Workspace

pytest_plugins = ["tests.remote.cluster_fixtures"]


@pytest.fixture
def cluster() -> Iterator[OwnCluster]:
    with started() as made:
        yield made


def test_all_workers_die(cluster: OwnCluster, checkout: Workspace, tmp_path: Path) -> None:
    """The scheduler returns actions that no worker takes."""
    cluster.kill("buildgrid")
    time.sleep(0.5)
    cluster.up("--queue-timeout", "5")
    marker = tmp_path / "ran"
    add_actions(checkout, marker, compiler="/bin/true")

    def die() -> None:
        cluster.kill("worker1")
        cluster.kill("worker2")

    options = ("--remote_retries=1", "--spawn_strategy=remote,local")
    built = while_slow_runs(checkout, marker, threading.Thread(target=die), *options)
    right(checkout, built, "slow")
    assert built.processes("local") == 1, built.said
    options = ("--config=remote", "--remote_retries=0", "--noremote_local_fallback")
    refused = checkout.build(*options, "//:first")
    assert refused.status == 34, refused.said
    assert "Operation has been queued for too long" in refused.said
    assert f"bazelw: the remote server {cluster.url} cannot be used" in refused.said


def test_the_scheduler_restarts_with_an_action_running(
    cluster: OwnCluster, checkout: Workspace, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    add_actions(checkout, marker)

    def restart() -> None:
        cluster.kill("buildgrid")
        time.sleep(1)
        cluster.up()

    # Without patience (the tree's settings: three retries in some seconds) it would be built here.
    options = ("--remote_retries=60", "--noremote_local_fallback")
    built = while_slow_runs(checkout, marker, threading.Thread(target=restart), *options)
    right(checkout, built, "slow")
    assert built.processes("remote") == 1, built.said


def test_the_cache_restarts_with_an_action_running(
    cluster: OwnCluster, checkout: Workspace, tmp_path: Path
) -> None:
    """What the action made cannot be stored; it runs again."""
    marker = tmp_path / "ran"
    add_actions(checkout, marker)

    def restart() -> None:
        cluster.kill("casd")
        time.sleep(6)
        cluster.up()

    options = ("--remote_timeout=5s", "--remote_retries=60", "--noremote_local_fallback")
    built = while_slow_runs(checkout, marker, threading.Thread(target=restart), *options)
    right(checkout, built, "slow")
    assert built.processes("remote") == 1, built.said
    assert len(marker.read_text(encoding="utf-8").split()) > 1, "it ran once"


def test_the_cache_dies_for_good_with_an_action_running(
    cluster: OwnCluster, checkout: Workspace, tmp_path: Path
) -> None:
    """No action can end any more, so that the scheduler goes too."""
    marker = tmp_path / "ran"
    add_actions(checkout, marker, compiler="/bin/true")

    def die() -> None:
        cluster.kill("casd")

    options = ("--remote_retries=1", "--remote_timeout=5s", "--spawn_strategy=remote,local")
    built = while_slow_runs(checkout, marker, threading.Thread(target=die), *options)
    right(checkout, built, "slow")
    assert built.processes("local") == 1, built.said
    # From now on nothing gets as far as that.
    options = ("--config=remote", "--remote_retries=1", "--remote_timeout=5s")
    refused = checkout.build(*options, "--noremote_local_fallback", "//:second")
    assert refused.status == 34, refused.said
    assert f"bazelw: the remote server {cluster.url} cannot be used" in refused.said
    right(checkout, checkout.build(*options, "//:third"))


def test_the_disk_of_the_cache_is_full(cluster: OwnCluster, checkout: Workspace) -> None:
    """A quota that not one of the outputs fits into."""
    cluster.kill("casd")
    time.sleep(0.5)
    shutil.rmtree(cluster.folder / "cas")
    cluster.up("--quota", "4K")
    options = ("--config=remote", "--remote_timeout=5s")
    built = checkout.build(*options, "//:third")
    right(checkout, built)
    assert built.processes("local") == 3, built.said
    checkout.bazel("clean")
    refused = checkout.build(*options, "--noremote_local_fallback", "//:third")
    assert refused.status == 34, refused.said
    assert "Error while uploading artifact" in refused.said
    assert f"bazelw: the remote server {cluster.url} cannot be used" in refused.said
