"""What packages ask a compiler of Python programs: nothing is compiled here, and no tensor is
without memory for one.
"""

from __future__ import annotations

from typing import Any


def active_fake_mode() -> None:
    """None: no mode makes tensors fake."""


def detect_fake_mode(inputs: Any = None) -> None:
    """None: no mode makes tensors fake, and no tensor of `inputs` is."""


class TracingContext:
    """A compiler at work; there is none."""

    @staticmethod
    def try_get() -> None:
        """None: no program is compiled."""


__all__ = ["TracingContext", "active_fake_mode", "detect_fake_mode"]
