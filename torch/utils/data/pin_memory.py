"""Page-locked copies of the tensors of a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch.utils.data.collate import _mapping_like, _sequence_like


def pin_memory(data: Any, device: Any = None) -> Any:
    """The batch with each tensor in page-locked memory, as `Tensor.pin_memory` copies it.

    Args:
        data: tensors, nested in mappings and sequences. An object with a method `pin_memory`
            answers for itself.
        device: not looked at: the accelerator of this build.

    Returns:
        The same structure. Strings, numbers and other objects are returned unchanged.

    Raises:
        RuntimeError: a tensor, and this machine has no accelerator.

    Example::

        >>> from torch.utils.data._utils.pin_memory import pin_memory
        >>> pin_memory({"name": "left", "sizes": (1, 2)})
        {'name': 'left', 'sizes': (1, 2)}
    """
    if hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return _mapping_like(data, {key: pin_memory(value, device) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(pin_memory(value, device) for value in data))
    if isinstance(data, tuple):
        return type(data)(pin_memory(value, device) for value in data)
    if isinstance(data, Sequence):
        return _sequence_like(data, [pin_memory(value, device) for value in data])
    return data


__all__ = ["pin_memory"]
