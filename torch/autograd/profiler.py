"""PyTorch's first profiler, and names of a program's parts; `torch.profiler` has more."""

from __future__ import annotations

import functools
from collections.abc import Callable
from os import PathLike
from typing import Any, TypeVar

from torch import _C, _absent
from torch.autograd.profiler_util import EventList, FunctionEvent, FunctionEventAvg

F = TypeVar("F", bound=Callable[..., Any])


class record_function:
    """A `with` block, or a decorator, that gives a part of a program a name in profiles.

    Args:
        name: of the part.
        args: more about it, which is not recorded.

    Example::

        >>> with torch.autograd.profiler.profile() as prof:
        ...     with torch.autograd.profiler.record_function("forward"):
        ...         y = torch.ones(2) * 2
        >>> prof.function_events[0].name
        'forward'
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name
        self.args = args
        self._number = 0

    def __enter__(self) -> record_function:
        self._number = _C._profiler_begin(self.name)
        return self

    def __exit__(self, *exc: object) -> None:
        _C._profiler_end(self._number)

    def __call__(self, function: F) -> F:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with record_function(self.name, self.args):
                return function(*args, **kwargs)

        return run  # type: ignore[return-value]


class profile:
    """Records what runs inside of its block: `torch.profiler.profile` with older names.

    Args:
        enabled: whether it does anything.
        use_cuda: whether GPUs are recorded too.
        use_device: "cuda" for the same.
        record_shapes: whether operators keep the shapes of their arguments.
        use_cpu: whether the processor is recorded.
        others: as those of `torch.profiler.profile`.

    Raises:
        As `torch.profiler.profile`.

    Example::

        >>> with torch.autograd.profiler.profile() as prof:
        ...     y = torch.ones(2) * 2
        >>> [event.name for event in prof.function_events if event.cpu_parent is None]
        ['aten::ones', 'aten::mul']
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        use_device: str | None = None,
        record_shapes: bool = False,
        use_cpu: bool = True,
        use_kineto: bool = True,
        **others: Any,
    ) -> None:
        from torch import profiler

        activities = {profiler.ProfilerActivity.CPU} if use_cpu else set()
        if use_cuda or use_device == "cuda":
            activities.add(profiler.ProfilerActivity.CUDA)
        self.enabled = enabled
        self._profile = profiler.profile(
            activities=activities, record_shapes=record_shapes, **others
        )

    def __enter__(self) -> profile:
        if self.enabled:
            self._profile.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self.enabled:
            self._profile.stop()

    @property
    def function_events(self) -> EventList:
        """All events, in the order in which they began: a list of `FunctionEvent`.

        Example::

            >>> with torch.autograd.profiler.profile() as prof:
            ...     y = torch.ones(2).exp()
            >>> [event.name for event in prof.function_events if event.cpu_parent is None]
            ['aten::ones', 'aten::exp']
        """
        return self._profile.events()

    @property
    def self_cpu_time_total(self) -> float:
        """Microseconds that all events took on the processor, each without those inside of it."""
        return self.function_events.self_cpu_time_total

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0
    ) -> EventList:
        """Sums up the events of each name.

        Args:
            group_by_input_shape: whether events with other shapes of their arguments are apart.
            group_by_stack_n: how many calls of Python's stack tell events apart.

        Returns:
            A list with an average for each group.

        Example::

            >>> with torch.autograd.profiler.profile() as prof:
            ...     for _ in range(3):
            ...         y = torch.ones(2) * 2
            >>> {row.key: row.count for row in prof.key_averages()}["aten::mul"]
            3
        """
        return self.function_events.key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self) -> FunctionEventAvg:
        """The sums of all events, as one `FunctionEventAvg`."""
        return self.function_events.total_average()

    def table(self, *args: Any, **kwargs: Any) -> str:
        """The events as text, a line for each.

        Args:
            *args, **kwargs: those of `EventList.table`: `sort_by`, `row_limit` and others.
        """
        return self.function_events.table(*args, **kwargs)

    def export_chrome_trace(self, path: str | PathLike[str]) -> None:
        """Writes all events to a file that Chrome's `chrome://tracing` and Perfetto show.

        Args:
            path: of the file, JSON.
        """
        self.function_events.export_chrome_trace(path)


__getattr__ = _absent.names_of(
    __name__,
    _absent.PROFILER,
    classes="EnforceUnique KinetoStepTracker MemRecordsAcc emit_itt emit_nvtx",
    functions="load_nvprof parse_nvprof_trace",
)

__all__ = [
    "EventList",
    "FunctionEvent",
    "FunctionEventAvg",
    "profile",
    "record_function",
]
