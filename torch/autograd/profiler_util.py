"""What a profile is made of: events, averages of events with one name, tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from torch import _absent


@dataclass(frozen=True)
class Interval:
    """A time from `start` to `end`.

    Attributes:
        start, end: in microseconds after the first event of the profile.
    """

    start: float
    end: float

    def elapsed_us(self) -> float:
        """How long it is, in microseconds.

        Example::

            >>> torch.autograd.profiler_util.Interval(2.0, 3.5).elapsed_us()
            1.5
        """
        return self.end - self.start


@dataclass(eq=False)
class FunctionEvent:
    """What ran on the processor: an operator, a node of a backward pass or a `record_function`.

    Attributes:
        name: "aten::add", "AddBackward0", or the program's own.
        time_range: when it ran.
        thread: the system's number of the thread.
        scope: 0 for an operator, 1 for a node of a backward pass, 2 for a `record_function`.
        input_shapes: the sizes of each argument, if they were recorded; none for what is no tensor.
        cpu_parent: the event inside which it ran, or None.
        cpu_children: the events that ran inside it and in none of each other.
    """

    name: str
    time_range: Interval
    thread: int
    scope: int
    input_shapes: list[list[int]]
    cpu_parent: FunctionEvent | None = field(default=None, repr=False)
    cpu_children: list[FunctionEvent] = field(default_factory=list, repr=False)
    count: int = 1

    @property
    def key(self) -> str:
        """Its name."""
        return self.name

    @property
    def is_user_annotation(self) -> bool:
        """Whether the program named it."""
        return self.scope == 2

    @property
    def cpu_time_total(self) -> float:
        """Microseconds from its beginning to its end."""
        return self.time_range.elapsed_us()

    cpu_time = cpu_time_total

    @property
    def self_cpu_time_total(self) -> float:
        """The same without its children's."""
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    device_time_total: float = field(default=0.0, init=False)
    self_device_time_total: float = field(default=0.0, init=False)


@dataclass(frozen=True)
class KernelEvent:
    """One kernel, or one copy or filling of memory, on a GPU.

    Attributes:
        name: of the kernel, or what was copied from where to where.
        category: "kernel", "gpu_memcpy" or "gpu_memset".
        start: in microseconds after the first event of the profile.
        duration: in microseconds.
        device_index: the GPU.
        stream: the number of its stream.
        grid, block: of a kernel, in blocks and threads; zeros for others.
        shared_memory: of a block, in bytes.
        bytes: how much was copied or filled.
        key, device_time_total: `name` and `duration`, as a `FunctionEvent` has them.
    """

    name: str
    category: str  # kernel, gpu_memcpy or gpu_memset
    start: float
    duration: float
    device_index: int
    stream: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_memory: int
    bytes: int

    # As a FunctionEvent has them.
    count = 1
    cpu_time_total = self_cpu_time_total = 0.0
    input_shapes: tuple[list[int], ...] = field(default=(), init=False)
    cpu_parent: FunctionEvent | None = field(default=None, init=False)

    @property
    def key(self) -> str:
        """Its name."""
        return self.name

    @property
    def device_time_total(self) -> float:
        """How long it took."""
        return self.duration

    self_device_time_total = device_time_total


Event = FunctionEvent | KernelEvent


@dataclass
class FunctionEventAvg:
    """All events of one name; times are in microseconds.

    Attributes:
        key: the name.
        count: how many there are.
        cpu_time_total: from their beginnings to their ends; what runs inside one of the same name
            counts twice.
        self_cpu_time_total: the same without what other events inside them took.
        device_time_total: what a GPU took.
        input_shapes: of all of them, if the averages are of one shape each.
    """

    key: str
    count: int = 0
    cpu_time_total: float = 0.0
    self_cpu_time_total: float = 0.0
    device_time_total: float = 0.0
    self_device_time_total: float = 0.0
    input_shapes: list[list[int]] = field(default_factory=list)

    def add(self, event: Event | FunctionEventAvg) -> FunctionEventAvg:
        """Adds an event to the sums.

        Args:
            event: an event, or another average, with all its events.

        Returns:
            This object.
        """
        self.count += event.count
        self.cpu_time_total += event.cpu_time_total
        self.self_cpu_time_total += event.self_cpu_time_total
        self.device_time_total += event.device_time_total
        self.self_device_time_total += event.self_device_time_total
        return self

    @property
    def cpu_time(self) -> float:
        """Of one event, on average."""
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def device_time(self) -> float:
        """Of one event, on average."""
        return self.device_time_total / self.count if self.count else 0.0

    @property
    def cuda_time(self) -> float:
        """The older name of `device_time`."""
        return self.device_time

    @property
    def cuda_time_total(self) -> float:
        """The older name of `device_time_total`."""
        return self.device_time_total

    @property
    def self_cuda_time_total(self) -> float:
        """The older name of `self_device_time_total`."""
        return self.self_device_time_total


