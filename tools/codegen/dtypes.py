"""Names of dtypes, and of sets of them, as `ufunc_inner_loop` writes them."""

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


def expand(names: Iterable[str]) -> list[str]:
    """The dtypes that names stand for, each once, in one order."""
    found = {dtype for name in names for dtype in SETS[name]}
    return [dtype for dtype in _SINGLE if dtype in found]
