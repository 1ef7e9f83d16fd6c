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
    """The norm of several tensors as one vector: (sum |x|^p)^(1/p).

    Args:
        tensors: one or several.
        norm_type: p.
        error_if_nonfinite: whether an infinite norm or NaN is an error.
        foreach: kept for PyTorch's signature.

    Returns:
        A scalar without gradient.

    Raises:
        RuntimeError: the norm is not finite, with `error_if_nonfinite`.

    Example::

        >>> torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
        tensor(5.)
    """
    listed = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)  # "inf" is a number too
    if not listed:
        return torch.tensor(0.0)
    with torch.no_grad():
        norms = torch.stack([tensor.norm(norm_type) for tensor in listed])
        total = norms.norm(norm_type)
    if error_if_nonfinite and not bool(torch.isfinite(total)):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scales all gradients together, in place, to a norm of at most `max_norm` (Pascanu et al.
    2013, arXiv:1211.5063).

    Args:
        parameters: one or several; those without a gradient do not count.
        max_norm: the limit.
        norm_type: the p of the norm.
        error_if_nonfinite: whether an infinite norm or NaN is an error.
        foreach: kept for PyTorch's signature.

    Returns:
        The norm before.

    Raises:
        RuntimeError: the norm is not finite, with `error_if_nonfinite`.

    Example::

        >>> weight = torch.nn.Parameter(torch.zeros(2))
        >>> weight.grad = torch.tensor([3.0, 4.0])
        >>> torch.nn.utils.clip_grad_norm_(weight, 1.0)
        tensor(5.)
        >>> weight.grad
        tensor([0.6000, 0.8000])
    """
    parameters = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    with torch.no_grad():
        total = get_total_norm(_gradients(parameters), float(norm_type), error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


clip_grad_norm = clip_grad_norm_


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scales all gradients together, in place, by max_norm / total_norm where that is below 1.

    With `get_total_norm` it is `clip_grad_norm_` in two steps, between which a program may change
    the norm.

    Args:
        parameters: one or several; those without a gradient do not count.
        max_norm: the limit.
        total_norm: the norm of all gradients, a tensor of no dimensions.
        foreach: kept for PyTorch's signature.

    Example::

        >>> weight = torch.nn.Parameter(torch.zeros(2))
        >>> weight.grad = torch.tensor([3.0, 4.0])
        >>> torch.nn.utils.clip_grads_with_norm_(weight, 1.0, torch.tensor(10.0))
        >>> weight.grad
        tensor([0.3000, 0.4000])
    """
    with torch.no_grad():
        scale = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for grad in _gradients(parameters):
            grad.mul_(scale.to(grad.device, grad.dtype))


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Limits every element of the gradients to [-clip_value, clip_value], in place.

    Args:
        parameters: one or several; those without a gradient do not count.
        clip_value: the limit.
        foreach: kept for PyTorch's signature.

    Example::

        >>> weight = torch.nn.Parameter(torch.zeros(2))
        >>> weight.grad = torch.tensor([3.0, -0.5])
        >>> torch.nn.utils.clip_grad_value_(weight, 1.0)
        >>> weight.grad
        tensor([ 1.0000, -0.5000])
    """
    with torch.no_grad():
        for grad in _gradients(parameters):
            grad.clamp_(-float(clip_value), float(clip_value))
