"""Names of dtypes, and of sets of them: as `ufunc_inner_loop` writes them, and as Python does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_INTEGRAL = ("Byte", "Char", "Int", "Long", "Short")
_FLOATING = ("Float", "Double")
_COMPLEX = ("ComplexFloat", "ComplexDouble")
_SINGLE = ("Bool", *_INTEGRAL, *_FLOATING, *_COMPLEX, "BFloat16", "Half", "ComplexHalf")

SETS: Mapping[str, tuple[str, ...]] = {
    "Integral": _INTEGRAL,
    "Floating": _FLOATING,
    "Complex": _COMPLEX,
    "All": (*_INTEGRAL, *_FLOATING),
    "AllAndComplex": (*_INTEGRAL, *_FLOATING, *_COMPLEX),
    **{dtype: (dtype,) for dtype in _SINGLE},
}

# In Python, by the words of dtypes.yaml.
DTYPE_GROUPS: Mapping[str, tuple[str, ...]] = {
    "floating": ("float16", "bfloat16", "float32", "float64"),
    "complex": ("complex64", "complex128"),
    "integer": ("uint8", "int8", "int16", "int32", "int64"),
    "bool": ("bool",),
    "unsigned": ("uint16", "uint32", "uint64"),
}


def expand(names: Iterable[str]) -> list[str]:
    """The dtypes that names stand for, each once, in one order."""
    found = {dtype for name in names for dtype in SETS[name]}
    return [dtype for dtype in _SINGLE if dtype in found]
