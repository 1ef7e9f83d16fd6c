"""NVIDIA's cuSPARSELt, which multiplies by 2:4 sparse matrices in builds with `--cusparselt`."""

from __future__ import annotations

from torch import _C, _absent

__all__ = ["is_available", "version"]


def version() -> int | None:
    """The library's version, such as 801 for 0.8.1; None in a build without it."""
    function = getattr(_C, "_cuda_getCusparseltVersion", None)
    return None if function is None else function() or None


def is_available() -> bool:
    """Whether this build has cuSPARSELt."""
    return version() is not None


__getattr__ = _absent.names_of(__name__, _absent.OTHER, functions="get_max_alg_id")
