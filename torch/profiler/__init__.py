"""What GPUs did and when, in builds with `--cupti`: kernels, copies and fillings of memory.

    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA]) as prof:
        train()
    print(prof.key_averages().table(sort_by="cuda_time_total", row_limit=10))
    prof.export_chrome_trace("trace.json")  # for chrome://tracing or ui.perfetto.dev

What the processor does is not recorded in this version: `ProfilerActivity.CPU` is refused.
"""

from __future__ import annotations

import gzip
import json
import os
import socket
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any

import torch
from torch import _C, _absent
from torch.autograd.profiler import record_function

__all__ = [
    "EventList",
    "KernelAverage",
    "KernelEvent",
    "ProfilerAction",
    "ProfilerActivity",
    "kineto_available",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]


class ProfilerActivity(Enum):
    """What may be recorded."""

    CPU = 0
    CUDA = 2


def supported_activities() -> set[ProfilerActivity]:
    """What this build can record."""
    has_trace = getattr(_C, "_cuda_hasTrace", None)
    return {ProfilerActivity.CUDA} if has_trace is not None and has_trace() else set()


@dataclass(frozen=True)
class KernelEvent:
    """One kernel, or one copy or filling of memory; times are in microseconds."""

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


@dataclass(frozen=True)
class KernelAverage:
    """All events of one name; times are in microseconds."""

    key: str
    count: int
    device_time_total: float

    @property
    def device_time(self) -> float:
        """Of one event, on average."""
        return self.device_time_total / self.count

    @property
    def cuda_time_total(self) -> float:
        return self.device_time_total

    @property
    def cuda_time(self) -> float:
        return self.device_time


# By what a table may be sorted.
_SORT: dict[str, Callable[[KernelAverage], Any]] = {
    "cuda_time_total": lambda a: -a.device_time_total,
    "device_time_total": lambda a: -a.device_time_total,
    "cuda_time": lambda a: -a.device_time,
    "device_time": lambda a: -a.device_time,
    "count": lambda a: -a.count,
    "name": lambda a: a.key,
}


class EventList(list[KernelAverage]):
    """Averages, the longest total first."""

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_name_column_width: int = 55,
    ) -> str:
        """A line for each name; the rest of what is limited is in the last line."""
        if sort_by is not None and sort_by not in _SORT:
            raise ValueError(f"sort_by should be one of {', '.join(_SORT)}, not {sort_by!r}")
        rows = sorted(self, key=_SORT[sort_by or "device_time_total"])
        total = sum(row.device_time_total for row in rows)
        shown = rows if row_limit < 0 else rows[:row_limit]

        def short(name: str) -> str:
            fits = len(name) <= max_name_column_width
            return name if fits else name[: max_name_column_width - 3] + "..."

        names = [short(row.key) for row in shown]
        width = max([4, *map(len, names)])
        header = f"{'Name':<{width}}  {'CUDA %':>7}"
        header += "".join(f"  {column:>10}" for column in ("CUDA total", "CUDA avg", "# of Calls"))
        rule = "-" * len(header)
        lines = [rule, header, rule]
        for name, row in zip(names, shown, strict=True):
            share = 100 * row.device_time_total / total if total else 0.0
            lines.append(
                f"{name:<{width}}  {share:>6.2f}%  {_time(row.device_time_total):>10}  "
                f"{_time(row.device_time):>10}  {row.count:>10}"
            )
        lines += [rule, f"CUDA time total: {_time(total)}"]
        if len(shown) < len(rows):
            lines.append(f"{len(rows) - len(shown)} more names, row_limit is {row_limit}")
        return "\n".join(lines) + "\n"


# PyTorch's arguments that this version has not.
_OTHERS = frozenset(
    {
        "acc_events",
        "custom_trace_id_callback",
        "execution_trace_observer",
        "experimental_config",
        "post_processing_timeout_s",
        "profile_memory",
        "record_shapes",
        "schedule",
        "use_cuda",
        "with_flops",
        "with_modules",
        "with_stack",
    }
)


