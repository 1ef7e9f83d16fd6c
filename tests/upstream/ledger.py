"""What is known of PyTorch's test files: the tests that pass there and not here, and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# A test's outcome and the reason for it.
Outcomes = Mapping[str, tuple[str, str]]

# A crash and a hang are the parent's to see; the rest is in the child's log.
BAD = ("failed", "absent", "crashed", "hung")


@dataclass
class Ledger:
    """One file's entry.

    Attributes:
      counts: how many tests that pass in PyTorch passed here, failed, and so on.
      known: those that did not pass, with outcome and reason.
      share: how many of the file's tests these are, where it has too many.
      seed: draws them.
    """

    counts: dict[str, int] = field(default_factory=dict)
    known: dict[str, tuple[str, str]] = field(default_factory=dict)
    share: float = 1
    seed: str = ""

    @property
    def there(self) -> int:
        """How many of the tests are about parts that exist here."""
        return sum(self.counts.values()) - self.counts.get("absent", 0)

    def __str__(self) -> str:
        passed, total = self.counts.get("passed", 0), sum(self.counts.values())
        share = 100 * passed / self.there if self.there else 100.0
        rest = ", ".join(f"{n} {kind}" for kind, n in self.counts.items() if kind != "passed")
        return (
            (f"a sample of {100 * self.share:g} %: " if self.share < 1 else "")
            + f"{passed} of {total}, {share:.1f} % of the {self.there} about parts that exist here"
            + (f" ({rest})" if rest else "")
        )

    @staticmethod
    def read(path: Path) -> Ledger | None:
        """The entry in a file; None where there is none yet."""
        if not path.exists():
            return None
        return Ledger.of(json.loads(path.read_text(encoding="utf-8")))

    @staticmethod
    def of(values: Mapping[str, Any]) -> Ledger:
        """The entry that was written as these values."""
        known = {
            name: (outcome, reason)
            for outcome in BAD
            for name, reason in values.get(outcome, {}).items()
        }
        return Ledger(values["counts"], known, values.get("share", 1), values.get("seed", ""))

    def values(self) -> dict[str, Any]:
        """The entry as JSON has it, sorted, so that a change is a short diff."""
        values: dict[str, Any] = {"counts": self.counts}
        if self.share < 1:
            values.update(share=self.share, seed=self.seed)
        for outcome in BAD:
            tests = {
                n: reason for n, (kind, reason) in sorted(self.known.items()) if kind == outcome
            }
            if tests:
                values[outcome] = tests
        return values

    def write(self, path: Path) -> None:
        """Writes the entry."""
        values = self.values()
        path.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def compared(peer: Outcomes, ours: Outcomes) -> Ledger:
    """The entry that a run makes: of the tests that pass in PyTorch, what became of each here."""
    wanted = [name for name, (outcome, _) in peer.items() if outcome == "passed"]
    found = {name: ours.get(name, ("failed", "the test does not exist here")) for name in wanted}
    counts = Counter(outcome for outcome, _ in found.values())
    known = {name: value for name, value in found.items() if value[0] in BAD}
    return Ledger(dict(sorted(counts.items())), known)


def regressions(before: Ledger | None, now: Ledger) -> dict[str, tuple[str, str]]:
    """Tests that are worse than the entry says: new ones in it, and crashes where it has none."""
    if before is None:
        return {}
    worse = {"absent": 0, "failed": 0, "crashed": 1, "hung": 1}
    return {
        name: value
        for name, value in now.known.items()
        if name not in before.known or worse[value[0]] > worse[before.known[name][0]]
    }


def improvements(before: Ledger | None, now: Ledger) -> list[str]:
    """Tests that the entry has and that pass."""
    return [] if before is None else sorted(set(before.known) - set(now.known))
