"""Builds on real workers: the same bytes as here, also when a worker dies or lacks the compiler.

The first run installs BuildGrid, PostgreSQL and buildbox, as `./remote/cluster up` does: half a
minute. What takes longer is in cluster_faults_test.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.remote.cluster import OwnCluster, add_actions, right, started, use, while_slow_runs
from tests.remote.proofs_test import TARGETS, the_same
from tests.remote.proofs_test import build as build_tree
from tests.remote.workspace import Workspace, tree_checkout
from tools.lint.tree import source_root

pytest_plugins = ["tests.remote.cluster_fixtures"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[OwnCluster]:
    with started() as made:
        yield made


def ancestors(pid: int) -> list[int]:
    """A process and those that started it."""
    found = []
    while pid > 0:
        found.append(pid)
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        pid = int(stat.rpartition(")")[2].split()[1])
    return found


def test_actions_run_on_workers(cluster: OwnCluster, checkout: Workspace) -> None:
    built = checkout.build("--config=remote", "--noremote_local_fallback", "//:third")
    right(checkout, built)
    assert built.processes("remote") == 3, built.said
    assert "Runner exited with code 0" in cluster.log("worker1") + cluster.log("worker2")
    checkout.bazel("clean")
    again = checkout.build("--config=remote-cache", "//:third")
    right(checkout, again)
    assert again.processes("remote cache hit") == 3, again.said


def test_remote_and_here_the_same_digests(
    cluster: OwnCluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    checkout = tree_checkout(source_root(), folder / "checkout")
    try:
        use(checkout, cluster)
        logs = folder / "logs"
        logs.mkdir()
        here = build_tree(checkout, logs / "here.json")
        options = ("--config=remote", "--noremote_local_fallback", "--jobs=4")
        there = build_tree(checkout, logs / "there.json", *options)
        assert {action.runner for action in there.actions} == {"remote"}, TARGETS
        the_same(here, there)
    finally:
        checkout.close()


def test_status_names_what_died(cluster: OwnCluster) -> None:
    assert cluster.run("status").returncode == 0
    cluster.kill("worker2")
    time.sleep(0.5)
    status = cluster.run("status")
    assert status.returncode == 1
    assert "worker2 died; the end of its log:" in status.stdout
    # What is dead is started, what lives stays.
    cluster.up()
    assert cluster.run("status").returncode == 0


def test_an_action_goes_to_the_pool_that_it_names(
    cluster: OwnCluster, checkout: Workspace, tmp_path: Path
) -> None:
    add_actions(checkout, tmp_path / "unused")
    cluster.kill("worker2")
    time.sleep(0.5)
    cluster.up("--pools", "heavy")
    options = ("--config=remote", "--noremote_local_fallback", "--noremote_accept_cached")
    for target, ran in (("first", [1, 0]), ("heavy", [0, 1])):
        before = [cluster.log(name).count("Runner exited") for name in ("worker1", "worker2")]
        built = checkout.build(*options, f"//:{target}")
        right(checkout, built, target)
        after = [cluster.log(name).count("Runner exited") for name in ("worker1", "worker2")]
        assert [new - old for old, new in zip(before, after, strict=True)] == ran, target
    cluster.kill("worker2")
    time.sleep(0.5)
    cluster.up()


def test_a_worker_dies_with_an_action(
    cluster: OwnCluster, checkout: Workspace, tmp_path: Path
) -> None:
    """Another worker runs it."""
    marker = tmp_path / "ran"
    add_actions(checkout, marker)
    killed: list[str] = []

    def kill_who_runs_it() -> None:
        above = ancestors(int(marker.read_text(encoding="utf-8").split()[0]))
        killed.extend(name for name in ("worker1", "worker2") if cluster.group(name) in above)
        for name in killed:
            cluster.kill(name)

    built = while_slow_runs(checkout, marker, threading.Thread(target=kill_who_runs_it))
    right(checkout, built, "slow")
    assert len(killed) == 1
    assert len(marker.read_text(encoding="utf-8").split()) == 2, "it ran once"
    cluster.up()


def test_a_compiler_that_nobody_has(
    cluster: OwnCluster, checkout: Workspace, tmp_path: Path
) -> None:
    """Without a sandbox the worker cannot start it, and says so."""
    add_actions(checkout, tmp_path / "unused", compiler="/opt/no-such/gcc")
    refused = checkout.build("--config=remote", "--noremote_local_fallback", "//:compiled")
    assert refused.status == 34, refused.said
    assert "/opt/no-such/gcc" in refused.said
    assert f"bazelw: the remote server {cluster.url} cannot be used" in refused.said
    built = checkout.build("--config=remote", "//:compiled")
    assert built.status == 1, built.said
    assert '"execvp(/opt/no-such/gcc, ...)": No such file or directory' in built.said


def test_a_worker_without_the_compiler(
    cluster: OwnCluster, checkout: Workspace, tmp_path: Path
) -> None:
    """A compiler of this machine, in a folder that sandboxed workers do not see."""
    compiler = tmp_path / "gcc"
    compiler.write_text('#!/bin/sh\ntr a-z A-Z < "$2" > "$4"\n')
    compiler.chmod(0o755)
    add_actions(checkout, tmp_path / "unused", compiler=str(compiler))
    for worker in ("worker1", "worker2"):
        cluster.kill(worker)
    time.sleep(0.5)
    cluster.up("--sandbox")
    options = ("--config=remote", "--noremote_local_fallback", "--noremote_accept_cached")
    seen = checkout.build(*options, "//:first")
    right(checkout, seen, "first")
    assert seen.processes("remote") == 1, seen.said
    for fallback in ("--remote_local_fallback", "--noremote_local_fallback"):
        refused = checkout.build("--config=remote", fallback, "//:compiled")
        assert refused.status == 1, refused.said
        assert f"execvp {compiler}: No such file or directory" in refused.said
        assert f"bazelw: this was built by the workers of {cluster.url}" in refused.said
        assert "--remote_executor=" in refused.said
    guide = (source_root() / "docs/errors.md").read_text(encoding="utf-8")
    assert "gcc: No such file or directory" in guide
    here = checkout.build("--remote_executor=", "--spawn_strategy=local", "//:compiled")
    right(checkout, here, "compiled")
