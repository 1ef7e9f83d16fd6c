"""torch.finfo and torch.iinfo: the limits of a dtype."""

from __future__ import annotations

from typing import Any

import torch
from torch import _absent

# Bits of the significand after the point, and the largest exponent, of each format.
_FLOATS = {
    torch.float64: (52, 1023),
    torch.float32: (23, 127),
    torch.float16: (10, 15),
    torch.bfloat16: (7, 127),
    torch.complex128: (52, 1023),
    torch.complex64: (23, 127),
}
# Types of 8 bits, whose limits follow no rule of IEEE 754: eps, max, smallest_normal.
_SMALL_FLOATS = {
    torch.float8_e4m3fn: (2.0**-3, 448.0, 2.0**-6),
    torch.float8_e4m3fnuz: (2.0**-3, 240.0, 2.0**-7),
    torch.float8_e5m2: (2.0**-2, 57344.0, 2.0**-14),
    torch.float8_e5m2fnuz: (2.0**-3, 57344.0, 2.0**-15),
}
_INTEGERS = frozenset(
    {
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.uint8,
        torch.uint16,
        torch.uint32,
        torch.uint64,
    }
)


def _check_dtype(name: str, given: Any) -> None:
    if not isinstance(given, torch.dtype):
        raise TypeError(
            f"{name}(): argument 'type' (position 1) must be torch.dtype, not {type(given).__name__}"
        )


class finfo:
    """The limits of a floating-point dtype.

    Args:
        type: the dtype; the default one if None. Of a complex one its parts count.

    Attributes:
        bits: the size of a number.
        eps: the distance from 1 to the next number.
        max, min: the largest number, and its negative.
        tiny, smallest_normal: the least positive number with all digits.
        resolution: the shortest power of ten that tells neighbours apart.
        dtype: the name, such as "float32".

    Raises:
        TypeError: an integer dtype.

    Example::

        >>> torch.finfo(torch.float16).max
        65504.0
    """

    def __init__(self, type: torch.dtype | None = None) -> None:
        if type is not None:
            _check_dtype("finfo", type)
        dtype = torch.get_default_dtype() if type is None else type
        if dtype in _SMALL_FLOATS:
            self._set(dtype, *_SMALL_FLOATS[dtype], resolution=1.0)
        elif dtype in _FLOATS:
            digits, exponent = _FLOATS[dtype]
            # The shortest power of ten that still tells neighbours apart.
            resolution = float(f"1e-{int(digits * 0.30103)}")
            eps = 2.0**-digits
            real = dtype.to_real() if dtype.is_complex else dtype
            largest = (2.0 - eps) * 2.0**exponent
            self._set(real, eps, largest, 2.0 ** (1 - exponent), resolution=resolution)
        elif dtype.is_floating_point or dtype.is_complex:
            _absent.refuse_dtype(str(dtype).removeprefix("torch."))
        else:
            raise TypeError(
                f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{dtype}'"
            )

    def _set(
        self, dtype: torch.dtype, eps: float, largest: float, smallest: float, resolution: float
    ) -> None:
        self.dtype = str(dtype).removeprefix("torch.")
        self.bits = dtype.itemsize * 8
        self.eps = eps
        self.max = largest
        self.min = -largest
        self.tiny = self.smallest_normal = smallest
        self.resolution = resolution

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        limits = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"finfo({limits}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


class iinfo:
    """The limits of an integer dtype.

    Args:
        type: the dtype.

    Attributes:
        bits: the size of a number.
        max, min: the largest and the least number.
        dtype: the name, such as "int32".

    Raises:
        TypeError: another dtype, or bool.

    Example::

        >>> torch.iinfo(torch.int8).min
        -128
    """

    def __init__(self, type: torch.dtype) -> None:
        _check_dtype("iinfo", type)
        if type.is_floating_point or type.is_complex:
            raise TypeError(
                f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type}'"
            )
        if type is torch.bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        self.dtype = str(type).removeprefix("torch.")
        if type not in _INTEGERS:
            _absent.refuse_dtype(self.dtype)
        self.bits = type.itemsize * 8
        self.max = 2 ** (self.bits - type.is_signed) - 1
        self.min = -(self.max + 1) if type.is_signed else 0

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


__all__ = ["finfo", "iinfo"]
