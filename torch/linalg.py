"""Linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch._C import _linalg

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


# torch.linalg.vector_norm is linalg_vector_norm, and so on.
__all__ = [name.removeprefix("linalg_") for name in dir(_linalg) if name.startswith("linalg_")]
globals().update({name: getattr(_linalg, f"linalg_{name}") for name in __all__})
