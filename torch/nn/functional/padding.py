"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import nn


@overridable
def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """Adds elements around the last dimensions.

    Args:
        input: any shape; all modes but "constant" pad up to the last three dimensions of (N, C,
            ...) or (C, ...).
        pad: two numbers for each padded dimension, the last dimension first: before and behind it.
            Negative numbers crop.
        mode: "constant", "reflect" (mirrored, without the edge), "replicate" (the edge again) or
            "circular" (the other side).
        value: for "constant"; 0 if None.

    Raises:
        RuntimeError: an odd number of amounts, or more padding than there are elements to take.

    Example::

        >>> torch.nn.functional.pad(torch.tensor([[1.0, 2.0, 3.0]]), (2, 1), mode="reflect")
        tensor([[3., 2., 1., 2., 3., 2.]])
    """
    return nn.pad(input, pad, mode, value)
