"""Measures builds, beside CMake, Ninja and ccache with the same sources, options and generator.

    ./bazelw run //benchmarks/build -- --scope c10
    ./bazelw run //benchmarks/build -- --scope cpu --results build.json --plot build.svg
    ./bazelw run //benchmarks/build -- --scope torch --scenarios cold no-op --jobs 1 2

Both sides run by turns, in scratch checkouts, with the same number of jobs and an empty cache of
their own at first. Each figure is the median of the runs; the ratio tells how much faster Bazel is.
The actions are those that the last build ran: of Bazel without what its caches had, of Ninja with
what ccache had. The processor seconds are those of the last build too, with Bazel's server.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.build.cmake import LAYERS
from benchmarks.build.edits import BRANCH, EDITS, LOWEST_SCOPE
from benchmarks.build.picture import draw
from benchmarks.build.scenarios import (
    Scenario,
    branch_switch,
    clean_warm,
    cold,
    edited,
    flip,
    fresh_checkout,
    measure,
    no_op,
    remember,
    table_head,
)
from benchmarks.build.sides import Bazel, CMake, facts_of, layers_of
from tools.lint.tree import source_root, tree_files
from tools.workspace import from_here

# How many layers; of the second one `sample` builds a few sources alone.
SCOPES = {"c10": 1, "sample": 2, "cpu": 2, "torch": 4}


def scenarios(scope: str) -> dict[str, Scenario]:
    """What can be measured of a scope."""
    edits = {name: EDITS[name] for name in LOWEST_SCOPE.get(scope, EDITS)}
    return {
        "cold": cold,
        "no-op": no_op,
        **{name: edited(edit) for name, edit in edits.items()},
        "branch switch A→B→A": branch_switch(
            BRANCH.get(scope, EDITS["c10 core header changed"][0])
        ),
        "clean, warm cache": clean_warm,
        "fresh checkout, warm cache": fresh_checkout(serving=True),
        "fresh checkout, no server yet": fresh_checkout(serving=False),
        "release→debug→release": flip,
    }


def copy_tree(target: Path) -> None:
    """A checkout of what is here."""
    root = source_root()
    for path in [*tree_files(root), root / ".bazelrc", root / ".bazelversion"]:
        to = target / path.relative_to(root)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)


def both_sides(
    scope: str, trees: Sequence[Path], scratch: Path, jobs: int, checkouts: bool
) -> tuple[Bazel, CMake]:
    """The two sides, ready to build."""
    count, sample = SCOPES[scope], scope == "sample"
    bazel = Bazel(trees[0], scratch, [target for _, target in LAYERS[:count]], jobs)
    bazel.prepare()
    layers = layers_of(bazel, count, sample)
    if sample:
        compiled = layers[-1].compiles
        groups = ["main_shared_library_output", *(compile.part for compile in compiled)]
        targets = dict.fromkeys(compile.target for compile in compiled)
        chosen = f"--output_groups={','.join(groups)}"
        bazel = replace(bazel, targets=[chosen, LAYERS[0][1], *targets])
    if count > 1:  # The reader of YAML comes with the first run of the generator.
        bazel.run("build", "//aten/src/ATen/ops:generated")
    return bazel, CMake(trees[1], scratch, layers, facts_of(bazel, layers), jobs, checkouts)


def _typed(path: str) -> Path:
    return from_here(Path(path))


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--scope", choices=SCOPES, default="c10", help="what is built")
    made.add_argument(
        "--scenarios", nargs="*", choices=scenarios("torch"), metavar="NAME", help="default: all"
    )
    made.add_argument("--runs", type=int, default=3, help="runs of each (%(default)s)")
    made.add_argument(
        "--jobs", type=int, nargs="*", default=[2], help="tables for these (%(default)s)"
    )
    made.add_argument(
        "--ccache",
        choices=("checkouts", "defaults"),
        default="checkouts",
        help="set up for several checkouts, or as PyTorch's CONTRIBUTING.md tells (%(default)s)",
    )
    made.add_argument("--scratch", type=_typed, help="keep and use this folder")
    made.add_argument("--results", type=_typed, help="add what was measured to this JSON file")
    made.add_argument("--plot", type=_typed, help="write a picture of all results (.svg or .png)")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints a table."""
    options = parser().parse_args(arguments)
    for program in ("cmake", "ninja", "ccache"):
        if not shutil.which(program):
            sys.exit(f"no {program}. To install it:\n    apt-get install cmake ninja-build ccache")
    within = scenarios(options.scope)
    names = list(within) if options.scenarios is None else options.scenarios
    outside = [name for name in names if name not in within]
    if outside:
        sys.exit(f"{', '.join(outside)}: not in --scope {options.scope}. Add --scope sample")
    with tempfile.TemporaryDirectory() as directory:
        scratch = (options.scratch or Path(directory)).resolve()
        results = options.results or Path(directory) / "results.json"
        trees = [scratch / "checkouts" / name for name in ("bazel", "cmake", "other")]
        for tree in trees if names else ():
            copy_tree(tree)
        for jobs in options.jobs if names else ():
            bazel, cmake = both_sides(
                options.scope, trees, scratch, jobs, options.ccache == "checkouts"
            )
            try:
                compiled = sum(len(layer.compiles) for layer in cmake.layers)
                title = f"{options.scope}: {compiled} compiles, {jobs} jobs; {cmake.name}"
                print(f"\n{title}, {options.runs} runs\n")
                print(table_head(bazel.name, cmake.name))
                for name in names:
                    taken = measure(name, within[name], [bazel, cmake], trees[2], options.runs)
                    remember(results, title, {name: taken})
            finally:
                bazel.close()
        if options.plot:
            draw(json.loads(results.read_text(encoding="utf-8")), options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
