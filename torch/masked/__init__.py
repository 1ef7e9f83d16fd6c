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
from torch._docstrings import documented_by
from torch._tensor import Tensor

_Dim = int | Sequence[int] | None

# What the functions have in common.
_MASKED = """
Args:
    input: the elements, a tensor of any shape.
    ord: the order of the norm; None for 2.
    dim: the dimension, or several for a reduction; all of them if None.
    unbiased: whether n - 1 divides the squares of n elements; None for True.
    correction: what is subtracted from n there, in place of `unbiased`.
    keepdim: whether reduced dimensions stay, with size 1.
    eps: the least divisor.
    dtype: of the result; None for the input's, and for int64 where integers are summed or
        multiplied.
    mask: a bool tensor, broadcast to `input`; None masks nothing.
"""


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


def _canonical_dim(dim: _Dim, ndim: int) -> tuple[int, ...]:
    """The dimensions that a reduction over `dim` of `ndim` dimensions has, sorted; all for () too.

    PyTorch's tests and some programs ask it.
    """
    if dim == ():
        dim = None
    return tuple(sorted(_dims(torch.empty([0] * ndim, device="meta"), dim)))


def _input_mask(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The argument `mask` as bools of the input's shape.

    Raises:
        ValueError: there is none.
        IndexError: it has more dimensions than the input.
        RuntimeError: it cannot be broadcast to the input.
    """
    mask = kwargs.get("mask")
    if mask is None:
        raise ValueError("_input_mask requires explicit mask")
    if mask.dim() > input.dim():
        raise IndexError(
            "_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)"
        )
    return mask.expand(input.shape).bool()


def _output_mask(op: Callable[..., Any], input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Where the result of a function of this module stands for elements that its mask has.

    Args:
        op: the function.
        input: its input.
        args: its other arguments, and `mask` and `keepdim` among `kwargs`.

    Raises:
        ValueError: it is no function of this module with one input, or there is no mask.
    """
    name = op.__name__ if getattr(op, "__module__", None) == __name__ else ""
    if name in _NORMALIZATIONS:
        return _input_mask(input, *args, **kwargs)
    if name not in _REDUCTIONS:
        raise ValueError(f"_output_mask expected masked operation (got callable {op})")
    place = 1 if name == "norm" else 0  # Behind the order of the norm.
    dim = args[place] if len(args) > place else kwargs.get("dim")
    mask = _input_mask(input, *args, **kwargs)
    return mask.any(_canonical_dim(dim, input.dim()), bool(kwargs.get("keepdim")))


_REDUCTIONS = frozenset(
    [
        "amax",
        "amin",
        "argmax",
        "argmin",
        "logsumexp",
        "mean",
        "median",
        "norm",
        "prod",
        "std",
        "sum",
        "var",
    ]
)
_NORMALIZATIONS = frozenset(["cumprod", "cumsum", "log_softmax", "normalize", "softmax", "softmin"])


def _filled(values: Tensor, mask: Tensor | None, value: float) -> Tensor:
    """The elements at which `mask` is True, and `value`, in their dtype, elsewhere."""
    if mask is None:
        return values
    return torch.where(
        torch.broadcast_to(mask.bool(), values.shape), values, values.new_tensor(value)
    )


def _count(input: Tensor, mask: Tensor | None, dims: tuple[int, ...], keepdim: bool) -> Tensor:
    """How many elements each reduction has."""
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=input.device)
    return torch.broadcast_to(mask.bool(), input.shape).sum(dims, keepdim)


def _converted(input: Tensor, dtype: Any, *, integers_to: Any = None) -> Tensor:
    if dtype is None and integers_to is not None and not _is_inexact(input.dtype):
        dtype = integers_to
    return input if dtype is None else input.to(dtype)


def _inexact(input: Tensor, dtype: Any) -> Tensor:
    """The elements as numbers with fractions: of `dtype` if it has some, else float32 for integers.

    The result is converted to `dtype`, or to the input's, in the end.
    """
    wanted = dtype if dtype is not None and _is_inexact(dtype) else input.dtype
    return input.to(wanted if _is_inexact(wanted) else torch.float32)


def _is_inexact(dtype: Any) -> bool:
    return dtype.is_floating_point or dtype.is_complex


def _least(dtype: Any) -> Any:
    if _is_inexact(dtype):
        return float("-inf")
    return False if dtype == torch.bool else torch.iinfo(dtype).min


