"""How figures are written down."""

from __future__ import annotations

import pytest
from everything import Result
from figures import between, of_seeds, section, sentence

_RUNS = {
    7: [
        Result("add float32", 1, "add", 1, 2),
        Result("mul float32", 1, "mul", 4, 1),
        Result("add float32", 2, "add", 1, 4),
        Result("sub float32", 1, "sub", absent="here: RuntimeError"),
    ],
    8: [Result("abs float32", 1, "abs", 1, 8)],
}


def test_what_lies_between_the_markers_is_replaced() -> None:
    text = "before\n<!-- a: begin -->\nold\n<!-- a: end -->\nafter\n"
    wanted = "before\n<!-- a: begin -->\nnew\n<!-- a: end -->\nafter\n"
    assert between(text, "a", "new") == wanted
    assert between(wanted, "a", "new") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<!-- a: begin -->",
        "<!-- a: end --> <!-- a: begin -->",
        "<!-- a: begin --> <!-- a: begin --> <!-- a: end -->",
    ],
)
def test_a_text_without_markers_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="the text must have one line <!-- a: begin -->"):
        between(text, "a", "new")


def test_each_seed_has_a_line_for_each_number_of_threads() -> None:
    lines = of_seeds(_RUNS, [1, 2]).splitlines()[2:]
    assert [line.split(" | ")[:4] for line in lines] == [
        ["| 7", "1", "2", "0.71"],
        ["| 7", "2", "1", "4.00"],
        ["| 8", "1", "1", "8.00"],
    ]
    assert lines[0].endswith("| 50 % | 50.0 % |")


def test_the_sentence_says_the_distribution() -> None:
    lines = sentence([r for found in _RUNS.values() for r in found], [1, 2], 2).splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 120
    said = " ".join(lines)
    assert "on 3 cases of its operators that 2 random seeds drew" in said
    assert "1.59 times on 1 thread (a tenth of the cases below 0.60, 33.3 % below 0.5)" in said
    assert "4.00 times on 2 threads (a tenth of the cases below 4.00, 0.0 % below 0.5)" in said


def test_the_section_names_the_slowest_first() -> None:
    text = section(_RUNS, ["| models |"], [1, 2], "facts")
    assert text.startswith("facts\n\n| seed |")
    rows = [line for line in text.splitlines() if line.startswith("| 0.25 |")]
    assert rows and "mul float32" in rows[0]
    assert text.endswith("Whole networks:\n\n| models |")
