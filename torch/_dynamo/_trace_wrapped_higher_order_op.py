"""Indexing by tensors inside `torch.vmap`."""

from __future__ import annotations

from contextlib import nullcontext


class TransformGetItemToIndex(nullcontext[None]):
    """Lets functions under `torch.vmap` index by a tensor of one number; here they always can."""


__all__ = ["TransformGetItemToIndex"]
