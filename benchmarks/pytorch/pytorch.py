"""Measures builds of PyTorch: the rules of this tree beside its own CMake, Ninja and ccache.

    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch
    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch --scope core --runs 1
    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch --rows cold no-op
    ./bazelw run //benchmarks/pytorch -- --source /path/to/pytorch --scope core --count

Both sides build copies of the checkout by turns, with the same compiler, the same options, the same
number of jobs and an empty cache of their own at first. Each figure is the median of the runs; the
ratio tells how much faster Bazel is. The actions are those that the last build ran: of Bazel
without what its caches had, of Ninja with what ccache had.

With --results the program keeps each row in a file as soon as it is measured. The next run measures
only the rows that the file lacks. With --scratch it keeps the copies and both builds as well, so
that the rows of a large scope can be measured one at a time.

With --count only actions are counted, exactly and on a busy machine too: a compiler that reads what
the real one would read, and makes no code, stands in for it on both sides.

With --docs the rows of the results replace the tables in docs/pytorch.md and README.md, and the
picture docs/pytorch.svg. The README has each row once, of the largest scope.
"""

from __future__ import annotations

import argparse
import json
import signal
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

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
PEER = "CMake + Ninja + ccache"
# By row: `seconds` of each run of both sides, `actions` and `processor` seconds of the last.
Rows = dict[str, Any]


def by_the_guide(side: Side, other: Path) -> float:
    """Another checkout; ccache is as PyTorch's CONTRIBUTING.md sets it up: larger, no more."""
    if not isinstance(side, OwnCMake):
        return fresh_checkout(serving=True)(side, other)
    plain = replace(side, checkouts=False)
    cold(plain, other)
    seconds = fresh_checkout(serving=True)(plain, other)
    side.configured = plain.configured
    side.actions, side.processor = plain.actions, plain.processor
    return seconds


def scenarios(scope: str, source: Path) -> dict[str, Scenario]:
    """What can be measured of a scope."""
    edits = edits_of(scope, source)
    found: dict[str, Scenario] = {
        "cold": cold,
        "no-op": no_op,
        **{name: edited(edit) for name, edit in edits.items()},
        "branch switch A→B→A": branch_switch(edits["a header of c10 changed"][0]),
        "clean, warm cache": clean_warm,
        "fresh checkout, warm cache": fresh_checkout(serving=True),
        "the same, ccache as in PyTorch's guide": by_the_guide,
    }
    # Without optimisation gcc 12 refuses LossNLL.cpp of PyTorch 2.6.0, with either build.
    return {**found, "release→debug→release": flip} if scope == "c10" else found


def count(name: str, run: Scenario, sides: Sequence[Side], other: Path) -> None:
    """Prints how many actions a scenario runs on both sides."""
    for side in sides:
        run(side, other)
    print(f"| {name} | {' | '.join(str(side.actions) for side in sides)} |", flush=True)


@contextmanager
def limited(seconds: int | None) -> Iterator[None]:
    """Raises `TimeoutError` in what takes longer."""

    def stop(*_: object) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds or 0)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def known_rows(results: Path, title: str) -> Rows:
    """The rows that a file of results has under a title."""
    if not results.exists():
        return {}
    found: Mapping[str, Rows] = json.loads(results.read_text(encoding="utf-8"))
    return found.get(title, {})


def keep(results: Path, title: str, rows: Rows) -> None:
    """Writes the rows of a title into a file of results."""
    known = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    text = json.dumps({**known, title: rows}, indent=1, ensure_ascii=False)
    results.write_text(text + "\n", encoding="utf-8")


def table(rows: Rows, places: Mapping[str, str] | None = None) -> list[str]:
    """The lines of a table.

    Args:
      rows: what was measured, by scenario.
      places: the scope of each row, if the table says it.
    """
    columns = ["scenario", *(["scope"] if places else []), "Bazel, s", f"{PEER}, s"]
    columns += ["times faster", "actions of Bazel", "of Ninja"]
    words = 2 if places else 1
    lines = [f"| {' | '.join(columns)} |"]
    lines.append(f"|{' --- |' * words}{' ---: |' * (len(columns) - words)}")
    for name, row in rows.items():
        left, right = map(statistics.median, row["seconds"])
        cells = [name, *([places[name]] if places else []), f"{left:.2f}", f"{right:.2f}"]
        cells += [f"{right / left:.2f}", *map(str, row["actions"])]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def largest(results: Mapping[str, Rows]) -> tuple[Rows, dict[str, str]]:
    """Each row of the largest scope that has it, in the order of that scope; and which that is."""
    rows: Rows = {}
    places: dict[str, str] = {}
    for title in sorted(results, key=lambda title: SCOPES.index(scope_in(title)), reverse=True):
        for name, row in results[title].items():
            if name not in rows:
                rows[name], places[name] = row, scope_in(title)
    return rows, places


def scope_in(title: str) -> str:
    """The scope of a title of the results."""
    return title.partition(",")[0]


def in_order(rows: Rows, names: Sequence[str]) -> Rows:
    """The rows in the order of some names; others are left out."""
    return {name: rows[name] for name in names if name in rows}


