"""Linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import _absent
from torch._C import _linalg
from torch._C import _LinAlgError as LinAlgError

if TYPE_CHECKING:
    # Without a type: in this ring of imports mypy asks for it before it has looked at Any.
    def __getattr__(name): ...  # type: ignore[no-untyped-def]


# torch.linalg.vector_norm is linalg_vector_norm, and so on.
_functions = {
    name.removeprefix("linalg_"): getattr(_linalg, name)
    for name in dir(_linalg)
    if name.startswith("linalg_")
}
globals().update(_functions)

__all__ = ["LinAlgError", *_functions]


__getattr__ = _absent.explain(__name__)
