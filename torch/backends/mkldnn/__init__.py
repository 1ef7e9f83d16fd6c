"""Intel's oneDNN, once called MKL-DNN, which a build with `--onednn` calls."""

from __future__ import annotations

import torch

__all__ = ["is_available"]


def is_available() -> bool:
    """Whether this build has oneDNN, for convolutions and products of bfloat16 on the CPU."""
    return torch._C._has_mkldnn
