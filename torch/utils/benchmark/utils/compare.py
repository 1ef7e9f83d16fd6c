"""Tables of measurements."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence

from torch.utils.benchmark.utils import common

_END = "\033[0m"
_BOLD = "\033[1m"
_BEST = "\033[92m"
_GOOD = "\033[34m"
_BAD = "\033[2m\033[91m"
_VERY_BAD = "\033[31m"


class Colorize(enum.Enum):
    """What the colours of a table compare with: nothing, the best of the column or of the row."""

    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


def _colored(text: str, value: float, best: float) -> str:
    """`text` in the colour of its distance from the best time."""
    if value <= best * 1.01 or value <= best + 100e-9:
        return f"{_BEST}{_BOLD}{text}{_END}{_END}"
    if value <= best * 1.1:
        return f"{_GOOD}{_BOLD}{text}{_END}{_END}"
    if value >= best * 5:
        return f"{_VERY_BAD}{_BOLD}{text}{_END}{_END}"
    if value >= best * 2:
        return f"{_BAD}{text}{_END}{_END}"
    return text


# Threads, environment and name.
_Row = tuple[int, str | None, str]


class _Table:
    """The measurements of one label."""

    def __init__(
        self, results: Sequence[common.Measurement], colorize: Colorize, trim: bool, warn: bool
    ) -> None:
        self._colorize, self._trim, self._warn = colorize, trim, warn
        self.label = results[0].task_spec.label or ""
        self.unit, self._scale = common.select_unit(min(r.median for r in results))
        self._cells: dict[tuple[_Row, str | None], common.Measurement] = {}
        for r in results:
            self._cells[self._row(r), r.task_spec.description] = r
        names = common.ordered_unique(r.as_row_name for r in results)
        environments = common.ordered_unique(r.task_spec.env for r in results)
        self._several = len(environments) > 1
        # By threads and environment, and otherwise in the order of the measurements.
        self._rows = sorted(
            common.ordered_unique(self._row(r) for r in results),
            key=lambda row: (row[0], row[1] or "", names.index(row[2])),
        )
        self._columns = common.ordered_unique(r.task_spec.description for r in results)

    @staticmethod
    def _row(measurement: common.Measurement) -> _Row:
        spec = measurement.task_spec
        return spec.num_threads, spec.env, measurement.as_row_name

    def _best(self, row: _Row, column: str | None) -> float | None:
        """The time that the colour of a cell compares with: of as many threads, in any case."""
        if self._colorize is Colorize.NONE:
            return None
        rowwise = self._colorize is Colorize.ROWWISE
        return min(
            m.median
            for (r, c), m in self._cells.items()
            if (r == row if rowwise else c == column and r[0] == row[0])
        )

    def _number(self, measurement: common.Measurement, behind: int) -> str:
        value = measurement.median / self._scale
        if self._trim:
            value = common.trim_sigfig(value, measurement.significant_figures)
        return f"{value:.{behind}f}"

    def _digits(self, measurement: common.Measurement) -> int:
        """How many digits behind the point mean something."""
        value = measurement.median / self._scale
        before = math.floor(math.log10(value)) + 1 if value > 0 else 1
        return max(measurement.significant_figures - before, 0)

    def _column(self, column: str | None) -> list[str]:
        """The title and the cells of a column, all of one width apart from their colours."""
        found = [self._cells.get((row, column)) for row in self._rows]
        there = [m for m in found if m]
        behind = min(self._digits(m) for m in there) if self._trim else 1
        inner = max(len(self._number(m, behind)) for m in there)
        warned = self._warn and any(m.has_warnings for m in there)
        texts = []
        for m in found:
            text = self._number(m, behind).rjust(inner) if m else ""
            if m and warned:
                share = f" (! {100 * m.iqr / m.median:.0f}%)"
                text += share if m.has_warnings else " " * len(" (! 00%)")
            texts.append(text)
        title = column or ""
        width = max(len(text) for text in [title, *texts])
        cells = []
        for row, m, text in zip(self._rows, found, texts, strict=True):
            cell = text.center(width)
            if m and (best := self._best(row, column)) is not None:
                cell = _colored(cell, m.median, best)
            cells.append(cell)
        return [title.center(width), *cells]

    def _names(self) -> list[str]:
        """The first column, without its title."""
        environments = {row[1] or "" for row in self._rows} if self._several else {""}
        width = max(len(f"({e})") if e else 0 for e in environments)
        names, last = [], None
        for threads, env, name in self._rows:
            shown = f"({env})" if self._several and env and (threads, env) != last else ""
            last = (threads, env)
            names.append(f"  {shown.ljust(width)}  {name}" if width else f"      {name}")
        return names

    def render(self) -> str:
        """The table, its last line the unit."""
        names = self._names()
        inner = max(len(name) for name in names)
        columns = [self._column(column) for column in self._columns]
        bar = "  |  "
        first = bar.join([" " * inner, *(column[0] for column in columns)])
        width = len(first)
        title = f" {self.label} "
        lines = [f"[{title.center(width - 2, '-')}]", first]
        threads = None
        for i, row in enumerate(self._rows):
            if row[0] != threads:
                threads = row[0]
                lines.append(f"{threads} threads: ".ljust(width, "-"))
            cells = [names[i].ljust(inner), *(column[i + 1] for column in columns)]
            lines.append(bar.join(cells))
        lines += ["", f"Times are in {common.unit_to_english(self.unit)}s ({self.unit})."]
        if self._warn and any(m.has_warnings for m in self._cells.values()):
            lines.append(
                "(! XX%) Measurement has high variance, where XX is the IQR / median * 100."
            )
        return "\n".join(lines) + "\n"


class Compare:
    """Lays out measurements as tables: one for each label, rows by sub-label, columns by
    description, groups of rows by threads.

    Args:
        results: measurements; those of one statement are joined.

    Example::

        >>> from torch.utils.benchmark import Compare, Measurement, TaskSpec
        >>> spec = TaskSpec("x + y", "pass", label="add", sub_label="small", description="new")
        >>> print(Compare([Measurement(1, [2e-6], spec)]))
        [------ add ------]
                     |  new
        1 threads: --------
              small  |  2.0
        <BLANKLINE>
        Times are in microseconds (us).
        <BLANKLINE>
    """

    def __init__(self, results: list[common.Measurement]) -> None:
        self._results: list[common.Measurement] = []
        self.extend_results(results)
        self._trim_significant_figures = False
        self._colorize = Colorize.NONE
        self._highlight_warnings = False

    def __str__(self) -> str:
        labels: dict[str | None, list[common.Measurement]] = {}
        for result in common.Measurement.merge(self._results):
            labels.setdefault(result.task_spec.label, []).append(result)
        tables = (
            _Table(group, self._colorize, self._trim_significant_figures, self._highlight_warnings)
            for group in labels.values()
        )
        return "\n".join(table.render() for table in tables)

    def extend_results(self, results: list[common.Measurement]) -> None:
        """Adds measurements.

        Args:
            results: objects of `Measurement`.

        Raises:
            ValueError: one of them is no measurement.
        """
        for result in results:
            if not isinstance(result, common.Measurement):
                raise ValueError(
                    f"Expected an instance of `Measurement`, got {type(result)} instead."
                )
        self._results.extend(results)

    def trim_significant_figures(self) -> None:
        """Writes the digits alone that mean something: see `Measurement.significant_figures`."""
        self._trim_significant_figures = True

    def colorize(self, rowwise: bool = False) -> None:
        """Colours the best time and those near and far from it.

        Args:
            rowwise: compare with the best of the row, not with that of the column.
        """
        self._colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self) -> None:
        """Writes the spread behind times that differ by more than a tenth of their median."""
        self._highlight_warnings = True

    def print(self) -> None:
        """Prints the tables."""
        print(str(self))


__all__ = ["Colorize", "Compare"]
