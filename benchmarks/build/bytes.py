"""Counts what builds move from and to a remote cache.

    ./bazelw run //benchmarks/build:bytes -- //c10:libc10 //c10/util:exception_test

One checkout fills an HTTP cache as continuous integration does; another, elsewhere, reads it with
each value of --remote_download_outputs.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.remote.cache_server import CacheServer
from tests.remote.workspace import Workspace, tree_checkout
from tools.lint.tree import source_root

EDITED = "c10/util/Exception.cpp"


def row(name: str, server: CacheServer, build: Callable[[], None]) -> str:
    """A line of the table: what a build moves."""
    server.moved.clear()
    server.counts.clear()
    build()
    up, down = server.moved["PUT"], server.moved["GET"]
    return f"| {name} | {up:,} | {down:,} | {sum(server.counts.values()):,} |"


def build(checkout: Workspace, targets: Sequence[str], *options: str) -> None:
    """Builds; exits with what Bazel said if that fails."""
    built = checkout.build(*options, *targets)
    if built.status != 0:
        sys.exit(built.said[-6000:])


def measure(server: CacheServer, folder: Path, targets: Sequence[str]) -> None:
    """Prints the table."""
    here, there = (
        tree_checkout(source_root(), folder / place) for place in ("here", "another/place")
    )
    for checkout in (here, there):
        checkout.settings(f"build:cache-endpoint --remote_cache={server.url}")
    try:
        print("| | bytes up | bytes down | requests |\n| --- | ---: | ---: | ---: |")
        fill = "`ci-writer` fills the empty cache"
        print(row(fill, server, lambda: build(here, targets, "--config=ci-writer")), flush=True)
        for mode in ("all", "minimal", "toplevel"):
            there.bazel("clean")
            options = ("--config=remote-cache", f"--remote_download_outputs={mode}")
            fresh = f"fresh checkout, `{mode}`"
            print(row(fresh, server, lambda o=options: build(there, targets, *o)), flush=True)
        with (there.root / EDITED).open("a", encoding="utf-8") as source:
            source.write("// A comment.\n")
        edit = "then a comment in one source"
        print(row(edit, server, lambda: build(there, targets, "--config=remote-cache")))
    finally:
        here.close()
        there.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures what the command line names."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="+", help="what is built")
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as directory,
        contextlib.closing(CacheServer()) as server,
    ):
        measure(server, Path(directory).resolve(), options.targets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
