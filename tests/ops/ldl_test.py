"""Factors of symmetric and Hermitian matrices: against what defines them, and the errors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

_DTYPES = [torch.float32, torch.float64, torch.complex64, torch.complex128]
_TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-12}


def _missing() -> str:
    """What a build without a LAPACK library says; empty in others."""
    try:
        torch.linalg.ldl_factor_ex(torch.eye(1))
    except RuntimeError as error:
        return str(error)
    return ""


needs_library = pytest.mark.skipif(
    "openblas" not in torch._build_settings.LAPACK.lower(),
    reason="Eigen has no such factorization",
)
_ABSENT = (
    "Calling torch.linalg.ldl_factor on a CPU tensor requires compiling PyTorch with LAPACK, but this"
    " build has Eigen only or does not find its library libscipy_openblas.so. Type: ./bazelw build"
    " //torch:wheel --lapack=openblas"
)


def _matrix(dtype: torch.dtype, hermitian: bool, *shape: int) -> torch.Tensor:
    """Indefinite: 0 on its diagonal asks for blocks of two rows."""
    a = torch.randn(shape, dtype=dtype)
    a = a + (a.mH if hermitian else a.mT)
    return a - a.diagonal(dim1=-2, dim2=-1).diag_embed() + torch.eye(shape[-1], dtype=dtype) / 100


def _product(factors: Any, hermitian: bool) -> torch.Tensor:
    """A from its factors, as LAPACK's ?sytrf defines them for a lower triangle."""
    LD, pivots = factors
    n = LD.size(-1)
    D = LD.diagonal().diag()
    L = torch.eye(n, dtype=LD.dtype)
    k = 0
    while k < n:
        pair = int(pivots[k]) < 0
        step = torch.eye(n, dtype=LD.dtype)
        width = 2 if pair else 1
        step[k + width :, k : k + width] = LD[k + width :, k : k + width]
        if pair:
            D[k + 1, k] = LD[k + 1, k]
            D[k, k + 1] = LD[k + 1, k].conj() if hermitian else LD[k + 1, k]
        # The last row of the block was exchanged with row `other`.
        other, row = abs(int(pivots[k + width - 1])) - 1, k + width - 1
        exchange = list(range(n))
        exchange[row], exchange[other] = other, row
        L = L @ torch.eye(n, dtype=LD.dtype)[exchange] @ step
        k += width
    return L @ D @ (L.mH if hermitian else L.mT)


@needs_library
@pytest.mark.parametrize("dtype", _DTYPES, ids=str)
@pytest.mark.parametrize("hermitian", [False, True])
def test_the_factors_make_the_matrix(dtype: torch.dtype, hermitian: bool) -> None:
    tolerance = _TOLERANCE[torch.empty(0, dtype=dtype).real.dtype]
    for n in (1, 2, 5, 12):
        a = _matrix(dtype, hermitian, n, n)
        factors = torch.linalg.ldl_factor(a, hermitian=hermitian)
        assert factors.LD.stride() == (1, n)
        assert factors.pivots.dtype == torch.int32
        torch.testing.assert_close(
            _product(factors, hermitian), a, rtol=tolerance * 10, atol=tolerance * 10
        )
        # The upper triangle is not read.
        again = torch.linalg.ldl_factor_ex(a.tril(), hermitian=hermitian)
        assert torch.equal(again.LD, factors.LD)
        assert torch.equal(again.pivots, factors.pivots)


