"""Operators that take functions, by the paths of PyTorch. They run in Python."""

from __future__ import annotations

from torch._higher_order_ops.associative_scan import associative_scan

__all__ = ["associative_scan"]
