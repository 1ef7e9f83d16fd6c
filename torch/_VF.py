"""The functions of `torch` by the name that older programs use: `torch._VF.split(x, 2)`."""

from __future__ import annotations

from typing import Any

from torch import _C, _absent

_explain = _absent.explain("torch")


def __getattr__(name: str) -> Any:
    found = getattr(_C._VariableFunctions, name, None)
    return _explain(name) if found is None else found
