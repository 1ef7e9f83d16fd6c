"""Reductions and normalizations of the elements at which a mask is True.

    >>> x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    >>> mask = torch.tensor([[True, False, True], [False, False, False]])
    >>> torch.masked.sum(x, 1, mask=mask)
    tensor([4., 0.])
    >>> torch.masked.softmax(x, 1, mask=mask)[0]
    tensor([0.1192, 0.0000, 0.8808])

Without a mask each function is the one of torch. What is masked out counts as the identity of the
reduction: 0 of a sum, 1 of a product, -inf of a maximum; a mean of nothing is nan. Masks are
broadcast to the input. Tensors that carry their mask, `MaskedTensor`, are absent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import _absent
from torch._tensor import Tensor

_Dim = int | Sequence[int] | None


def _dims(input: Tensor, dim: _Dim) -> tuple[int, ...]:
    """The dimensions that `dim` names, counted from 0; all for None."""
    if dim is None:
        return tuple(range(input.dim()))
    given = (dim,) if isinstance(dim, int) else tuple(dim)
    wrapped = tuple(d % max(input.dim(), 1) for d in given)
    if any(not -max(input.dim(), 1) <= d < max(input.dim(), 1) for d in given):
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-input.dim()}, {input.dim() - 1}], but got {given})"
        )
    if len(set(wrapped)) < len(wrapped):
        raise RuntimeError(f"dim={dim} appears multiple times in the list of dims")
    return wrapped


def _filled(values: Tensor, mask: Tensor | None, value: float) -> Tensor:
    """The elements at which `mask` is True, and `value` elsewhere."""
    if mask is None:
        return values.to(torch.result_type(values, value))
    return torch.where(torch.broadcast_to(mask.bool(), values.shape), values, value)


def _count(input: Tensor, mask: Tensor | None, dims: tuple[int, ...], keepdim: bool) -> Tensor:
    """How many elements each reduction has."""
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=input.device)
    return torch.broadcast_to(mask.bool(), input.shape).sum(dims, keepdim)


def _converted(input: Tensor, dtype: Any, *, integers_to: Any = None) -> Tensor:
    if dtype is None and integers_to is not None and not input.is_floating_point():
        dtype = input.dtype if input.is_complex() else integers_to
    return input if dtype is None else input.to(dtype)


def _least(dtype: Any) -> Any:
    return float("-inf") if dtype.is_floating_point else torch.iinfo(dtype).min


def _greatest(dtype: Any) -> Any:
    return float("inf") if dtype.is_floating_point else torch.iinfo(dtype).max


def _over_dims(
    function: Callable[..., Tensor], input: Tensor, dims: tuple[int, ...], keepdim: bool
) -> Tensor:
    """A function of one dimension over several: they are made one."""
    if not dims:
        return input
    rest = [d for d in range(input.dim()) if d not in dims]
    flat = input.permute(*rest, *dims).flatten(len(rest)) if input.dim() else input.reshape(1)
    result = function(flat, -1)
    if not keepdim:
        return result
    return result.reshape([1 if d in dims else n for d, n in enumerate(input.shape)])


def sum(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The sum of the elements at which `mask` is True."""
    values = _converted(input, dtype, integers_to=torch.int64)
    values = _filled(values, mask, 0)
    return values.sum(_dims(input, dim), bool(keepdim))


