"""A small share of PyTorch's own test files, without a PyTorch to compare with.

The helpers are those of the source tree. What a seed draws either passes, refuses by name, or is in
`sample.json` with the reason why it fails.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ledger import Ledger, regressions
from processes import run_file

FILE = Path(__file__).with_name("sample.json")


def recorded(path: Path = FILE) -> dict[str, Any]:
    """Seed and share of the sample, and each file's entry."""
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return values


def entry(outcomes: Mapping[str, tuple[str, str]]) -> Ledger:
    """What became of the tests that were drawn."""
    bad = {n: v for n, v in outcomes.items() if v[0] in ("failed", "crashed", "hung")}
    counts = Counter(outcome for outcome, _ in outcomes.values())
    return Ledger(dict(sorted(counts.items())), bad)


def run(source: Path, name: str, share: float, seed: str, patience: float = 120) -> Ledger:
    """Runs what the seed draws of one file, such as nn/test_init."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    outcomes = run_file(
        [sys.executable],
        source / "test" / f"{name}.py",
        environment,
        helpers=source / "torch",
        patience=patience,
        share=share,
        seed=seed,
    )
    return entry(outcomes)


def problems(before: Ledger, now: Ledger) -> list[str]:
    """What is worse than the entry, a line each."""
    worse = [f"{kind}: {test}: {why}" for test, (kind, why) in regressions(before, now).items()]
    wanted, passed = before.counts.get("passed", 0), now.counts.get("passed", 0)
    if passed < wanted:
        worse.append(f"{passed} passed, and sample.json has {wanted}")
    return worse
