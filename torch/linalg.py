"""Linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import _absent
from torch._C import _linalg, _VariableFunctions
from torch._C import _LinAlgError as LinAlgError
from torch._torch_function import overridable

if TYPE_CHECKING:
    # Without a type: in this ring of imports mypy asks for it before it has looked at Any.
    def __getattr__(name): ...  # type: ignore[no-untyped-def]


# torch.linalg.vector_norm is linalg_vector_norm, and so on.
_functions = {
    name.removeprefix("linalg_"): getattr(_linalg, name)
    for name in dir(_linalg)
    if name.startswith("linalg_")
}
globals().update(_functions)


@overridable
def householder_product(input: Any, tau: Any, *, out: Any = None) -> Any:
    """The first columns of H_1 H_2 ... H_k with H_i = I - tau_i v_i v_i^H, as LAPACK's orgqr.

    Args:
      input: (..., m, n) with m >= n; below the diagonal its columns are those of the v_i, which
        have 1 on the diagonal and 0 above.
      tau: (..., k) with k <= n.

    Returns a tensor of the sizes of `input`, stored by columns.

    Raises RuntimeError for other sizes, for two dtypes, and for an `out` that the result's dtype
    cannot be cast to.

    Example::

        >>> torch.linalg.householder_product(torch.zeros(2, 2), torch.tensor([2.0, 0.0]))
        tensor([[-1.,  0.],
                [ 0.,  1.]])
    """
    if input.dim() < 2 or input.size(-2) < input.size(-1):
        raise RuntimeError(
            f"torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1], but the shape is {tuple(input.shape)}"
        )
    if tau.size(-1) > input.size(-1):
        raise RuntimeError(
            f"torch.linalg.householder_product: input.shape[-1] must be greater than or equal to tau.shape[-1], but they are {input.size(-1)} and {tau.size(-1)}"
        )
    if tau.dtype != input.dtype:
        raise RuntimeError(
            f"torch.linalg.householder_product: tau dtype {tau.dtype} does not match input dtype {input.dtype}"
        )
    # I - V T V^H, where 1 / T = 1 / diag(tau) + the upper triangle of V^H V without its diagonal
    # (Joffrain and others, "Accumulating Householder transformations, revisited", ACM Transactions
    # on Mathematical Software 32, 2006); both sides times diag(tau), which may hold zeros.
    m, n = input.shape[-2:]
    k = tau.size(-1)
    unit = _VariableFunctions.eye(m, n, dtype=input.dtype, device=input.device)
    vectors = input[..., :k].tril(-1) + unit[:, :k]
    factors = tau.unsqueeze(-1)
    inner = _linalg.linalg_solve_triangular(
        factors * (vectors.mH @ vectors).triu(1),
        factors * vectors[..., :n, :].mH,
        upper=True,
        unitriangular=True,
    )
    # By columns, as LAPACK leaves it, and no view.
    result = (unit - vectors @ inner).mT.contiguous().mT.clone()
    if out is None:
        return result
    if not _VariableFunctions.can_cast(result.dtype, out.dtype):
        raise RuntimeError(
            f"torch.linalg.householder_product: Expected result to be safely castable from {result.dtype} dtype, but got result with dtype {out.dtype}"
        )
    if out.numel() == 0:
        out.resize_(result.mT.shape).transpose_(-2, -1)
    return out.resize_(result.shape).copy_(result)


__all__ = ["LinAlgError", "householder_product", *_functions]


__getattr__ = _absent.explain(__name__)
