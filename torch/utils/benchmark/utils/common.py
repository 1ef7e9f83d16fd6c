"""Measurements, what was measured, and how their numbers are written."""

from __future__ import annotations

import contextlib
import math
import statistics
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

# Of the median: a spread above the first is told, one above the second is told as a large one.
_WIDE = 0.1
_VERY_WIDE = 0.25
# Half of the 90 % interval of a normal distribution, in standard deviations.
_HALF_WIDTH = 1.645
# No clock is more exact than this, in seconds.
_CLOCK = 25e-9
_UNITS = {
    "ns": ("nanosecond", 1e-9),
    "us": ("microsecond", 1e-6),
    "ms": ("millisecond", 1e-3),
    "s": ("second", 1),
}


@dataclass(init=True, repr=False, eq=True, frozen=True)
class TaskSpec:
    """What a `Timer` measures: the statement and how tables call it.

    Args:
        stmt: what is measured.
        setup: what runs once before.
        global_setup: what runs before it outside Python.
        label: a name of the measurement, instead of the statement.
        sub_label: a second name, which tells apart measurements of one label.
        description: the heading of the column in a `Compare`.
        env: what was changed around the measurement.
        num_threads: threads of one operator.
    """

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """The label, or else the statement, and the second label."""
        if self.label is None and "\n" in self.stmt:
            second = f" ({self.sub_label})" if self.sub_label else ""
            return f"stmt:{second}\n{textwrap.indent(self.stmt, '  ')}"
        first = self.label if self.label is not None else self.stmt
        return f"{first}: {self.sub_label}" if self.sub_label else first

    def setup_str(self) -> str:
        """What runs before the statement; empty where that is nothing."""
        if not self.setup or self.setup == "pass":
            return ""
        if "\n" in self.setup:
            return f"setup:\n{textwrap.indent(self.setup, '  ')}"
        return f"setup: {self.setup}"

    def summarize(self) -> str:
        """Title, description and setup, a blank line behind those of several lines."""
        parts = [part for part in (self.title, self.description, self.setup_str()) if part]
        return "\n".join(part + "\n" if "\n" in part else part for part in parts)


