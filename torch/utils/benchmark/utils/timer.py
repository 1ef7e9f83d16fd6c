"""Runs statements and takes the time."""

from __future__ import annotations

import enum
import statistics
import textwrap
import timeit
from collections.abc import Callable
from typing import Any, NoReturn

import torch
from torch import _absent
from torch.utils.benchmark.utils import common

# What a run costs beside its statement must be less than this part of it.
_OVERHEAD = 1e-4
# A run without statements, or one that the clock does not see, in seconds.
_SHORTEST = 1e-9
_MOST_CALLS = 10**9
Callback = Callable[[int, float], Any]


class Language(enum.Enum):
    """The language of a statement."""

    PYTHON = 0
    CPP = 1


def timer() -> float:
    """The clock, in seconds, after all that the GPUs of this process still do."""
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return timeit.default_timer()


def _without_indent(text: str) -> str:
    """A statement that a program wrote as an indented block of several lines."""
    return textwrap.dedent(text).removeprefix("\n").rstrip()


class Timer:
    """Measures a statement of Python, as `timeit.Timer` does, with torch's threads and clock.

    Args:
        stmt: the statement, text of one or more lines.
        setup: runs once before each measurement.
        global_setup: of C++ alone.
        timer: a function without arguments whose differences are seconds. The default waits for
            the GPU.
        globals: names that the statement can use, `torch` among them.
        label: the title of a table of `Compare`.
        sub_label: the name of a row.
        description: the name of a column.
        env: which of several environments, such as branches or machines, it was.
        num_threads: of torch, while the statement runs.
        language: `"python"`; `"c++"` refuses.

    Raises:
        ValueError: another language, or `global_setup`.
        NotImplementedError: a statement of C++.

    Example::

        >>> timer = torch.utils.benchmark.Timer("x.sum()", "x = torch.ones(4)", label="sum")
        >>> measurement = timer.timeit(10)
        >>> measurement.number_per_run, measurement.title
        (10, 'sum')
    """

    _timer_cls: type[Any] = timeit.Timer

    def __init__(
        self,
        stmt: str = "pass",
        setup: str = "pass",
        global_setup: str = "",
        timer: Callable[[], float] = timer,
        globals: dict[str, Any] | None = None,
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
        language: Language | str = Language.PYTHON,
    ) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language in (Language.CPP, "cpp", "c++"):
            _absent.CPP_TIMER.refuse('torch.utils.benchmark.Timer(language="c++")')
        if language not in (Language.PYTHON, "py", "python"):
            raise ValueError(f"Invalid language `{language}`.")
        if global_setup:
            raise ValueError(
                f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be moved to `setup`."
            )
        self._globals = {"torch": torch, **(globals or {})}
        self._language = Language.PYTHON
        stmt, setup = _without_indent(stmt), _without_indent(setup)
        self._timer = self._timer_cls(stmt, setup, timer=timer, globals=self._globals)
        self._task_spec = common.TaskSpec(
            stmt, setup, global_setup, label, sub_label, description, env, num_threads
        )

    def _timeit(self, number: int) -> float:
        return max(self._timer.timeit(number), _SHORTEST)

    def timeit(self, number: int = 1000000) -> common.Measurement:
        """Runs the statement, after a hundredth as many calls that warm it up.

        Args:
            number: of the calls.

        Returns:
            A measurement of one run.
        """
        with common.set_torch_threads(self._task_spec.num_threads):
            self._timeit(max(number // 100, 2))
            return self._measurement(number, [self._timeit(number)])

    def repeat(self, repeat: int = -1, number: int = -1) -> NoReturn:
        """Of `timeit.Timer`; `blocked_autorange` takes its place.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback: Callback | None = None) -> NoReturn:
        """Of `timeit.Timer`; `blocked_autorange` takes its place.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def blocked_autorange(
        self, callback: Callback | None = None, min_run_time: float = 0.2
    ) -> common.Measurement:
        """Runs the statement in blocks until that took `min_run_time` seconds.

        The calls of a block are so many, in powers of 10, that the clock costs less than 1e-4 of it
        and a block takes a thousandth of `min_run_time` or more. The first runs, which look for
        that number, are not measured.

        Args:
            callback: is called with the number of calls and the seconds of each block.
            min_run_time: seconds.

        Returns:
            A measurement with one time for each block.
        """
        with common.set_torch_threads(self._task_spec.num_threads):
            number = self._block_size(min_run_time)
            total, times = 0.0, []
            while total < min_run_time:
                times.append(self._block(number, callback))
                total += times[-1]
            return self._measurement(number, times)

    def adaptive_autorange(
        self,
        threshold: float = 0.1,
        *,
        min_run_time: float = 0.01,
        max_run_time: float = 10.0,
        callback: Callback | None = None,
    ) -> common.Measurement:
        """Runs the statement in blocks until the times agree.

        Args:
            threshold: the distance of the quartiles, as a part of the median, that is small enough.
            min_run_time: seconds between two looks at the times.
            max_run_time: seconds after which it ends in any case.
            callback: is called with the number of calls and the seconds of each block.

        Returns:
            A measurement with one time for each block.
        """
        with common.set_torch_threads(self._task_spec.num_threads):
            number = self._block_size(min_run_time)
            total, looked, times = 0.0, 0.0, []
            while total < max_run_time:
                times.append(self._block(number, callback))
                total += times[-1]
                if total - looked < min_run_time:
                    continue
                looked = total
                if len(times) > 3 and self._measurement(number, times).meets_confidence(threshold):
                    break
            return self._measurement(number, times)

    def collect_callgrind(
        self,
        number: int = 100,
        *,
        repeats: int | None = None,
        collect_baseline: bool = True,
        retain_out_file: bool = False,
    ) -> Any:
        """Counts of instructions; refuses, as nothing here reads Valgrind's files.

        Raises:
            NotImplementedError: always.
        """
        _absent.CALLGRIND.refuse("torch.utils.benchmark.Timer.collect_callgrind")

    def _measurement(self, number: int, times: list[float]) -> common.Measurement:
        return common.Measurement(number, times, self._task_spec)

    def _block(self, number: int, callback: Callback | None) -> float:
        seconds = self._timeit(number)
        if callback is not None:
            callback(number, seconds)
        return seconds

    def _block_size(self, min_run_time: float) -> int:
        overhead = statistics.median(self._timeit(0) for _ in range(5))
        number = 1
        while True:
            seconds = self._timeit(number)
            fine = overhead / seconds <= _OVERHEAD and seconds >= min_run_time / 1000
            if fine or seconds > min_run_time or number >= _MOST_CALLS:
                return number
            number *= 10


__all__ = ["Language", "Timer", "timer"]
