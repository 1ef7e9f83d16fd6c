"""Measures how the generator and the build grow with the number of operators.

    ./bazelw run //benchmarks/scale

The operators are made up: each is a function of two tensors, with an overload for its output. The
generator reads them alone. The build is a copy of this tree that has them too, with a compiler
that reads but makes no code; analysis starts from a Bazel that has just started. Processor time is
that of the generator, or of Bazel's server: other programs change it little.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.codegen.codegen import Side, this_tree
from tests.budget.checkout import PRODUCTS, Checkout, reading_compiler
from tools.lint.tree import source_root

YAML = "aten/src/ATen/native/native_functions.yaml"
SIZES = (100, 500, 1000, 2584, 10000)

# The kernel is one that the tree defines: the check of kernels asks for the name alone.
_ENTRY = """
- func: synthetic_{0}(Tensor self, Tensor other) -> Tensor
  variants: function
  dispatch:
    CompositeExplicitAutograd: {1}

- func: synthetic_{0}.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CompositeExplicitAutograd: {1}
"""
KERNEL = "zeros_like"


def synthetic(count: int) -> str:
    """So many operators, two functions each."""
    return "".join(_ENTRY.format(index, KERNEL) for index in range(count))


@dataclass(frozen=True)
class Cost:
    """Time on the wall and of the processor."""

    seconds: float
    processor: float


def generation(directory: Path, template: Path, count: int, repeats: int) -> tuple[Cost, float]:
    """What the generator takes for so many operators, and its peak memory in MB."""
    inputs = directory / f"in_{count}"
    (inputs / "native").mkdir(parents=True)
    (inputs / "native/native_functions.yaml").write_text(synthetic(count), encoding="utf-8")
    (inputs / "native/tags.yaml").write_text("[]\n", encoding="utf-8")
    side: Side = this_tree(inputs, directory / f"out_{count}", template)
    readings = []
    for _ in range(repeats):
        side.prepare("full generation")
        readings.append(side.run())
    cost = Cost(
        statistics.median(r.seconds for r in readings),
        statistics.median(r.processor for r in readings),
    )
    return cost, max(r.megabytes for r in readings)


def processor_seconds(process: int) -> float:
    """Processor time that a process has used so far."""
    words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def timed(checkout: Checkout, *options: str) -> Cost:
    """What a build of everything takes; Bazel must be running."""
    server = int(checkout.must("info", "server_pid"))
    before, start = processor_seconds(server), time.perf_counter()
    checkout.must("build", *options, *PRODUCTS)
    return Cost(time.perf_counter() - start, processor_seconds(server) - before)


def build(checkout: Checkout, text: str, repeats: int) -> tuple[Cost, Cost]:
    """Analysis, and a build where nothing changed, of the tree with these operators."""
    checkout.write({YAML: text})
    checkout.update()
    checkout.must("build", *PRODUCTS)
    checkout.must("shutdown")
    analysis = timed(checkout, "--nobuild")
    checkout.must("build", *PRODUCTS)
    nothing = [timed(checkout) for _ in range(repeats)]
    return analysis, Cost(
        statistics.median(cost.seconds for cost in nothing),
        statistics.median(cost.processor for cost in nothing),
    )


def row(count: int, made: Cost, megabytes: float, costs: Sequence[Cost]) -> str:
    """A line of the table."""
    cells = [
        *(str(count), f"{made.seconds:.2f}", f"{made.processor:.2f}"),
        *(f"{1e3 * made.processor / count:.2f}", f"{megabytes:.0f}"),
        *(f"{value:.2f}" for cost in costs for value in (cost.seconds, cost.processor)),
    ]
    return f"| {' | '.join(cells)} |"


HEAD = (
    "operators",
    "generation: seconds",
    "processor seconds",
    "processor milliseconds an operator",
    "peak memory, MB",
    "analysis: seconds",
    "processor seconds",
    "nothing to do: seconds",
    "processor seconds",
)


def main() -> int:
    """Prints the table."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--operators", type=int, nargs="*", default=SIZES)
    parser.add_argument("--no-build", action="store_true", help="the generator alone")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    head = HEAD[:5] if arguments.no_build else HEAD
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---:" for _ in head) + " |", flush=True)
    source = source_root()
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory).resolve()
        settings = reading_compiler(source, scratch)
        checkout = Checkout.of(source, scratch / "tree", scratch / "output_base", settings)
        own = (source / YAML).read_text(encoding="utf-8")
        template = source / "aten/src/ATen/templates/TensorBody.h"
        try:
            for count in arguments.operators:
                made, megabytes = generation(scratch, template, count, arguments.repeats)
                costs: Sequence[Cost] = ()
                if not arguments.no_build:
                    costs = build(checkout, own + synthetic(count), arguments.repeats)
                print(row(count, made, megabytes, costs), flush=True)
        finally:
            if not arguments.no_build:
                checkout.bazel("shutdown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
