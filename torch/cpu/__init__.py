"""The processor as a device, with the names that `torch.cuda` has: one device, one stream."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import _absent
from torch.cpu import amp as amp


class Stream:
    """Work in its order: all of it, since the processor has one stream."""

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream: Stream) -> None:
        """Returns at once: what was called has ended."""

    def record_event(self) -> None:
        """Records nothing."""

    def wait_event(self, event: Any) -> None:
        """Returns at once: what was called has ended."""


class Event:
    """A moment in a stream, which has always passed."""

    def query(self) -> bool:
        """Whether it has passed: always."""
        return True

    def record(self, stream: Stream | None = None) -> None:
        """Records nothing."""

    def synchronize(self) -> None:
        """Returns at once."""

    def wait(self, stream: Stream | None = None) -> None:
        """Returns at once."""


_STREAM = Stream()


def is_available() -> bool:
    """Whether there is a processor: always."""
    return True


def is_initialized() -> bool:
    """Whether it can be used: always."""
    return True


def device_count() -> int:
    """How many devices it is: one."""
    return 1


def current_device() -> str:
    """Its name as a device."""
    return "cpu"


def set_device(device: Any) -> None:
    """Changes nothing."""


def synchronize(device: Any = None) -> None:
    """Returns at once: what was called has ended."""


def current_stream(device: Any = None) -> Stream:
    """The stream of the processor."""
    return _STREAM


@contextmanager
def stream(stream: Stream | None) -> Iterator[None]:
    """Changes nothing."""
    yield


__getattr__ = _absent.explain(__name__)

__all__ = [
    "Event",
    "Stream",
    "current_device",
    "current_stream",
    "device_count",
    "is_available",
    "is_initialized",
    "set_device",
    "stream",
    "synchronize",
]
