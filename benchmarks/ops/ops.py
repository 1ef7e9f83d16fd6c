"""Times operators here and in real PyTorch, in turns, and prints how many times as fast this is.

    ./bazelw run -c opt //benchmarks/ops -- --peer PYTHON --plot /tmp/ops.svg
    ./bazelw run -c opt //benchmarks/ops -- --peer PYTHON --all --sample 600

PYTHON has torch and numpy; for --all expecttest too. Both processes are alive all the time and take
turns case by case, so that what else the machine does meets both; a figure is the ratio of their
shortest times.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from sides import Died, Side

from tools.peer import interpreter

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Row:
    """One line of the table, in the unit that it is measured in."""

    case: str
    threads: int
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """How many times less it takes here."""
        return self.theirs / self.ours


def geometric_mean(ratios: list[float]) -> float:
    """The mean of ratios."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def measure(
    ours: Side, peer: Side, names: list[str], threads: list[int], rounds: int, seconds: float
) -> tuple[list[Row], dict[str, str]]:
    """The rows of the cases, and why some have none."""
    rows: list[Row] = []
    absent: dict[str, str] = {}
    for count in threads:
        for name in names:
            request = {"case": name, "threads": count, "seconds": seconds}
            best = [math.inf, math.inf]
            for _ in range(rounds):
                try:
                    answers = [ours.ask(request), peer.ask(request)]
                except Died as error:
                    answers = [{"absent": str(error)}]
                reasons = [answer["absent"] for answer in answers if "absent" in answer]
                if reasons:
                    absent[name] = reasons[0]
                    break
                best = [min(b, a["seconds"]) for b, a in zip(best, answers, strict=True)]
            if name not in absent:
                rows.append(Row(name, count, *best))
                print(f"{rows[-1].ratio:6.2f}  {name}, {count} threads", file=sys.stderr)
    return rows, absent


def _micro(seconds: float) -> str:
    return f"{seconds * 1e6:,.2f}" if seconds < 1e-4 else f"{seconds * 1e6:,.0f}"


def table(rows: list[Row], names: list[str], threads: list[int]) -> str:
    """Markdown: a line a case, a group of columns for each number of threads."""
    found = {(row.case, row.threads): row for row in rows}
    heads = [f"here, {n} thr. | PyTorch | times as fast" for n in threads]
    lines = [f"| case, microseconds | {' | '.join(heads)} |"]
    lines.append("| --- |" + " ---: |" * 3 * len(threads))
    for name in names:
        cells = []
        for count in threads:
            if row := found.get((name, count)):
                cells += [_micro(row.ours), _micro(row.theirs), f"{row.ratio:.2f}"]
        if cells:
            lines.append(f"| {name} | {' | '.join(cells)} |")
    means = []
    for count in threads:
        ratios = [row.ratio for row in rows if row.threads == count]
        means += ["", "", f"**{geometric_mean(ratios):.2f}**" if ratios else ""]
    return "\n".join([*lines, f"| **geometric mean** | {' | '.join(means)} |"])


