"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from torch._tensor import Tensor
from torch.nn.functional.native import operator


def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """Adds elements around the last dimensions: `pad` has two numbers for each, the last first.

    Modes are "constant", "reflect", "replicate" and "circular". Negative numbers crop.
    """
    return operator("pad")(input, pad, mode, value)
