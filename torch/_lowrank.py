"""Decompositions of matrices of low rank, by random projections."""

from __future__ import annotations

import torch
from torch._C import _linalg
from torch._tensor import Tensor
from torch._torch_function import overridable

__all__ = ["get_approximate_basis", "pca_lowrank", "svd_lowrank"]


@overridable
def get_approximate_basis(
    A: Tensor, q: int, niter: int | None = 2, M: Tensor | None = None
) -> Tensor:
    """Q, (*, m, q), with orthonormal columns, such that Q Q^H A is near to A, (*, m, n).

    Algorithm 4.4 of Halko, Martinsson and Tropp, "Finding structure with randomness" (2009):
    the range of A times a random matrix, made more exact by multiplying with A and A^H in turn.

    Args:
      A: the matrices.
      q: how many columns, a little more than the rank.
      niter: how often it multiplies with A^H and A; None is 2.
      M: matrices that are taken from A first.

    Example::

        >>> A = torch.randn(9, 2) @ torch.randn(2, 7)
        >>> Q = torch._lowrank.get_approximate_basis(A, 2)
        >>> torch.allclose(Q @ Q.mT @ A, A, atol=1e-4)
        True
    """
    if M is not None:
        A = A - M
    columns = torch.randn(A.shape[-1], q, dtype=_float_type(A), device=A.device)
    basis = _linalg.linalg_qr(A @ columns)[0]
    for _ in range(2 if niter is None else niter):
        basis = _linalg.linalg_qr(A.mH @ basis)[0]
        basis = _linalg.linalg_qr(A @ basis)[0]
    return basis


def _float_type(A: Tensor) -> torch.dtype:
    return A.dtype if A.is_floating_point() or A.is_complex() else torch.get_default_dtype()


@overridable
def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """U, (*, m, q), S, (*, q), and V, (*, n, q), such that U diag(S) V^H is near to A - M.

    Algorithm 5.1 of Halko, Martinsson and Tropp, "Finding structure with randomness" (2009). The
    result depends on torch's generator of random numbers, within rounding if q is no less than the
    rank. Where q is greater than min(m, n), that is how many columns there are.

    Args:
      A: the matrices, (*, m, n).
      q: a little more than the rank that they have; None is 6.
      niter: how often the projection is improved; None is 2.
      M: what is taken from A first, for example the mean of its rows; it is broadcast.

    Example::

        >>> A = torch.randn(9, 2) @ torch.randn(2, 7)
        >>> U, S, V = torch.svd_lowrank(A, q=3)
        >>> torch.allclose(U @ torch.diag(S) @ V.mT, A, atol=1e-4)
        True
    """
    if M is not None:
        A = A - M.broadcast_to(A.size())
    m, n = A.shape[-2:]
    # The taller way round, the product with the basis is the smaller matrix.
    tall = A.mH if m < n else A
    basis = get_approximate_basis(tall, 6 if q is None else q, niter)
    U, S, Vh = _linalg.linalg_svd(basis.mH @ tall, full_matrices=False)
    left, right = basis @ U, Vh.mH
    return (right, S, left) if m < n else (left, S, right)


@overridable
def pca_lowrank(
    A: Tensor, q: int | None = None, center: bool = True, niter: int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """Principal components of m samples of n features: `svd_lowrank` of A without its mean row.

    The columns of V, (*, n, q), are the directions, S ** 2 / (m - 1) the variances along them, and
    A @ V are the samples in their coordinates.

    Args:
      A: the samples, (*, m, n).
      q: how many components, a little more than wanted; None is min(6, m, n).
      center: False if the mean of the samples is zero.
      niter: how often the projection is improved.

    Raises:
      ValueError: q is less than 0 or more than min(m, n), or niter is less than 0.

    Example::

        >>> U, S, V = torch.pca_lowrank(torch.randn(20, 5), q=2)
        >>> U.shape, S.shape, V.shape
        (torch.Size([20, 2]), torch.Size([2]), torch.Size([5, 2]))
    """
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}"
        )
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    mean = A.mean(dim=-2, keepdim=True) if center else None
    return svd_lowrank(A, q, niter=niter, M=mean)
