"""Operators that are also called with their factors before the tensors."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

X, Y, Z = (torch.rand(3, dtype=torch.float64) for _ in range(3))
A, B = torch.rand(2, 3, dtype=torch.float64), torch.rand(3, 4, dtype=torch.float64)
M = torch.rand(2, 4, dtype=torch.float64)


def check(found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected)


def test_factors_before_tensors() -> None:
    with pytest.warns(UserWarning, match=r"This overload of add is deprecated:\n\tadd\("):
        check(torch.add(X, 2, Y), X + 2 * Y)
    with pytest.warns(UserWarning, match="deprecated"):
        check(X.sub(2, Y), X - 2 * Y)
        check(torch.addcmul(X, 3, Y, Z), X + 3 * Y * Z)
        check(X.addcdiv(3, Y, Z), X + 3 * Y / Z)
        check(torch.addmm(2, M, 3, A, B), 2 * M + 3 * A @ B)
        check(M.addmm(2, A, B), 2 * M + A @ B)
        check(torch.addmv(2, X[:2], 3, A, X), 2 * X[:2] + 3 * A @ X)
        check(torch.addr(2, A, 3, X[:2], Y), 2 * A + 3 * torch.outer(X[:2], Y))
        check(torch.baddbmm(2, M[None], 3, A[None], B[None]), (2 * M + 3 * A @ B)[None])
        check(torch.addbmm(2, M, A[None], B[None]), 2 * M + A @ B)
        out = torch.empty_like(X)
        assert torch.add(X, 2, Y, out=out) is out
        check(out, X + 2 * Y)
        inplace = X.clone()
        assert inplace.addcmul_(3, Y, Z) is inplace
        check(inplace, X + 3 * Y * Z)


def test_errors_do_not_suggest_them() -> None:
    with pytest.raises(TypeError, match="Tensor mat1, Tensor mat2, \\*, Number beta") as error:
        torch.addmm(M)  # type: ignore[call-overload]
    assert "Number beta, Tensor input" not in str(error.value)