@dataclass(init=True, repr=False)
class Measurement:
    """Times of one statement, with their statistics.

    Args:
        number_per_run: how often the statement ran in each of `raw_times`.
        raw_times: seconds, one for each run.
        task_spec: what was measured.
        metadata: anything that belongs to it.

    Its object can be pickled, which is how measurements of several processes come together.

    Example::

        >>> from torch.utils.benchmark import Measurement, TaskSpec
        >>> measurement = Measurement(1, [2e-6, 2e-6, 3e-6, 2e-6], TaskSpec("x + y", "pass"))
        >>> measurement.median, measurement.has_warnings
        (2e-06, True)
    """

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[Any, Any] | None = None

    @property
    def times(self) -> list[float]:
        """Seconds of one call of the statement, for each run."""
        return [t / self.number_per_run for t in self.raw_times]

    def _quantile(self, part: float) -> float:
        """Between the two nearest times, on the line that joins them."""
        values = sorted(self.times)
        if not values:
            return math.nan
        place = part * (len(values) - 1)
        low = math.floor(place)
        high = min(low + 1, len(values) - 1)
        return values[low] + (place - low) * (values[high] - values[low])

    @property
    def median(self) -> float:
        """Seconds of a call: as many runs were faster as were slower."""
        return statistics.median(self.times) if self.raw_times else math.nan

    @property
    def mean(self) -> float:
        """Average seconds of a call."""
        return statistics.fmean(self.times) if self.raw_times else math.nan

    @property
    def iqr(self) -> float:
        """Distance of the quartiles in seconds."""
        return self._quantile(0.75) - self._quantile(0.25)

    @property
    def significant_figures(self) -> int:
        """How many digits of the median mean something, from 1 to 4.

        The digits that the median has above half of a 90 % confidence interval of the middle half
        of all times, as if these were normally distributed; no interval is below 25 ns.
        """
        values = sorted(self.times)
        middle = values[len(values) // 4 : math.ceil(3 * len(values) / 4)]
        if self.median <= 0 or not middle:
            return 1
        spread = statistics.pstdev(middle)
        interval = max(_HALF_WIDTH * spread / math.sqrt(len(middle)), _CLOCK)
        return min(max(math.floor(math.log10(self.median / interval)), 1), 4)

    def meets_confidence(self, threshold: float = _WIDE) -> bool:
        """Whether the distance of the quartiles is below a part of the median.

        Args:
            threshold: that part, of 1.
        """
        return bool(self.median > 0 and self.iqr / self.median < threshold)

    @property
    def has_warnings(self) -> bool:
        """Whether the times differ by more than a tenth of their median."""
        return not self.meets_confidence()

    @property
    def title(self) -> str:
        """The title of what was measured."""
        return self.task_spec.title

    @property
    def env(self) -> str:
        """Where it was measured, as the `Timer` was told."""
        return self.task_spec.env or "Unspecified env"

    @property
    def as_row_name(self) -> str:
        """Its row in a table of `Compare`."""
        return self.task_spec.sub_label or self.task_spec.stmt or "[Unknown]"

    def __getattr__(self, name: str) -> Any:
        # The label, the description, the number of threads and so on.
        if name.startswith("__") or name == "task_spec":
            raise AttributeError(name)
        return getattr(self.task_spec, name)

    def __repr__(self) -> str:
        unit, scale = select_unit(self.median if self.raw_times else 0.0)
        runs, threads = len(self.raw_times), self.task_spec.num_threads
        middle = f"{self.median / scale:.2f} {unit}"
        lines = [object.__repr__(self), self.task_spec.summarize()]
        lines.append(f"  {'' if runs == 1 else 'Median: '}{middle}")
        if runs > 3:
            low, high = (self._quantile(part) / scale for part in (0.25, 0.75))
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low:.2f} to {high:.2f})")
        lines.append(
            f"  {runs} measurement{'' if runs == 1 else 's'}, {self.number_per_run} runs "
            f"{'' if runs == 1 else 'per measurement'}, {threads} thread{'' if threads == 1 else 's'}"
        )
        if self.has_warnings and self.median > 0:
            share = self.iqr / self.median
            lines.append(
                f"  WARNING: Interquartile range is {share * 100:.1f}% of the median measurement."
            )
            lines.append(
                "           This suggests significant environmental influence."
                if share > _VERY_WIDE
                else "           This could indicate system fluctuation."
            )
        return "\n".join(lines)

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """Joins the runs of one statement.

        Args:
            measurements: of any statements.

        Returns:
            One measurement for each statement, whose `number_per_run` is 1.
        """
        runs: dict[TaskSpec, list[float]] = {}
        for measurement in measurements:
            runs.setdefault(measurement.task_spec, []).extend(measurement.times)
        return [Measurement(1, times, task_spec) for task_spec, times in runs.items()]


def select_unit(t: float) -> tuple[str, float]:
    """The unit in which `t` seconds read best, and its seconds.

    Example::

        >>> torch.utils.benchmark.select_unit(3e-4)
        ('us', 1e-06)
    """
    for unit in ("s", "ms", "us", "ns"):
        if t >= _UNITS[unit][1]:
            return unit, _UNITS[unit][1]
    return "ns", _UNITS["ns"][1]


def unit_to_english(u: str) -> str:
    """The name of a unit of `select_unit`.

    Args:
        u: the unit, such as "ms".

    Raises:
        KeyError: there is no such unit.
    """
    return _UNITS[u][0]


def trim_sigfig(x: float, n: int) -> float:
    """`x` with its first `n` digits alone.

    Example::

        >>> torch.utils.benchmark.trim_sigfig(1234.5, 2)
        1200.0
    """
    if not x or not math.isfinite(x):
        return x
    step = 10.0 ** (math.ceil(math.log10(abs(x))) - n)
    return float(round(x / step) * step)


def ordered_unique(elements: Iterable[Any]) -> list[Any]:
    """The elements without their repetitions, in the order of their first ones.

    Args:
        elements: anything that can be a key.

    Example::

        >>> torch.utils.benchmark.ordered_unique([2, 1, 2])
        [2, 1]
    """
    return list(dict.fromkeys(elements))


@contextlib.contextmanager
def set_torch_threads(n: int) -> Iterator[None]:
    """Inside the block torch uses another number of threads; afterwards the one from before.

    Args:
        n: threads of one operator, as of `torch.set_num_threads`.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)


__all__ = [
    "Measurement",
    "TaskSpec",
    "ordered_unique",
    "select_unit",
    "set_torch_threads",
    "trim_sigfig",
    "unit_to_english",
]