# By what a table may be sorted, the largest first.
_SORT = (
    "cpu_time",
    "cpu_time_total",
    "self_cpu_time_total",
    "device_time",
    "device_time_total",
    "self_device_time_total",
    "cuda_time",
    "cuda_time_total",
    "self_cuda_time_total",
    "count",
)


def _average(row: Event | FunctionEventAvg) -> FunctionEventAvg:
    if isinstance(row, FunctionEventAvg):
        return row
    return FunctionEventAvg(row.name, input_shapes=list(row.input_shapes)).add(row)


class EventList(list[Any]):
    """Events in the order of their beginnings, or averages."""

    @property
    def self_cpu_time_total(self) -> float:
        """What all took on the processor, in microseconds."""
        return sum(row.self_cpu_time_total for row in self)

    def total_average(self) -> FunctionEventAvg:
        """The sums of all entries.

        Returns:
            One `FunctionEventAvg` of the name "Total", with times in microseconds.
        """
        total = FunctionEventAvg("Total")
        for row in self:
            total.add(row)
        return total

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0
    ) -> EventList:
        """One entry for each name.

        Args:
            group_by_input_shape: one for each name and shapes of the arguments.
            group_by_stack_n: 0; no stacks are recorded.

        Returns:
            A list of `FunctionEventAvg`, in the order in which the names came first.

        Raises:
            ValueError: another `group_by_stack_n`.
        """
        if group_by_stack_n:
            raise ValueError("no stacks are recorded: leave group_by_stack_n out")
        averages: dict[str, FunctionEventAvg] = {}
        for event in self:
            key = f"{event.key} {event.input_shapes}" if group_by_input_shape else event.key
            if key not in averages:
                shapes = list(event.input_shapes) if group_by_input_shape else []
                averages[key] = FunctionEventAvg(event.key, input_shapes=shapes)
            averages[key].add(event)
        return EventList(averages.values())

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
    ) -> str:
        """A line for each entry.

        Args:
            sort_by: the name of a time, or "count"; the largest comes first. As they are if None.
            row_limit: how many lines there are at most; all if negative.
            max_src_column_width: of stacks, which are not recorded.
            max_name_column_width: longer names are cut.
            max_shapes_column_width: longer shapes are cut.
            header: a line above the table.
            top_level_events_only: whether events inside other events are left out.

        Raises:
            ValueError: another `sort_by`.
        """
        if sort_by is not None and sort_by not in _SORT:
            raise ValueError(f"sort_by should be one of {', '.join(_SORT)}, not {sort_by!r}")
        rows = [
            _average(row)
            for row in self
            if not (top_level_events_only and getattr(row, "cpu_parent", None) is not None)
        ]
        if sort_by is not None:
            rows.sort(key=lambda row: -getattr(row, sort_by))
        cpu = sum(row.self_cpu_time_total for row in rows)
        device = sum(row.self_device_time_total for row in rows)
        columns: list[tuple[str, Callable[[FunctionEventAvg], str]]] = [
            ("Name", lambda row: _cut(row.key, max_name_column_width))
        ]
        if any(row.cpu_time_total for row in rows) or not rows:
            columns += [
                ("Self CPU %", lambda row: _share(row.self_cpu_time_total, cpu)),
                ("Self CPU", lambda row: _time(row.self_cpu_time_total)),
                ("CPU total %", lambda row: _share(row.cpu_time_total, cpu)),
                ("CPU total", lambda row: _time(row.cpu_time_total)),
                ("CPU time avg", lambda row: _time(row.cpu_time)),
            ]
        if any(row.device_time_total for row in rows):
            columns += [
                ("Self CUDA", lambda row: _time(row.self_device_time_total)),
                ("Self CUDA %", lambda row: _share(row.self_device_time_total, device)),
                ("CUDA total", lambda row: _time(row.device_time_total)),
                ("CUDA time avg", lambda row: _time(row.device_time)),
            ]
        columns.append(("# of Calls", lambda row: str(row.count)))
        if any(row.input_shapes for row in rows):
            columns.append(
                ("Input Shapes", lambda row: _cut(str(row.input_shapes), max_shapes_column_width))
            )
        shown = rows if row_limit < 0 else rows[:row_limit]
        cells = [[title for title, _ in columns], *([f(row) for _, f in columns] for row in shown)]
        widths = [max(12, *map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(f"{c:>{w}}" for c, w in zip(line, widths, strict=True)) for line in cells
        ]
        rule = "  ".join("-" * width for width in widths)
        lines = [*([header] if header else []), rule, lines[0], rule, *lines[1:], rule]
        if len(shown) < len(rows):
            lines.append(f"{len(rows) - len(shown)} more rows, row_limit is {row_limit}")
        if cpu or not device:
            lines.append(f"Self CPU time total: {_time(cpu)}")
        if device:
            lines.append(f"Self CUDA time total: {_time(device)}")
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return self.table()

    def export_chrome_trace(
        self, path: str | PathLike[str], metadata: dict[str, Any] | None = None
    ) -> None:
        """Writes JSON in Chrome's trace event format: this process and each GPU are processes,
        threads and streams are threads.

        Args:
            path: compressed if it ends in ".gz".
            metadata: more entries of the file.

        Raises:
            OSError: the file cannot be written.
        """
        import gzip
        import json

        trace = {"schemaVersion": 1, **(metadata or {}), "traceEvents": list(_trace_rows(self))}
        file: Any = gzip.open if os.fspath(path).endswith(".gz") else open
        with file(path, "wt", encoding="utf-8") as stream:
            json.dump(trace, stream)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole if whole else 0.0:.2f}%"