class profile:
    """Records what begins on any GPU inside of its block, which ends by waiting for the GPUs.

    Args:
      activities: `[ProfilerActivity.CUDA]`; all that the build can record by default.
      on_trace_ready: called with this object at the end.
      others: PyTorch's further arguments may be given as None or False; else they are refused.
    """

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity] | None = None,
        on_trace_ready: Callable[[profile], None] | None = None,
        **others: object,
    ) -> None:
        for name, value in others.items():
            if name not in _OTHERS:
                raise TypeError(f"profile() got an unexpected keyword argument '{name}'")
            if value is not None and value is not False:
                raise ValueError(
                    f"this version records what GPUs do and when, and has no {name}={value!r}: "
                    f"leave {name} out"
                )
        wanted = {ProfilerActivity.CUDA} if activities is None else set(activities)
        for activity in wanted:
            if not isinstance(activity, ProfilerActivity):
                raise TypeError(f"activities are of ProfilerActivity, not {activity!r}")
        if ProfilerActivity.CPU in wanted:
            raise ValueError(
                "this version records what GPUs do, not ProfilerActivity.CPU: "
                "pass activities=[ProfilerActivity.CUDA]"
            )
        if not wanted:
            raise ValueError("nothing to record: pass activities=[ProfilerActivity.CUDA]")
        if not wanted <= supported_activities():
            raise RuntimeError(
                "this build has no CUPTI, which records what GPUs do. It is in one with the "
                "option: ./bazelw build //torch:wheel --config=cuda --cupti"
            )
        self._on_trace_ready = on_trace_ready
        self._events: list[KernelEvent] | None = None

    def start(self) -> None:
        _C._cuda_startTrace()  # type: ignore[attr-defined]

    def stop(self) -> None:
        try:
            for device in range(torch.cuda.device_count()):
                torch.cuda.synchronize(device)
        finally:
            records = _C._cuda_stopTrace()  # type: ignore[attr-defined]
        kinds = ("kernel", "gpu_memcpy", "gpu_memset")
        self._events = [
            KernelEvent(name, kinds[work], start / 1e3, (end - start) / 1e3, device, stream, *rest)
            for work, name, start, end, device, stream, *rest in records
        ]
        if self._on_trace_ready is not None:
            self._on_trace_ready(self)

    def __enter__(self) -> profile:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def events(self) -> list[KernelEvent]:
        """In the order in which they began."""
        if self._events is None:
            raise RuntimeError("nothing was recorded: the block of `with profile()` has not ended")
        return self._events

    def key_averages(self) -> EventList:
        """One entry for each name."""
        times: dict[str, list[float]] = {}
        for event in self.events():
            times.setdefault(event.name, []).append(event.duration)
        averages = (KernelAverage(name, len(all_), sum(all_)) for name, all_ in times.items())
        return EventList(sorted(averages, key=lambda a: -a.device_time_total))

    def export_chrome_trace(self, path: str | PathLike[str]) -> None:
        """Writes JSON in Chrome's trace event format: GPUs are processes, streams are threads."""
        rows: list[dict[str, object]] = []
        for device in sorted({event.device_index for event in self.events()}):
            name = {"name": f"GPU {device}"}
            rows.append({"ph": "M", "name": "process_name", "pid": device, "tid": 0, "args": name})
        lanes = {(event.device_index, event.stream) for event in self.events()}
        for device, stream in sorted(lanes):
            name = {"name": f"stream {stream}"}
            rows.append(
                {"ph": "M", "name": "thread_name", "pid": device, "tid": stream, "args": name}
            )
        for event in self.events():
            more: dict[str, object] = {"device": event.device_index, "stream": event.stream}
            if event.category == "kernel":
                more |= {
                    "grid": event.grid,
                    "block": event.block,
                    "shared memory": event.shared_memory,
                }
            else:
                more["bytes"] = event.bytes
            rows.append(
                {
                    "ph": "X",
                    "cat": event.category,
                    "name": event.name,
                    "pid": event.device_index,
                    "tid": event.stream,
                    "ts": event.start,
                    "dur": event.duration,
                    "args": more,
                }
            )
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"schemaVersion": 1, "traceEvents": rows}, file)


class ProfilerAction(Enum):
    """What a profiler does in a step of a `schedule`."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(
    *,
    wait: int,
    warmup: int,
    active: int,
    repeat: int = 0,
    skip_first: int = 0,
    skip_first_wait: int = 0,
) -> Callable[[int], ProfilerAction]:
    """Cycles of waiting, warming up and recording, as a function of the number of the step.

    Args:
        wait: steps of a cycle in which nothing happens.
        warmup: steps in which the profiler runs and its records are dropped.
        active: steps that are recorded, at least one; after the last the trace is ready.
        repeat: how many cycles there are; 0 has no end.
        skip_first: steps before the first cycle.
        skip_first_wait: whether, if not 0, the first cycle does not wait.

    Returns:
        A function from a number to a `ProfilerAction`.

    Raises:
        AssertionError: a number is out of range.

    Example::

        >>> plan = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
        >>> [plan(step).name for step in range(5)]
        ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got {wait=} (need >= 0), {warmup=} (need >= 0), "
            f"{active=} (need > 0), {repeat=} (need >= 0), {skip_first=} (need >= 0)."
        )
    if warmup == 0:
        warnings.warn(
            "Profiler won't be using warmup, this can skew profiler results", stacklevel=2
        )
    length = wait + warmup + active

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        if repeat > 0 and step // length >= repeat:
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < length - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, use_gzip: bool = False
) -> Callable[[profile], None]:
    """A value for `on_trace_ready` that writes each trace to a file of its own.

    Args:
        dir_name: the folder; it is made.
        worker_name: the beginning of the names; the machine's and the process's by default.
        use_gzip: whether the files are compressed.

    Returns:
        A function that takes a profiler.

    Raises:
        RuntimeError: the folder cannot be made.

    Example::

        >>> handler = torch.profiler.tensorboard_trace_handler("/tmp/traces")
    """

    def write(prof: profile) -> None:
        folder = Path(dir_name)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RuntimeError("Can't create directory: " + dir_name) from error
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        path = folder / f"{worker}.{time.time_ns()}.pt.trace.json"
        prof.export_chrome_trace(path)
        if use_gzip:
            packed = path.with_name(path.name + ".gz")
            packed.write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()

    return write


def kineto_available() -> bool:
    """False: PyTorch's Kineto is not part of this release."""
    return False


def _time(microseconds: float) -> str:
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"


__getattr__ = _absent.explain(__name__)
