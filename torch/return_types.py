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


def _names_of_results(operator: str) -> tuple[str, ...] | None:
    """Of the first overload whose results all have names."""
    packet = getattr(torch.ops.aten, operator, None)
    if packet is None:
        return None
    for overload in packet.overloads():
        results = getattr(packet, overload)._schema.rpartition(" -> ")[2]
        parts = [part.split() for part in results.strip("()").split(", ")]
        if len(parts) > 1 and all(len(part) == 2 for part in parts):
            return tuple(name for _, name in parts)
    return None


def __getattr__(name: str) -> Any:
    names = None if name.startswith("__") else _names_of_results(name.removesuffix("_out"))
    if names is None:
        raise _absent.attribute_error(__name__, name)
    kind = torch._C._return_type(name, names)
    globals()[name] = kind
    return kind
