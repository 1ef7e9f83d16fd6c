"""Names of PyTorch's first profiler; `torch.profiler` records what GPUs do."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from torch import _absent

F = TypeVar("F", bound=Callable[..., Any])


class record_function:
    """A `with` block, or a decorator, that gives a part of a program a name in profiles.

    The profiler of this release records what GPUs do by the names of kernels, and keeps no names of
    blocks. Programs that name their parts run as they are.

    Args:
        name: of the part.
        args: more about it.

    Example::

        >>> with torch.autograd.profiler.record_function("forward"):
        ...     y = torch.ones(2) * 2
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name
        self.args = args

    def __enter__(self) -> record_function:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def __call__(self, function: F) -> F:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return run  # type: ignore[return-value]


__getattr__ = _absent.names_of(
    __name__,
    _absent.PROFILER,
    classes="EnforceUnique EventList FunctionEvent KinetoStepTracker MemRecordsAcc emit_itt "
    "emit_nvtx profile",
    functions="load_nvprof parse_nvprof_trace",
)

__all__ = ["record_function"]
