"""Builds on real workers, and what becomes of them when a part of the cluster fails.

    ./bazelw test //tests/remote:cluster_test

The first run installs BuildGrid, PostgreSQL and buildbox, as `./remote/cluster up` does.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.remote.proofs_test import TARGETS, the_same
from tests.remote.proofs_test import build as build_tree
from tests.remote.workspace import (
    SMALL_BUILD,
    Built,
    Workspace,
    expected,
    small_workspace,
    tree_checkout,
)
from tools.lint.tree import source_root

# An action that tells where it runs and waits until somebody did what the test is about.
SLOW = """
genrule(
    name = "slow",
    srcs = ["input.txt"],
    outs = ["slow.txt"],
    cmd = "echo $$PPID >> {marker}; sleep {seconds}; tr a-z A-Z < $< > $@",
)

compile(
    name = "compiled",
    src = "input.txt",
)
"""
# Not through a shell, as compilers are called.
COMPILE = """
def _compile(ctx):
    out = ctx.actions.declare_file("compiled.txt")
    ctx.actions.run(
        outputs = [out],
        inputs = [ctx.file.src],
        executable = "COMPILER",
        arguments = ["-c", ctx.file.src.path, "-o", out.path],
        mnemonic = "CppCompile",
    )
    return [DefaultInfo(files = depset([out]))]

compile = rule(implementation = _compile, attrs = {"src": attr.label(allow_single_file = True)})
"""


def free_port() -> int:
    """A port whose successor is free too, very likely."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


class Cluster:
    """A cluster of a test's own, with the programs that are installed already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        home = pwd.getpwuid(os.getuid()).pw_dir
        command = [str(source_root() / "remote/cluster"), "--folder", str(self.folder)]
        return subprocess.run(
            [*command, *arguments],
            env={"PATH": os.environ.get("PATH", os.defpath), "HOME": home},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def up(self, *arguments: str) -> str:
        result = self.run("up", "--port", str(self.port), "--worker-timeout", "5", *arguments)
        assert result.returncode == 0, result.stdout
        return result.stdout

    def down(self) -> None:
        self.run("down", "--clean")

    def kill(self, name: str) -> None:
        """Ends a service at once, as a machine does that loses its power."""
        record = json.loads((self.folder / f"run/{name}.json").read_text(encoding="utf-8"))
        os.killpg(record["pid"], signal.SIGKILL)

    def log(self, name: str) -> str:
        return (self.folder / f"logs/{name}.log").read_text(encoding="utf-8", errors="replace")

    @property
    def url(self) -> str:
        return f"grpc://127.0.0.1:{self.port}"


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    # A short path: PostgreSQL's socket is in it.
    folder = Path(tempfile.mkdtemp(prefix="cluster", dir="/tmp"))
    made = Cluster(folder)
    try:
        made.up()
        yield made
    finally:
        made.down()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    made = small_workspace(source_root(), tmp_path_factory.mktemp("small") / "tree")
    yield made
    made.close()


@pytest.fixture
def checkout(workspace: Workspace, cluster: Cluster) -> Workspace:
    """The small workspace, which built nothing yet and knows the cluster."""
    workspace.bazel("clean")
    use(workspace, cluster)
    return workspace


def use(checkout: Workspace, cluster: Cluster, *lines: str) -> None:
    checkout.settings(
        f"build:executor-endpoint --remote_executor={cluster.url}",
        f"build:cache-endpoint --remote_cache={cluster.url}",
        *lines,
    )


def add_actions(checkout: Workspace, marker: Path, seconds: int = 4, compiler: str = "") -> None:
    """Adds the slow action and one with a compiler of its own."""
    text = f'load(":compile.bzl", "compile")\n{SMALL_BUILD}'
    text += SLOW.format(marker=marker, seconds=seconds)
    (checkout.root / "BUILD.bazel").write_text(text, encoding="utf-8")
    (checkout.root / "compile.bzl").write_text(
        COMPILE.replace("COMPILER", compiler), encoding="utf-8"
    )


def while_slow_runs(
    checkout: Workspace, marker: Path, action: threading.Thread, *options: str
) -> Built:
    """Builds the slow action, and does something while it runs."""
    found: list[Built] = []
    command = ("--config=remote", "--spawn_strategy=remote", *options, "//:slow")
    builder = threading.Thread(target=lambda: found.append(checkout.build(*command)))
    builder.start()
    deadline = time.monotonic() + 300
    while not marker.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert marker.exists(), "the action never started"
    action.start()
    builder.join()
    action.join()
    return found[0]


def right(checkout: Workspace, built: Built, name: str = "third") -> None:
    assert built.status == 0, built.said
    wanted = expected("first" if name in ("slow", "compiled") else name)
    assert checkout.output(f"{name}.txt").decode() == wanted, built.said


def test_actions_run_on_workers(cluster: Cluster, checkout: Workspace) -> None:
    built = checkout.build("--config=remote", "--noremote_local_fallback", "//:third")
    right(checkout, built)
    assert built.processes("remote") == 3, built.said
    assert "Runner exited with code 0" in cluster.log("worker1") + cluster.log("worker2")
    checkout.bazel("clean")
    again = checkout.build("--config=remote-cache", "//:third")
    right(checkout, again)
    assert again.processes("remote cache hit") == 3, again.said


def test_status_names_what_died(cluster: Cluster) -> None:
    assert cluster.run("status").returncode == 0
    cluster.kill("worker2")
    time.sleep(0.5)
    status = cluster.run("status")
    assert status.returncode == 1
    assert "worker2 died; the end of its log:" in status.stdout
    # What is dead is started, what lives stays.
    cluster.up()
    assert cluster.run("status").returncode == 0


def test_a_worker_dies_with_an_action(
    cluster: Cluster, checkout: Workspace, tmp_path: Path
) -> None:
    """Another worker runs it."""
    marker = tmp_path / "ran"
    add_actions(checkout, marker)

    def kill_who_runs_it() -> None:
        for name in ("worker1", "worker2"):
            if (
                "Executing" in cluster.log(name)
                or "Runner" in cluster.log(name).split("Starting")[-1]
            ):
                cluster.kill(name)
                return
        cluster.kill("worker1")

    built = while_slow_runs(checkout, marker, threading.Thread(target=kill_who_runs_it))
    right(checkout, built, "slow")


def test_all_workers_die(cluster: Cluster, checkout: Workspace, tmp_path: Path) -> None:
    """The scheduler gives back what nobody takes."""
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
    cluster: Cluster, checkout: Workspace, tmp_path: Path
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
    cluster: Cluster, checkout: Workspace, tmp_path: Path
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
    cluster: Cluster, checkout: Workspace, tmp_path: Path
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


def test_the_disk_of_the_cache_is_full(cluster: Cluster, checkout: Workspace) -> None:
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


def test_a_compiler_that_nobody_has(cluster: Cluster, checkout: Workspace, tmp_path: Path) -> None:
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
    cluster: Cluster, checkout: Workspace, tmp_path: Path
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
    seen = checkout.build("--config=remote", "--noremote_local_fallback", "//:first")
    right(checkout, seen, "first")
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


def test_remote_and_here_the_same_digests(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
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
