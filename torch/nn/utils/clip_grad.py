"""Gradients that are not too long."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch._tensor import Tensor


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    tensors = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad for p in tensors if p.grad is not None]


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all tensors as one vector."""
    listed = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not listed:
        return torch.tensor(0.0)
    norms = torch.stack([tensor.norm(norm_type) for tensor in listed])
    total = norms.norm(norm_type)
    if error_if_nonfinite and not bool(torch.isfinite(total)):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scales all gradients together, in place, to a norm of at most `max_norm`; the norm before."""
    grads = _gradients(parameters)
    with torch.no_grad():
        total = get_total_norm(grads, float(norm_type), error_if_nonfinite)
        scale = (float(max_norm) / (total + 1e-6)).clamp(max=1.0)
        for grad in grads:
            grad.mul_(scale.to(grad.dtype))
    return total


clip_grad_norm = clip_grad_norm_


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Limits every element of the gradients, in place."""
    with torch.no_grad():
        for grad in _gradients(parameters):
            grad.clamp_(-float(clip_value), float(clip_value))
