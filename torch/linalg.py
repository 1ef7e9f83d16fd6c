"""Linear algebra."""

from __future__ import annotations

from torch._C import _linalg

vector_norm = _linalg.linalg_vector_norm

__all__ = ["vector_norm"]
