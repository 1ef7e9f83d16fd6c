"""Functions with a derivative of their own that modules use."""

from __future__ import annotations

from typing import Any

import torch
from torch._tensor import Tensor


class BackwardHookFunction(torch.autograd.Function):
    """The identity, whose node stands where the backward hooks of a module are called."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*(arg for arg in args if not arg.requires_grad))
        return args

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, ...]:
        return grads