def _time(microseconds: float) -> str:
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"


_CATEGORIES = ("cpu_op", "cpu_op", "user_annotation")


def _trace_rows(events: Iterable[Event]) -> Iterable[dict[str, object]]:
    """The entries of a trace: first the names of processes and threads."""
    lanes = {
        (event.device_index, event.stream) for event in events if isinstance(event, KernelEvent)
    }
    for device in sorted({device for device, _ in lanes}):
        name = {"name": f"GPU {device}"}
        yield {"ph": "M", "name": "process_name", "pid": device, "tid": 0, "args": name}
    for device, stream in sorted(lanes):
        name = {"name": f"stream {stream}"}
        yield {"ph": "M", "name": "thread_name", "pid": device, "tid": stream, "args": name}
    for event in events:
        more: dict[str, object]
        if isinstance(event, FunctionEvent):
            more = {"Input Dims": event.input_shapes} if event.input_shapes else {}
            yield {
                "ph": "X",
                "cat": _CATEGORIES[event.scope],
                "name": event.name,
                "pid": os.getpid(),
                "tid": event.thread,
                "ts": event.time_range.start,
                "dur": event.time_range.elapsed_us(),
                "args": more,
            }
            continue
        more = {"device": event.device_index, "stream": event.stream}
        if event.category == "kernel":
            more |= {
                "grid": event.grid,
                "block": event.block,
                "shared memory": event.shared_memory,
            }
        else:
            more["bytes"] = event.bytes
        yield {
            "ph": "X",
            "cat": event.category,
            "name": event.name,
            "pid": event.device_index,
            "tid": event.stream,
            "ts": event.start,
            "dur": event.duration,
            "args": more,
        }


def _encloses(outer: Interval, inner: Interval) -> bool:
    return inner.start < outer.end and inner.end <= outer.end


def cpu_events(records: Iterable[tuple[Any, ...]], origin: int) -> list[FunctionEvent]:
    """Events of what `_profiler_stop` returns, each with its parent and children. Times begin at
    `origin`, in nanoseconds: those since 1970 are too large for a float.
    """
    events: list[FunctionEvent] = []
    open_events: list[FunctionEvent] = []
    for scope, name, start, end, thread, shapes in records:
        times = Interval((start - origin) / 1e3, (end - origin) / 1e3)
        event = FunctionEvent(name, times, thread, scope, shapes)
        # Records are in the order of their beginnings.
        while open_events and not _encloses(open_events[-1].time_range, event.time_range):
            open_events.pop()
        if open_events:
            event.cpu_parent = open_events[-1]
            event.cpu_parent.cpu_children.append(event)
        open_events.append(event)
        events.append(event)
    return events


__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg", "Interval", "KernelEvent"]

__getattr__ = _absent.names_of(
    __name__,
    _absent.PROFILER,
    classes="EventMetadata FormattedTimesMixin Kernel MemRecordsAcc StringTable",
)
