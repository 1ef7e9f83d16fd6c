"""Measures builds of PyTorch: the rules of this tree beside its own CMake, Ninja and ccache.

    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch
    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch --scope core --runs 1
    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch --scenarios cold no-op
    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch --scope core --count

Both sides build copies of the checkout by turns, with the same compiler, the same options, the same
number of jobs and an empty cache of their own at first. Each figure is the median of the runs; the
ratio tells how much faster Bazel is. The actions are those that the last build ran: of Bazel
without what its caches had, of Ninja with what ccache had.

With --count only actions are counted, exactly and on a busy machine too: a compiler that reads what
the real one would read, and makes no code, stands in for it on both sides.

With --docs the table of all scenarios takes the place of the scope's last one in docs/pytorch.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.build.picture import draw
from benchmarks.build.scenarios import (
    Scenario,
    Side,
    branch_switch,
    clean_warm,
    cold,
    edited,
    flip,
    fresh_checkout,
    measure,
    no_op,
    remember,
    row,
    table_head,
)
from benchmarks.pytorch.checkout import (
    Overlay,
    OwnCMake,
    edits_of,
    make_copies,
    problem_of,
    reading_compiler,
    scope_of,
)
from tools.lint.tree import source_root

SCOPES = ("c10", "core", "cpu")


def scenarios(scope: str, source: Path) -> dict[str, Scenario]:
    """What can be measured of a scope."""
    edits = edits_of(scope, source)
    return {
        "cold": cold,
        "no-op": no_op,
        **{name: edited(edit) for name, edit in edits.items()},
        "branch switch A→B→A": branch_switch(edits["a header of c10 changed"][0]),
        "clean, warm cache": clean_warm,
        "fresh checkout, warm cache": fresh_checkout(serving=True),
        "release→debug→release": flip,
    }


def count(name: str, run: Scenario, sides: Sequence[Side], other: Path) -> None:
    """Prints how many actions a scenario runs on both sides."""
    for side in sides:
        run(side, other)
    print(f"| {name} | {' | '.join(str(side.actions) for side in sides)} |", flush=True)


def with_table(text: str, scope: str, table: Sequence[str]) -> str:
    """A page with another table of a scope; raises `ValueError` if it has no place for it."""
    marker = f"<!-- //benchmarks/pytorch --scope {scope} -->\n"
    before, found, after = text.partition(marker)
    if not found:
        raise ValueError(f"the page has no place for the table. Add this line: {marker.strip()}")
    lines = after.splitlines(keepends=True)
    while lines and (not lines[0].strip() or lines[0].startswith("|")):
        del lines[0]
    return "".join([before, marker, "\n", *(f"{line}\n" for line in table), "\n", *lines])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", type=Path, required=True, help="a checkout of PyTorch")
    parser.add_argument("--scope", choices=SCOPES, default="c10", help="what is built")
    parser.add_argument("--scenarios", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--runs", type=int, default=3, help="runs of each (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="of both sides (%(default)s)")
    parser.add_argument(
        "--ccache",
        choices=("checkouts", "defaults"),
        default="checkouts",
        help="set up for several checkouts, or as PyTorch's CONTRIBUTING.md tells (%(default)s)",
    )
    parser.add_argument("--count", action="store_true", help="count actions, and measure nothing")
    parser.add_argument("--scratch", type=Path, help="keep and use this folder")
    parser.add_argument("--results", type=Path, help="add what was measured to this JSON file")
    parser.add_argument("--plot", type=Path, help="write a picture of all results (.svg or .png)")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/pytorch.md")
    options = parser.parse_args(arguments)
    source = options.source.resolve()
    problem = problem_of(source)
    if problem:
        sys.exit(problem)
    within = scenarios(options.scope, source)
    names = list(within) if options.scenarios is None else options.scenarios
    outside = [name for name in names if name not in within]
    if outside:
        sys.exit(
            f"{', '.join(outside)}: not in --scope {options.scope}, which has {', '.join(within)}"
        )
    if options.docs and (options.count or names != list(within)):
        sys.exit("--docs writes a whole table of times: leave out --count and --scenarios")
    with tempfile.TemporaryDirectory() as directory:
        scratch = (options.scratch or Path(directory)).resolve()
        results = options.results or Path(directory) / "results.json"
        if options.count:
            # CMake's cache keeps the compiler's stand-in.
            scratch /= "count"
        trees = make_copies(source, scratch, ("bazel", "cmake", "other"))
        compiler = reading_compiler(scratch) if options.count else None
        scope = scope_of(options.scope, source)
        bazel = Overlay(trees[0], scratch, scope, options.jobs, compiler)
        checkouts = options.ccache == "checkouts"
        cmake = OwnCMake(trees[1], scratch, scope, options.jobs, checkouts, compiler)
        head = table_head(bazel.name, cmake.name)
        lines = head.splitlines()
        try:
            bazel.prepare()
            title = f"{options.scope}, {options.jobs} jobs; {cmake.name}"
            if options.count:
                print(f"\n{options.scope}\n\n| scenario | actions of Bazel | of Ninja |")
                print("| --- | ---: | ---: |")
            else:
                print(f"\n{title}, {options.runs} runs\n\n{head}")
            for name in names:
                if options.count:
                    count(name, within[name], [bazel, cmake], trees[2])
                    continue
                taken = measure(name, within[name], [bazel, cmake], trees[2], options.runs)
                lines.append(row(name, taken, [bazel, cmake]))
                remember(results, title, {name: taken})
        finally:
            bazel.close()
        if options.plot:
            draw(json.loads(results.read_text(encoding="utf-8")), options.plot)
        if options.docs:
            page = source_root() / "docs/pytorch.md"
            text = with_table(page.read_text(encoding="utf-8"), options.scope, lines)
            page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
