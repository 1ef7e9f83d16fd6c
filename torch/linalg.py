"""Linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch._C import _linalg
from torch._C import _LinAlgError as LinAlgError

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


# torch.linalg.vector_norm is linalg_vector_norm, and so on.
_functions = {
    name.removeprefix("linalg_"): getattr(_linalg, name)
    for name in dir(_linalg)
    if name.startswith("linalg_")
}
globals().update(_functions)
__all__ = ["LinAlgError", *_functions]
