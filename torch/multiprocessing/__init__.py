"""Python's `multiprocessing` with PyTorch's `spawn`. Other processes get copies of tensors, except
of those in shared memory: `Tensor.share_memory_`."""

from __future__ import annotations

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F403
from typing import Any

from torch import _absent
from torch.multiprocessing.spawn import (
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    spawn,
    start_processes,
)

_STRATEGIES = frozenset({"file_descriptor", "file_system"})
_strategy = "file_descriptor"


def get_all_sharing_strategies() -> set[str]:
    """Names of PyTorch's ways to share memory between processes on Linux.

    Here it is a file without a name, whichever is set.
    """
    return set(_STRATEGIES)


def get_sharing_strategy() -> str:
    """The name that was set."""
    return _strategy


def set_sharing_strategy(new_strategy: str) -> None:
    """Remembers a name; memory is shared in one way with each."""
    global _strategy
    if new_strategy not in _STRATEGIES:
        raise ValueError(
            f"sharing strategy {new_strategy!r}; there are: {', '.join(sorted(_STRATEGIES))}"
        )
    _strategy = new_strategy


def __getattr__(name: str) -> Any:
    if found := _absent.submodule(__name__, name):
        return found
    return getattr(_multiprocessing, name)


__all__ = [
    *_multiprocessing.__all__,
    "ProcessContext",
    "ProcessExitedException",
    "ProcessRaisedException",
    "get_all_sharing_strategies",
    "get_sharing_strategy",
    "set_sharing_strategy",
    "spawn",
    "start_processes",
]
