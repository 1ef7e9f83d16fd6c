"""Special functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import _absent
from torch._C import _special

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
else:
    __getattr__ = _absent.explain(__name__)

# torch.special.erf is special_erf, and so on.
__all__ = [name.removeprefix("special_") for name in dir(_special) if name.startswith("special_")]
globals().update({name: getattr(_special, f"special_{name}") for name in __all__})
