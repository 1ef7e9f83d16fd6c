"""PyTorch's own tests, a sample: see sample.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ledger import Ledger
from sample import entry, problems, recorded, run

SAMPLE = recorded()


def source() -> Path:
    """Where the source is, as present.bzl says; it is Python too."""
    scope: dict[str, str] = {}
    exec(Path(os.environ["PRESENT"]).read_text(encoding="utf-8"), scope)
    return Path(scope["SOURCE"])


@pytest.mark.parametrize("name", SAMPLE["files"])
def test_sample(name: str) -> None:
    before = Ledger.of(SAMPLE["files"][name])
    now = run(source(), name, SAMPLE["share"], SAMPLE["seed"])
    assert not problems(before, now), (
        f"{name}: {now}\n    ./bazelw run //tests/upstream:run -- --source "
        f"{source()} --sample --update   # writes sample.json, if that is meant"
    )


def test_problems_are_seen() -> None:
    before = entry({"a": ("passed", ""), "b": ("failed", "known"), "c": ("absent", "")})
    assert not problems(before, before)
    assert problems(before, entry({"a": ("failed", "new"), "b": ("passed", "")})) == [
        "failed: a: new",
    ]
    assert problems(before, entry({"a": ("skipped", "")})) == [
        "0 passed, and sample.json has 1",
    ]