def with_table(text: str, marker: str, lines: Sequence[str]) -> str:
    """A page with other lines below a marker; raises `ValueError` if it has no such marker.

    Replaced are the table and the picture that stand there.
    """
    before, found, after = text.partition(f"{marker}\n")
    if not found:
        raise ValueError(f"the page has no place for the table. Add this line: {marker}")
    rest = after.splitlines(keepends=True)
    while rest and (not rest[0].strip() or rest[0].startswith(("|", "!["))):
        del rest[0]
    return "".join([before, found, "\n", *(f"{line}\n" for line in lines), "\n", *rest])


def marker_of(scope: str) -> str:
    """The line of docs/pytorch.md above a scope's table."""
    return f"<!-- //benchmarks/pytorch --scope {scope} -->"


README_MARKER = "<!-- //benchmarks/pytorch -->"


def write_docs(root: Path, results: Mapping[str, Rows]) -> None:
    """Writes the tables and the picture of a file of results."""
    page = root / "docs/pytorch.md"
    text = page.read_text(encoding="utf-8")
    for title, rows in results.items():
        text = with_table(text, marker_of(scope_in(title)), table(rows))
    rows, places = largest(results)
    readme = root / "README.md"
    picture = "![seconds of both builds](docs/pytorch.svg)"
    shown = with_table(
        readme.read_text(encoding="utf-8"), README_MARKER, [picture, "", *table(rows, places)]
    )
    page.write_text(text, encoding="utf-8")
    readme.write_text(shown, encoding="utf-8")
    plot({"PyTorch": rows}, root / "docs/pytorch.svg")


def plot(results: Mapping[str, Rows], path: Path) -> None:
    """A picture of the seconds."""
    seconds = {
        f"{title}; {PEER}": {name: row["seconds"] for name, row in rows.items()}
        for title, rows in results.items()
    }
    draw(seconds, path)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--source", type=Path, required=True, help="a checkout of PyTorch")
    made.add_argument("--scope", choices=SCOPES, default="c10", help="what is built")
    made.add_argument("--rows", nargs="*", metavar="NAME", help="which are measured (all)")
    made.add_argument("--runs", type=int, default=3, help="runs of each (%(default)s)")
    made.add_argument("--jobs", type=int, default=2, help="of both sides (%(default)s)")
    made.add_argument("--limit", type=int, metavar="SECONDS", help="stop a row that takes longer")
    made.add_argument("--count", action="store_true", help="count actions, and measure nothing")
    made.add_argument("--scratch", type=Path, help="keep and use this folder")
    made.add_argument("--results", type=Path, help="keep rows in this JSON file, measure others")
    made.add_argument("--plot", type=Path, help="write a picture of all results (.svg or .png)")
    made.add_argument("--docs", action="store_true", help="write the tables into the documents")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints a table."""
    options = parser().parse_args(arguments)
    source = options.source.resolve()
    problem = problem_of(source)
    if problem:
        sys.exit(problem)
    within = scenarios(options.scope, source)
    names = list(within) if options.rows is None else options.rows
    outside = [name for name in names if name not in within]
    if outside:
        sys.exit(
            f"{', '.join(outside)}: not in --scope {options.scope}, which has {', '.join(within)}"
        )
    if options.docs and options.count:
        sys.exit("--docs writes a table of times: leave out --count")
    with tempfile.TemporaryDirectory() as directory:
        scratch = (options.scratch or Path(directory)).resolve()
        results = options.results or Path(directory) / "results.json"
        title = f"{options.scope}, {options.jobs} jobs"
        rows = {} if options.count else known_rows(results, title)
        todo = {name: within[name] for name in names if name not in rows}
        if todo:
            if options.count:
                # CMake's cache keeps the compiler's stand-in, and ccache is off.
                scratch /= "count"
                todo = {name: run for name, run in todo.items() if run != by_the_guide}
            trees = make_copies(source, scratch, ("bazel", "cmake", "other"))
            # What a run left that was killed.
            for tree in trees:
                for changes in edits_of(options.scope, source).values():
                    for change in changes:
                        change.undo(tree)
            compiler = reading_compiler(scratch) if options.count else None
            scope = scope_of(options.scope, source)
            bazel = Overlay(trees[0], scratch, scope, options.jobs, compiler)
            cmake = OwnCMake(trees[1], scratch, scope, options.jobs, compiler=compiler)
            try:
                bazel.prepare()
                if options.count:
                    print(f"\n{options.scope}\n\n| scenario | actions of Bazel | of Ninja |")
                    print("| --- | ---: | ---: |", flush=True)
                else:
                    head = table_head(bazel.name, cmake.name)
                    print(f"\n{title}, {options.runs} runs\n\n{head}", flush=True)
                for name, run in todo.items():
                    sides = [bazel, cmake]
                    try:
                        with limited(options.limit):
                            if options.count:
                                count(name, run, sides, trees[2])
                                continue
                            taken = measure(name, run, sides, trees[2], options.runs)
                    except TimeoutError:
                        print(f"| {name} | stopped after {options.limit} s |", flush=True)
                        continue
                    rows[name] = {
                        "seconds": list(taken),
                        "actions": [side.actions for side in sides],
                        "processor": [round(side.processor, 2) for side in sides],
                    }
                    keep(results, title, in_order(rows, list(within)))
            finally:
                bazel.close()
        known = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
        if not known and (options.plot or options.docs):
            sys.exit("nothing was measured, so there is nothing to write")
        if options.plot:
            plot(known, options.plot)
        if options.docs:
            write_docs(source_root(), known)
    return 0


if __name__ == "__main__":
    sys.exit(main())
