"""The benchmark of growth makes operators that the generator takes."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.scale.scale import HEAD, Cost, generation, processor_seconds, row


def test_operators_are_generated(tmp_path: Path) -> None:
    template = tmp_path / "TensorBody.h"
    template.write_text("", encoding="utf-8")
    cost, megabytes = generation(tmp_path, template, 3, 1)
    assert min(cost.seconds, cost.processor, megabytes) > 0
    headers = (tmp_path / "out_3").rglob("synthetic_*_ops.h")
    assert len(list(headers)) == 3


def test_processor_time_grows() -> None:
    before = processor_seconds(os.getpid())
    while processor_seconds(os.getpid()) == before:
        pass
    assert processor_seconds(os.getpid()) > before


def test_a_row_has_a_cell_for_each_head() -> None:
    text = row(100, Cost(2.0, 1.0), 30.0, [Cost(5.0, 4.0), Cost(0.5, 0.1)])
    assert text == "| 100 | 2.00 | 1.00 | 10.00 | 30 | 5.00 | 4.00 | 0.50 | 0.10 |"
    assert len(text.split("|")) == len(HEAD) + 2
