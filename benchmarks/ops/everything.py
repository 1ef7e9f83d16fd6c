"""Times every operator of PyTorch's database on inputs that a seed draws: `ops --all`."""

from __future__ import annotations

import contextlib
import json
import math
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from families import family
from shipped import shipped
from sides import Died, Side

_SIZES = (10**3, 10**5, 10**7)
_SIZED = {10**3: "1e3", 10**5: "1e5", 10**7: "1e7"}


@dataclass(frozen=True)
class Draw:
    """What one case is made from."""

    operator: str
    dtype: str
    elements: int
    backward: bool
    contiguous: bool

    def __str__(self) -> str:
        way = " backward" if self.backward else ""
        laid = "" if self.contiguous else ", not contiguous"
        return f"{self.operator}{way} {self.dtype} {_SIZED[self.elements]}{laid}"


@dataclass
class Result:
    """One case with one number of threads; without times if it could not be measured."""

    case: str
    threads: int
    operator: str
    ours: float = 0.0
    theirs: float = 0.0
    shapes: list[Any] = field(default_factory=list)
    absent: str = ""

    @property
    def ratio(self) -> float:
        """How many times less it takes here."""
        return self.theirs / self.ours


def draws(operators: dict[str, Any], seed: int) -> Iterator[Draw]:
    """Every operator, dtype, size and direction, in an order that gives operators equal shares.

    Half of them, by chance, have a tensor that is not contiguous.
    """
    waiting: dict[str, list[Draw]] = {}
    for name, facts in sorted(operators.items()):
        chance = random.Random(f"{seed} {name}")
        found = [
            Draw(name, dtype, elements, backward, chance.random() < 0.5)
            for dtype in facts["dtypes"]
            for elements in _SIZES
            for backward in (False, True)
            if not backward or dtype in facts["backward"]
        ]
        chance.shuffle(found)
        if found:
            waiting[name] = found
    order = random.Random(seed)
    while waiting:
        names = sorted(waiting)
        order.shuffle(names)
        for name in names:
            yield waiting[name].pop()
            if not waiting[name]:
                del waiting[name]


def _paired(
    ours: Side, peer: Side, request: dict[str, Any], rounds: int, limit: float
) -> tuple[float, float] | str:
    """The shortest times of both, taken in turns, or why there are none."""
    best = [math.inf, math.inf]
    start = time.monotonic()
    for _ in range(rounds):
        for index, (side, whose) in enumerate(((ours, "here"), (peer, "PyTorch"))):
            try:
                answer = side.ask(request, limit)
            except Died as error:
                return f"{whose}: {error}"
            if "absent" in answer:
                return f"{whose}: {answer['absent']}"
            best[index] = min(best[index], answer["seconds"])
        if best[0] > 1 and best[0] > 5 * best[1]:
            break  # Another round tells nothing new.
        if time.monotonic() - start > limit / 10:
            break  # What takes long varies little.
    return best[0], best[1]


def read(path: Path, seed: int) -> list[Result]:
    """What a file holds of a run that was broken off."""
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if not lines or lines[0].get("seed") != seed:
        sys.exit(
            f"{path} is of seed {lines[0].get('seed') if lines else None}, not {seed}; "
            "give its --seed to go on with it, or another --results"
        )
    return [Result(**line) for line in lines[1:]]


