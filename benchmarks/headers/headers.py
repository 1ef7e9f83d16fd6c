"""Measures how long a compiler reads the headers of a source that uses one operator.

    ./bazelw run //benchmarks/headers -- --peer /path/to/python

`--peer` is a Python interpreter that has PyTorch; without it only this tree is measured.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools.peer import interpreter

HEADERS = ("ATen/core/Tensor.h", "ATen/ops/add.h")


@dataclass(frozen=True)
class Reading:
    """What it takes to read the headers.

    Attributes:
      seconds: median processor time of the compiler's front end.
      files: how many files it opens.
      lines: how many lines are left after the preprocessor.
    """

    seconds: float
    files: int
    lines: int


def compiler(include_paths: list[str], *arguments: str) -> list[str]:
    """The command that compiles a source against some headers."""
    includes = [word for path in include_paths for word in ("-I", path)]
    return [os.environ.get("CXX", "c++"), "-std=c++20", *includes, *arguments]


def included_files(command: list[str], source: Path) -> list[str]:
    """Every file that the source includes, directly or not."""
    rule = subprocess.run(
        [*command, "-M", str(source)], capture_output=True, check=True, text=True
    ).stdout
    return rule.replace("\\\n", " ").split()[2:]


def processor_seconds() -> float:
    """What finished child processes have used; other programs on the machine change it little."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def read(include_paths: list[str], headers: tuple[str, ...], repeats: int) -> Reading:
    """Compiles a source that includes the headers, some times, without making code."""
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "use.cpp")
        source.write_text("".join(f"#include <{header}>\n" for header in headers))
        command = compiler(include_paths)
        times = []
        for _ in range(repeats):
            start = processor_seconds()
            subprocess.run([*command, "-fsyntax-only", str(source)], check=True)
            times.append(processor_seconds() - start)
        text = subprocess.run(
            [*command, "-E", "-P", str(source)], capture_output=True, check=True, text=True
        ).stdout
        return Reading(
            statistics.median(times), len(included_files(command, source)), text.count("\n")
        )


def peer_include_paths(python: str) -> list[str]:
    """Where another interpreter's PyTorch keeps its headers."""
    program = "from torch.utils.cpp_extension import include_paths as p; print(*p(), sep='\\n')"
    return subprocess.run(
        [python, "-c", program], capture_output=True, check=True, text=True
    ).stdout.split()


def render(ours: Reading, peer: Reading | None) -> str:
    """The table; the last column says how many times less this tree needs."""
    rows = [("", "this tree", "PyTorch", "ratio")] if peer else [("", "this tree")]
    for fact, form in (("seconds", ".2f"), ("files", "d"), ("lines", "d")):
        mine = getattr(ours, fact)
        row = (fact, format(mine, form))
        if peer:
            theirs = getattr(peer, fact)
            row += (format(theirs, form), f"1/{theirs / mine:.1f}")
        rows.append(row)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for name, *cells in rows:
        right = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join([name.ljust(widths[0]), *right]))
    return "\n".join(lines)


def main() -> None:
    """Measures this tree, and the peer if there is one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--peer", type=interpreter("torch"), help="a Python interpreter that has PyTorch"
    )
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    ours = read([".", "aten/src"], HEADERS, arguments.repeats)
    peer = None
    if arguments.peer:
        peer = read(peer_include_paths(arguments.peer), HEADERS, arguments.repeats)
    print("front end of #include <" + ">, <".join(HEADERS) + ">\n")
    print(render(ours, peer))


if __name__ == "__main__":
    main()
