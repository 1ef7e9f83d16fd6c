"""What can be measured of two builds of one tree: the scenarios, and the lines of the table."""

from __future__ import annotations

import itertools
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from benchmarks.build.edits import Change


class Side(Protocol):
    """One way to build a checkout.

    Attributes:
      tree: the checkout.
      actions: how many the last build ran.
      processor: processor seconds that it took, with those of servers and compilers.
    """

    tree: Path
    actions: int
    processor: float

    def build(self, debug: bool = False) -> float:
        """Builds; seconds."""

    def clean(self) -> None:
        """Forgets what was built, but not the cache."""

    def forget_cache(self) -> None:
        """Empties the cache."""

    def prepare(self) -> None:
        """Fetches what is not measured."""

    def elsewhere(self, tree: Path) -> Side:
        """The same for another checkout."""

    def close(self) -> None:
        """Stops what runs on."""


Scenario = Callable[[Side, Path], float]
Taken = tuple[list[float], list[float]]


# Never what an earlier run left in the caches.
_NUMBERS = itertools.count(int(time.time()) % 10**8)


def edited(edits: Sequence[Change]) -> Scenario:
    """Builds after a change that the cache has not seen."""

    def run(side: Side, _: Path) -> float:
        side.build()
        number = next(_NUMBERS)
        try:
            for edit in edits:
                edit.apply(side.tree, number)
            return side.build()
        finally:
            for edit in edits:
                edit.undo(side.tree)

    return run


def cold(side: Side, _: Path) -> float:
    """Everything, with an empty cache."""
    side.clean()
    side.forget_cache()
    return side.build()


def no_op(side: Side, _: Path) -> float:
    """Nothing."""
    side.build()
    return side.build()


def branch_switch(edit: Change) -> Scenario:
    """Back to a branch that was built before, from one that differs in a header."""

    def run(side: Side, _: Path) -> float:
        side.build()
        # The other branch is the same each time, as branches are.
        edit.apply(side.tree, 100)
        side.build()
        edit.undo(side.tree)
        return side.build()

    return run


def clean_warm(side: Side, _: Path) -> float:
    """Everything again in the same place, from the cache."""
    side.build()
    side.clean()
    return side.build()


def fresh_checkout(serving: bool) -> Scenario:
    """Another checkout at another path, from the cache; third-party code is there."""

    def run(side: Side, other: Path) -> float:
        side.build()
        elsewhere = side.elsewhere(other)
        elsewhere.clean()
        elsewhere.prepare()
        elsewhere.clean()
        if not serving:
            elsewhere.close()
        try:
            seconds = elsewhere.build()
            side.actions, side.processor = elsewhere.actions, elsewhere.processor
            return seconds
        finally:
            elsewhere.close()

    return run


def flip(side: Side, _: Path) -> float:
    """Back to release after a debug build."""
    side.build()
    side.build(debug=True)
    return side.build()


def table_head(left: str, right: str) -> str:
    """The first lines of the table."""
    columns = f"{left}, s | {right}, s | times faster | actions of {left} | of Ninja"
    columns += f" | processor s of {left} | of {right}"
    return f"| scenario | {columns} |\n| ---{' | ---:' * 7} |"


def row(name: str, taken: Taken, sides: Sequence[Side]) -> str:
    """A line of the table."""
    left, right = map(statistics.median, taken)
    ran = " | ".join(
        [f"{side.actions}" for side in sides] + [f"{side.processor:.2f}" for side in sides]
    )
    return f"| {name} | {left:.2f} | {right:.2f} | {right / left:.2f} | {ran} |"


def measure(name: str, run: Scenario, sides: Sequence[Side], other: Path, runs: int) -> Taken:
    """Seconds of a scenario on both sides, by turns."""
    taken: Taken = ([], [])
    for number in range(runs):
        # Whatever else the machine does hits both.
        for index in (0, 1) if number % 2 == 0 else (1, 0):
            taken[index].append(run(sides[index], other))
    print(row(name, taken, sides), flush=True)
    return taken


def remember(path: Path, title: str, rows: dict[str, Taken]) -> None:
    """Adds to a file of results."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[title] = {**known.get(title, {}), **rows}
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
