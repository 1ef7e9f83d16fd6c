"""Measures how long a statement takes, and prints tables of what was measured.

    >>> from torch.utils.benchmark import Compare, Timer
    >>> timer = Timer("x + y", globals={"x": torch.ones(8), "y": torch.ones(8)}, description="add")
    >>> measurement = timer.blocked_autorange(min_run_time=0.01)
    >>> measurement.median > 0
    True

`Timer.timeit` runs a statement a given number of times, `blocked_autorange` and
`adaptive_autorange` choose the number. A `Measurement` has the times and their spread; `Compare`
lays out many of them; `Fuzzer` draws sizes and tensors to measure with.
"""

from __future__ import annotations

from torch import _absent
from torch.utils.benchmark.utils.common import (
    Measurement,
    TaskSpec,
    ordered_unique,
    select_unit,
    set_torch_threads,
    trim_sigfig,
    unit_to_english,
)
from torch.utils.benchmark.utils.compare import Colorize, Compare
from torch.utils.benchmark.utils.fuzzer import (
    FuzzedParameter,
    FuzzedTensor,
    Fuzzer,
    ParameterAlias,
)
from torch.utils.benchmark.utils.timer import Language, Timer, timer

__getattr__ = _absent.names_of(
    __name__,
    _absent.CALLGRIND,
    classes="CallgrindStats CopyIfCallgrind FunctionCount FunctionCounts FuzzedSparseTensor",
)

__all__ = [
    "Colorize",
    "Compare",
    "FuzzedParameter",
    "FuzzedTensor",
    "Fuzzer",
    "Language",
    "Measurement",
    "ParameterAlias",
    "TaskSpec",
    "Timer",
    "ordered_unique",
    "select_unit",
    "set_torch_threads",
    "timer",
    "trim_sigfig",
    "unit_to_english",
]
