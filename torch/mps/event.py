"""Places in the work of an MPS device."""

from __future__ import annotations

import time

from torch._compute_device import MPS


class Event:
    """A place in the work of the device, which does it in order.

    Args:
        enable_timing: whether `elapsed_time` measures from and to it. `record` waits for the
            device then.

    Raises:
        RuntimeError: there is no MPS backend.
    """

    _device = MPS

    def __init__(self, enable_timing: bool = False) -> None:
        self._device.want()
        self._enable_timing = enable_timing
        self._recorded = False
        self._time = 0.0

    def record(self) -> None:
        """Puts the event behind all work so far."""
        self._recorded = True
        if self._enable_timing:
            self._device.synchronize()
            self._time = time.perf_counter()

    def wait(self) -> None:
        """Makes later work wait for the event, as all work of one device does."""

    def query(self) -> bool:
        """Whether the work before the event is done; False while any work of the device is not."""
        return self._device.is_idle()

    def synchronize(self) -> None:
        """Waits for the work before the event."""
        if self._recorded:
            self._device.synchronize()

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to another, both recorded and with `enable_timing`.

        Raises:
            RuntimeError: one of them was made without, or was not recorded.
        """
        for event in (self, end_event):
            if not event._enable_timing:
                raise RuntimeError("elapsed_time: both events need enable_timing=True")
            if not event._recorded:
                raise RuntimeError("elapsed_time: both events must be recorded before")
        return (end_event._time - self._time) * 1e3