def _greatest(dtype: Any) -> Any:
    if _is_inexact(dtype):
        return float("inf")
    return True if dtype == torch.bool else torch.iinfo(dtype).max


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


@documented_by(_MASKED)
def sum(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The sum of the elements at which `mask` is True; 0 where there is none.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.sum(x, 1, mask=mask)
        tensor([5.])
    """
    values = _converted(input, dtype, integers_to=torch.int64)
    values = _filled(values, mask, 0)
    return values.sum(_dims(input, dim), bool(keepdim))


@documented_by(_MASKED)
def prod(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The product of the elements at which `mask` is True; 1 where there is none.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.prod(x, 1, mask=mask)
        tensor([4.])
    """
    values = _converted(input, dtype, integers_to=torch.int64)
    values = _filled(values, mask, 1)
    return _over_dims(torch.prod, values, _dims(input, dim), bool(keepdim))


@documented_by(_MASKED)
def cumsum(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Sums of the elements up to each place, without those that are masked out.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.cumsum(x, 1, mask=mask)
        tensor([[1., 1., 5.]])
    """
    return _filled(_converted(input, dtype), mask, 0).cumsum(dim, dtype=dtype or input.dtype)


@documented_by(_MASKED)
def cumprod(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Products of the elements up to each place, without those that are masked out.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.cumprod(x, 1, mask=mask)
        tensor([[1., 1., 4.]])
    """
    return _filled(_converted(input, dtype), mask, 1).cumprod(dim, dtype=dtype or input.dtype)


@documented_by(_MASKED)
def amax(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The largest of the elements at which `mask` is True; -inf, or the least integer, where there
    is none.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.amax(x, 1, mask=mask)
        tensor([4.])
    """
    values = _filled(input, mask, _least(input.dtype))
    return values.amax(_dims(input, dim), bool(keepdim)).to(dtype or input.dtype)


@documented_by(_MASKED)
def amin(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The smallest of the elements at which `mask` is True; inf, or the largest integer, where
    there is none.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.amin(x, 1, mask=mask)
        tensor([1.])
    """
    values = _filled(input, mask, _greatest(input.dtype))
    return values.amin(_dims(input, dim), bool(keepdim)).to(dtype or input.dtype)


@documented_by(_MASKED)
def argmax(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The place of the largest of the elements at which `mask` is True, in their dtype; 0 where
    there is none.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.argmax(x, 1, mask=mask)
        tensor([2.])
    """
    values = _filled(input, mask, _least(input.dtype))
    return values.argmax(dim, bool(keepdim)).to(dtype or input.dtype)


@documented_by(_MASKED)
def argmin(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The place of the smallest of the elements at which `mask` is True, in their dtype; 0 where
    there is none.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.argmin(x, 1, mask=mask)
        tensor([0.])
    """
    values = _filled(input, mask, _greatest(input.dtype))
    return values.argmin(dim, bool(keepdim)).to(dtype or input.dtype)


@documented_by(_MASKED)
def mean(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The mean of the elements at which `mask` is True; nan where there is none.

    Raises:
        ValueError: integers.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.mean(x, 1, mask=mask)
        tensor([2.5000])
    """
    values = _converted(input, dtype)
    if not (values.is_floating_point() or values.is_complex()):
        raise ValueError(
            f"mean(): Could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {values.dtype}"
        )
    count = _count(input, mask, _dims(input, dim), bool(keepdim))
    return sum(values, dim, keepdim=keepdim, mask=mask) / count


@documented_by(_MASKED)
def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The lower median of the elements at which `mask` is True; nan where there is none.

    Raises:
        ValueError: integers, and a row of which nothing is left.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.median(x, 1, mask=mask)
        tensor([1.])
    """
    values = _filled(_inexact(input, dtype), mask, float("nan"))
    result = values.nanmedian(dim, keepdim).values
    if not input.is_floating_point() and result.isnan().any():
        raise ValueError(
            "masked median expects no fully masked out rows if dtype is not floating point"
        )
    return result.to(dtype or input.dtype)


@documented_by(_MASKED)
def logsumexp(
    input: Tensor,
    dim: _Dim = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """log(sum(exp(x))) of the elements at which `mask` is True; -inf where there is none.

    Of integers it is rounded to their dtype, towards 0: give a `dtype` with fractions.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.logsumexp(x, 1, mask=mask)
        tensor([4.0486])
    """
    values = _filled(_inexact(input, dtype), mask, _least(input.dtype))
    return values.logsumexp(_dims(input, dim), keepdim).to(dtype or input.dtype)


@documented_by(_MASKED)
def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Any = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """log(exp(x) + exp(y)), without what is masked out.

    Args:
        other: the second operand, which `input` is broadcast with.
        input_mask, other_mask: bool tensors, broadcast to their operand; None masks nothing.

    Example::

        >>> x, mask = torch.zeros(2), torch.tensor([True, False])
        >>> torch.masked.logaddexp(x, x, input_mask=mask)
        tensor([0.6931, 0.0000])
    """
    first, second = _converted(input, dtype), _converted(other, dtype)
    first = _filled(first, input_mask, float("-inf"))
    return torch.logaddexp(first, _filled(second, other_mask, float("-inf")))


@documented_by(_MASKED)
def norm(
    input: Tensor,
    ord: float | None = 2.0,
    dim: _Dim = None,
    *,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The `ord`-norm of the elements at which `mask` is True, as `torch.linalg.vector_norm` has it.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.norm(x, 1, 1, mask=mask)
        tensor([5.])
    """
    values = _converted(input, dtype)
    order = 2.0 if ord is None else ord
    absent = float("inf") if order == float("-inf") else 0.0
    values = _filled(values, mask, absent)
    return torch.linalg.vector_norm(values, order, _dims(input, dim), bool(keepdim))


def _moments(
    input: Tensor,
    dim: _Dim,
    unbiased: bool | None,
    correction: float | None,
    keepdim: bool | None,
    dtype: Any,
    mask: Any,
) -> Tensor:
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    values = _inexact(input, dtype)
    dims = _dims(input, dim)
    count = _count(input, mask, dims, True)
    centre = _filled(values, mask, 0).sum(dims, keepdim=True) / count
    squares = _filled((values - centre).abs() ** 2, mask, 0).sum(dims, bool(keepdim))
    count = count if keepdim else count.reshape(squares.shape)
    free = (count - correction).clamp_min(0)
    # Of complex values, too, as PyTorch's: other dtypes than torch.var's.
    return (squares / free).to(values.dtype)


@documented_by(_MASKED)
def var(
    input: Tensor,
    dim: _Dim = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The variance of the elements at which `mask` is True.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.var(x, 1, mask=mask)
        tensor([4.5000])
    """
    return _moments(input, dim, unbiased, correction, keepdim, dtype, mask)


@documented_by(_MASKED)
def std(
    input: Tensor,
    dim: _Dim = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool | None = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The standard deviation of the elements at which `mask` is True.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.std(x, 1, False, mask=mask)
        tensor([1.5000])
    """
    return _moments(input, dim, unbiased, correction, keepdim, dtype, mask).sqrt()


@documented_by(_MASKED)
def softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Softmax of the elements at which `mask` is True; 0 elsewhere, nan where none is.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.softmax(x, 1, mask=mask)
        tensor([[0.0474, 0.0000, 0.9526]])
    """
    values = _converted(input, dtype)
    return _filled(values, mask, _least(values.dtype)).softmax(dim)


@documented_by(_MASKED)
def log_softmax(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """The logarithm of `softmax`; -inf at what is masked out, nan where all is.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.log_softmax(x, 1, mask=mask)
        tensor([[-3.0486,    -inf, -0.0486]])
    """
    values = _converted(input, dtype)
    return _filled(values, mask, _least(values.dtype)).log_softmax(dim)


@documented_by(_MASKED)
def softmin(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """`softmax` of the negative.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.softmin(x, 1, mask=mask)
        tensor([[0.9526, 0.0000, 0.0474]])
    """
    return softmax(-_converted(input, dtype), dim, mask=mask)


@documented_by(_MASKED)
def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The elements divided by their norm, or by `eps` where that is larger; 0 at what is masked
    out.

    Example::

        >>> x, mask = torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([[True, False, True]])
        >>> torch.masked.normalize(x, 1.0, 1, mask=mask)
        tensor([[0.2000, 0.0000, 0.8000]])
    """
    values = _filled(_converted(input, dtype), mask, 0)
    return values / norm(values, ord, dim, keepdim=True, mask=mask).clamp_min(eps)


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