def measure(
    ours: Side,
    peer: Side,
    path: Path,
    *,
    seed: int,
    pattern: str,
    threads: list[int],
    sample: float,
    rounds: int,
    seconds: float,
    limit: float,
) -> list[Result]:
    """Measures until the time is over or nothing is left, and appends each result to the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = read(path, seed)
    done = {(r.case, r.threads) for r in found}
    operators: dict[str, Any] = peer.ask({"operators": True})["operators"]
    here = shipped({full: facts["name"] for full, facts in operators.items()})
    operators = {name: operators[name] for name in here if re.search(pattern, name)}
    if not operators:
        sys.exit(f"no operator of PyTorch's database matches {pattern!r}")
    with tempfile.TemporaryDirectory() as folder, path.open("a", encoding="utf-8") as file:
        if not file.tell():
            file.write(json.dumps({"seed": seed}) + "\n")
        end = time.monotonic() + sample if sample else math.inf
        for number, draw in enumerate(draws(operators, seed)):
            if time.monotonic() > end:
                break
            if all((str(draw), count) in done for count in threads):
                continue
            recipe = f"{folder}/{number}"
            for result in _one(ours, peer, draw, recipe, seed, threads, rounds, seconds, limit):
                if (result.case, result.threads) not in done:
                    found.append(result)
                    file.write(json.dumps(asdict(result)) + "\n")
                    file.flush()
            with contextlib.suppress(FileNotFoundError):
                Path(recipe).unlink()
    return found


def _one(
    ours: Side,
    peer: Side,
    draw: Draw,
    recipe: str,
    seed: int,
    threads: list[int],
    rounds: int,
    seconds: float,
    limit: float,
) -> Iterator[Result]:
    """The results of a draw; none if PyTorch has no such input."""
    try:
        answer = peer.ask({"make": asdict(draw) | {"seed": seed}, "file": recipe}, limit)
    except Died as error:
        answer = {"absent": str(error)}
    for count in threads:
        result = Result(str(draw), count, draw.operator)
        if "absent" in answer:
            result.absent = f"PyTorch: {answer['absent']}"
        else:
            result.shapes = answer["shapes"]
            times = _paired(
                ours,
                peer,
                {"recipe": recipe, "threads": count, "seconds": seconds},
                rounds,
                limit,
            )
            if isinstance(times, str):
                result.absent = times
            else:
                result.ours, result.theirs = times
                print(f"{result.ratio:6.2f}  {result.case}, {count} threads", file=sys.stderr)
        yield result


def percentile(ratios: list[float], percent: float) -> float:
    """The ratio below which so many percent of them lie, between neighbours by their distance."""
    ordered = sorted(ratios)
    place = (len(ordered) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _line(name: str, ratios: list[float]) -> str:
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    cells = [
        f"{len(ratios)}",
        f"{mean:.2f}",
        f"{percentile(ratios, 5):.2f}",
        f"{percentile(ratios, 10):.2f}",
        f"{percentile(ratios, 50):.2f}",
        f"{100 * sum(r < 0.9 for r in ratios) / len(ratios):.0f} %",
        f"{100 * sum(r < 0.5 for r in ratios) / len(ratios):.1f} %",
    ]
    return f"| {name} | {' | '.join(cells)} |"


def distribution(results: Iterable[Result], threads: int) -> str:
    """A table in Markdown: a line a family, how the ratios are distributed."""
    timed = [r for r in results if r.threads == threads and not r.absent]
    by_family: dict[str, list[float]] = {}
    for result in timed:
        by_family.setdefault(family(result.operator), []).append(result.ratio)
    head = "cases | geometric mean | 5 % below | 10 % below | median | under 0.9 | under 0.5"
    lines = [f"| times as fast, {threads} thr. | {head} |", "| --- |" + " ---: |" * 7]
    lines += [_line(name, ratios) for name, ratios in sorted(by_family.items())]
    if timed:
        lines.append(_line("**all**", [r.ratio for r in timed]))
    return "\n".join(lines)


def worst(results: Iterable[Result], number: int) -> str:
    """A table in Markdown of those that are slowest beside PyTorch."""
    timed = sorted((r for r in results if not r.absent), key=lambda r: r.ratio)
    lines = ["| times as fast | case | thr. | here, µs | PyTorch | tensors |"]
    lines.append("| ---: | --- | ---: | ---: | ---: | --- |")
    for r in timed[:number]:
        shapes = ", ".join(f"{dtype}{shape}{layout}" for dtype, shape, layout in r.shapes)
        lines.append(
            f"| {r.ratio:.2f} | {r.case} | {r.threads} | {r.ours * 1e6:,.1f} "
            f"| {r.theirs * 1e6:,.1f} | {shapes} |"
        )
    return "\n".join(lines)


def compared(results: list[Result], previous: list[Result], factor: float = 1.25) -> str:
    """What became faster or slower beside PyTorch than it was in another run with the seed."""
    before = {(r.case, r.threads): r for r in previous if not r.absent}
    lines = []
    for r in results:
        old = before.get((r.case, r.threads))
        if r.absent or old is None or old.shapes != r.shapes:
            continue
        change = r.ratio / old.ratio
        if not 1 / factor < change < factor:
            lines.append(
                (change, f"{old.ratio:6.2f} -> {r.ratio:5.2f}  {r.case}, {r.threads} thr.")
            )
    return "\n".join(text for _, text in sorted(lines))


def report(results: list[Result], threads: list[int], most: int = 50) -> str:
    """Distribution by family for each number of threads, the worst, and what was left out."""
    parts = [distribution(results, count) for count in threads]
    parts.append(worst(results, most))
    ours = sorted({f"{r.case}: {r.absent}" for r in results if r.absent.startswith("here: ")})
    theirs = {r.case for r in results if r.absent.startswith("PyTorch: ")}
    if ours:
        parts.append("not measured, because it fails here:\n" + "\n".join(ours))
    parts.append(f"{len(theirs)} cases left out: PyTorch has no such input")
    return "\n\n".join(parts)


def plot(results: list[Result], threads: list[int], path: Path) -> None:
    """The share of cases below each ratio."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    pyplot.rcParams["svg.fonttype"] = "none"  # Letters, not their outlines.
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for count in threads:
        ratios = sorted(r.ratio for r in results if r.threads == count and not r.absent)
        shares = [100 * (i + 1) / len(ratios) for i in range(len(ratios))]
        axes.plot(ratios, shares, label=f"{count} thread" + "s" * (count > 1))
    axes.set_xscale("log", base=2)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xlabel("times as fast as PyTorch")
    axes.set_ylabel("percent of cases below")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