@needs_library
@pytest.mark.parametrize("dtype", _DTYPES, ids=str)
@pytest.mark.parametrize("hermitian", [False, True])
def test_solutions(dtype: torch.dtype, hermitian: bool) -> None:
    tolerance = _TOLERANCE[torch.empty(0, dtype=dtype).real.dtype]
    for batch, other in [
        ((), ()),
        ((3,), (3,)),
        ((2, 1), (3,)),
        ((), (2,)),
        ((2,), ()),
        ((1,), (4,)),
    ]:
        a = _matrix(dtype, hermitian, *batch, 6, 6)
        b = torch.randn(*other, 6, 4, dtype=dtype)
        LD, pivots, info = torch.linalg.ldl_factor_ex(a, hermitian=hermitian)
        assert info.shape == batch
        assert not info.any()
        x = torch.linalg.ldl_solve(LD, pivots, b, hermitian=hermitian)
        assert x.mT.is_contiguous()
        expected = torch.linalg.solve(
            a.to(torch.complex128 if dtype.is_complex else torch.float64),
            b.to(torch.complex128 if dtype.is_complex else torch.float64),
        )
        torch.testing.assert_close(
            x, expected.to(dtype), rtol=tolerance * 300, atol=tolerance * 300
        )
        same = torch.linalg.ldl_solve(LD.contiguous(), pivots.long(), b, hermitian=hermitian)
        assert torch.equal(same, x)


@needs_library
def test_out() -> None:
    a, b = _matrix(torch.float64, False, 4, 4), torch.randn(4, 2, dtype=torch.float64)
    expected = torch.linalg.ldl_factor_ex(a)
    new = torch.empty(0, dtype=torch.float64), torch.empty(0, dtype=torch.int32)
    factors = torch.linalg.ldl_factor(a, out=new)
    assert type(factors).__name__ == "linalg_ldl_factor_out"
    assert factors.LD is new[0]
    assert new[0].stride() == (1, 4)
    rows = torch.empty(4, 4, dtype=torch.float64)
    torch.linalg.ldl_factor_ex(
        a, out=(rows, torch.empty(4, dtype=torch.int32), torch.empty((), dtype=torch.int32))
    )
    assert rows.stride() == (4, 1)
    assert torch.equal(rows, expected.LD) and torch.equal(new[0], expected.LD)
    x = torch.linalg.ldl_solve(expected.LD, expected.pivots, b)
    for out in (torch.empty(0, dtype=torch.float64), torch.empty_like(b), b.clone()):
        right = out if out.shape == b.shape else b
        right.copy_(b)
        assert torch.equal(torch.linalg.ldl_solve(expected.LD, expected.pivots, right, out=out), x)
    # The factors and the result in one memory.
    LD = expected.LD.clone()
    assert torch.equal(
        torch.linalg.ldl_solve(LD, expected.pivots, torch.eye(4, dtype=LD.dtype), out=LD),
        torch.linalg.ldl_solve(expected.LD, expected.pivots, torch.eye(4, dtype=LD.dtype)),
    )
    with pytest.raises(
        RuntimeError, match="Expected out tensor to have dtype double, but got float"
    ):
        torch.linalg.ldl_solve(expected.LD, expected.pivots, b, out=torch.empty(4, 2))
    with pytest.raises(
        RuntimeError, match="Expected out tensor to have dtype int, but got long int"
    ):
        torch.linalg.ldl_factor(a, out=(new[0], torch.empty(4, dtype=torch.int64)))
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.linalg.ldl_factor(a.clone().requires_grad_(), out=new)


@needs_library
def test_matrices_without_elements_and_on_meta() -> None:
    for shape in ((0, 0), (0, 3, 3), (2, 0, 0)):
        LD, pivots, info = torch.linalg.ldl_factor_ex(torch.empty(shape))
        assert (LD.shape, pivots.shape, info.shape) == (shape, shape[:-1], shape[:-2])
        assert not info.any()
        assert torch.linalg.ldl_solve(LD, pivots, torch.empty(*shape[:-1], 5)).shape == (
            *shape[:-1],
            5,
        )
    LD, pivots, info = torch.linalg.ldl_factor_ex(torch.empty(2, 3, 3, device="meta"))
    assert (LD.stride(), pivots.shape, info.shape) == ((9, 1, 3), (2, 3), (2,))
    assert torch.linalg.ldl_solve(LD, pivots, torch.empty(3, 2, device="meta")).stride() == (
        6,
        1,
        3,
    )


