"""What streams and events of all devices have in common, and those of the processor."""

from __future__ import annotations

from typing import Any

import torch


def _device(device: Any, name: str) -> torch.device:
    """The device of a stream or event: the accelerator, or the processor without one."""
    if device is None:
        return torch.accelerator.current_accelerator() or torch.device("cpu")
    if not isinstance(device, (int, str, torch.device)):
        raise TypeError(
            f"{name}(): argument 'device' (position 1) must be torch.device, not {type(device).__name__}"
        )
    if isinstance(device, int):
        accelerator = torch.accelerator.current_accelerator()
        if accelerator is None:
            raise RuntimeError("Cannot access accelerator device when none is available.")
        return torch.device(accelerator.type, device)
    chosen = torch.device(device)
    if chosen.type not in ("cpu", "meta", "cuda") or (
        chosen.type == "cuda" and torch.version.cuda is None
    ):
        raise RuntimeError(f"PyTorch is not linked with support for {chosen.type} devices")
    return chosen


def _no_events(device: torch.device) -> RuntimeError:
    return RuntimeError(f"{device.type} backend doesn't support events.")


class Stream:
    """A queue of work of a device. `torch.Stream(device)` is a `torch.cuda.Stream` for a GPU.

    The processor has one, in which all work has ended.

    Args:
      device: where; the current accelerator if None, or the processor without one.
      priority: 0 is normal, -1 goes first.

    Raises:
      RuntimeError: this build lacks the device.

    Example::

        >>> torch.Stream("cpu").query()
        True
    """

    device: Any
    device_index: int
    stream_id: int

    def __new__(cls, device: Any = None, *args: Any, **kwargs: Any) -> Stream:
        if cls is not Stream:
            return object.__new__(cls)
        found = _device(device, "Stream")
        if found.type == "cuda":
            return object.__new__(torch.cuda.Stream)
        if args:
            raise TypeError(
                f"Stream() takes from 0 to 1 positional arguments but {1 + len(args)} were given"
            )
        stream = object.__new__(cls)
        stream.device = torch.device(found.type)
        stream.device_index = -1 if found.index is None else found.index
        stream.stream_id = 0
        return stream

    def query(self) -> bool:
        """Whether all work has ended: always."""
        return True

    def synchronize(self) -> None:
        """Returns at once: all work has ended."""

    def wait_event(self, event: Any) -> None:
        """Returns at once: what `event` marks has ended."""

    def wait_stream(self, stream: Any) -> None:
        """Raises RuntimeError: the processor has no events."""
        raise _no_events(self.device)

    def record_event(self, event: Any = None) -> Any:
        """Raises RuntimeError: the processor has no events."""
        raise _no_events(self.device)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *args: object) -> None:
        pass

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        return (self.device, self.stream_id) == (other.device, other.stream_id)

    def __hash__(self) -> int:
        return hash((self.device, self.stream_id))

    def __repr__(self) -> str:
        return (
            f"torch.Stream device_type={self.device.type}, device_index={self.device_index}, "
            f"stream_id={self.stream_id}"
        )


class Event:
    """A place in a stream. `torch.Event(device)` is a `torch.cuda.Event` for a GPU.

    One of the processor has always passed, and cannot be recorded.

    Args:
      device: where; the current accelerator if None, or the processor without one.
      enable_timing: whether `elapsed_time` measures from and to it.
      blocking: whether `synchronize` sleeps instead of spinning.

    Raises:
      RuntimeError: this build lacks the device.

    Example::

        >>> torch.Event("cpu").query()
        True
    """

    device: Any
    event_id: int
    _enable_timing: bool

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not Event:
            return object.__new__(cls)
        found = _device(args[0] if args else kwargs.pop("device", None), "Event")
        if found.type == "cuda":
            return torch.cuda.Event(*args[1:], **kwargs)
        event = object.__new__(cls)
        event.device = torch.device(found.type)
        event.event_id = 0
        event._enable_timing = bool(args[1] if args[1:] else kwargs.get("enable_timing", False))
        return event

    def query(self) -> bool:
        """Whether it has passed: always."""
        return True

    def synchronize(self) -> None:
        """Returns at once."""

    def wait(self, stream: Any = None) -> None:
        """Returns at once."""

    def record(self, stream: Any = None) -> None:
        """Raises RuntimeError: the processor has no events."""
        raise _no_events(self.device)

    def elapsed_time(self, end_event: Any) -> float:
        """Raises ValueError or RuntimeError: neither event was recorded."""
        if not (self._enable_timing and end_event._enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        raise _no_events(self.device)

    def __repr__(self) -> str:
        return (
            f"torch.Event device_type={self.device.type}, device_index=-1, "
            f"event_flag={int(self._enable_timing)}, event_id={self.event_id}"
        )


__all__ = ["Event", "Stream"]
