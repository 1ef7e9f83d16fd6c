"""torch.utils.benchmark: what it runs, its statistics and its tables."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.utils import benchmark
from torch.utils.benchmark import (
    Compare,
    FuzzedParameter,
    FuzzedTensor,
    Fuzzer,
    Measurement,
    ParameterAlias,
    TaskSpec,
    Timer,
)


def measured(times: list[float], number: int = 1, **names: object) -> Measurement:
    """A measurement of `x + y`."""
    spec = TaskSpec(**{"stmt": "x + y", "setup": "pass", **names})  # type: ignore[arg-type]
    return Measurement(number, times, spec)


def clock(step: float) -> Callable[[], float]:
    """A clock on which `step` seconds pass between two looks.

    It stands still while the timer measures the clock itself, by five runs of nothing: else the
    timer would run the statement a great many times.
    """
    now, looks = 0.0, 0

    def look() -> float:
        nonlocal now, looks
        looks += 1
        now += step if looks > 10 else 0
        return now

    return look


def test_timeit_runs_the_statement_after_a_warm_up_with_the_threads() -> None:
    seen: list[int] = []
    before = torch.get_num_threads()
    timer = Timer(
        "seen.append(torch.get_num_threads())", globals={"seen": seen}, num_threads=before + 1
    )
    measurement = timer.timeit(1000)
    assert seen == [before + 1] * 1010
    assert torch.get_num_threads() == before
    assert (measurement.number_per_run, len(measurement.raw_times)) == (1000, 1)
    assert measurement.num_threads == before + 1


def test_statements_of_several_lines_lose_their_indent() -> None:
    seen: list[int] = []
    Timer(
        """
        for i in range(n):
            seen.append(i)
        """,
        "n = 2",
        globals={"seen": seen},
    ).timeit(1)
    assert seen == [0, 1] * 3


def test_blocked_autorange_runs_blocks_of_one_size_until_the_time_is_over() -> None:
    blocks: list[int] = []
    measurement = Timer(timer=clock(1.0)).blocked_autorange(
        lambda number, seconds: blocks.append(number), min_run_time=2.5
    )
    assert measurement.raw_times == [1.0, 1.0, 1.0]
    assert blocks == [measurement.number_per_run] * 3


def test_adaptive_autorange_ends_when_times_agree_and_at_the_latest_after_the_maximum() -> None:
    agree = Timer(timer=clock(1.0)).adaptive_autorange()
    assert len(agree.raw_times) == 4
    never = Timer(timer=clock(1.0)).adaptive_autorange(threshold=0.0, max_run_time=6.0)
    assert len(never.raw_times) == 6


def test_timer_says_what_it_does_not_do() -> None:
    with pytest.raises(NotImplementedError, match=r"language=\"c\+\+\".*a timer of C\+\+"):
        Timer("int x = 1;", language="cpp")
    with pytest.raises(NotImplementedError, match="Timer.collect_callgrind: .*Valgrind"):
        Timer().collect_callgrind()
    with pytest.raises(NotImplementedError, match=r"blocked_autorange"):
        Timer().autorange()
    with pytest.raises(NotImplementedError, match=r"blocked_autorange"):
        Timer().repeat()
    with pytest.raises(ValueError, match="Invalid language `java`."):
        Timer(language="java")
    with pytest.raises(ValueError, match="global_setup is C.. only, got `x = 1`."):
        Timer(global_setup="x = 1")
    with pytest.raises(ValueError, match="Currently only a `str` stmt is supported."):
        Timer(len)  # type: ignore[arg-type]
    assert isinstance(benchmark.CallgrindStats, type)
    with pytest.raises(NotImplementedError, match="counts of instructions"):
        benchmark.CallgrindStats()


def test_statistics_are_those_of_numpy() -> None:
    times = (np.random.default_rng().lognormal(size=17) * 1e-4).tolist()
    measurement = measured(times, 10)
    values = np.array(times) / 10
    assert measurement.times == pytest.approx(values)
    assert measurement.median == pytest.approx(np.median(values))
    assert measurement.mean == pytest.approx(values.mean())
    low, high = np.quantile(values, [0.25, 0.75])
    assert measurement.iqr == pytest.approx(high - low)


@pytest.mark.parametrize(
    ("times", "figures"),
    [
        ([1e-5] * 3, 2),  # Against 25 ns, 400.
        ([1.0] * 3, 4),  # The most.
        ([1e-9] * 3, 1),  # The fewest.
        ([1.0, 1.0, 1.02, 1.02], 1),  # The middle half is 1 and 1.02: 1.01 against 0.0116.
    ],
)
def test_significant_figures(times: list[float], figures: int) -> None:
    assert measured(times).significant_figures == figures


def test_warnings_tell_a_wide_spread() -> None:
    assert not measured([1.0] * 5).has_warnings
    wide = measured([1e-5, 1.2e-5, 1.3e-5, 1.1e-5])
    assert wide.has_warnings and wide.meets_confidence(0.2)
    assert repr(wide).split("\n")[1:] == [
        "x + y",
        "  Median: 11.50 us",
        "  IQR:    1.50 us (10.75 to 12.25)",
        "  4 measurements, 1 runs per measurement, 1 thread",
        "  WARNING: Interquartile range is 13.0% of the median measurement.",
        "           This could indicate system fluctuation.",
    ]
    assert "significant environmental influence" in repr(measured([1e-5, 2e-5, 3e-5, 9e-5]))


def test_text_has_the_names_and_the_setup() -> None:
    named = measured(
        [2.0], 100, label="L", sub_label="S", description="D", setup="a = 1\nb = 2", num_threads=4
    )
    assert repr(named).split("\n")[1:] == [
        "L: S",
        "D",
        "setup:",
        "  a = 1",
        "  b = 2",
        "",
        "  20.00 ms",
        "  1 measurement, 100 runs , 4 threads",
    ]
    assert (named.title, named.as_row_name, named.description) == ("L: S", "S", "D")
    assert measured([1.0], setup="a = 1").task_spec.summarize() == "x + y\nsetup: a = 1"
    assert measured([1.0], stmt="p\nq", sub_label="S").title == "stmt: (S)\n  p\n  q"


def test_merge_joins_the_runs_of_one_statement() -> None:
    a = [measured([1.0], 10, description="a"), measured([3.0], 5, description="a")]
    merged = Measurement.merge([a[0], measured([4.0], description="b"), a[1]])
    assert [(m.number_per_run, m.raw_times, m.description) for m in merged] == [
        (1, [0.1, 0.6], "a"),
        (1, [4.0], "b"),
    ]


def test_measurements_can_be_pickled_by_the_names_of_pytorch() -> None:
    data = pickle.dumps(measured([1.0, 2.0], label="L"))
    assert b"torch.utils.benchmark.utils.common" in data
    assert pickle.loads(data) == measured([1.0, 2.0], label="L")


def table(**times: float) -> list[Measurement]:
    """Two columns and two rows."""
    return [
        measured([t * size] * 5, label="add", sub_label=name, description=column, num_threads=n)
        for n in (4, 1)
        for name, size in (("small", 1.0), ("medium size", 30.0))
        for column, t in times.items()
    ]


def test_compare_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    compare = Compare(table(numpy=1.234e-5, torch=0.9e-5))
    compare.print()
    assert capsys.readouterr().out.split("\n") == [
        "[--------------- add ---------------]",
        "                   |  numpy  |  torch",
        "1 threads: --------------------------",
        "      small        |   12.3  |    9.0",
        "      medium size  |  370.2  |  270.0",
        "4 threads: --------------------------",
        "      small        |   12.3  |    9.0",
        "      medium size  |  370.2  |  270.0",
        "",
        "Times are in microseconds (us).",
        "",
        "",
    ]
    compare.trim_significant_figures()
    assert "      medium size  |   370   |  270.0" in str(compare).split("\n")


def test_compare_has_a_table_for_each_label_and_environments_in_rows() -> None:
    text = str(
        Compare(
            [
                measured([1.0], label="a", sub_label="x", env="old"),
                measured([1.0], label="a", sub_label="y", env="old"),
                measured([1.0], label="a", sub_label="x", env="new"),
                measured([1e-3], label="b", sub_label="x", env="new"),
            ]
        )
    )
    rows = [line.partition("|")[0].rstrip() for line in text.split("\n") if "|" in line][1:]
    assert rows == ["  (new)  x", "  (old)  x", "         y", "", "      x"]
    assert "seconds (s)" in text and "milliseconds (ms)" in text


def test_compare_colours_the_best_of_a_column_or_row() -> None:
    green, red = "\033[92m\033[1m", "\033[31m\033[1m"
    compare = Compare(table(numpy=1e-4, torch=1e-5))
    compare.colorize()
    small, medium = str(compare).split("\n")[3:5]
    assert small.count(green) == 2 and medium.count(red) == 2
    compare.colorize(rowwise=True)
    small, medium = str(compare).split("\n")[3:5]
    assert all(row.count(green) == row.count(red) == 1 for row in (small, medium))


def test_compare_marks_wide_spreads() -> None:
    compare = Compare([measured([1e-5, 2e-5, 3e-5, 9e-5], description="torch")])
    assert "(!" not in str(compare)
    compare.highlight_warnings()
    assert "25.0 (! 110%)" in str(compare)
    assert "(! XX%) Measurement has high variance" in str(compare)
    with pytest.raises(ValueError, match="Expected an instance of `Measurement`, got"):
        compare.extend_results([1.0])  # type: ignore[list-item]


def test_fuzzer_draws_parameters_and_tensors() -> None:
    parameters = [
        FuzzedParameter("n", 2, 8, "uniform"),
        FuzzedParameter("k", 1, 64, "loguniform"),
        FuzzedParameter("step", distribution={1: 0.5, 2: 0.5}),
        FuzzedParameter("alias", distribution={ParameterAlias("n"): 1.0}),
        FuzzedParameter("scale", 0.0, 1.0, "uniform"),
    ]
    tensors = [
        FuzzedTensor("x", ("n", "k"), steps=("step", 1), probability_contiguous=0.0),
        FuzzedTensor("y", ("alias",), dtype=torch.int32, min_elements=4),
    ]
    fuzzer = Fuzzer(parameters, tensors, [lambda params: params["k"] > 1], seed=3)
    drawn = list(fuzzer.take(20))
    for made, properties, params in drawn:
        assert made["x"].shape == (params["n"], params["k"])
        assert 4 <= params["n"] <= 8 and 1 < params["k"] <= 64 and 0 <= params["scale"] <= 1
        assert made["x"].stride()[0] == params["step"]  # Transposed in memory.
        assert made["y"].shape == (params["n"],) and made["y"].dtype is torch.int32
        assert properties["x"]["numel"] == made["x"].numel()
    assert 0 < fuzzer.rejection_rate < 1
    again = list(fuzzer.take(20))
    assert [p for _, _, p in again] == [p for _, _, p in drawn]
    assert all(torch.equal(a[0]["x"], b[0]["x"]) for a, b in zip(again, drawn, strict=True))


def test_fuzzer_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="Unknown distribution: normal"):
        FuzzedParameter("n", 1, 2, "normal")
    with pytest.raises(ValueError, match='"uniform" needs minval and maxval'):
        FuzzedParameter("n", 1, distribution="uniform")
    with pytest.raises(ValueError, match="needs neither minval nor maxval"):
        FuzzedParameter("n", 1, distribution={1: 1.0})
    with pytest.raises(ValueError, match=r"The sum of probabilities is 0.5, not 1."):
        FuzzedParameter("n", distribution={1: 0.5})
    n = FuzzedParameter("n", 1, 2, "uniform")
    with pytest.raises(ValueError, match="Duplicate names in parameters and tensors: {'n'}"):
        Fuzzer([n], [FuzzedTensor("n", (1,))])
    with pytest.raises(ValueError, match=r"Failed to generate a set of valid parameters."):
        next(Fuzzer([n], [], [lambda params: False]).take(1))
    a = FuzzedParameter("a", distribution={ParameterAlias("a"): 1.0})
    with pytest.raises(ValueError, match="ParameterAlias cycle detected"):
        next(Fuzzer([a], []).take(1))
