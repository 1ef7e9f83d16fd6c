"""Streams, in which a GPU works in order, and events, which mark places in them."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import torch
from torch.cuda._devices import device as _device
from torch.cuda._runtime import Device, call, device_index


class Stream(torch.Stream):
    """A queue of work of a GPU, from the device's pool.

    Args:
      device: where; the current GPU if None.
      priority: 0 is normal, -1 goes first.
    """

    def __init__(self, device: Device = None, priority: int = 0) -> None:
        self._set(call("getStreamFromPool", priority, device_index(device)))

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
        """0 is the lowest."""
        return int(call("streamPriority", self.stream_id, self.device_index))

    def query(self) -> bool:
        """Whether all its work is done."""
        return bool(call("streamQuery", self.stream_id, self.device_index))

    def synchronize(self) -> None:
        """Waits until all its work is done."""
        call("streamSynchronize", self.stream_id, self.device_index)

    def wait_event(self, event: Event) -> None:
        """Later work waits for an event."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Later work waits for what another stream has to do now."""
        self.wait_event(stream.record_event())

    def record_event(self, event: Event | None = None) -> Event:
        """Marks this place with an event, a new one if None."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        return (self.stream_id, self.device_index) == (other.stream_id, other.device_index)

    def __hash__(self) -> int:
        return hash((self.stream_id, self.device_index))

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(Stream):
    """A stream that another library made and keeps; `stream_ptr` is its handle as an int."""

    def __init__(self, stream_ptr: int, device: Device = None) -> None:
        self._set(call("getExternalStream", stream_ptr, device_index(device)))


class Event(torch.Event):
    """A place in a stream.

    Args:
      enable_timing: whether `elapsed_time` measures from and to it.
      blocking: whether `synchronize` sleeps instead of spinning.
      interprocess: not supported.
    """

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> None:
        if interprocess:
            raise NotImplementedError("events that are shared between processes")
        self._event: Any = call("eventCreate", enable_timing, blocking)

    def record(self, stream: Stream | None = None) -> None:
        """Marks the present end of a stream, the current one if None."""
        stream = current_stream() if stream is None else stream
        call("eventRecord", self._event, stream.stream_id, stream.device_index)

    def wait(self, stream: Stream | None = None) -> None:
        """Makes a stream, the current one if None, wait for it."""
        stream = current_stream() if stream is None else stream
        call("eventWait", self._event, stream.stream_id, stream.device_index)

    def query(self) -> bool:
        """Whether the work before it is done."""
        return bool(call("eventQuery", self._event))

    def synchronize(self) -> None:
        """Waits until the work before it is done."""
        call("eventSynchronize", self._event)

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to a later one; both were made with enable_timing."""
        return float(call("eventElapsedTime", self._event, end_event._event))

    @property
    def cuda_event(self) -> int:
        """The runtime's handle; 0 before the first record."""
        return int(call("eventHandle", self._event))

    def __repr__(self) -> str:
        return f"<torch.cuda.Event {self.cuda_event:#x}>"


def current_stream(device: Device = None) -> Stream:
    """The stream on which work of a GPU is put now.

    Args:
        device: the GPU; the current one if None.
    """
    return Stream._of(call("getCurrentStream", device_index(device)))


def default_stream(device: Device = None) -> Stream:
    """The stream on which work of a GPU is put when nobody chose another.

    Args:
        device: the GPU; the current one if None.
    """
    return Stream._of(call("getDefaultStream", device_index(device)))


def set_stream(stream: Stream | None) -> None:
    """Puts later work of a stream's GPU on it, and makes that GPU the current one.

    Args:
        stream: the stream; None changes nothing.
    """
    if stream is not None:
        call("setStream", stream.stream_id, stream.device_index)


class StreamContext:
    """A block in which work goes to a stream, and its GPU is current; None changes nothing."""

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
    """A block in which work goes to a stream, and its GPU is current.

    Args:
        stream: the stream; None changes nothing.

    Example::

        >>> with torch.cuda.stream(None):
        ...     x = torch.ones(2)
    """
    return StreamContext(stream)
