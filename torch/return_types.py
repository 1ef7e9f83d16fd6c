"""The named tuples that functions with several results return: `torch.return_types.max`.

A class is made when it is first named, from the names in the operator's schema; values of it can be
pickled, copied and compared with `isinstance`.

Example::

    >>> values, indices = result = torch.tensor([3.0, 5.0]).max(0)
    >>> isinstance(result, torch.return_types.max)
    True
    >>> torch.return_types.max((values, indices)).indices
    tensor(1)
"""

from __future__ import annotations

from typing import Any

import torch
from torch import _absent

# Of functions written in Python.
_OF_PYTHON = {
    "_lu_with_info": ("LU", "pivots", "info"),
    "histogramdd": ("hist", "bin_edges"),
}


def _names_of_results(operator: str) -> tuple[str, ...] | None:
    """Of the first overload whose results all have names."""
    if operator in _OF_PYTHON:
        return _OF_PYTHON[operator]
    packet = getattr(torch.ops.aten, operator, None)
    if packet is None:
        return None
    for overload in packet.overloads():
        names = tuple(result.name for result in getattr(packet, overload)._schema.returns)
        if len(names) > 1 and all(names):
            return names
    return None


def __getattr__(name: str) -> Any:
    names = None if name.startswith("__") else _names_of_results(name.removesuffix("_out"))
    if names is None:
        raise _absent.attribute_error(__name__, name)
    kind = torch._C._return_type(name, names)
    globals()[name] = kind
    return kind
