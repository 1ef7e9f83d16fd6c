"""Dropout."""

from __future__ import annotations

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class Dropout(Module):
    """Zeroes elements with probability p while training, and scales the others by 1/(1-p)."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"
