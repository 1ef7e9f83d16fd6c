"""A picture of what the benchmark measured."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

Rows = Mapping[str, Sequence[Sequence[float]]]


def draw(results: Mapping[str, Rows], path: Path) -> None:
    """A chart for each table: seconds of both sides, on a logarithmic scale.

    Args:
      results: for each title the scenarios, each with Bazel's seconds and CMake's.
      path: the picture; its suffix says which kind.
    """
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    pyplot.rcParams["svg.fonttype"] = "none"  # Letters, not their outlines.
    pyplot.rcParams["svg.hashsalt"] = "build"  # The same bytes each time.
    figure, charts = pyplot.subplots(
        len(results),
        figsize=(9, sum(0.42 * len(rows) + 1.1 for rows in results.values())),
        height_ratios=[len(rows) + 1.5 for rows in results.values()],
        squeeze=False,
        layout="constrained",
    )
    for axes, (title, rows) in zip(charts[:, 0], results.items(), strict=True):
        what, _, peer = title.partition("; ")
        for index, label in enumerate(("Bazel", peer)):
            places = [number + 0.4 * (index - 0.5) for number in range(len(rows))]
            medians = [statistics.median(taken[index]) for taken in rows.values()]
            bars = axes.barh(places, medians, 0.38, label=label)
            axes.bar_label(bars, fmt="%.2f", fontsize=7, padding=2)
        axes.set_yticks(range(len(rows)), rows, fontsize=8)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.margins(x=0.1)
        axes.set_title(what, fontsize=9)
        axes.legend(fontsize=8)
    charts[-1, 0].set_xlabel("seconds")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
