"""What distributions share: broadcasting of parameters, probabilities and their logarithms."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

import torch
from torch import Tensor

T = TypeVar("T")
R = TypeVar("R")

#: The limit of 1 + 1/2 + ... + 1/n - log(n).
euler_constant = 0.57721566490153286060


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Numbers and tensors as tensors of one shape.

    Args:
        *values: numbers become tensors of the dtype and device of the first tensor, or of the
            default dtype.

    Returns:
        As many tensors, views of those given.

    Raises:
        ValueError: anything else.

    Example::

        >>> torch.distributions.utils.broadcast_all(torch.zeros(2), 1)
        (tensor([0., 0.]), tensor([1., 1.]))
    """
    if not all(torch.is_tensor(v) or isinstance(v, (int, float, complex)) for v in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    tensors = [v for v in values if torch.is_tensor(v)]
    options: dict[str, Any] = {"dtype": torch.get_default_dtype()}
    if tensors:
        first = next((t for t in tensors if t.is_floating_point()), tensors[0])
        options = {"dtype": first.dtype, "device": first.device}
    made = [v if torch.is_tensor(v) else torch.tensor(v, **options) for v in values]
    return torch.broadcast_tensors(*made)


def _standard_normal(shape: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    return torch.normal(
        torch.zeros(shape, dtype=dtype, device=device),
        torch.ones(shape, dtype=dtype, device=device),
    )


def _sum_rightmost(value: Tensor, count: int) -> Tensor:
    """The sum over the last `count` dimensions."""
    if count == 0:
        return value
    return value.reshape(value.shape[:-count] + (-1,)).sum(-1)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities of log odds, or of unnormalized log probabilities in the last dimension.

    Args:
        logits: floating-point numbers.
        is_binary: whether each is log(p / (1 - p)) of its own.

    Example::

        >>> torch.distributions.utils.logits_to_probs(torch.zeros(2))
        tensor([0.5000, 0.5000])
    """
    return torch.sigmoid(logits) if is_binary else torch.softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities away from 0 and 1 by the precision of their dtype, so that logarithms are
    finite.

    Args:
        probs: floating-point numbers.

    Example::

        >>> torch.distributions.utils.clamp_probs(torch.zeros(1)) > 0
        tensor([True])
    """
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """The inverse of `logits_to_probs`: log(p / (1 - p)), or log(p).

    Args:
        probs: probabilities, which `clamp_probs` keeps away from 0 and 1.
        is_binary: whether each is one of its own.
    """
    clamped = clamp_probs(probs)
    if is_binary:
        return torch.log(clamped) - torch.log1p(-clamped)
    return torch.log(clamped)


class lazy_property(Generic[T, R]):
    """A property that is computed when it is first read, and then an attribute.

    Args:
        wrapped: the method that computes it, with grad mode on.
    """

    def __init__(self, wrapped: Callable[[T], R]) -> None:
        self.wrapped: Callable[[T], R] = wrapped
        functools.update_wrapper(self, wrapped)  # type: ignore[arg-type]

    @overload
    def __get__(self, instance: None, owner: Any = None) -> lazy_property[T, R]: ...
    @overload
    def __get__(self, instance: T, owner: Any = None) -> R: ...
    def __get__(self, instance: T | None, owner: Any = None) -> Any:
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The elements on and below a diagonal of matrices, by rows.

    Args:
        mat: (..., D, D).
        diag: the diagonal: 0 is the main one, -1 the one below it.

    Returns:
        (..., as many as there are).

    Raises:
        ValueError: there is no such diagonal.

    Example::

        >>> torch.distributions.utils.tril_matrix_to_vec(torch.tensor([[1, 2], [3, 4]]))
        tensor([1, 3, 4])
    """
    size = mat.shape[-1]
    if not isinstance(diag, int) or diag < -size or diag >= size:
        raise ValueError(f"diag ({diag}) provided is outside [{-size}, {size - 1}].")
    rows, columns = torch.tril_indices(size, size, diag, device=mat.device)
    return mat[..., rows, columns]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """The inverse of `tril_matrix_to_vec`: lower triangular matrices, with zeros elsewhere.

    Args:
        vec: (..., elements by rows).
        diag: the diagonal at which they begin.

    Returns:
        (..., D, D).

    Raises:
        ValueError: no D has so many elements.

    Example::

        >>> torch.distributions.utils.vec_to_tril_matrix(torch.tensor([1, 3, 4]))
        tensor([[1, 0],
                [3, 4]])
    """
    # The number of elements is a quadratic function of the number of rows.
    count = vec.shape[-1]
    size = (
        -(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * count + 4 * abs(diag) * (diag + 1)) ** 0.5
    ) / 2
    if not round(size, 4).is_integer():
        raise ValueError(
            f"The size of last dimension is {count} which cannot be expressed as the lower triangular part of a square D x D matrix."
        )
    n = round(size)
    rows, columns = torch.tril_indices(n, n, diag, device=vec.device)
    matrix = vec.new_zeros(vec.shape[:-1] + (n, n))
    matrix[..., rows, columns] = vec
    return matrix


__all__ = [
    "broadcast_all",
    "clamp_probs",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]
