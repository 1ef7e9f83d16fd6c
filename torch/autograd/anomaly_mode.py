"""Finds the operation of the forward pass whose backward went wrong."""

from __future__ import annotations

import warnings

from torch import _C


class set_detect_anomaly:
    """Switches anomaly mode at once; as a context manager, switches it back at the end.

    In this mode every node remembers where its forward ran, an error in a backward warns with that
    place, and with `check_nan` a gradient that is NaN is an error. It costs time.

    Args:
        mode: on or off.
        check_nan: whether NaN is an error.

    Example::

        >>> with torch.autograd.set_detect_anomaly(True):
        ...     print(torch.is_anomaly_enabled())
        True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = (_C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled())
        _C.set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *args: object) -> None:
        _C.set_anomaly_enabled(*self._before)


class detect_anomaly(set_detect_anomaly):
    """Anomaly mode for a block; `set_detect_anomaly` says what it does.

    Args:
        check_nan: whether a gradient that is NaN is an error.

    Example::

        >>> with torch.autograd.detect_anomaly():
        ...     print(torch.is_anomaly_enabled())
        True
    """

    def __init__(self, check_nan: bool = True) -> None:
        self._wanted = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        super().__init__(True, self._wanted)


__all__ = ["detect_anomaly", "set_detect_anomaly"]
