"""Tensors without memory, by the path from which packages import them."""

from __future__ import annotations

import contextlib
from typing import Any

import torch


def is_fake(x: object) -> bool:
    """Whether `x` is a fake tensor: never."""
    return False


def unset_fake_temporarily() -> contextlib.AbstractContextManager[None]:
    """Nothing to do: no mode makes tensors fake."""
    return contextlib.nullcontext()


def __getattr__(name: str) -> Any:
    return getattr(torch._subclasses, name)


__all__ = ["is_fake", "unset_fake_temporarily"]
