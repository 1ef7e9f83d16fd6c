"""What `torch.use_deterministic_algorithms` does with memory that nothing initialized."""

from __future__ import annotations

import sys
import types

from torch import _C


class _Deterministic(types.ModuleType):
    @property
    def fill_uninitialized_memory(self) -> bool:
        """Whether `torch.empty`, `Tensor.resize_` and the like fill new memory with NaN, or with
        the largest integer, while deterministic algorithms are asked for; True at first."""
        return _C._get_deterministic_fill_uninitialized_memory()

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
        _C._set_deterministic_fill_uninitialized_memory(mode)


sys.modules[__name__].__class__ = _Deterministic
