"""Tensors without memory, by the path from which packages import them."""

from __future__ import annotations

from typing import Any

import torch


def is_fake(x: object) -> bool:
    """Whether `x` is a fake tensor: never."""
    return False


def __getattr__(name: str) -> Any:
    return getattr(torch._subclasses, name)


__all__ = ["is_fake"]
