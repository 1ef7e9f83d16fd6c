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

import re
from typing import Any

import torch


def _names_of_results(operator: str) -> tuple[str, ...] | None:
    """Of the first overload whose results all have names."""
    packet = getattr(torch.ops.aten, operator, None)
    if packet is None:
        return None
    for overload in packet.overloads():
        results = getattr(packet, overload)._schema.rpartition(" -> ")[2]
        names = re.findall(r"\S+ (\w+)", results)
        if len(names) > 1 and len(names) == results.count(",") + 1:
            return tuple(names)
    return None


def __getattr__(name: str) -> Any:
    names = None if name.startswith("__") else _names_of_results(name.removesuffix("_out"))
    if names is None:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    kind = torch._C._return_type(name, names)
    globals()[name] = kind
    return kind
