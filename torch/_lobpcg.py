"""A few eigenpairs of large symmetric matrices, by products with the matrix alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._C import _linalg
from torch._tensor import Tensor
from torch._torch_function import overridable

__all__ = ["lobpcg"]


@overridable
def lobpcg(
    A: Tensor,
    k: int | None = None,
    B: Tensor | None = None,
    X: Tensor | None = None,
    n: int | None = None,
    iK: Tensor | None = None,
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: Callable[[Any], None] | None = None,
    ortho_iparams: dict[str, int] | None = None,
    ortho_fparams: dict[str, float] | None = None,
    ortho_bparams: dict[str, bool] | None = None,
) -> tuple[Tensor, Tensor]:
    """E, (*, k), and X, (*, m, k), with A X = B X diag(E): the largest or smallest eigenvalues of
    symmetric matrices, and their eigenvectors, with X^T B X the unit matrix.

    The locally optimal block preconditioned conjugate gradient method of Knyazev, "Toward the
    optimal preconditioned eigensolver" (SIAM Journal on Scientific Computing 23, 2001): each step
    solves the problem exactly in the span of the vectors, their residuals and the last step. Every
    basis is orthonormalized, as Duersch and others ask for, "A robust and efficient implementation
    of LOBPCG" (SIAM Journal on Scientific Computing 40, 2018).

    Gradients of E and X reach A, where B is not given. They take solutions with m by m matrices.

    Args:
      A: (*, m, m), float32 or float64, symmetric.
      k: how many eigenpairs are returned; the columns of X unless given, and 1 without X.
      B: (*, m, m), symmetric and positive definite; the unit matrix unless given.
      X: (*, m, n), the vectors to start with; random ones unless given.
      n: how many vectors the method works with where X is not given; k unless given.
      iK: (*, m, m), a preconditioner: near to the inverse of A.
      niter: how many steps are taken at most, 1000 unless given, without a limit if negative.
      tol: the residual of a converged pair beside the norms of A and B, the square root of the
        dtype's precision unless given.
      largest: False for the smallest eigenvalues.
      method: "ortho" or "basic", which are one here.
      tracker: called after every step with an object, whose `X`, `E`, `R`, `ivars`, `tvars` and
        others describe the step; `bvars["force_stop"] = True` ends the iteration.
      ortho_iparams, ortho_fparams, ortho_bparams: accepted, and without effect: bases are made
        orthonormal to rounding.

    Raises:
      ValueError: m is less than 3 n; or a gradient is asked for with B.

    Example::

        >>> A = torch.diag(torch.arange(1.0, 31.0))
        >>> E, X = torch.lobpcg(A, k=2)
        >>> torch.allclose(E, torch.tensor([30.0, 29.0])), X.shape
        (True, torch.Size([30, 2]))
    """
    del method, ortho_iparams, ortho_fparams, ortho_bparams
    assert A.shape[-2] == A.shape[-1], f"A must be square, got shape {A.shape}"
    options = _Options(k, n, niter, tol, True if largest is None else largest, tracker)
    needs = A.requires_grad or (B is not None and B.requires_grad)
    if not torch.is_grad_enabled() or not needs:
        return _batches(A, B, X, iK, options)
    # A function of symmetric matrices has a symmetric gradient.
    symmetric = (A + A.mT) / 2
    result: tuple[Tensor, Tensor] = _Eigenpairs.apply(symmetric, B, X, iK, options)
    return result


class _Options:
    def __init__(
        self,
        k: int | None,
        n: int | None,
        niter: int | None,
        tol: float | None,
        largest: bool,
        tracker: Callable[[Any], None] | None,
    ) -> None:
        self.k, self.n, self.niter, self.tol = k, n, niter, tol
        self.largest, self.tracker = largest, tracker


class _Eigenpairs(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, A: Tensor, B: Tensor | None, X: Tensor | None, iK: Tensor | None, options: Any
    ) -> tuple[Tensor, Tensor]:
        E, vectors = _batches(A, B, X, iK, options)
        ctx.save_for_backward(A, E, vectors)
        ctx.with_b = B is not None
        return E, vectors

    @staticmethod
    def backward(ctx: Any, grad_e: Tensor, grad_x: Tensor) -> tuple[Tensor | None, ...]:
        if ctx.with_b:
            raise ValueError("lobpcg.backward does not support backward with B != I yet.")
        A, E, X = ctx.saved_tensors
        # dE_i = x_i^T dA x_i, and dx_i = y_i for the y_i across from x_i with
        # (E_i - A) y_i = dA x_i across from x_i.
        grad = (X * grad_e.unsqueeze(-2)) @ X.mT
        eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)
        for i in range(E.shape[-1]):
            x = X[..., i : i + 1]
            across = eye - x @ x.mT
            shifted = across @ (E[..., i, None, None] * eye - A) @ across + x @ x.mT
            y = _linalg.linalg_solve(shifted, across @ grad_x[..., i : i + 1])
            grad = grad + y @ x.mT
        return grad, None, None, None, None


def _batches(
    A: Tensor, B: Tensor | None, X: Tensor | None, iK: Tensor | None, options: _Options
) -> tuple[Tensor, Tensor]:
    if A.dim() == 2:
        return LOBPCG(A, B, X, iK, options).run()
    batch, m = A.shape[:-2], A.shape[-1]

    def part(matrices: Tensor | None, i: int) -> Tensor | None:
        return None if matrices is None else matrices.reshape(-1, *matrices.shape[-2:])[i]

    matrices = A.reshape(-1, m, m)
    pairs = [
        LOBPCG(matrices[i], part(B, i), part(X, i), part(iK, i), options).run()
        for i in range(matrices.shape[0])
    ]
    E = torch.stack([pair[0] for pair in pairs])
    vectors = torch.stack([pair[1] for pair in pairs])
    return E.reshape(*batch, E.shape[-1]), vectors.reshape(*batch, *vectors.shape[-2:])


def _times(matrix: Tensor | None, vectors: Tensor) -> Tensor:
    return vectors if matrix is None else matrix @ vectors


class LOBPCG:
    """One matrix's iteration, as a tracker sees it.

    Attributes:
      A, B, iK: the matrices.
      X, E, R: the vectors, what they give for eigenvalues, and the residuals A X - B X E.
      iparams, fparams, bparams: m, n, k and niter; tol; largest.
      ivars: istep, the step from 1 on; converged_count, of the first k pairs; iterations_left.
      tvars: rerr, the residuals beside the norms of A and B.
      fvars: estimates of these norms. bvars: force_stop.
    """

    def __init__(
        self, A: Tensor, B: Tensor | None, X: Tensor | None, iK: Tensor | None, options: _Options
    ) -> None:
        m = A.shape[-1]
        k = options.k if options.k is not None else 1 if X is None else X.shape[-1]
        n = X.shape[-1] if X is not None else options.n if options.n is not None else k
        if m < 3 * n:
            raise ValueError(
                f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the number of requested eigenpairs (={n})"
            )
        if X is None:
            X = torch.randn(m, n, dtype=A.dtype, device=A.device)
        assert X.shape == (m, n), f"X shape mismatch: got {X.shape}, expected {(m, n)}"
        tol = torch.finfo(A.dtype).eps ** 0.5 if options.tol is None else options.tol
        niter = 1000 if options.niter is None else options.niter
        self.A, self.B, self.iK, self.X = A, B, iK, X
        self.tracker = options.tracker
        self.iparams = {"m": m, "n": n, "k": k, "niter": niter}
        self.fparams = {"tol": tol}
        self.bparams = {"largest": options.largest}
        self.ivars = {"istep": 0, "converged_count": 0, "iterations_left": niter}
        self.fvars: dict[str, float] = {}
        self.bvars = {"force_stop": False}
        self.tvars: dict[str, Tensor] = {}

    def run(self) -> tuple[Tensor, Tensor]:
        """The first k eigenvalues and their vectors."""
        n, k = self.iparams["n"], self.iparams["k"]
        X = self._orthonormal(self.X, None)
        self.fvars["A_norm"] = _ratio(self.A, X)
        self.fvars["B_norm"] = 1.0 if self.B is None else _ratio(self.B, X)
        self.E, rotation = self._solve(X)
        self.X = X @ rotation
        step = X[:, :0]
        self._measure()
        while not self._is_done():
            added = torch.cat([_times(self.iK, self.R), step], dim=-1)
            basis = torch.cat([self.X, self._orthonormal(added, self.X)], dim=-1)
            values, rotation = self._solve(basis)
            self.E = values[:n]
            self.X = basis @ rotation[:, :n]
            step = basis[:, n:] @ rotation[n:, :n]
            self.ivars["istep"] += 1
            self.ivars["iterations_left"] -= 1
            self._measure()
            if self.tracker is not None:
                self.tracker(self)
        return self.E[:k], self.X[:, :k]

    def _is_done(self) -> bool:
        converged = self.ivars["converged_count"] >= min(self.iparams["k"], self.iparams["n"])
        return converged or self.ivars["iterations_left"] == 0 or self.bvars["force_stop"]

    def _measure(self) -> None:
        self.R = self.A @ self.X - _times(self.B, self.X) * self.E
        norms = self.fvars["A_norm"] + self.fvars["B_norm"] * self.E.abs()
        rerr = self.R.norm(dim=0) / (self.X.norm(dim=0) * norms)
        self.tvars["rerr"] = rerr
        # Pairs converge in the order that they are returned in.
        good = (rerr < self.fparams["tol"]).to(torch.int64)
        self.ivars["converged_count"] = int(good.cumprod(0).sum())

    def _solve(self, basis: Tensor) -> tuple[Tensor, Tensor]:
        """Eigenvalues, the wanted ones first, and vectors in the span of an orthonormal basis."""
        values, vectors = _linalg.linalg_eigh(basis.mT @ (self.A @ basis))
        if self.bparams["largest"]:
            return values.flip(0), vectors.flip(1)
        return values, vectors

    def _orthonormal(self, vectors: Tensor, to: Tensor | None) -> Tensor:
        """A basis, orthonormal by B, of what `vectors` span across from the columns of `to`."""
        eps = torch.finfo(vectors.dtype).eps
        # Twice is enough (Giraud and others, "Rounding error analysis of the classical
        # Gram-Schmidt orthogonalization process", 2005).
        for _ in range(2):
            if to is not None:
                vectors = vectors - to @ (_times(self.B, to).mT @ vectors)
            norms = vectors.norm(dim=0)
            vectors = vectors[:, norms > 0] / norms[norms > 0]
            values, rotation = _linalg.linalg_eigh(vectors.mT @ _times(self.B, vectors))
            kept = values > eps * values.max() if len(values) else values > 0
            vectors = vectors @ (rotation[:, kept] / values[kept].sqrt())
        return vectors


def _ratio(matrix: Tensor, vectors: Tensor) -> float:
    return float((matrix @ vectors).norm() / vectors.norm())
