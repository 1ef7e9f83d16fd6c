"""A cluster of a test's own, and builds while a part of it fails."""

from __future__ import annotations

import contextlib
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

from tests.remote.workspace import SMALL_BUILD, Built, Workspace, expected
from tools.lint.tree import source_root

# An action that tells where it runs and waits until somebody did what the test is about; one for a
# pool of workers; one with a compiler of its own.
SLOW = """
genrule(
    name = "slow",
    srcs = ["input.txt"],
    outs = ["slow.txt"],
    cmd = "echo $$PPID >> {marker}; sleep {seconds}; tr a-z A-Z < $< > $@",
)

genrule(
    name = "heavy",
    srcs = ["input.txt"],
    outs = ["heavy.txt"],
    cmd = "tr a-z A-Z < $< > $@",
    exec_properties = {{"pool": "heavy"}},
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


# What a machine may lack that builds this tree well.
LACKING = ("BuildGrid needs Python 3.12", "there is no apt-get here")


def free_port() -> int:
    """A port whose successor is free too, very likely."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


class OwnCluster:
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

    def start(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("up", "--port", str(self.port), "--worker-timeout", "5", *arguments)

    def up(self, *arguments: str) -> None:
        """Starts what does not run."""
        result = self.start(*arguments)
        assert result.returncode == 0, result.stdout

    def down(self) -> None:
        self.run("down", "--clean")

    def group(self, name: str) -> int:
        """The process group of a service."""
        record = json.loads((self.folder / f"run/{name}.json").read_text(encoding="utf-8"))
        pid: int = record["pid"]
        return pid

    def kill(self, name: str) -> None:
        """Ends a service at once, as a machine does that loses its power."""
        os.killpg(self.group(name), signal.SIGKILL)

    def log(self, name: str) -> str:
        return (self.folder / f"logs/{name}.log").read_text(encoding="utf-8", errors="replace")

    @property
    def url(self) -> str:
        return f"grpc://127.0.0.1:{self.port}"


@contextlib.contextmanager
def started() -> Iterator[OwnCluster]:
    """A cluster that runs; skips the test where its programs cannot be installed."""
    # A short path: PostgreSQL's socket is in it.
    folder = Path(tempfile.mkdtemp(prefix="cluster", dir="/tmp"))
    made = OwnCluster(folder)
    try:
        result = made.start()
        if result.returncode != 0 and any(text in result.stdout for text in LACKING):
            pytest.skip(result.stdout)
        assert result.returncode == 0, result.stdout
        yield made
    finally:
        made.down()
        shutil.rmtree(folder)


def use(checkout: Workspace, cluster: OwnCluster) -> None:
    """Tells a checkout where the cluster is."""
    checkout.settings(
        f"build:executor-endpoint --remote_executor={cluster.url}",
        f"build:cache-endpoint --remote_cache={cluster.url}",
    )


def add_actions(checkout: Workspace, marker: Path, seconds: int = 4, compiler: str = "") -> None:
    """Adds actions that are no part of the small build."""
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
    """The build ended, and with the right output."""
    assert built.status == 0, built.said
    wanted = expected("first" if name in ("slow", "heavy", "compiled") else name)
    assert checkout.output(f"{name}.txt").decode() == wanted, built.said
