"""How long the threads of a parallel loop spin before they sleep."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

_CHOICES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
_STEPS = "2000"


@contextlib.contextmanager
def brief_spinning() -> Iterator[None]:
    """While the library is loaded: its OpenMP reads the environment then, and only then.

    GNU's OpenMP spins for milliseconds at the end of each loop. Where another process has work for
    the processor these are lost, loop after loop; some microseconds are enough to meet a thread
    that is about as fast. What the user has set stays, and no child process inherits this.
    """
    if any(name in os.environ for name in _CHOICES):
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = _STEPS
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]
