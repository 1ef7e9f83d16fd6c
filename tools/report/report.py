"""Says where a build's time went, and how long more workers would take.

./bazelw build --config=report //c10/...
./bazelw run //tools:report                         the last such build
./bazelw run //tools:report -- --against OTHER.json the first action that differs from another
./bazelw run //tools:report -- --ran-on 2           how well the simulator knows that build
./bazelw run //tools:report -- --synthetic          N workers for a build of PyTorch's size
./bazelw run //tools:report -- --disk-cache FOLDER  N workers for a build that this cache answered
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tools.report.compare import first_difference
from tools.report.disk_cache import DiskCache
from tools.report.execution_log import read_log, read_profile
from tools.report.graph import synthetic_pytorch
from tools.report.text import (
    as_page,
    as_text,
    clock_table,
    floors_table,
    tables,
    workers_table,
)
from tools.workspace import writing

LOG = "bazel-report.json"
PROFILE = "bazel-report.profile.gz"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the report; 1 if two builds differ."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    where = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    here = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    parser.add_argument("log", nargs="?", default=where / LOG, help=f"execution log ({LOG})")
    parser.add_argument("--profile", help=f"profile of the same build ({PROFILE})")
    parser.add_argument("--html", help="write a page too")
    parser.add_argument("--against", help="execution log of another build, to compare with")
    parser.add_argument(
        "--disk-cache",
        type=Path,
        metavar="FOLDER",
        help="says how long the actions ran that it answered",
    )
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        help="of all times, where the machine that recorded them was busy (%(default)s)",
    )
    parser.add_argument("--synthetic", action="store_true", help="simulate PyTorch's size instead")
    parser.add_argument(
        "--ran-on",
        type=int,
        metavar="N",
        help="workers that this build had: simulated and measured",
    )
    parser.add_argument("--overhead", type=float, default=0.2, help="seconds (%(default)s)")
    parser.add_argument("--bandwidth", type=float, default=100e6, help="bytes/s (%(default)s)")
    options = parser.parse_args(arguments)
    if options.overhead < 0 or options.bandwidth <= 0:
        parser.error("--overhead is at least 0 and --bandwidth more than 0")
    if options.scale <= 0:
        parser.error("--scale is more than 0")
    if options.ran_on is not None and options.ran_on < 1:
        parser.error("--ran-on is at least 1")
    if options.synthetic:
        nodes = synthetic_pytorch()
        made = [workers_table(nodes, options.overhead, options.bandwidth), floors_table(nodes)]
        print(as_text(made), end="")
        return 0
    cache = DiskCache(here / options.disk_cache) if options.disk_cache else None
    actions = [
        replace(action, seconds=action.seconds * options.scale)
        for action in read_log(here / options.log, cache)
    ]
    if cache and cache.unknown:
        print(f"{cache.unknown} actions have no time in {options.disk_cache}: they count as 0 s\n")
    if options.against:
        found = first_difference(actions, read_log(here / options.against))
        print(found or f"{len(actions)} actions, the same in both")
        return 1 if found else 0
    if options.ran_on:
        made = [clock_table(actions, options.ran_on, options.overhead, options.bandwidth)]
        print(as_text(made), end="")
        return 0
    profile = here / options.profile if options.profile else where / PROFILE
    known = read_profile(profile) if options.profile or profile.exists() else None
    made = tables(actions, known, options.overhead, options.bandwidth)
    print(as_text(made), end="")
    if options.html:
        with writing(here / options.html, "--html /tmp/report.html"):
            (here / options.html).write_text(as_page(made), encoding="utf-8")
        print(f"\nalso in {here / options.html}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
