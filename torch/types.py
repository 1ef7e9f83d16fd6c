"""Names for types in annotations."""

from __future__ import annotations

from typing import Union

from torch import device as _device_type
from torch import dtype as _dtype
from torch import layout as _layout

Number = Union[int, float, bool]
Device = Union[_device_type, str, int, None]
_DeviceLike = Union[str, _device_type, int]

__all__ = ["Device", "Number", "_DeviceLike", "_dtype", "_layout"]