def plot(rows: list[Row], path: Path) -> None:
    """A bar a case; beyond the line at 1 this is the faster one."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    pyplot.rcParams["svg.fonttype"] = "none"  # Letters, not their outlines.
    threads = sorted({row.threads for row in rows})
    names = list(dict.fromkeys(row.case for row in rows))
    figure, axes = pyplot.subplots(figsize=(9, 0.22 * len(names) + 1.5))
    height = 0.8 / len(threads)
    for index, count in enumerate(threads):
        ratios = {row.case: row.ratio for row in rows if row.threads == count}
        places = [i + index * height for i, name in enumerate(names) if name in ratios]
        label = f"{count} thread" + "s" * (count > 1)
        values = [ratios[name] for name in names if name in ratios]
        axes.barh(places, values, height, label=label)
    axes.set_xscale("log", base=2)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks([i + 0.4 - height / 2 for i in range(len(names))], names, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("times as fast as PyTorch")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


def _sides(arguments: argparse.Namespace) -> tuple[Side, Side]:
    return (
        Side(sys.executable, False, arguments.clock),
        Side(arguments.peer, True, arguments.clock),
    )


def _everything(arguments: argparse.Namespace, threads: list[int]) -> None:
    """Runs `--all` and prints its report."""
    import everything

    def file(path: Path) -> Path:
        """A path as the user meant it: `bazel run` starts programs elsewhere."""
        return Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")) / path

    seed = arguments.seed
    if seed is None:
        seed = random.SystemRandom().randrange(10**6)
    results = file(arguments.results or Path(f"ops-{seed}.jsonl"))
    print(f"seed {seed}, results in {results}", flush=True)
    previous = everything.read(file(arguments.previous), seed) if arguments.previous else []
    ours, peer = _sides(arguments)
    found = everything.measure(
        ours,
        peer,
        results,
        seed=seed,
        pattern=arguments.cases,
        threads=threads,
        sample=arguments.sample,
        rounds=arguments.rounds,
        seconds=arguments.seconds or 0.02,
        limit=arguments.limit,
    )
    ours.close()
    peer.close()
    print(everything.report(found, threads))
    if arguments.previous:
        print(f"\nbeside {arguments.previous}:\n{everything.compared(found, previous)}")
    if arguments.plot:
        everything.plot(found, threads, file(arguments.plot))


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--peer",
        type=interpreter("torch", "numpy"),
        required=True,
        help="Python interpreter with the real PyTorch",
    )
    parser.add_argument("--cases", default="", help="a regular expression; without it all")
    parser.add_argument(
        "--all", action="store_true", help="every operator of PyTorch's database that exists here"
    )
    parser.add_argument(
        "--sample", type=float, default=0, metavar="SECONDS", help="--all stops after so long"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=20,
        metavar="SECONDS",
        help="--all leaves out what PyTorch or this takes longer for, to make it or in one turn",
    )
    parser.add_argument("--seed", type=int, help="of what --all draws; without it a new one")
    parser.add_argument(
        "--results", type=Path, help="where --all writes each figure, and goes on after a break"
    )
    parser.add_argument("--previous", type=Path, help="--results of another run, to compare with")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, with commas")
    parser.add_argument(
        "--clock",
        choices=["wall", "processor"],
        default="wall",
        help="processor counts the processor time of all threads: for busy machines",
    )
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side")
    parser.add_argument("--seconds", type=float, help="of one turn; 0.1, or 0.02 with --all")
    parser.add_argument("--plot", type=Path, help="write a picture (.svg or .png)")
    arguments = parser.parse_args()
    threads = [int(count) for count in arguments.threads.split(",")]
    if arguments.all:
        _everything(arguments, threads)
        return
    sys.path.insert(0, str(_HERE))
    from cases import CASES, GPT_STEP

    names = [name for name in CASES if re.search(arguments.cases, name)]
    if not names:
        sys.exit(f"no case matches {arguments.cases!r}; there are:\n" + "\n".join(CASES))
    ours, peer = _sides(arguments)
    seconds = arguments.seconds or 0.1
    rows, absent = measure(ours, peer, names, threads, arguments.rounds, seconds)
    print(table(rows, names, threads))
    for name, reason in absent.items():
        print(f"\nleft out: {name}: {reason}")
    facts = [
        (
            "`import torch`, milliseconds",
            *(1e3 * min(side.import_seconds() for _ in range(5)) for side in (ours, peer)),
        ),
        (
            "peak memory of `import torch`, MiB",
            *(side.peak_megabytes() for side in (ours, peer)),
        ),
        (
            "peak memory of the GPT training step, MiB",
            *(side.peak_megabytes(GPT_STEP) for side in (ours, peer)),
        ),
        ("installed size, MiB", *(side.installed_megabytes() for side in (ours, peer))),
    ]
    print("\n| | here | PyTorch | times as much there |\n| --- | ---: | ---: | ---: |")
    for fact, here, there in facts:
        print(f"| {fact} | {here:,.0f} | {there:,.0f} | {there / here:.1f} |")
    ours.close()
    peer.close()
    if arguments.plot:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
