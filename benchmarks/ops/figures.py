"""Measures samples with fresh seeds and whole networks beside PyTorch, and writes the figures down.

    ./bazelw run -c opt //benchmarks/ops:figures -- --peer PYTHON

It replaces what lies between the markers in docs/benchmarks.md and README.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import re
import sys
import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import everything
import ops
from everything import Result, distribution, percentile, worst
from sides import Side


def between(text: str, name: str, body: str) -> str:
    """`text` with another body between the markers of a name."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(end) < text.index(begin):
        raise ValueError(f"the text must have one line {begin} and below it one line {end}")
    return text[: text.index(begin) + len(begin)] + f"\n{body}\n" + text[text.index(end) :]


def machine() -> str:
    """The processor and how many of it this process may use."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        found = re.search(r"model name\s*: (.*)", info.read_text(encoding="utf-8"))
        name = found[1] if found else name
    return f"{len(os.sched_getaffinity(0))} cores of {name}"


def _ratios(results: Sequence[Result], threads: int) -> list[float]:
    return [r.ratio for r in results if r.threads == threads and not r.absent]


def of_seeds(runs: dict[int, list[Result]], threads: Sequence[int]) -> str:
    """A table in Markdown: a line for each seed and number of threads."""
    head = "seed | threads | cases | geometric mean | 10 % below | median | under 0.9 | under 0.5"
    lines = [f"| {head} |", "|" + " ---: |" * 8]
    for seed, results in runs.items():
        for count in threads:
            if ratios := _ratios(results, count):
                cells = [
                    str(seed),
                    str(count),
                    str(len(ratios)),
                    f"{ops.geometric_mean(ratios):.2f}",
                    f"{percentile(ratios, 10):.2f}",
                    f"{percentile(ratios, 50):.2f}",
                    f"{100 * sum(r < 0.9 for r in ratios) / len(ratios):.0f} %",
                    f"{100 * sum(r < 0.5 for r in ratios) / len(ratios):.1f} %",
                ]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def sentence(results: Sequence[Result], threads: Sequence[int], seeds: int) -> str:
    """What the README says: the distribution, not the best."""
    parts = []
    for count in threads:
        ratios = _ratios(results, count)
        parts.append(
            f"{ops.geometric_mean(ratios):.2f} times on {count} thread{'s' * (count > 1)} "
            f"(a tenth of the cases below {percentile(ratios, 10):.2f}, "
            f"{100 * sum(r < 0.5 for r in ratios) / len(ratios):.1f} % below 0.5)"
        )
    cases = len({r.case for r in results if not r.absent})
    text = (
        f"Beside PyTorch, on {cases} cases of its operators that {seeds} random seeds drew, the "
        f"speed is {' and '.join(parts)}: [all figures](docs/benchmarks.md#every-operator)."
    )
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def memory(names: Sequence[str], ours: Side, peer: Side) -> str:
    """A table in Markdown: the most memory that a process needs for each case."""
    lines = [
        "| peak memory, MiB | here | PyTorch | times as much there |",
        "| --- |" + " ---: |" * 3,
    ]
    for name in names:
        here, there = ours.peak_megabytes(name), peer.peak_megabytes(name)
        lines.append(f"| {name} | {here:,.0f} | {there:,.0f} | {there / here:.1f} |")
    return "\n".join(lines)


def section(
    runs: dict[int, list[Result]],
    models: Sequence[str],
    threads: Sequence[int],
    facts: str,
    most: int = 30,
) -> str:
    """The figures of docs/benchmarks.md in Markdown."""
    results = [r for found in runs.values() for r in found]
    return "\n\n".join(
        [
            facts,
            of_seeds(runs, threads),
            *(distribution(results, count) for count in threads),
            "The slowest beside PyTorch:",
            worst(results, most),
            "Whole networks:",
            *models,
        ]
    )


def main() -> None:
    """Measures and writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peer", required=True, help="Python interpreter with the real PyTorch")
    parser.add_argument("--runs", type=int, default=3, help="samples, each with a new seed")
    parser.add_argument("--sample", type=float, default=140, help="seconds of each sample")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, with commas")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each side")
    parser.add_argument("--results", type=Path, default=Path("/tmp"), help="folder of the results")
    parser.add_argument("--print", action="store_true", help="write no file of the tree")
    arguments = parser.parse_args()
    threads = [int(count) for count in arguments.threads.split(",")]
    ours, peer = Side(sys.executable, False), Side(arguments.peer, True)
    runs: dict[int, list[Result]] = {}
    for _ in range(arguments.runs):
        seed = random.SystemRandom().randrange(10**6)
        print(f"seed {seed}", file=sys.stderr, flush=True)
        runs[seed] = everything.measure(
            ours,
            peer,
            arguments.results / f"ops-{seed}.jsonl",
            seed=seed,
            pattern="",
            threads=threads,
            sample=arguments.sample,
            rounds=arguments.rounds,
            seconds=0.02,
            limit=10,
        )
    from cases import CASES

    names = [name for name in CASES if name.startswith("model: ")]
    rows, absent = ops.measure(ours, peer, names, threads, arguments.rounds, 0.02)
    peaks = memory([name for name in names if name.endswith("step")], ours, peer)
    version = peer.run("import torch; print(torch.__version__)")[1].strip()
    ours.close()
    peer.close()
    facts = (
        f"{datetime.now(UTC).date()}, PyTorch {version}, {machine()}, wall time, "
        f"`//benchmarks/ops:figures` with `--runs {arguments.runs} "
        f"--sample {arguments.sample:.0f}`:"
    )
    body = section(runs, [ops.table(rows, names, threads), peaks], threads, facts)
    short = sentence([r for found in runs.values() for r in found], threads, len(runs))
    print(body, short, *(f"left out: {n}: {why}" for n, why in absent.items()), sep="\n\n")
    if arguments.print:
        return
    root = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    for name, text in (("docs/benchmarks.md", f"\n{body}\n"), ("README.md", short)):
        file = root / name
        old = file.read_text(encoding="utf-8")
        file.write_text(between(old, "figures", text), encoding="utf-8")


if __name__ == "__main__":
    main()
