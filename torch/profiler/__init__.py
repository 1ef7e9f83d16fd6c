"""What ran and when: operators, backward passes and named parts of a program on the processor, and
kernels, copies and fillings of memory on GPUs, in builds with `--cupti`.

    from torch.profiler import ProfilerActivity, profile, record_function

    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as prof:
        with record_function("forward"):
            model(x)
    print(prof.key_averages().table(sort_by="cpu_time_total", row_limit=10))
    prof.export_chrome_trace("trace.json")  # for chrome://tracing or ui.perfetto.dev

The thread that starts a profile records what it does itself.
"""

from __future__ import annotations

import os
import socket
import time
import warnings
from collections.abc import Callable, Iterable
from enum import Enum
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any

import torch
from torch import _C, _absent
from torch.autograd.profiler import record_function
from torch.autograd.profiler_util import EventList, KernelEvent, cpu_events

__all__ = [
    "EventList",
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
    gpus = {ProfilerActivity.CUDA} if has_trace is not None and has_trace() else set()
    return {ProfilerActivity.CPU} | gpus


# PyTorch's arguments that this version has not.
_OTHERS = frozenset(
    {
        "acc_events",
        "custom_trace_id_callback",
        "execution_trace_observer",
        "experimental_config",
        "post_processing_timeout_s",
        "profile_memory",
        "use_cuda",
        "with_flops",
        "with_modules",
        "with_stack",
    }
)


class profile:
    """Records what begins inside of its block, or between `start` and `stop`, and waits for GPUs.

    Args:
        activities: of `ProfilerActivity`; all that the build can record by default.
        schedule: what to do in each step, as the function `schedule` makes it; call `step()` after
            each. All is recorded if None.
        on_trace_ready: called with this object at the end, and after each cycle of a schedule.
        record_shapes: whether operators keep the shapes of their arguments.
        others: PyTorch's further arguments may be given as None or False; else they are refused.

    Raises:
        ValueError: nothing to record, or an argument that this version refuses.
        TypeError: an argument that PyTorch has not.
        RuntimeError: the build has no CUPTI; or, at the start, this thread records already.

    Example::

        >>> x = torch.ones(2, 3)
        >>> with torch.profiler.profile() as prof:
        ...     y = x + x
        >>> [(row.key, row.count) for row in prof.key_averages()]
        [('aten::add', 1)]
    """

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[profile], None] | None = None,
        record_shapes: bool = False,
        **others: object,
    ) -> None:
        for name, value in others.items():
            if name not in _OTHERS:
                raise TypeError(f"profile() got an unexpected keyword argument '{name}'")
            if value is not None and value is not False:
                raise ValueError(
                    f"this version records what ran and when, and has no {name}={value!r}: "
                    f"leave {name} out"
                )
        wanted = supported_activities() if activities is None else set(activities)
        for activity in wanted:
            if not isinstance(activity, ProfilerActivity):
                raise TypeError(f"activities are of ProfilerActivity, not {activity!r}")
        if not wanted:
            raise ValueError("nothing to record: pass activities=[ProfilerActivity.CPU]")
        if not wanted <= supported_activities():
            raise RuntimeError(
                "this build has no CUPTI, which records what GPUs do. It is in one with the option: ./bazelw build //torch:wheel --config=cuda --cupti"
            )
        self.activities = wanted
        self.record_shapes = record_shapes
        self.schedule = schedule
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.current_action = ProfilerAction.NONE
        self._step: record_function | None = None
        self._events: EventList | None = None
        self._metadata: dict[str, Any] = {}

    def start(self) -> None:
        """Begins to record, as the beginning of the block does.

        With a schedule the action of step 0 begins.
        """
        self._enter(ProfilerAction.RECORD if self.schedule is None else self.schedule(0))

    def stop(self) -> None:
        """Ends, as the end of the block does."""
        self._leave(ProfilerAction.NONE)

    def step(self) -> None:
        """Ends a step of the schedule and begins the next; without a schedule it only counts.

        Example::

            >>> plan = torch.profiler.schedule(wait=0, warmup=1, active=1, repeat=1)
            >>> with torch.profiler.profile(schedule=plan) as prof:
            ...     for _ in range(2):
            ...         y = torch.ones(2) + 1
            ...         prof.step()
            >>> prof.step_num
            2
        """
        self.step_num += 1
        if self.schedule is None:
            return
        action = self.schedule(self.step_num)
        self._leave(action)
        self._enter(action)

    def _enter(self, action: ProfilerAction) -> None:
        if self.current_action is ProfilerAction.NONE and action is not ProfilerAction.NONE:
            self._record()
        self.current_action = action
        if self.schedule is not None and action is not ProfilerAction.NONE:
            self._step = record_function(f"ProfilerStep#{self.step_num}").__enter__()

    def _leave(self, following: ProfilerAction) -> None:
        if self._step is not None:
            self._step.__exit__()
            self._step = None
        action = self.current_action
        if action is ProfilerAction.NONE:
            return
        recorded = action is not ProfilerAction.WARMUP
        goes_on = following in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        if action is ProfilerAction.RECORD and goes_on:
            return
        if action is ProfilerAction.WARMUP and following is ProfilerAction.WARMUP:
            return
        self.current_action = ProfilerAction.NONE
        events = self._finish()
        if recorded:
            self._events = events
            if self.on_trace_ready is not None:
                self.on_trace_ready(self)

    def _record(self) -> None:
        if ProfilerActivity.CUDA in self.activities:
            _C._cuda_startTrace()  # type: ignore[attr-defined]
        if ProfilerActivity.CPU in self.activities:
            _C._profiler_start(self.record_shapes)

    def _finish(self) -> EventList:
        recorded = _C._profiler_stop() if ProfilerActivity.CPU in self.activities else []
        origin = recorded[0][2] if recorded else 0
        events = EventList(cpu_events(recorded, origin))
        if ProfilerActivity.CUDA not in self.activities:
            return events
        try:
            for device in range(torch.cuda.device_count()):
                torch.cuda.synchronize(device)
        finally:
            records = _C._cuda_stopTrace()  # type: ignore[attr-defined]
        kinds = ("kernel", "gpu_memcpy", "gpu_memset")
        events += [
            KernelEvent(
                name,
                kinds[work],
                (start - origin) / 1e3,
                (end - start) / 1e3,
                device,
                stream,
                *rest,
            )
            for work, name, start, end, device, stream, *rest in records
        ]
        return events

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

    def events(self) -> EventList:
        """What ran on the processor, in the order in which it began, and then on GPUs.

        Raises:
            RuntimeError: nothing has been recorded yet.
        """
        if self._events is None:
            raise RuntimeError("nothing was recorded: the block of `with profile()` has not ended")
        return self._events

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0
    ) -> EventList:
        """One entry for each name: `EventList.key_averages`.

        Args:
            group_by_input_shape: one for each name and shapes of the arguments.
            group_by_stack_n: 0; no stacks are recorded.

        Returns:
            A list of `FunctionEventAvg`, with times in microseconds.

        Raises:
            RuntimeError: nothing has been recorded yet.
            ValueError: another `group_by_stack_n`.

        Example::

            >>> with torch.profiler.profile() as prof:
            ...     y = torch.ones(2) + torch.ones(2)
            >>> {row.key: row.count for row in prof.key_averages()}["aten::add"]
            1
        """
        return self.events().key_averages(group_by_input_shape, group_by_stack_n)

    def add_metadata(self, key: str, value: str) -> None:
        """Adds an entry to the traces that are written from now on, beside "traceEvents".

        Args:
            key: its name.
            value: a text.
        """
        self._metadata[key] = value

    def export_chrome_trace(self, path: str | PathLike[str]) -> None:
        """Writes all events to a file that `chrome://tracing` and Perfetto show:
        `EventList.export_chrome_trace`.

        Args:
            path: of the file, JSON; compressed if it ends in ".gz".

        Raises:
            RuntimeError: nothing has been recorded yet.
            OSError: the file cannot be written.

        Example::

            >>> import json, os, tempfile
            >>> with torch.profiler.profile() as prof:
            ...     y = torch.ones(2) + 1
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "trace.json")
            ...     prof.export_chrome_trace(path)
            ...     with open(path) as file:
            ...         names = {event["name"] for event in json.load(file)["traceEvents"]}
            >>> "aten::add" in names
            True
        """
        self.events().export_chrome_trace(path, self._metadata)


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
            f"Invalid profiler schedule arguments. Got {wait=} (need >= 0), {warmup=} (need >= 0), {active=} (need > 0), {repeat=} (need >= 0), {skip_first=} (need >= 0)."
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
        suffix = ".gz" if use_gzip else ""
        prof.export_chrome_trace(folder / f"{worker}.{time.time_ns()}.pt.trace.json{suffix}")

    return write


def kineto_available() -> bool:
    """False: PyTorch's Kineto is not part of this release."""
    return False


__getattr__ = _absent.explain(__name__)
