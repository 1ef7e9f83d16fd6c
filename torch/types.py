"""Names for types in annotations."""

from __future__ import annotations

from torch import device as _device_type
from torch import dtype as _dtype
from torch import layout as _layout

Number = int | float | bool
Device = _device_type | str | int | None
_DeviceLike = str | _device_type | int

__all__ = ["Device", "Number", "_DeviceLike", "_dtype", "_layout"]
