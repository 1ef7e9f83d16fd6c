"""The class of compiled modules. There are no such modules."""

from __future__ import annotations

from torch import _absent

OptimizedModule = _absent.absent_class(__name__, "OptimizedModule", _absent.COMPILE)

__all__ = ["OptimizedModule"]
