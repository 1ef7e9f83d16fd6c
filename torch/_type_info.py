"""torch.finfo and torch.iinfo: the limits of a dtype."""

from __future__ import annotations

import torch

# Bits of the significand after the point, and the largest exponent, of each format.
_FLOATS = {
    torch.float64: (52, 1023),
    torch.float32: (23, 127),
    torch.float16: (10, 15),
    torch.bfloat16: (7, 127),
    torch.complex128: (52, 1023),
    torch.complex64: (23, 127),
}


class finfo:
    """The limits of a floating-point dtype, the default one if none is given."""

    def __init__(self, type: torch.dtype | None = None) -> None:
        dtype = torch.get_default_dtype() if type is None else type
        if dtype not in _FLOATS:
            raise TypeError(
                f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                f"'{dtype}'"
            )
        digits, exponent = _FLOATS[dtype]
        real = dtype.to_real() if dtype.is_complex else dtype
        self.dtype = str(real).removeprefix("torch.")
        self.bits = real.itemsize * 8
        self.eps = 2.0**-digits
        self.max = (2.0 - self.eps) * 2.0**exponent
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0 ** (1 - exponent)
        # The shortest power of ten that still tells neighbours apart.
        decimals = int(digits * 0.30103)
        self.resolution = float(f"1e-{decimals}")

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        limits = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"finfo({limits}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


class iinfo:
    """The limits of an integer dtype."""

    def __init__(self, type: torch.dtype) -> None:
        if type.is_floating_point or type.is_complex:
            raise TypeError(
                f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type}'"
            )
        if type is torch.bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        self.dtype = str(type).removeprefix("torch.")
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
