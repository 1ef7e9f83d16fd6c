"""Whether mixed precision on GPUs makes sense."""

from __future__ import annotations

from importlib.util import find_spec

import torch


def amp_definitely_not_available() -> bool:
    """Whether there is neither a GPU of `torch.cuda` nor the package `torch_xla`."""
    return not (torch.cuda.is_available() or find_spec("torch_xla"))


__all__ = ["amp_definitely_not_available"]
