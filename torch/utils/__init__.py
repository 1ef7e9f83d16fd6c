"""Helpers of the package, and where its CMake files are."""

from __future__ import annotations

from pathlib import Path as _Path

# For CMAKE_PREFIX_PATH: below it are lib, include and share/cmake/Torch.
cmake_prefix_path = str(_Path(__file__).parent.parent / "share/cmake")

__all__ = ["cmake_prefix_path"]
