"""Values, dtypes and refusals at the edges: of conversions, empty sizes and mixed dtypes."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F

INF, NAN = math.inf, math.nan


def test_an_imaginary_number_is_true() -> None:
    x = torch.tensor([1j, 0, 2, 3 - 1j])
    truth = [True, False, True, True]
    assert x.to(torch.bool).tolist() == truth
    assert x[::2].bool().tolist() == truth[::2]
    assert torch.zeros(4, dtype=torch.bool).copy_(x).tolist() == truth
    assert x.nonzero().flatten().tolist() == [0, 2, 3]
    assert x[:2].any()
    assert x[2:].all()
    assert torch.tensor([1j, 1j]).all()


@pytest.mark.parametrize("name", ["sum", "prod", "nansum"])
def test_a_fraction_is_true_before_it_is_reduced(name: str) -> None:
    reduce = getattr(torch, name)
    for values in ([0.5, -0.5], [0.25], [0.0, 0.0], [0.3, 0.0]):
        expected = all(values) if name == "prod" else any(values)
        x = torch.tensor(values)
        assert reduce(x, 0, dtype=torch.bool).item() is expected
        assert reduce(x, dtype=torch.bool).item() is expected
    assert torch.sum(torch.tensor([1j, -1j]), dtype=torch.bool)


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_no_running_sums_of_booleans(name: str) -> None:
    with pytest.raises(NotImplementedError, match=f"\"{name}_out_cpu\" not implemented for 'Bool'"):
        getattr(torch, name)(torch.rand(3), 0, dtype=torch.bool)


def test_quantiles_of_the_normal_distribution_are_of_probabilities() -> None:
    x = torch.tensor([-INF, -3, -1e-3, 0, 0.5, 1, 1.001, INF, NAN], dtype=torch.float64)
    y = torch.special.ndtri(x)
    assert y.isnan().tolist() == [True, True, True, False, False, False, True, True, True]
    assert y[3:6].tolist() == [-INF, 0.0, INF]


def test_polygamma_ends_at_0() -> None:
    x = torch.tensor([INF], dtype=torch.float64, requires_grad=True)
    assert torch.polygamma(1, x).item() == 0
    assert torch.polygamma(3, x).item() == 0
    (grad,) = torch.autograd.grad(torch.digamma(x), x)
    assert grad.item() == 0


@pytest.mark.parametrize("name", ["nansum", "nanmean"])
def test_gradients_beside_nan(name: str) -> None:
    x = torch.tensor([1.0, NAN, INF, -INF, 2.0], requires_grad=True)
    (grad,) = torch.autograd.grad(getattr(torch, name)(x), x)
    share = 1.0 if name == "nansum" else 0.25
    assert grad.tolist() == [share, 0.0, share, share, share]


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("dtype", [torch.int64, torch.float64, torch.bfloat16])
def test_mse_loss_of_two_dtypes(dtype: torch.dtype, reduction: str) -> None:
    x = torch.randn(5, requires_grad=True)
    target = torch.randint(-3, 4, (5,)).to(dtype)
    loss = F.mse_loss(x, target, reduction=reduction)
    assert loss.dtype == torch.promote_types(torch.float32, dtype)
    (grad,) = torch.autograd.grad(loss.sum(), x)
    assert grad.dtype == torch.float32
    expected = 2 * (x.detach().double() - target.double())
    if reduction == "mean":
        expected = expected / 5
    torch.testing.assert_close(grad.double(), expected, rtol=1e-5, atol=1e-6)


def test_soft_margin_loss_has_the_dtype_of_its_input() -> None:
    target = torch.tensor([1.0, -1.0])
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        assert F.soft_margin_loss(torch.ones(2, dtype=dtype), target).dtype == dtype
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output"):
        F.soft_margin_loss(torch.ones(2, dtype=torch.int64), target)


@pytest.mark.parametrize("sizes", [(2, 2, 0, 3), (2, 0, 3, 1), (0, 2, 3, 4), (2, 0, 0, 0)])
def test_sums_of_products_without_elements(sizes: tuple[int, int, int, int]) -> None:
    b, n, m, p = sizes
    start = torch.randn(n, p)
    result = torch.addbmm(start, torch.randn(b, n, m), torch.randn(b, m, p), beta=2)
    assert torch.equal(result, 2 * start)


@pytest.mark.parametrize("p", [None, 2, -2, 1, "fro"])
def test_the_condition_of_no_matrix(p: Any) -> None:
    assert torch.linalg.cond(torch.zeros(0, 0), p).item() == 0
    assert torch.equal(torch.linalg.cond(torch.zeros(3, 0, 0), p), torch.zeros(3))


def test_sources_of_index_add_have_as_many_dimensions() -> None:
    index = torch.tensor([0])
    assert torch.zeros(()).index_add(0, index, torch.tensor(2.0)).item() == 2
    pairs: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((3,), ()), ((), (1,)), ((3, 2), (1,))]
    for self, source in pairs:
        with pytest.raises(RuntimeError, match="source tensor shape must match self"):
            torch.zeros(self).index_add(0, index, torch.ones(source))
    with pytest.raises(IndexError, match="goes to one index, but got 2"):
        torch.zeros(3).index_add(0, torch.tensor([0, 1]), torch.tensor(1.0))


@pytest.mark.parametrize(
    ("sizes", "count", "message"),
    [(((3,), ()), 2, "index should have one element"), (((3, 2), (2,)), 1, "dimensionality must")],
)
def test_errors_of_index_copy(sizes: Any, count: int, message: str) -> None:
    with pytest.raises(IndexError, match=message):
        torch.zeros(sizes[0]).index_copy(0, torch.arange(count), torch.ones(sizes[1]))


def test_gradients_of_complex_ldexp() -> None:
    x, n = (torch.randn(4, dtype=torch.complex128, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(torch.ldexp, (x, n))


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "round", "sign"])
def test_complex_numbers_are_not_rounded(name: str) -> None:
    with pytest.raises(NotImplementedError, match="complex"):
        getattr(torch, name)(torch.ones(2, dtype=torch.complex64))


def test_random_leaky_relu_gives_a_contiguous_tensor() -> None:
    x = torch.randn(3, 4).t()
    assert F.rrelu(x, training=True).is_contiguous()
