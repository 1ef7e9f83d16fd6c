"""Linear algebra: values against NumPy's LAPACK and against what defines them, derivatives against
finite differences, and the errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd.gradcheck import gradcheck, gradgradcheck

_RNG = np.random.default_rng()
_DTYPES = [torch.float32, torch.float64, torch.complex64, torch.complex128]
_TOLERANCE = {
    torch.float32: 2e-4,
    torch.float64: 1e-11,
    torch.complex64: 2e-4,
    torch.complex128: 1e-11,
}
_BATCHES = [(), (3,), (2, 2)]


def _array(dtype: Any, *shape: int) -> Any:
    values = _RNG.standard_normal(shape)
    if dtype.is_complex:
        values = values + 1j * _RNG.standard_normal(shape)
    return torch.from_numpy(np.asarray(values)).to(dtype)


def _square(dtype: Any, *shape: int) -> Any:
    """Well-conditioned."""
    return _array(dtype, *shape) + 4 * torch.eye(shape[-1], dtype=dtype)


def _positive(dtype: Any, *shape: int) -> Any:
    a = _array(dtype, *shape)
    return a @ a.mH + torch.eye(shape[-1], dtype=dtype)


def _close(actual: Any, expected: Any, scale: float = 1) -> None:
    expected = expected if isinstance(expected, torch.Tensor) else torch.from_numpy(expected)
    tolerance = _TOLERANCE[actual.dtype if actual.dtype in _TOLERANCE else torch.float64] * scale
    assert actual.shape == expected.shape
    np.testing.assert_allclose(
        actual.resolve_conj().numpy(),
        expected.resolve_conj().numpy(),
        rtol=tolerance,
        atol=tolerance,
    )


both = pytest.mark.parametrize("batch", _BATCHES, ids=str)
types = pytest.mark.parametrize("dtype", _DTYPES, ids=str)


@both
@types
def test_cholesky(batch: tuple[int, ...], dtype: Any) -> None:
    a = _positive(dtype, *batch, 5, 5)
    lower = torch.linalg.cholesky(a)
    assert (lower == lower.tril()).all()
    _close(lower @ lower.mH, a)
    _close(torch.linalg.cholesky(a, upper=True), lower.mH)
    b = _array(dtype, *batch, 5, 2)
    _close(a @ torch.cholesky_solve(b, lower), b, 10)
    for upper in (False, True):
        factor = lower.mH if upper else lower
        # Only one triangle is read.
        noise = _array(dtype, *batch, 5, 5)
        noise = noise.tril(-1) if upper else noise.triu(1)
        for given in (factor + noise, (factor + noise).mT.contiguous().mT):
            inverse = torch.cholesky_inverse(given, upper=upper)
            _close(a @ inverse, torch.eye(5, dtype=dtype).expand_as(a), 10)
            _close(inverse, inverse.mH)
            _close(a @ torch.cholesky_solve(b, given, upper=upper), b, 10)


@types
@pytest.mark.parametrize("n", [1, 2, 9, 16, 17, 40])
def test_cholesky_of_sizes(dtype: Any, n: int) -> None:
    a = _positive(dtype, 3, n, n)
    lower = torch.linalg.cholesky(a)
    _close(lower @ lower.mH, a, n)
    # The first column that has no factor.
    for bad, value in [(0, -1.0), (n - 1, 0.0), (n // 2, float("nan"))]:
        broken = a.clone()
        broken[1, bad, bad] = value
        info = torch.linalg.cholesky_ex(broken).info
        assert info.tolist() == [0, bad + 1, 0]


@both
@types
@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (6, 3), (3, 6)])
def test_factors(batch: tuple[int, ...], dtype: Any, rows: int, columns: int) -> None:
    a = _array(dtype, *batch, rows, columns)
    p, lower, upper = torch.linalg.lu(a)
    _close(p @ lower @ upper, a)
    assert (upper == upper.triu()).all() and (lower == lower.tril()).all()
    k = min(rows, columns)
    for mode, width in [("reduced", k), ("complete", rows)]:
        q, r = torch.linalg.qr(a, mode=mode)
        assert q.shape[-1] == width
        _close(q @ r, a)
        _close(q.mH @ q, torch.eye(width, dtype=dtype).expand(*batch, width, width))
        assert (r == r.triu()).all()
    _close(torch.linalg.qr(a, mode="r").R.abs(), torch.linalg.qr(a).R.abs())
    for full in (True, False):
        u, s, vh = torch.linalg.svd(a, full_matrices=full)
        _close((u[..., :k] * s.unsqueeze(-2).to(dtype)) @ vh[..., :k, :], a)
        _close(s, np.linalg.svd(a.numpy(), compute_uv=False))
        _close(u.mH @ u, torch.eye(u.shape[-1], dtype=dtype).expand(*batch, *(u.shape[-1],) * 2))
    _close(torch.linalg.svdvals(a), s)


@types
@pytest.mark.parametrize(
    ("rows", "columns"), [(150, 150), (200, 70), (70, 200), (40, 90), (300, 9), (300, 25)]
)
def test_large_factors(dtype: Any, rows: int, columns: int) -> None:
    # What is divided into blocks; a wide matrix was left as it is beyond its height.
    a = _array(dtype, rows, columns)
    p, lower, upper = torch.linalg.lu(a)
    _close(p @ lower @ upper, a, 10)
    assert (upper == upper.triu()).all() and (lower == lower.tril()).all()
    # Pivots are the largest, complex ones by the sum of their parts.
    assert lower.abs().max() < 1.001 * (2**0.5 if dtype.is_complex else 1)
    k = min(rows, columns)
    q, r = torch.linalg.qr(a)
    _close(q @ r, a, 10)
    _close(q.mH @ q, torch.eye(k, dtype=dtype), 10)
    # Fewer reflections than columns.
    vectors = _array(dtype, rows, k).tril(-1) + torch.eye(rows, k, dtype=dtype)
    tau = (2 / vectors.abs().square().sum(0))[: k // 2].to(dtype)
    wanted = torch.eye(rows, k, dtype=dtype)
    for i in range(k // 2 - 1, -1, -1):
        v = vectors[:, i : i + 1]
        wanted = wanted - tau[i] * (v @ (v.mH @ wanted))
    _close(torch.linalg.householder_product(vectors, tau), wanted, 10)


@both
@types
@pytest.mark.parametrize(("rows", "columns"), [(5, 3), (3, 3), (3, 5)])
def test_packed_factors(batch: tuple[int, ...], dtype: Any, rows: int, columns: int) -> None:
    a = _array(dtype, *batch, rows, columns)
    packed, tau = torch.geqrf(a)
    k = min(rows, columns)
    assert (packed.shape, tau.shape) == (a.shape, (*batch, k))
    whole = torch.linalg.qr(a, mode="complete").Q
    _close(whole @ packed.triu(), a, 10)
    _close(torch.orgqr(packed[..., :k], tau), whole[..., :k], 10)
    _close(packed[..., :k].orgqr(tau), whole[..., :k], 10)
    c = _array(dtype, *batch, rows, 4)
    _close(torch.ormqr(packed, tau, c), whole @ c, 10)
    _close(packed.ormqr(tau, c, transpose=True), whole.mH @ c, 10)
    _close(torch.ormqr(packed, tau, c.mH, left=False), c.mH @ whole, 10)
    _close(torch.ormqr(packed, tau, c.mH, left=False, transpose=True), c.mH @ whole.mH, 10)
    assert packed.stride()[-2:] == torch.ormqr(packed, tau, c).stride()[-2:] == (1, rows)


@types
@pytest.mark.parametrize(("rows", "columns"), [(150, 150), (130, 70), (70, 130)])
def test_products_with_many_reflections(dtype: Any, rows: int, columns: int) -> None:
    packed, tau = torch.geqrf(_array(dtype, 2, rows, columns))
    k = min(rows, columns)
    square = torch.cat([packed, packed.new_zeros(2, rows, rows)], -1)[..., :rows]
    factors = torch.cat([tau, tau.new_zeros(2, rows - k)], -1)
    whole = torch.linalg.householder_product(square, factors)
    c = _array(dtype, 2, rows, 9)
    for transpose in (False, True):
        q = whole.mH if transpose else whole
        _close(torch.ormqr(packed, tau, c, transpose=transpose), q @ c, 100)
        _close(torch.ormqr(packed, tau, c.mT, left=False, transpose=transpose), c.mT @ q, 100)
        # Views that are no columns, and what waits to be conjugated.
        _close(
            torch.ormqr(packed, tau, c[..., ::2].conj(), transpose=transpose),
            q @ c[..., ::2].conj(),
            100,
        )
    assert torch.ormqr(packed, tau, c[..., :0]).shape == (2, rows, 0)


@types
@pytest.mark.parametrize("n", [63, 64, 65, 200])
@pytest.mark.parametrize("upper", [True, False])
def test_large_inverses_from_cholesky_factors(dtype: Any, n: int, upper: bool) -> None:
    a = _positive(dtype, 2, n, n) / n + torch.eye(n, dtype=dtype)
    factor = torch.linalg.cholesky(a, upper=upper)
    noise = _array(dtype, 2, n, n)
    given = factor + (noise.tril(-1) if upper else noise.triu(1))
    inverse = torch.cholesky_inverse(given, upper=upper)
    _close(inverse, torch.linalg.inv(a), 10)
    _close(inverse, inverse.mH)


def test_inverses_from_singular_cholesky_factors() -> None:
    zero = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    with pytest.raises(torch.linalg.LinAlgError, match="^cholesky_inverse: The diagonal element 2"):
        torch.cholesky_inverse(zero)
    with pytest.raises(torch.linalg.LinAlgError, match=r"cholesky_inverse: \(Batch element 1\)"):
        torch.cholesky_inverse(torch.stack([torch.eye(2), zero]))
    with pytest.raises(NotImplementedError, match='"cholesky_inverse_out_cpu" not implemented'):
        torch.cholesky_inverse(torch.eye(2).half())


@both
@types
@pytest.mark.parametrize(("rows", "columns"), [(90, 70), (70, 90), (80, 80)])
def test_least_squares_that_lack_rank(
    batch: tuple[int, ...], dtype: Any, rows: int, columns: int
) -> None:
    # With this tolerance no limit of the condition tells the rank.
    poor = _array(dtype, *batch, rows, 20) @ _array(dtype, *batch, 20, columns)
    right = _array(dtype, *batch, rows, 3)
    before = poor.clone()
    found = torch.linalg.lstsq(poor, right, rcond=1e-3)
    assert (found.rank == 20).all() and found.rank.shape == batch
    _close(found.solution, torch.linalg.pinv(poor, rtol=1e-3) @ right, 100)
    assert poor.equal(before)
    full = _square(dtype, *batch, 80, 80) + 40 * torch.eye(80, dtype=dtype)
    found = torch.linalg.lstsq(full, right[..., :1, :].expand(*batch, 80, 3), rcond=1e-3)
    assert (found.rank == 80).all()
    _close(full @ found.solution, right[..., :1, :].expand(*batch, 80, 3), 100)
    poor[..., 0, 0] = float("nan")
    with pytest.raises(RuntimeError, match="non-finite values"):
        torch.linalg.lstsq(poor, right, rcond=1e-3)


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128], ids=str)
@pytest.mark.parametrize(("left", "transpose"), [(True, False), (False, True)])
def test_derivatives_of_packed_factors(dtype: Any, left: bool, transpose: bool) -> None:
    packed, tau = torch.geqrf(_array(dtype, 2, 4, 3))
    packed, tau = packed.requires_grad_(), tau.requires_grad_()
    c = _array(dtype, 2, 4, 2).requires_grad_()
    assert gradcheck(lambda a, t: torch.orgqr(a, t), (packed, tau))
    assert gradcheck(
        lambda a, t, c: torch.ormqr(a, t, c if left else c.mT, left, transpose), (packed, tau, c)
    )
    with pytest.raises(RuntimeError, match="the derivative for 'geqrf' is not implemented"):
        torch.geqrf(packed).a.abs().sum().backward()


def test_packed_factors_refuse() -> None:
    packed, tau = torch.geqrf(torch.ones(4, 3))
    c = torch.ones(4, 2)
    for call, text in [
        (lambda: torch.geqrf(tau), "torch.geqrf: input must have at least 2 dimensions"),
        (lambda: torch.geqrf(torch.ones(2, 2).half()), "\"geqrf_cpu\" not implemented for 'Half'"),
        (lambda: torch.orgqr(packed, tau[None]), "tau to have one dimension less than input"),
        (lambda: torch.orgqr(packed.int(), tau.int()), "\"orgqr_cpu\" not implemented for 'Int'"),
        (lambda: torch.ormqr(packed, tau, c.T), r"other.shape\[-2\] must be equal to input.shape"),
        (lambda: torch.ormqr(packed, tau[:2], c), r"tau.shape\[-1\] must be equal to min\(other"),
        (lambda: torch.ormqr(packed, tau, c.double()), "input and other to have the same dtype"),
        (lambda: torch.ormqr(packed, tau, c[None]), "other to have the same number of dimensions"),
    ]:
        with pytest.raises(RuntimeError, match=text):
            call()


@both
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("largest", [True, False])
def test_lobpcg(batch: tuple[int, ...], dtype: Any, largest: bool) -> None:
    m, k = 40, 3
    values = torch.arange(1, m + 1, dtype=dtype)
    vectors = torch.linalg.qr(_array(dtype, *batch, m, m)).Q
    a = (vectors * values) @ vectors.mT
    expected = (values.flip(0) if largest else values)[:k].expand(*batch, k)
    e, x = torch.lobpcg(a, k=k, largest=largest)
    _close(e, expected, 100)
    _close(x.mT @ x, torch.eye(k, dtype=dtype).expand(*batch, k, k), 100)
    b = _positive(dtype, *batch, m, m) / m + torch.eye(m, dtype=dtype)
    e, x = torch.lobpcg(a, k=k, B=b, largest=largest, iK=torch.eye(m, dtype=dtype).expand_as(a))
    _close(x.mT @ b @ x, torch.eye(k, dtype=dtype).expand(*batch, k, k), 100)
    inverse = torch.linalg.inv(torch.linalg.cholesky(b))
    every = torch.linalg.eigvalsh(inverse @ a @ inverse.mT)
    _close(e, (every.flip(-1) if largest else every)[..., :k], 100)


def test_lobpcg_of_equal_values_and_its_tracker() -> None:
    steps = []

    def track(worker: Any) -> None:
        steps.append(worker.ivars["istep"])
        worker.bvars["force_stop"] = len(steps) == 2

    _close(torch.lobpcg(torch.eye(9), k=3)[0], torch.ones(3))
    torch.lobpcg(torch.diag(torch.arange(60.0)), k=2, tol=0, tracker=track)
    assert steps == [1, 2]
    with pytest.raises(ValueError, match="smaller than 3 x the number of requested eigenpairs"):
        torch.lobpcg(torch.eye(8), k=3)


def test_derivatives_of_lobpcg() -> None:
    a = _array(torch.float64, 12, 12).requires_grad_()
    start = _array(torch.float64, 12, 2)

    def pairs(a: Any) -> Any:
        e, x = torch.lobpcg(a + a.mT, k=2, X=start, tol=1e-13)
        return e, x.abs()

    assert gradcheck(pairs, (a,))
    with pytest.raises(ValueError, match="does not support backward with B != I"):
        torch.lobpcg(a + a.mT, k=2, B=torch.eye(12).double())[0].sum().backward()


@types
def test_gradients_of_factors_lie_as_the_factors(dtype: Any) -> None:
    a = _array(dtype, 5, 3)
    grad = _array(dtype, 5, 4)
    for given, strides in [
        (_array(dtype, 3, 4), (4, 1)),
        (_array(dtype, 4, 3).mT, (1, 3)),
        (_array(dtype, 3, 1).expand(3, 4), (4, 1)),
    ]:
        b = given.detach().requires_grad_()
        for product in (a.mm(b), torch.addmm(torch.zeros(4, dtype=dtype), a, b)):
            (found,) = torch.autograd.grad(product, b, grad)
            _close(found, a.mH @ grad)
            assert found.stride() == strides
    weight = _array(dtype, 4, 3).requires_grad_()
    torch.nn.functional.linear(a, weight).backward(grad)
    assert weight.grad is not None
    assert weight.grad.is_contiguous()
    _close(weight.grad, grad.mT @ a.conj())


@types
def test_large_systems(dtype: Any) -> None:
    n = 150
    eye = torch.eye(n, dtype=dtype)
    positive = _array(dtype, n, n)
    positive = positive @ positive.mH / n + eye
    b = _array(dtype, n, 20)
    for upper in (False, True):
        factor = torch.linalg.cholesky(positive, upper=upper)
        assert (factor == (factor.triu() if upper else factor.tril())).all()
        _close(factor.mH @ factor if upper else factor @ factor.mH, positive, 10)
        _close(positive @ torch.cholesky_solve(b, factor, upper=upper), b, 100)
        _close(positive @ torch.cholesky_inverse(factor, upper=upper), eye, 100)
    a = _array(dtype, n, n) / 10 + 4 * eye
    lu, pivots = torch.linalg.lu_factor(a)
    for adjoint, matrix in [(False, a), (True, a.mH)]:
        _close(matrix @ torch.linalg.lu_solve(lu, pivots, b, adjoint=adjoint), b, 10)
    _close(a @ torch.linalg.inv(a), eye, 10)
    for upper in (False, True):
        for unit in (False, True):
            triangle = _array(dtype, n, n) / 20 + 2 * eye
            triangle = triangle.triu() if upper else triangle.tril()
            x = torch.linalg.solve_triangular(triangle, b, upper=upper, unitriangular=unit)
            by_columns = triangle.mT.contiguous().mT
            again = torch.linalg.solve_triangular(by_columns, b, upper=upper, unitriangular=unit)
            _close(again, x, 10)
            if unit:
                triangle = triangle - triangle.diagonal().diag_embed() + eye
            _close(triangle @ x, b, 10)
    # The errors name columns in the halves.
    for bad in (30, 130):
        a = eye.clone()
        a[bad, bad] = -1
        assert torch.linalg.cholesky_ex(a).info == bad + 1
        a[bad, bad] = 0
        assert torch.linalg.lu_factor_ex(a).info == bad + 1


@both
@types
def test_square_matrices(batch: tuple[int, ...], dtype: Any) -> None:
    a, b = _square(dtype, *batch, 4, 4), _array(dtype, *batch, 4, 3)
    array = a.numpy()
    _close(torch.linalg.inv(a), np.linalg.inv(array), 10)
    _close(torch.linalg.solve(a, b), np.linalg.solve(array, b.numpy()), 10)
    _close(torch.linalg.solve(a, b.mT, left=False) @ a, b.mT, 10)
    _close(torch.linalg.det(a), np.asarray(np.linalg.det(array)), 100)
    sign, logarithm = torch.linalg.slogdet(a)
    _close(sign * logarithm.exp().to(dtype), torch.linalg.det(a), 100)
    factor, pivots = torch.linalg.lu_factor(a)
    for adjoint, matrix in [(False, a), (True, a.mH)]:
        _close(matrix @ torch.linalg.lu_solve(factor, pivots, b, adjoint=adjoint), b, 10)
        left = torch.linalg.lu_solve(factor, pivots, b.mT, left=False, adjoint=adjoint)
        _close(left @ matrix, b.mT, 10)
    _close(torch.linalg.matrix_power(a, 3), a @ a @ a, 100)
    _close(torch.linalg.matrix_power(a, -2) @ a @ a, torch.eye(4, dtype=dtype).expand_as(a), 100)
    for upper in (False, True):
        for unit in (False, True):
            triangle = a.triu() if upper else a.tril()
            x = torch.linalg.solve_triangular(triangle, b, upper=upper, unitriangular=unit)
            if unit:
                triangle = triangle - triangle.diagonal(0, -2, -1).diag_embed()
                triangle = triangle + torch.eye(4, dtype=dtype)
            _close(triangle @ x, b, 100)


@both
@types
def test_spectra(batch: tuple[int, ...], dtype: Any) -> None:
    a = _positive(dtype, *batch, 4, 4)
    values, vectors = torch.linalg.eigh(a)
    _close(values, np.linalg.eigvalsh(a.numpy()), 10)
    _close(a @ vectors, vectors * values.unsqueeze(-2).to(dtype), 10)
    _close(torch.linalg.eigvalsh(a, UPLO="U"), values, 10)
    general = _array(dtype, *batch, 4, 4)
    values, vectors = torch.linalg.eig(general)
    _close(general.to(vectors.dtype) @ vectors, vectors * values.unsqueeze(-2), 10)
    _close(vectors.abs().square().sum(-2), torch.ones(values.shape, dtype=values.abs().dtype))
    _close(torch.linalg.eigvals(general).sum(-1), values.sum(-1), 10)


@both
@types
def test_least_squares_and_ranks(batch: tuple[int, ...], dtype: Any) -> None:
    a, b = _array(dtype, *batch, 6, 3), _array(dtype, *batch, 6, 2)
    inverse = torch.linalg.pinv(a)
    _close(inverse, np.linalg.pinv(a.numpy()), 10)
    solution, residuals, rank, _ = torch.linalg.lstsq(a, b, driver="gelsd")
    _close(solution, inverse @ b, 10)
    _close(residuals, (a @ solution - b).abs().square().sum(-2), 10)
    assert (rank == 3).all()
    for driver in ("gelsy", "gelsd", "gelss"):
        for rows, columns in ((6, 3), (3, 6), (4, 4)):
            full = _array(dtype, *batch, rows, columns)
            if rows == columns:
                full = _square(dtype, *batch, 4, 4)
            right = _array(dtype, *batch, rows, 2)
            found = torch.linalg.lstsq(full, right, driver=driver)
            _close(found.solution, torch.linalg.pinv(full) @ right, 100)
            assert (found.rank == min(rows, columns)).all()
        # The shortest of the solutions of a matrix that lacks rank.
        poor = full[..., :1] @ full[..., :1, :]
        found = torch.linalg.lstsq(poor, right, rcond=1e-4, driver=driver)
        _close(found.solution, torch.linalg.pinv(poor, rtol=1e-4) @ right, 100)
        assert (found.rank == 1).all()
    low = a[..., :1] @ a[..., :1].mH
    assert (torch.linalg.matrix_rank(low) == 1).all()
    assert (torch.linalg.matrix_rank(low, hermitian=True) == 1).all()
    _close(torch.linalg.pinv(low, hermitian=True), np.linalg.pinv(low.numpy(), rcond=1e-4), 100)


@types
@pytest.mark.parametrize("upper", [True, False])
def test_a_triangle_with_a_zero_on_its_diagonal(dtype: Any, upper: bool) -> None:
    a = _square(dtype, 4, 4)
    a = a.triu() if upper else a.tril()
    a[1, 1] = 0
    for given in (a, a.mT.contiguous().mT):
        b = _array(dtype, 4, 2)
        found = torch.linalg.solve_triangular(given, b, upper=upper)
        # What does not depend on the zero is solved; all else is infinite or NaN.
        solved = [2, 3] if upper else [0]
        assert found.isfinite().all(1).nonzero().flatten().tolist() == solved
        _close((a @ found.where(found.isfinite(), 0))[solved], b[solved], 10)


@types
def test_norms(dtype: Any) -> None:
    a = _array(dtype, 5, 4)
    for ord in (None, "fro", "nuc", np.inf, -np.inf, 1, -1, 2, -2):
        expected = np.asarray(np.linalg.norm(a.numpy(), ord))
        _close(torch.linalg.norm(a, ord), expected, 10)
        if ord is not None:
            _close(torch.linalg.matrix_norm(a, ord), expected, 10)
    square = _square(dtype, 4, 4)
    for p in (None, "fro", "nuc", np.inf, -np.inf, 1, -1, 2, -2):
        _close(torch.linalg.cond(square, p), np.asarray(np.linalg.cond(square.numpy(), p)), 100)


@types
def test_products(dtype: Any) -> None:
    a, b, c = _array(dtype, 3, 5), _array(dtype, 5, 2), _array(dtype, 2)
    _close(
        torch.linalg.multi_dot([a, b, c]), np.linalg.multi_dot([a.numpy(), b.numpy(), c.numpy()])
    )
    tensor = _square(dtype, 6, 6).reshape(2, 3, 6)
    _close(torch.linalg.tensorinv(tensor), np.linalg.tensorinv(tensor.numpy(), ind=2), 10)
    right = _array(dtype, 2, 3)
    _close(
        torch.linalg.tensorsolve(tensor, right),
        np.linalg.tensorsolve(tensor.numpy(), right.numpy()),
        10,
    )
    x = _array(dtype, 4)
    _close(torch.linalg.vander(x), np.vander(x.numpy(), increasing=True))
    values = torch.tensor([0.5, -1.5, 2.0]).to(dtype)
    basis = _square(dtype, 3, 3)
    matrix = basis @ values.diag() @ torch.linalg.inv(basis)
    expected = basis @ values.exp().diag() @ torch.linalg.inv(basis)
    _close(torch.linalg.matrix_exp(matrix), expected, 100)


def test_no_elements() -> None:
    empty = torch.zeros(0, 0)
    assert torch.linalg.det(empty).item() == 1
    assert torch.linalg.inv(torch.zeros(2, 0, 0)).shape == (2, 0, 0)
    q, r = torch.linalg.qr(torch.zeros(3, 0), mode="complete")
    assert (q == torch.eye(3)).all() and r.shape == (3, 0)
    assert torch.linalg.svdvals(torch.zeros(4, 0)).shape == (0,)
    for shape in ((0, 0), (2, 0, 0), (0, 3, 3)):
        assert torch.cholesky_inverse(torch.zeros(shape)).shape == shape
        assert torch.linalg.eigh(torch.zeros(shape)).eigenvectors.shape == shape
        assert torch.linalg.svd(torch.zeros(shape)).U.shape == shape
        tau = torch.zeros(shape[:-1])
        assert torch.linalg.householder_product(torch.zeros(shape), tau).shape == shape
    unit = torch.linalg.householder_product(torch.ones(4, 3), torch.zeros(0))
    assert (unit == torch.eye(4, 3)).all()
    assert torch.linalg.solve(torch.zeros(0, 2, 2), torch.zeros(0, 2, 3)).shape == (0, 2, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: torch.linalg.inv(torch.zeros(3, 3)), "linalg.inv: The diagonal element 1 is zero"),
        (
            lambda: torch.linalg.inv(torch.zeros(2, 3, 3)),
            r"linalg.inv: \(Batch element 0\): The diagonal element 1 is zero",
        ),
        (
            lambda: torch.linalg.solve(torch.zeros(2, 2), torch.ones(2)),
            "torch.linalg.solve: The solver failed because the input matrix is singular.",
        ),
        (
            lambda: torch.linalg.cholesky(-torch.eye(3)),
            "linalg.cholesky: The factorization could not be completed because the input is not "
            r"positive-definite \(the leading minor of order 1 is not positive-definite\)",
        ),
        (
            lambda: torch.linalg.svd(torch.full((2, 2), torch.nan)),
            "linalg.svd: The algorithm failed to converge because the input matrix contained "
            "non-finite values.",
        ),
    ],
)
def test_matrices_that_an_algorithm_cannot_take(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(torch.linalg.LinAlgError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: torch.linalg.inv(torch.zeros(2, 3)),
            "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices",
        ),
        (
            lambda: torch.linalg.inv(torch.zeros(2)),
            "linalg.inv: The input tensor A must have at least 2 dimensions.",
        ),
        (
            lambda: torch.linalg.inv(torch.zeros(2, 2, dtype=torch.int64)),
            "linalg.inv: Expected a floating point or complex tensor as input. Got Long",
        ),
        (
            lambda: torch.linalg.inv(torch.zeros(2, 2).half()),
            "linalg.inv: Low precision dtypes not supported. Got Half",
        ),
        (
            lambda: torch.linalg.solve(torch.eye(3), torch.rand(3, 2, 1)),
            r"linalg.solve: Incompatible shapes of A and B for the equation AX = B \(3x3 and 2x1\)",
        ),
        (
            lambda: torch.linalg.lu_factor(torch.zeros(2, 2)),
            r"torch.linalg.lu_factor: U\[1,1\] is zero and using it on lu_solve would result",
        ),
        (
            lambda: torch.linalg.eig(torch.full((2, 2), torch.inf)),
            "torch.linalg.eig: input tensor should not contain infs or NaNs.",
        ),
        (
            lambda: torch.linalg.eigh(torch.eye(2), UPLO="X"),
            "Expected UPLO argument to be 'L' or 'U', but got X",
        ),
        (
            lambda: torch.linalg.qr(torch.eye(2), mode="thin"),
            "qr received unrecognized mode 'thin' but expected one of 'reduced'",
        ),
        (
            lambda: torch.linalg.matrix_norm(torch.eye(2), 3),
            "linalg.matrix_norm: Order 3 not supported.",
        ),
        (
            lambda: torch.linalg.multi_dot([torch.eye(2)]),
            r"multi_dot\(\): expected at least 2 tensors but got 1",
        ),
        (
            lambda: torch.linalg.multi_dot([torch.eye(2)] * 2, out=torch.eye(2).double()),
            r"multi_dot\(\): expected out tensor to have dtype .* but got",
        ),
        (
            lambda: torch.linalg.matrix_norm(torch.eye(2), out=torch.zeros(()).double()),
            "linalg.matrix_norm expected out tensor dtype Float but got: Double",
        ),
        (
            lambda: torch.linalg.inv_ex(
                torch.eye(2), out=(torch.eye(2).double(), torch.zeros((), dtype=torch.int32))
            ),
            "Expected out tensor to have dtype float, but got double instead",
        ),
        (
            lambda: torch.linalg.lstsq(torch.eye(2), torch.eye(2), driver="gel"),
            "torch.linalg.lstsq: parameter `driver` should be one of",
        ),
        (
            lambda: torch.linalg.lstsq(torch.ones(3, 2), torch.ones(4, 3, 1)),
            r"input.dim\(\) must be greater or equal to other.dim\(\)",
        ),
    ],
)
def test_wrong_arguments(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        call()


# ---- derivatives; a complex matrix by its parts


def _input(*shape: int, shift: float = 0) -> Any:
    x = torch.from_numpy(_RNG.standard_normal(shape))
    if shift:
        x = x + shift * torch.eye(shape[-2], shape[-1], dtype=torch.float64)
    return x.requires_grad_()


def _parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """Of complex matrices: their real and imaginary parts are the arguments."""

    def of_parts(*parts: Any) -> list[Any]:
        matrices = [torch.complex(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        found = function(*matrices)
        found = found if isinstance(found, (tuple, list)) else [found]
        return [torch.view_as_real(f) if f.is_complex() else f for f in found]

    return of_parts


def _hermitian(a: Any) -> Any:
    return a @ a.mH + torch.eye(a.shape[-1], dtype=a.dtype)


def _svd(a: Any) -> list[Any]:
    """Vectors without their free phases."""
    u, s, vh = torch.linalg.svd(a, full_matrices=False)
    weights = torch.arange(1, s.shape[-1] + 1, dtype=torch.float64)
    return [u.abs(), s, vh.abs(), (u * weights.to(u.dtype)) @ vh]


def _eigh(a: Any) -> list[Any]:
    values, vectors = torch.linalg.eigh(_hermitian(a))
    weights = torch.arange(1, 4, dtype=torch.float64).to(vectors.dtype)
    return [values, vectors.abs(), (vectors * weights) @ vectors.mH]


def _eig(a: Any) -> list[Any]:
    values, vectors = torch.linalg.eig(a)
    order = torch.arange(1, 4, dtype=torch.float64).to(values.dtype)
    functions = vectors * (values.exp() * values).unsqueeze(-2)
    return [
        torch.view_as_real((values * values).sum(-1)),
        torch.view_as_real((functions @ torch.linalg.inv(vectors)) * order),
    ]


# Node, function, shapes, multiple of the identity that is added.
_DERIVATIVES: list[tuple[str, Callable[..., Any], list[tuple[int, ...]], float]] = [
    ("LinalgCholeskyExBackward0", lambda a: torch.linalg.cholesky(_hermitian(a)), [(2, 3, 3)], 0),
    (
        "LinalgCholeskyExBackward0",
        lambda a: torch.linalg.cholesky(_hermitian(a), upper=True),
        [(3, 3)],
        0,
    ),
    ("LinalgInvExBackward0", torch.linalg.inv, [(2, 3, 3)], 3),
    ("LinalgDetBackward0", torch.linalg.det, [(2, 3, 3)], 0),
    ("LinalgSlogdetBackward0", lambda a: torch.linalg.slogdet(a).logabsdet, [(2, 3, 3)], 0),
    ("LinalgSolveExBackward0", torch.linalg.solve, [(2, 3, 3), (2, 3, 2)], 3),
    ("LinalgSolveExBackward0", lambda a, b: torch.linalg.solve(a, b, left=False), [(3, 3)] * 2, 3),
    *[
        (
            "LinalgSolveTriangularBackward0",
            lambda a, b, upper=upper, left=left: torch.linalg.solve_triangular(
                a, b, upper=upper, left=left, unitriangular=left
            ),
            [(3, 3), (2, 3, 3)],
            3.0,
        )
        for upper in (False, True)
        for left in (False, True)
    ],
    *[
        ("LinalgLuFactorExBackward0", lambda a: torch.linalg.lu(a)[1:], [(2, *shape)], 5.0)
        for shape in ((3, 3), (4, 2), (2, 4))
    ],
    *[
        ("LinalgQrBackward0", lambda a: [p.abs() for p in torch.linalg.qr(a)], [(2, *shape)], 3.0)
        for shape in ((3, 3), (4, 2), (2, 4))
    ],
    *[("LinalgSvdBackward0", _svd, [(2, *shape)], 2.0) for shape in ((3, 3), (4, 2), (2, 4))],
    ("LinalgSvdBackward0", torch.linalg.svdvals, [(2, 3, 4)], 2),
    ("LinalgEighBackward0", _eigh, [(2, 3, 3)], 0),
    ("LinalgEighBackward0", lambda a: torch.linalg.eigvalsh(_hermitian(a)), [(2, 3, 3)], 0),
    ("LinalgEigBackward0", _eig, [(2, 3, 3)], 0),
    *[
        (
            "CholeskySolveBackward0",
            lambda a, b, upper=upper: torch.cholesky_solve(
                b, a.triu() if upper else a.tril(), upper
            ),
            [(2, 3, 3), (2, 3, 2)],
            3.0,
        )
        for upper in (False, True)
    ],
    *[
        (
            "CholeskyInverseBackward0",
            lambda a, upper=upper: torch.cholesky_inverse(a.triu() if upper else a.tril(), upper),
            [(2, 3, 3)],
            3.0,
        )
        for upper in (False, True)
    ],
    *[("LinalgPinvBackward0", torch.linalg.pinv, [(2, *shape)], 2.0) for shape in ((4, 3), (2, 4))],
    (
        "LinalgPinvBackward0",
        lambda a: torch.linalg.pinv(_hermitian(a), hermitian=True),
        [(2, 3, 3)],
        0,
    ),
    *[
        (
            "LinalgLstsqBackward0",
            lambda a, b, driver=driver: torch.linalg.lstsq(a, b, driver=driver)[:2],
            [shape, (shape[0], 2)],
            2.0,
        )
        for driver in ("gels", "gelsd")
        for shape in ((4, 3), (3, 3), (2, 4))
    ],
    *[
        (
            "LinalgLuSolveBackward0",
            lambda a, b, left=left, adjoint=adjoint: torch.linalg.lu_solve(
                *torch.linalg.lu_factor(a), b if left else b.mT, left=left, adjoint=adjoint
            ),
            [(2, 3, 3), (2, 3, 2)],
            3,
        )
        for left in (False, True)
        for adjoint in (False, True)
    ],
    ("cond", torch.linalg.cond, [(3, 3)], 3),
    ("nuclear", lambda a: torch.linalg.matrix_norm(a, "nuc"), [(3, 3)], 3),
    ("matrix_exp", torch.linalg.matrix_exp, [(2, 3, 3)], 0),
    ("matrix_power", lambda a: torch.linalg.matrix_power(a, -2), [(2, 3, 3)], 3),
]


@pytest.mark.parametrize("complex_", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize(
    ("node", "function", "shapes", "shift"),
    _DERIVATIVES,
    ids=[f"{case[0]}-{i}" for i, case in enumerate(_DERIVATIVES)],
)
def test_derivatives(
    node: str,
    function: Callable[..., Any],
    shapes: list[tuple[int, ...]],
    shift: float,
    complex_: bool,
) -> None:
    if complex_:
        function = _parts(function)
        inputs = [_input(*s, shift=c) for s in shapes for c in (shift, 0.0)]
    else:
        inputs = [_input(*s, shift=shift) for s in shapes]
    assert gradcheck(function, inputs, atol=1e-4)
    assert gradgradcheck(function, inputs, atol=1e-3, rtol=1e-2)


def test_determinant_of_singular_matrices() -> None:
    """The cofactors are there where the inverse is not."""
    a = _input(3, 3)
    singular = (a.detach() * torch.tensor([1.0, 1.0, 0.0], dtype=torch.float64)).requires_grad_()
    torch.linalg.det(singular).backward()
    array = singular.detach().numpy()
    expected = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            minor = np.delete(np.delete(array, i, 0), j, 1)
            expected[i, j] = (-1) ** (i + j) * np.linalg.det(minor)
    _close(singular.grad, expected)


@both
@types
@pytest.mark.parametrize("shape", [(9, 6), (6, 9)], ids=str)
def test_low_rank(batch: tuple[int, ...], dtype: Any, shape: tuple[int, int]) -> None:
    m, n = shape
    mean = _array(dtype, *batch, 1, n)
    product = _array(dtype, *batch, m, 3) @ _array(dtype, *batch, 3, n)
    for u, s, v in (
        torch.svd_lowrank(product, q=4),
        torch.svd_lowrank(product + mean, q=4, M=mean),
        torch.svd_lowrank(product),
    ):
        q = s.shape[-1]
        assert (u.shape, v.shape) == ((*batch, m, q), (*batch, n, q))
        _close((u * s.unsqueeze(-2)) @ v.mH, product, 10)
        _close(s[..., :3], np.linalg.svd(product.numpy(), compute_uv=False)[..., :3], 10)
        _close(v.mH @ v, torch.eye(q, dtype=dtype).expand(*batch, q, q), 10)
    assert torch.svd_lowrank(product, q=2)[1].shape == (*batch, 2)


@types
def test_principal_components(dtype: Any) -> None:
    samples = _array(dtype, 40, 2) @ _array(dtype, 2, 5) + _array(dtype, 5)
    u, s, v = torch.pca_lowrank(samples, q=3)
    assert (u.shape, s.shape, v.shape) == ((40, 3), (3,), (5, 3))
    centred = samples - samples.mean(0)
    _close((u * s) @ v.mH, centred, 10)
    variances = np.linalg.eigvalsh(np.cov(samples.numpy(), rowvar=False))[::-1][:2]
    np.testing.assert_allclose((s**2 / 39)[:2].numpy(), variances, rtol=_TOLERANCE[dtype])
    _close(torch.pca_lowrank(centred, q=3, center=False)[1], s, 10)
    assert torch.pca_lowrank(samples)[1].shape == (5,)
    with pytest.raises(ValueError, match=r"q\(=6\) must be non-negative integer and not greater"):
        torch.pca_lowrank(samples, q=6)
    with pytest.raises(ValueError, match=r"niter\(=-1\) must be"):
        torch.pca_lowrank(samples, niter=-1)


def test_low_rank_is_repeatable_and_has_derivatives() -> None:
    a = (_array(torch.float64, 5, 2) @ _array(torch.float64, 2, 4)).requires_grad_()

    def values(matrix: Any) -> Any:
        torch.manual_seed(0)
        return torch.svd_lowrank(matrix, q=2)[1]

    assert torch.equal(values(a), values(a))
    gradcheck(values, (a,))


@types
def test_singular_values_alone(dtype: Any) -> None:
    def graded(m: int, n: int) -> Any:
        return _array(dtype, m, n) * torch.logspace(0, -12, n).to(dtype)

    low = _array(dtype, 30, 2) @ _array(dtype, 2, 20)
    jordan = torch.diag_embed(torch.ones(9, dtype=dtype), 1)
    for a in [
        *(_array(dtype, m, n) for m, n in [(1, 1), (1, 5), (7, 7), (40, 33), (90, 12), (12, 90)]),
        graded(20, 20),
        graded(60, 20),
        graded(20, 20).flip(-1),
        low,
        jordan,
        torch.eye(6, dtype=dtype),
        torch.zeros(4, 3, dtype=dtype),
        _array(dtype, 5, 4) * 1e30,
        _array(dtype, 5, 4) * 1e-30,
        _array(dtype, 3, 6, 5),
    ]:
        wanted = np.linalg.svd(a.to(torch.complex128).numpy(), compute_uv=False)
        found = torch.linalg.svdvals(a)
        largest = wanted.max(-1, keepdims=True)
        limit = 1e-5 if dtype in (torch.float32, torch.complex64) else 1e-13
        assert found.dtype == a.real.dtype
        assert (np.abs(found.double().numpy() - wanted) <= limit * largest).all(), a.shape
        assert (found[..., 1:] <= found[..., :-1]).all()
    assert torch.linalg.matrix_rank(low) == 2
    bad = _array(dtype, 4, 4)
    bad[1, 2] = float("nan")
    with pytest.raises(torch.linalg.LinAlgError, match="failed to converge"):
        torch.linalg.svdvals(bad)


@both
@types
@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_gradients_by_saved_factors(batch: tuple[int, ...], dtype: Any, n: int) -> None:
    """With create_graph they are computed from the matrix, without from its factors."""
    a = _square(dtype, *batch, n, n).requires_grad_()
    b = _array(dtype, *batch, n, 3).requires_grad_()
    for function in (
        lambda: torch.linalg.det(a / 4),
        lambda: torch.linalg.slogdet(a)[1],
        lambda: torch.linalg.slogdet(a)[0] if dtype.is_complex else torch.linalg.slogdet(a)[1],
        lambda: torch.linalg.solve(a, b),
        lambda: torch.linalg.solve(a, b.mT, left=False),
        lambda: torch.linalg.solve(a, b[..., 0]),
        lambda: torch.linalg.solve(a[:1], b) if batch else torch.linalg.solve(a, b),
    ):
        out = function()
        seed = _array(out.dtype, *out.shape)
        kwargs = {"retain_graph": True, "allow_unused": True}
        quick = torch.autograd.grad(out, (a, b), seed, **kwargs)
        slow = torch.autograd.grad(out, (a, b), seed, create_graph=True, **kwargs)
        for x, y in zip(quick, slow, strict=True):
            assert (x is None) == (y is None)
            if x is not None:
                _close(x, y.detach(), 10)


@types
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("adjoint", [False, True])
def test_lu_solve_broadcasts(dtype: Any, left: bool, adjoint: bool) -> None:
    for n in (1, 3, 16, 17, 40):
        a = _square(dtype, 3, n, n) + 2 * n**0.5 * torch.eye(n, dtype=dtype)
        b = _array(dtype, 2, 1, *((n, 2) if left else (2, n)))
        factor, pivots = torch.linalg.lu_factor(a)
        x = torch.linalg.lu_solve(factor, pivots, b, left=left, adjoint=adjoint)
        matrix = a.mH if adjoint else a
        product = matrix @ x if left else x @ matrix
        _close(product, b.expand_as(product), 10)
        row_major = torch.linalg.lu_solve(
            factor.contiguous(), pivots, b, left=left, adjoint=adjoint
        )
        assert row_major.equal(x) and row_major.stride() == x.stride()
        assert x.mT.is_contiguous() if left else x.is_contiguous()


def test_lu_solve_refuses_pivots_of_no_row() -> None:
    factor, pivots = torch.linalg.lu_factor(torch.eye(3))
    for wrong in (0, 4, -1):
        pivots[1] = wrong
        with pytest.raises(RuntimeError, match=f"LU.size\\(-2\\) is 3, and a pivot {wrong}"):
            torch.linalg.lu_solve(factor, pivots, torch.eye(3))
    with pytest.raises(RuntimeError, match=r"Incompatible shapes of A and B .*\(3x3 and 2x3\)"):
        torch.linalg.lu_solve(factor, pivots, torch.ones(2, 3))


def test_lu_of_dtypes_without_a_kernel() -> None:
    for function in (torch.linalg.lu_factor, torch.linalg.lu, torch.linalg.lu_factor_ex):
        with pytest.raises(NotImplementedError, match="\"lu_cpu\" not implemented for 'Half'"):
            function(torch.eye(2).half())
        with pytest.raises(NotImplementedError, match="\"lu_cpu\" not implemented for 'Int'"):
            function(torch.eye(2).int())


@types
def test_eigenvectors_of_matrices_of_low_rank(dtype: Any) -> None:
    # Eigen's complex iteration does not end for these as they are.
    n = 64
    for a in (torch.ones(n, n, dtype=dtype), _array(dtype, n, 3) @ _array(dtype, 3, n)):
        values, vectors = torch.linalg.eig(a)
        wide = a.to(values.dtype)
        error = torch.linalg.matrix_norm(wide @ vectors - vectors * values)
        assert error < 100 * n * _TOLERANCE[dtype] * torch.linalg.matrix_norm(wide)
        norms = torch.linalg.vector_norm(vectors, dim=0)
        assert ((norms - 1).abs() < 100 * n * _TOLERANCE[dtype]).all()


@types
def test_eigenvalues_alone(dtype: Any) -> None:
    wide = torch.complex128 if dtype.is_complex else torch.float64
    for n in (1, 2, 3, 4, 9, 30, 64):
        a = _array(wide, 8, n, n)
        a[1] = 0
        a[2] = torch.eye(n).roll(1, 0)  # the roots of 1, which need an exceptional shift
        a[3] = 1
        a[4] = a[4].triu()
        a[5] = torch.block_diag(a[5, : n // 2, : n // 2], a[5, n // 2 :, n // 2 :])
        a[6] *= 1e-30
        a[7] *= 1e30
        given = a.to(dtype)
        found = torch.linalg.eigvals(given)
        assert found.dtype == given.to(torch.complex64 if dtype.itemsize < 8 else found.dtype).dtype
        # Its powers' traces are a matrix's; those of a defective one are as exact.
        for k in (1, 2, 3):
            norm = torch.linalg.matrix_norm(given.to(torch.complex128)) ** k
            trace = torch.linalg.matrix_power(given.to(torch.complex128), k).diagonal(0, -2, -1)
            error = (found.to(torch.complex128) ** k).sum(-1) - trace.sum(-1)
            assert (error.abs() <= 10 * n * _TOLERANCE[dtype] * norm).all()
        with_vectors = torch.linalg.eigvals(given[:1].clone().requires_grad_()).detach()
        distance = (with_vectors.unsqueeze(-1) - found[:1].unsqueeze(-2)).abs()
        assert (distance.amin(-1) < 1000 * n * _TOLERANCE[dtype]).all()
    with pytest.raises(RuntimeError, match="should not contain infs or NaNs"):
        torch.linalg.eigvals(torch.full((2, 2), float("nan"), dtype=dtype))
    assert torch.linalg.eigvals(torch.ones(2, 0, 0, dtype=dtype)).shape == (2, 0)


def _decompositions(matrix: Any) -> list[Any]:
    values, vectors = torch.linalg.eig(matrix)
    u, s, vh = torch.linalg.svd(matrix)
    symmetric = matrix + matrix.mH
    real, turned = torch.linalg.eigh(symmetric)
    return [
        vectors @ torch.diag_embed(values) - matrix.to(vectors.dtype) @ vectors,
        u @ torch.diag_embed(s).to(u.dtype) @ vh - matrix,
        turned @ torch.diag_embed(real).to(turned.dtype) @ turned.mH - symmetric,
        torch.linalg.svdvals(matrix) - s,
        torch.linalg.eigvalsh(symmetric) - real,
    ]


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("threads", [1, 2])
def test_decompositions_of_any_number_of_threads(dtype: Any, threads: int) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        for shape in ((120, 120), (40, 12, 12), (3, 65, 65)):
            for rest in _decompositions(_array(dtype, *shape)):
                assert rest.abs().max() < 300 * _TOLERANCE[dtype]
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)


def _in_a_worker(place: int) -> float:
    return max(float(rest.abs().max()) for rest in _decompositions(torch.eye(70) * (place + 1.0)))


class _Decomposed(torch.utils.data.Dataset[float]):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, place: int) -> float:
        return _in_a_worker(place)


def test_decompositions_after_a_fork() -> None:
    # The library has its threads by now.
    assert _in_a_worker(0) < 1e-3
    loader = torch.utils.data.DataLoader(_Decomposed(), num_workers=2)
    assert max(float(found) for found in loader) < 1e-3
