"""What streams and events of all devices have in common."""

from __future__ import annotations

from typing import Any

import torch


def _kind(device: Any, name: str) -> str:
    """The type of a device that has streams."""
    if device is None:
        accelerator = torch.accelerator.current_accelerator()
        if accelerator is None:
            raise RuntimeError(
                f"torch.{name} needs a GPU, and this process has none: "
                "torch.accelerator.is_available() is False"
            )
        device = accelerator
    kind = torch.device("cuda", device) if isinstance(device, int) else torch.device(device)
    if kind.type != "cuda":
        raise RuntimeError(f"torch.{name}: device type '{kind.type}' has no streams; 'cuda' has")
    return kind.type


class Stream:
    """A queue of work of a device. `torch.Stream(device)` is a `torch.cuda.Stream` for a GPU.

    Args:
      device: where; the current accelerator if None.
      priority: 0 is normal, -1 goes first.

    Raises:
      RuntimeError: there is no GPU, or `device` is of another kind.
    """

    def __new__(cls, device: Any = None, *args: Any, **kwargs: Any) -> Stream:
        if cls is Stream:
            _kind(device, "Stream")
            return object.__new__(torch.cuda.Stream)
        return object.__new__(cls)


class Event:
    """A place in a stream. `torch.Event(device)` is a `torch.cuda.Event` for a GPU.

    Args:
      device: where; the current accelerator if None.
      enable_timing: whether `elapsed_time` measures from and to it.
      blocking: whether `synchronize` sleeps instead of spinning.

    Raises:
      RuntimeError: there is no GPU, or `device` is of another kind.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Event:
            _kind(args[0] if args else kwargs.pop("device", None), "Event")
            return torch.cuda.Event(*args[1:], **kwargs)
        return object.__new__(cls)


__all__ = ["Event", "Stream"]