@needs_library
def test_there_is_no_derivative() -> None:
    a = torch.eye(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="derivative for aten::linalg_ldl_factor_ex is not impl"):
        torch.linalg.ldl_factor(a).LD.sum().backward()
    LD, pivots = torch.linalg.ldl_factor(a.detach())
    with pytest.raises(
        RuntimeError, match="derivative for aten::linalg_ldl_solve is not implemented"
    ):
        torch.linalg.ldl_solve(LD, pivots, a).sum().backward()


@needs_library
def test_wrong_arguments() -> None:
    ldl_factor, ldl_solve = torch.linalg.ldl_factor, torch.linalg.ldl_solve
    LD, pivots = ldl_factor(torch.eye(3) + 1)
    pair = torch.linalg.ldl_factor(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    assert pair.pivots.tolist() == [-2, -2]
    wrong = r"Expected pivots between 1 and 3, or pairs of negative ones"
    for call, message in [
        (
            lambda: ldl_factor(torch.eye(3)[:2]),
            "torch.linalg.ldl_factor_ex: A must be batches of square",
        ),
        (lambda: ldl_factor(torch.ones(2)), "A must have at least 2 dimensions"),
        (
            lambda: ldl_factor(torch.eye(2).int()),
            "Expected a floating point or complex tensor as input. Got Int",
        ),
        (
            lambda: ldl_factor(torch.eye(2).half()),
            "\"ldl_factor_kernel_cpu\" not implemented for 'Half'",
        ),
        (
            lambda: ldl_factor(torch.zeros(2, 2)),
            r"torch.linalg.ldl_factor: D\[1,1\] is zero and using it on ldl",
        ),
        (
            lambda: torch.linalg.ldl_factor_ex(torch.zeros(2, 2, 2), check_errors=True),
            r"torch.linalg.ldl_factor_ex: \(Batch element 0\): D\[1,1\] is zero",
        ),
        (
            lambda: ldl_solve(LD, pivots, torch.ones(3)),
            "Expected B to have at least 2 dimensions, but it has 1",
        ),
        (
            lambda: ldl_solve(LD, pivots, torch.ones(2, 1)),
            "Incompatible matrix sizes for torch.linalg.ldl_solve: each A matrix is 3 by 3 but each b matrix is 2 by 1",
        ),
        (
            lambda: ldl_solve(LD, pivots, torch.ones(3, 1).double()),
            "Expected b and A to have the same dtype, but found b of type Double and A of type Float instead",
        ),
        (
            lambda: ldl_solve(LD, pivots[:2], torch.ones(3, 1)),
            r"pivots.shape to be the same, but got pivots with shape \[2\]",
        ),
        (
            lambda: ldl_solve(LD, pivots.float(), torch.ones(3, 1)),
            "Expected pivots to be integers. Got Float",
        ),
        (lambda: ldl_solve(LD, pivots * 0, torch.ones(3, 1)), wrong),
        (lambda: ldl_solve(LD, pivots * 0 + 4, torch.ones(3, 1)), wrong),
        (lambda: ldl_solve(LD, pivots * 0 - 4, torch.ones(3, 1)), wrong),
        (lambda: ldl_solve(LD, pivots * 0 - 1, torch.ones(3, 1)), wrong),
        (lambda: ldl_solve(LD, torch.tensor([1, -1, 1]), torch.ones(3, 1)), wrong),
    ]:
        with pytest.raises(RuntimeError, match=message):
            call()


def test_a_build_without_a_library_says_what_to_type(tmp_path: Path) -> None:
    """A package whose library is gone is such a build."""
    message = _missing()
    if not message:
        package = Path(torch.__path__[0])
        copy = tmp_path / "torch"
        (copy / "lib").mkdir(parents=True)
        for file in [*package.iterdir(), *(package / "lib").iterdir()]:
            if file.name not in ("lib", "libscipy_openblas.so"):
                (copy / file.relative_to(package)).symlink_to(file)
        program = "import torch; torch.linalg.ldl_factor(torch.eye(2))"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        message = done.stderr
    assert _ABSENT in message
