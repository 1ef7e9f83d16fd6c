"""exceptions.yaml: which differences are known, why, and how many of them at most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from compare import Difference

_FACTS = {"reason", "differences", "dtypes", "checks", "operators"}


class InvalidEntry(ValueError):
    """An entry of the file that says too little, or what the harness does not know."""


@dataclass
class Allowance:
    """What one entry excuses of one operator; `used` counts what was."""

    operator: str
    reason: str
    differences: list[str]
    dtypes: list[str]
    checks: list[str]
    most: int
    used: int = field(default=0, compare=False)

    def covers(self, record: dict[str, Any], difference: Difference) -> bool:
        """Whether a difference of a case falls under it, while there is room."""
        return (
            self.used < self.most
            and difference.kind in self.differences
            and (not self.dtypes or record["dtype"] in self.dtypes)
            and (not self.checks or record["check"] in self.checks)
        )

    def __str__(self) -> str:
        return f"{self.operator}: {', '.join(self.differences)}: {self.reason}"


def parse(entries: Iterable[dict[str, Any]]) -> dict[str, list[Allowance]]:
    """The allowances of each operator."""
    found: dict[str, list[Allowance]] = {}
    for entry in entries:
        if unknown := ", ".join(sorted(set(entry) - _FACTS)):
            raise InvalidEntry(f"exceptions.yaml: {entry}: unknown key {unknown}")
        for key in ("reason", "differences", "operators"):
            if not entry.get(key):
                raise InvalidEntry(f"exceptions.yaml: {entry}: {key} is missing")
        for operator, most in entry["operators"].items():
            if not isinstance(most, int) or most < 1:
                raise InvalidEntry(
                    f"exceptions.yaml: {operator}: wanted the number of differences, got {most!r}"
                )
            found.setdefault(operator, []).append(
                Allowance(
                    operator,
                    entry["reason"],
                    entry["differences"],
                    entry.get("dtypes", []),
                    entry.get("checks", []),
                    most,
                )
            )
    return found


def load(path: Path) -> dict[str, list[Allowance]]:
    """The allowances of a file."""
    return parse(yaml.safe_load(path.read_text(encoding="utf-8")) or [])


def excuse(
    allowances: list[Allowance], record: dict[str, Any], difference: Difference
) -> Allowance | None:
    """The first allowance that a difference falls under; it counts."""
    for allowance in allowances:
        if allowance.covers(record, difference):
            allowance.used += 1
            return allowance
    return None
