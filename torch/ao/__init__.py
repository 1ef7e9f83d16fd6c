"""Names of quantisation, which is not here."""

from __future__ import annotations

import importlib
from typing import Any

from torch import _absent

_MODULES = frozenset({"quantization"})


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"torch.ao.{name}")
    raise _absent.attribute_error(__name__, name, _absent.QUANTIZED)


__all__: list[str] = []