def prod(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The product of the elements at which `mask` is True."""
    values = _converted(input, dtype, integers_to=torch.int64)
    values = _filled(values, mask, 1)
    return _over_dims(torch.prod, values, _dims(input, dim), bool(keepdim))


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Sums of the elements up to each place, without those that are masked out."""
    return _filled(_converted(input, dtype), mask, 0).cumsum(dim)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Products of the elements up to each place, without those that are masked out."""
    return _filled(_converted(input, dtype), mask, 1).cumprod(dim)


def amax(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The largest of the elements at which `mask` is True."""
    values = _converted(input, dtype)
    values = _filled(values, mask, _least(values.dtype))
    return values.amax(_dims(input, dim), bool(keepdim))


def amin(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The smallest of the elements at which `mask` is True."""
    values = _converted(input, dtype)
    values = _filled(values, mask, _greatest(values.dtype))
    return values.amin(_dims(input, dim), bool(keepdim))


def argmax(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The place of the largest of the elements at which `mask` is True, in their dtype."""
    values = _converted(input, dtype)
    values = _filled(values, mask, _least(values.dtype))
    return values.argmax(dim, bool(keepdim)).to(values.dtype)


def argmin(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The place of the smallest of the elements at which `mask` is True, in their dtype."""
    values = _converted(input, dtype)
    values = _filled(values, mask, _greatest(values.dtype))
    return values.argmin(dim, bool(keepdim)).to(values.dtype)


def mean(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The mean of the elements at which `mask` is True."""
    values = _converted(input, dtype)
    if not (values.is_floating_point() or values.is_complex()):
        raise ValueError(f"mean: a floating-point or complex dtype is wanted, not {values.dtype}")
    count = _count(input, mask, _dims(input, dim), bool(keepdim))
    return sum(values, dim, keepdim=keepdim, mask=mask) / count


def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The lower median of the elements at which `mask` is True."""
    values = _converted(input, dtype)
    if not values.is_floating_point():
        raise ValueError(f"median: a floating-point dtype is wanted, not {values.dtype}")
    values = _filled(values, mask, float("nan"))
    return values.nanmedian(dim, keepdim).values


def logsumexp(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """log(sum(exp(x))) of the elements at which `mask` is True."""
    values = _converted(input, dtype, integers_to=torch.get_default_dtype())
    values = _filled(values, mask, float("-inf"))
    return values.logsumexp(_dims(input, dim), keepdim)


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Any = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """log(exp(x) + exp(y)), without what is masked out."""
    first, second = _converted(input, dtype), _converted(other, dtype)
    first = _filled(first, input_mask, float("-inf"))
    return torch.logaddexp(first, _filled(second, other_mask, float("-inf")))


def norm(
    input: Tensor,
    ord: float | None = 2.0,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The `ord`-norm of the elements at which `mask` is True."""
    values = _converted(input, dtype)
    order = 2.0 if ord is None else ord
    absent = float("inf") if order == float("-inf") else 0.0
    values = _filled(values, mask, absent)
    return torch.linalg.vector_norm(values, order, _dims(input, dim), bool(keepdim))


def _moments(
    input: Tensor, dim: _Dim, unbiased: bool | None, keepdim: bool | None, dtype: Any, mask: Any
) -> Tensor:
    values = _converted(input, dtype, integers_to=torch.get_default_dtype())
    dims = _dims(input, dim)
    count = _count(input, mask, dims, True)
    centre = _filled(values, mask, 0).sum(dims, keepdim=True) / count
    squares = _filled((values - centre).abs() ** 2, mask, 0).sum(dims, bool(keepdim))
    count = count if keepdim else count.reshape(squares.shape)
    return squares / (count - (1 if unbiased is None or unbiased else 0)).clamp_min(0)


def var(
    input: Tensor,
    dim: _Dim = None,
    unbiased: bool | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The variance of the elements at which `mask` is True."""
    return _moments(input, dim, unbiased, keepdim, dtype, mask)


def std(
    input: Tensor,
    dim: _Dim = None,
    unbiased: bool | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The standard deviation of the elements at which `mask` is True."""
    return _moments(input, dim, unbiased, keepdim, dtype, mask).sqrt()


def softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Softmax of the elements at which `mask` is True; 0 elsewhere, nan where none is."""
    values = _filled(_converted(input, dtype), mask, float("-inf"))
    return values.softmax(dim)


def log_softmax(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The logarithm of `softmax`."""
    values = _filled(_converted(input, dtype), mask, float("-inf"))
    return values.log_softmax(dim)


def softmin(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """`softmax` of the negative."""
    return softmax(-_converted(input, dtype), dim, mask=mask)


def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The elements divided by their norm, or by `eps` where that is larger."""
    values = _converted(input, dtype)
    length = norm(values, ord, dim, keepdim=True, mask=mask)
    result = values / length.clamp_min(eps)
    return _filled(result, mask, 0.0)


__getattr__ = _absent.names_of(
    __name__,
    _absent.Part("tensors with masks", "give the functions of torch.masked a mask"),
    classes="MaskedTensor",
    functions="as_masked_tensor is_masked_tensor masked_tensor",
)

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]
