"""Names for types in annotations."""

from __future__ import annotations

import os
from typing import IO, TypeAlias

from torch import _absent
from torch import device as _device_type
from torch import dtype as _dtype
from torch import layout as _layout

Number: TypeAlias = int | float | bool
Device: TypeAlias = _device_type | str | int | None
_DeviceLike: TypeAlias = str | _device_type | int

FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]

__getattr__ = _absent.explain(__name__)

__all__ = ["Device", "FileLike", "Number", "_DeviceLike", "_dtype", "_layout"]
