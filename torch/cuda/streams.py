"""Streams, in which a GPU works in order, and events, which mark places in them."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import torch
from torch.cuda._devices import device as _device
from torch.cuda._runtime import Device, call, device_index


class Stream(torch.Stream):
    """A queue of work on a GPU. Work of one stream runs in order; streams run concurrently.

    Streams come from a pool of the GPU, in turn: two objects may name the same one.

    Args:
        device: the GPU; the current one if None.
        priority: 0 is normal; negative numbers run first.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     side = torch.cuda.Stream()
        ...     side.wait_stream(torch.cuda.current_stream())
        ...     with torch.cuda.stream(side):
        ...         x = torch.ones(2, device="cuda")
    """

    def __init__(self, device: Device = None, priority: int = 0) -> None:
        self._set(call("_cuda_getStreamFromPool", priority, device_index(device)))

    def _set(self, found: tuple[int, int, int]) -> None:
        self.stream_id, self.device_index, self.cuda_stream = found

    @classmethod
    def _of(cls, found: tuple[int, int, int]) -> Stream:
        result = object.__new__(cls)
        result._set(found)
        return result

    @property
    def device(self) -> torch.device:
        """The GPU of the stream."""
        return torch.device("cuda", self.device_index)

    @property
    def priority(self) -> int:
        """The priority: 0 is the lowest, negative numbers run first."""
        return int(call("_cuda_streamPriority", self.stream_id, self.device_index))

    def query(self) -> bool:
        """Whether all work that was queued so far is done. Does not block."""
        return bool(call("_cuda_streamQuery", self.stream_id, self.device_index))

    def synchronize(self) -> None:
        """Blocks until all work that was queued so far is done."""
        call("_cuda_streamSynchronize", self.stream_id, self.device_index)

    def wait_event(self, event: Event) -> None:
        """Makes work that is queued from now on wait for an event. Does not block the CPU.

        Args:
            event: one that was recorded on any stream.
        """
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Makes later work wait for what is queued on another stream now. Does not block the CPU.

        Args:
            stream: the other stream.
        """
        self.wait_event(stream.record_event())

    def record_event(self, event: Event | None = None) -> Event:
        """Records an event at the present end of the queue.

        Args:
            event: the event; a new one if None.

        Returns:
            The event.
        """
        event = Event() if event is None else event
        event.record(self)
        return event

    def __enter__(self) -> Stream:
        # One block for each `with` that is open.
        block = stream(self)
        block.__enter__()
        self.__dict__.setdefault("_blocks", []).append(block)
        return self

    def __exit__(self, *args: Any) -> None:
        self.__dict__["_blocks"].pop().__exit__(*args)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        return (self.stream_id, self.device_index) == (other.stream_id, other.device_index)

    def __hash__(self) -> int:
        return hash((self.stream_id, self.device_index))

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(Stream):
    """A stream that another library made. It is not owned and must outlive this object.

    Args:
        stream_ptr: its handle, a cudaStream_t, as an int.
        device: its GPU; the current one if None.
    """

    def __init__(self, stream_ptr: int, device: Device = None) -> None:
        self._set(call("_cuda_getExternalStream", stream_ptr, device_index(device)))


class Event(torch.Event):
    """A mark in a stream, to wait for and to measure times with.

    Args:
        enable_timing: whether `elapsed_time` can measure from and to this event.
        blocking: whether `synchronize` sleeps instead of spinning.
        interprocess: must be False.

    Raises:
        NotImplementedError: if `interprocess`.
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        ...     start.record()
        ...     y = torch.ones(1000, 1000, device="cuda") @ torch.ones(1000, 1000, device="cuda")
        ...     end.record()
        ...     end.synchronize()
        ...     milliseconds = start.elapsed_time(end)
    """

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> None:
        if interprocess:
            raise NotImplementedError("events that are shared between processes")
        self._event: Any = call("_cuda_eventCreate", enable_timing, blocking)

    def record(self, stream: Stream | None = None) -> None:
        """Marks the present end of a stream. Recording again moves the mark.

        Args:
            stream: the stream; the current one if None.
        """
        stream = current_stream() if stream is None else stream
        call("_cuda_eventRecord", self._event, stream.stream_id, stream.device_index)

    def wait(self, stream: Stream | None = None) -> None:
        """Makes later work of a stream wait for this event. Does not block the CPU.

        Args:
            stream: the stream; the current one if None.
        """
        stream = current_stream() if stream is None else stream
        call("_cuda_eventWait", self._event, stream.stream_id, stream.device_index)

    def query(self) -> bool:
        """Whether the work before the event is done; True if it was never recorded."""
        return bool(call("_cuda_eventQuery", self._event))

    def synchronize(self) -> None:
        """Blocks until the work before the event is done."""
        call("_cuda_eventSynchronize", self._event)

    def elapsed_time(self, end_event: Event) -> float:
        """The time from this event to a later one, in milliseconds.

        Args:
            end_event: the later one.

        Raises:
            RuntimeError: unless both have `enable_timing`, are recorded, and are done.
        """
        return float(call("_cuda_eventElapsedTime", self._event, end_event._event))

    @property
    def cuda_event(self) -> int:
        """The handle, a cudaEvent_t, as an int; 0 before the first record."""
        return int(call("_cuda_eventHandle", self._event))

    def __repr__(self) -> str:
        return f"<torch.cuda.Event {self.cuda_event:#x}>"


def current_stream(device: Device = None) -> Stream:
    """The stream on which work of a GPU is queued now.

    Args:
        device: the GPU, as a device, an index or a text such as "cuda:1"; the current one if None.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    return Stream._of(call("_cuda_getCurrentStream", device_index(device)))


def default_stream(device: Device = None) -> Stream:
    """The stream on which work of a GPU is queued unless another one is current.

    Args:
        device: the GPU, as a device, an index or a text such as "cuda:1"; the current one if None.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    return Stream._of(call("_cuda_getDefaultStream", device_index(device)))


def set_stream(stream: Stream | None) -> None:
    """Makes a stream and its GPU current. A `with torch.cuda.stream(...)` block is safer.

    Args:
        stream: the stream; None changes nothing.
    """
    if stream is not None:
        call("_cuda_setStream", stream.stream_id, stream.device_index)


class StreamContext:
    """A context manager that makes a stream and its GPU current: see `stream`.

    Args:
        stream: the stream; None changes nothing.
    """

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        if self.stream is None:
            return
        self._device = _device(self.stream.device)
        self._device.__enter__()
        self._before = current_stream()
        set_stream(self.stream)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.stream is None:
            return
        set_stream(self._before)
        self._device.__exit__(kind, error, traceback)


def stream(stream: Stream | None) -> StreamContext:
    """A context manager that makes a stream and its GPU current.

    Args:
        stream: the stream; None changes nothing.

    Example::

        >>> with torch.cuda.stream(None):
        ...     x = torch.ones(2)
    """
    return StreamContext(stream)
