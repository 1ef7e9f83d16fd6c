"""Values, dtypes, strides and refusals at the edges: of conversions, empty sizes, mixed dtypes,
infinities, minus zero and memory formats. They are PyTorch's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

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


FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("count", [1, 37])
def test_silu_of_infinities(dtype: torch.dtype, count: int) -> None:
    low = torch.full((count,), -math.inf, dtype=dtype, requires_grad=True)
    result = F.silu(low)
    assert result.isnan().all()
    result.sum().backward()
    assert low.grad is not None
    assert low.grad.isnan().all()
    assert (F.silu(torch.full((count,), math.inf, dtype=dtype)) == math.inf).all()
    assert F.silu(torch.full((count,), -0.0, dtype=dtype)).signbit().all()
    x = torch.randn(count, dtype=dtype) * 30
    wide = x.double()
    expected = wide / (1 + (-wide).exp())
    torch.testing.assert_close(F.silu(x).double(), expected, rtol=0.01, atol=1e-6)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ["expm1", "sin", "tan", "sinh", "tanh", "atan", "asinh", "log1p"])
def test_odd_functions_keep_minus_zero(name: str, dtype: torch.dtype) -> None:
    function: Callable[[Tensor], Tensor] = getattr(torch, name)
    x = torch.zeros(37, dtype=dtype)
    signs = torch.rand(37) < 0.5
    found = function(torch.where(signs, -x, x))
    assert (found == 0).all()
    assert torch.equal(found.signbit(), signs)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint16, torch.uint32, torch.uint64])
def test_unsigned_integers_have_no_sign(dtype: torch.dtype) -> None:
    top = torch.iinfo(dtype).max
    assert torch.tensor([0, 1, top], dtype=dtype).signbit().tolist() == [False] * 3


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda x: x.relu(), "clamp is not supported for complex types"),
        (lambda x: x.clamp(0), "clamp is not supported for complex types"),
        (lambda x: x.clamp(x, x), "clamp is not supported for complex types"),
        (lambda x: x.signbit(), "signbit is not implemented for complex tensors"),
        (lambda x: x.aminmax(), "aminmax"),
        (lambda x: x.histc(), "not implemented for 'ComplexFloat'"),
        (lambda x: x.bincount(), "\"bincount_cpu\" not implemented for 'ComplexFloat'"),
        (lambda x: x.mvlgamma(1), "mvlgamma is not implemented for complex tensors"),
        (lambda x: x.real.bincount(), "\"bincount_cpu\" not implemented for 'Float'"),
        (lambda x: x.real.int().histc(), "\"histogram_cpu\" not implemented for 'Int'"),
    ],
)
def test_dtypes_without_kernel(use: Callable[[Tensor], Any], message: str) -> None:
    with pytest.raises(NotImplementedError, match=message):
        use(torch.tensor([1 + 2j]))


@pytest.mark.parametrize(
    ("use", "name"),
    [
        (lambda x: torch.nn.functional.pad(x, (1, 1), "reflect"), "reflection_pad1d"),
        (
            lambda x: torch.nn.functional.pad(x[None], (1, 1, 1, 1), "replicate"),
            "replication_pad2d",
        ),
        (lambda x: torch.nn.functional.batch_norm(x, None, None, training=True), "batch_norm"),
        (lambda x: torch.native_group_norm(x, None, None, 2, 3, 4, 1, 1e-5), "GroupNormKernelImpl"),
    ],
)
def test_kernels_have_the_names_of_pytorchs(use: Callable[[Tensor], Any], name: str) -> None:
    with pytest.raises(NotImplementedError, match=f"\"{name}\" not implemented for 'Bool'"):
        use(torch.ones(2, 3, 4, dtype=torch.bool))


def shuffled(x: np.ndarray[Any, Any], r: int) -> np.ndarray[Any, Any]:
    n, c, h, w = x.shape
    parts = x.reshape(n, c // (r * r), r, r, h, w)
    return parts.transpose(0, 1, 4, 2, 5, 3).reshape(n, c // (r * r), h * r, w * r)


@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_shuffles_keep_the_memory_format(memory_format: torch.memory_format) -> None:
    x = torch.randn(2, 12, 4, 6).to(memory_format=memory_format)
    up = F.pixel_shuffle(x, 2)
    np.testing.assert_array_equal(up.numpy(), shuffled(x.numpy(), 2))
    assert torch.equal(F.pixel_unshuffle(up, 2), x)
    groups = F.channel_shuffle(x, 3)
    expected = x.numpy().reshape(2, 3, 4, 4, 6).swapaxes(1, 2).reshape(2, 12, 4, 6)
    np.testing.assert_array_equal(groups.numpy(), expected)
    for result in (up, F.pixel_unshuffle(up, 2), groups):
        assert result.is_contiguous(memory_format=memory_format)
    assert F.pixel_shuffle(x[0], 2).is_contiguous()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_frexp_keeps_the_order_of_memory(order: tuple[int, ...]) -> None:
    x = torch.randn(3, 4, 5).permute(order)
    for y in (x, x[:, ::2]):
        mantissa, exponent = torch.frexp(y)
        expected = np.frexp(y.numpy())
        np.testing.assert_array_equal(mantissa.numpy(), expected[0])
        np.testing.assert_array_equal(exponent.numpy(), expected[1])
        assert mantissa.stride() == exponent.stride() == torch.empty_like(y).stride()


def test_outer_products_of_einsum_are_products() -> None:
    x, y = torch.randn(3, 4, 5), torch.randn(6, 2)
    found = torch.einsum("abc,de->edabc", x, y)
    np.testing.assert_array_equal(
        found.numpy(), y.numpy().T[:, :, None, None, None] * x.numpy()[None, None]
    )
    # The order of the operands' dimensions, as a product of broadcast views has it.
    product = x.view(1, 1, 3, 4, 5) * y.t().view(2, 6, 1, 1, 1)
    assert found.stride() == product.stride()


def test_doubled_images_repeat_their_pixels() -> None:
    """Whatever rounds the factor: 2.0003 times 16 is 32."""
    x = torch.randn(1, 1, 16, 24)
    twice = x.repeat_interleave(2, 2)
    assert torch.equal(F.interpolate(x, scale_factor=(2.05, 1.0)), twice)
    assert torch.equal(F.interpolate(x, scale_factor=(1.03, 1.02)), x)


@pytest.mark.parametrize("factor", [math.nan, math.inf, -math.inf])
def test_factors_that_are_no_numbers(factor: float) -> None:
    with pytest.raises(RuntimeError, match="cannot be converted to type int64_t without overflow"):
        F.interpolate(torch.ones(1, 1, 4, 4), scale_factor=factor)


@pytest.mark.parametrize("source", ["detach", "data"])
def test_detached_tensors_change_their_shape(source: str) -> None:
    x = torch.randn(3, 4, requires_grad=True)

    def made() -> Tensor:
        return x.detach() if source == "detach" else x.data

    assert made().resize_(2, 2).shape == (2, 2)
    assert made().t_().shape == (4, 3)
    assert made().unsqueeze_(0).shape == (1, 3, 4)
    assert x.shape == (3, 4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64, torch.complex128])
def test_nan_is_close_to_nan(dtype: torch.dtype) -> None:
    nan, inf = math.nan, math.inf
    values = [complex(nan, 1), complex(1, nan), complex(nan, inf), 2 + 1j, complex(inf, 1)]
    x = torch.tensor(values if dtype.is_complex else [nan, 1.0, inf], dtype=dtype)
    assert torch.isclose(x, x.clone(), equal_nan=True).all()
    expected = [value == value for value in x.tolist()]
    assert torch.isclose(x, x.clone()).tolist() == expected
    other = x.flip(0)
    own = [a == b or (a != a and b != b) for a, b in zip(x.tolist(), other.tolist(), strict=True)]
    assert torch.isclose(x, other, equal_nan=True).tolist() == own


def test_uint64_beside_numbers_that_int64_does_not_hold() -> None:
    x = torch.tensor([2**64 - 1, 3, 2**63], dtype=torch.uint64)
    assert (x == 2**64 - 1).tolist() == [True, False, False]
    assert (x != 2**63).tolist() == [True, True, False]


@pytest.mark.parametrize("p", [None, 2, 1, float("inf"), "fro", "nuc"])
def test_the_condition_of_a_singular_matrix(p: Any) -> None:
    for dtype in (torch.float64, torch.complex128):
        singular = torch.diag(torch.tensor([1.0, 0.0], dtype=dtype))
        assert torch.linalg.cond(singular, p).item() == float("inf")
    values = torch.rand(3, dtype=torch.float64) + 0.5
    matrix = torch.diag(values)
    wanted = {"nuc": values.sum() * (1 / values).sum(), 1: values.max() / values.min()}
    if p in wanted:
        torch.testing.assert_close(torch.linalg.cond(matrix, p), wanted[p])


@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("name", ["rtol", "atol", "rcond"])
def test_each_matrix_has_its_own_tolerance(name: str, hermitian: bool) -> None:
    """As many matrices as they have singular values: a tolerance is not one of those."""
    matrix = torch.diag(torch.tensor([1.0, 0.5, 0.1], dtype=torch.float64)).expand(3, 3, 3)
    limits = torch.tensor([0.05, 0.2, 0.7], dtype=torch.float64)
    options: dict[str, Any] = {name: limits, "hermitian": hermitian}
    found = torch.linalg.pinv(matrix, **options)
    assert found.diagonal(dim1=-2, dim2=-1).count_nonzero(-1).tolist() == [3, 2, 1]
    two = torch.linalg.pinv(matrix[:2], **{**options, name: limits[:2]})
    assert torch.equal(two, found[:2])


@pytest.mark.parametrize(("driver", "rcond"), [("gelsd", 1.0), ("gelsd", -1.0), ("gelss", -1.0)])
def test_a_tolerance_that_says_nothing_is_the_precision(driver: str, rcond: float) -> None:
    matrix = torch.diag(torch.tensor([2.0, 1.0, 1e-20], dtype=torch.float64))
    found = torch.linalg.lstsq(matrix, torch.ones(3, 1).double(), rcond=rcond, driver=driver)
    assert found.rank.item() == 2
    torch.testing.assert_close(found.solution[:, 0], torch.tensor([0.5, 1.0, 0.0]).double())


def test_errors_of_linear_algebra() -> None:
    ones = torch.ones(2, 2)
    with pytest.raises(RuntimeError, match="vector_norm: Expected a non-complex scalar as the ord"):
        torch.linalg.vector_norm(ones, 1j)
    with pytest.raises(RuntimeError, match="matrix_norm: Expected a non-complex scalar as the ord"):
        torch.linalg.matrix_norm(ones, 1j)
    with pytest.raises(
        RuntimeError, match=r"between 1 and LU.size\(-2\).*-2\) is 2, and a pivot 3"
    ):
        torch.lu_unpack(ones, torch.tensor([1, 3], dtype=torch.int32))
    whole, vector = torch.ones(2, 2, dtype=torch.int8), torch.ones(2, dtype=torch.int8)
    for name in ("beta", "alpha"):
        with pytest.raises(RuntimeError, match=f"argument {name} must not be a floating point num"):
            torch.addr(whole, vector, vector, **{name: 2.0})
        with pytest.raises(
            RuntimeError, match=f"Boolean {name} only supported for Boolean results"
        ):
            torch.addr(ones, ones[0], ones[0], **{name: True})
    upper = torch.linalg.qr(torch.rand(3, 2, requires_grad=True), mode="r").R
    with pytest.raises(RuntimeError, match="derivative of linalg.qr depends on Q"):
        upper.sum().backward()


@pytest.mark.parametrize("initial", [None, 2.5])
@pytest.mark.parametrize("reduce", ["sum", "mean", "max", "min", "prod"])
def test_segments_are_reduced(reduce: str, initial: float | None) -> None:
    rng = np.random.default_rng()
    data = torch.tensor(rng.standard_normal((2, 7, 3)), requires_grad=True)
    lengths = torch.tensor([[3, 0, 4], [1, 6, 0]])
    found = torch.segment_reduce(data, reduce, lengths=lengths, axis=1, initial=initial)
    offsets = torch.tensor([[0, 3, 3, 7], [0, 1, 7, 7]])
    assert torch.equal(
        found.nan_to_num(),
        torch.segment_reduce(data, reduce, offsets=offsets, axis=1, initial=initial).nan_to_num(),
    )
    nothing = {"sum": 0.0, "mean": np.nan, "max": -np.inf, "min": np.inf, "prod": 1.0}[reduce]
    functions = {"sum": np.sum, "mean": np.sum, "max": np.max, "min": np.min, "prod": np.prod}
    for row in range(2):
        for part in range(3):
            begin, end = offsets[row, part : part + 2].tolist()
            values = data.detach().numpy()[row, begin:end]
            if initial is not None:
                values = np.concatenate([np.full((1, 3), initial), values])
            expected = functions[reduce](values, axis=0) if len(values) else np.full(3, nothing)
            if reduce == "mean" and end > begin:
                expected = expected / (end - begin)
            np.testing.assert_allclose(found[row, part].detach().numpy(), expected, rtol=1e-12)
    used = found[:, [0]]
    assert torch.autograd.gradcheck(
        lambda x: torch.segment_reduce(x, reduce, lengths=lengths, axis=1, initial=initial)[:, [0]],
        data,
    )
    assert used.isfinite().all()


@pytest.mark.parametrize("initial", [None, 0.0])
def test_extremes_of_segments_that_are_nan_have_a_gradient(initial: float | None) -> None:
    nan, lengths = float("nan"), torch.tensor([1, 2, 3])
    for reduce, sign in (("max", 1), ("min", -1)):
        data = torch.tensor([1, nan, 3, 4, 5, 5]).mul(sign).requires_grad_()
        found = torch.segment_reduce(data, reduce, lengths=lengths, initial=initial)
        assert found[1].isnan() and found[[0, 2]].tolist() == [sign, 5 * sign]
        found.sum().backward()
        assert data.grad is not None and data.grad.tolist() == [1, 1, 0, 0, 0.5, 0.5]


def test_segments_that_are_refused() -> None:
    data, lengths = torch.ones(3), torch.tensor([1, 2])
    refused: list[tuple[Any, type[Exception], str]] = [
        ({}, RuntimeError, "Either lengths or offsets must be defined"),
        ({"lengths": lengths[:1]}, RuntimeError, "Expected all rows of lengths along axis to sum"),
        ({"lengths": torch.tensor([4, -1])}, RuntimeError, "lengths contains negative value"),
        ({"lengths": lengths[None]}, RuntimeError, "Expected axis to be the last dimension"),
        ({"lengths": lengths, "indices": lengths}, RuntimeError, "indices based reduction"),
    ]
    for options, error, message in refused:
        with pytest.raises(error, match=message):
            torch.segment_reduce(data, "sum", **options)
    with pytest.raises(RuntimeError, match="must be either sum, prod, mean, amax or amin, got any"):
        torch.segment_reduce(data, "any", lengths=lengths)
    with pytest.raises(NotImplementedError, match="not implemented for torch.int64; wanted float"):
        torch.segment_reduce(torch.arange(3), "sum", lengths=lengths)


def test_a_number_that_the_dtype_does_not_hold() -> None:
    true, small = torch.tensor([True]), torch.ones(1, dtype=torch.int8)
    for refused in (
        lambda: torch.where(true, small, -129),
        lambda: torch.where(true, 300, small),
        lambda: torch.ones(1, dtype=torch.half).pow(2**40),
        lambda: torch.ones(1, dtype=torch.half).pow_(2**40),
        lambda: small.pow(300),
    ):
        with pytest.raises(RuntimeError, match="cannot be converted to type .* without overflow"):
            refused()
    assert torch.where(true, small, -128).dtype == torch.int8
    assert torch.where(~true, small, 2.5).tolist() == [2.5]
    assert torch.where(~true, small, 2.5).dtype == torch.float32
    assert torch.where(true, 2, torch.ones(1, dtype=torch.half)).dtype == torch.half
    assert torch.where(true, 1e10, torch.ones(1, dtype=torch.half)).tolist() == [INF]
    assert torch.ones(1).pow(1e300).tolist() == [1]


def test_the_transpose_of_a_number_is_the_number() -> None:
    x = torch.tensor(1 + 2j)
    with pytest.warns(UserWarning, match="deprecated on 0-D tensors"):
        assert x.mT.item() == 1 + 2j
    assert x.mH.item() == x.adjoint().item() == x.H.item() == 1 - 2j
    for name in ("mT", "mH"):
        with pytest.raises(RuntimeError, match="matrices or batches of matrices. Got 1-D tensor"):
            getattr(torch.ones(3), name)


def test_einsum_promotes_where_it_sums_over_one_operand() -> None:
    one, three = torch.tensor([2.0], dtype=torch.float64), torch.arange(3.0)
    total = torch.einsum("i,i->", one, three)
    assert total.dtype == torch.float64 and total.item() == 6
    rows = torch.einsum("ij,j->i", three[:, None], one.float())
    assert rows.tolist() == [0, 2, 4]
    with pytest.raises(RuntimeError, match="expected scalar type Double but found Float"):
        torch.einsum("i,i->", three.double(), three)


def test_places_of_extremes_of_dtypes_without_order() -> None:
    for name in ("argmax", "argmin"):
        for shape in ((2,), (0, 2)):
            with pytest.raises(RuntimeError, match=rf"{name}\(\): does not support complex input"):
                getattr(torch.ones(shape, dtype=torch.complex64), name)(-1)
        with pytest.raises(RuntimeError, match=rf"{name}\(\): does not support bool input"):
            getattr(torch.ones(2, dtype=torch.bool), name)()


def test_norms_in_another_dtype() -> None:
    x = torch.tensor([3.0, 4.0])
    for found in (
        x.norm(dtype=torch.float64),
        x.norm(2, dtype=torch.float64),
        x.norm(2, 0, False, torch.float64),
    ):
        assert found.dtype == torch.float64 and found.item() == 5
    assert x.norm(1, 0, True).tolist() == [7]


def test_group_norm_keeps_the_memory_format() -> None:
    x = torch.randn(2, 4, 3, 5).to(memory_format=torch.channels_last).requires_grad_()
    y = F.group_norm(x, 2)
    assert y.stride() == x.stride()
    torch.testing.assert_close(y, F.group_norm(x.contiguous(), 2))
    y.backward(torch.randn(2, 4, 3, 5))
    assert x.grad is not None and x.grad.stride() == x.stride()


@pytest.mark.parametrize("initial", [None, 2.0])
def test_the_gradient_of_products_of_segments_beside_nan_and_0(initial: float | None) -> None:
    nan, lengths = float("nan"), torch.tensor([3, 3, 2, 2, 2])
    data = torch.tensor([nan, 2, 3, 0, 5, 6, nan, nan, nan, 0, 0, 0], requires_grad=True)
    torch.segment_reduce(data, "prod", lengths=lengths, initial=initial).sum().backward()
    factor = 1 if initial is None else initial
    # The product of the others in each part.
    wanted = torch.tensor([6, nan, nan, 30, 0, 0, nan, nan, 0, nan, 0, 0]) * factor
    torch.testing.assert_close(data.grad, wanted, equal_nan=True)


def test_weights_of_losses() -> None:
    x, y, weight = torch.randn(3, 5, 4, dtype=torch.float64).unbind()
    loss = torch.nn.functional
    for function, divisor in (
        (loss.mse_loss, weight.sum()),
        (loss.l1_loss, weight.sum()),
        (loss.huber_loss, torch.tensor(20.0, dtype=torch.float64)),  # PyTorch's, unlike the others
    ):
        total = (function(x, y, reduction="none") * weight).sum()
        torch.testing.assert_close(function(x, y, reduction="sum", weight=weight), total)
        torch.testing.assert_close(function(x, y, weight=weight), total / divisor)


@pytest.mark.parametrize(
    "dtype", [torch.uint8, torch.int64, torch.bool, torch.float32, torch.float64]
)
def test_numbers_between_boundaries(dtype: torch.dtype) -> None:
    bounds = torch.tensor([0, 1] if dtype == torch.bool else [1, 2, 3]).to(dtype)
    for number in (0, 1, 1.5, 2.0, 2.5, -1, 2**40, math.inf, -math.inf):
        for right in (False, True):
            wanted = sum(b <= number if right else b < number for b in bounds.tolist())
            found = [
                torch.searchsorted(bounds, number, right=right),
                torch.bucketize(number, bounds, right=right),
                torch.searchsorted(bounds, number, right=right, out=torch.tensor(0)),
            ]
            assert [int(place) for place in found] == [wanted] * 3, (number, right)


def test_a_number_among_doubles() -> None:
    doubles = torch.tensor([1.1, 2.2], dtype=torch.float64)
    for elements in (doubles, doubles.float(), doubles[0], doubles[0].float()):
        assert torch.isin(1.1, elements)
    assert not torch.isin(1.5, torch.tensor([1, 2]))


def test_outputs_that_are_the_input() -> None:
    x = torch.randn(3, 3)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for dim in (0, 1):
            for function in (torch.log_softmax, torch.softmax):
                y = x.to(dtype)
                wanted = function(y, dim)
                assert torch.equal(function(y, dim, out=y), wanted)
    for triangle in (torch.tril, torch.triu):
        y = x.clone()
        wanted = triangle(y)
        assert torch.equal(triangle(y, out=y.t()), wanted)


def test_a_number_of_integers_weighs() -> None:
    x = torch.tensor([1.0, 2.0])
    assert torch.lerp(x, x + 1, torch.tensor(2)).tolist() == [3, 4]
    assert torch.lerp(x, x + 1, torch.tensor(True)).tolist() == [2, 3]
    with pytest.raises(RuntimeError, match="expected dtype float for `weight`"):
        torch.lerp(x, x + 1, torch.tensor([2, 2]))


def test_no_random_numbers_of_integers() -> None:
    assert torch.randn(0, dtype=torch.int64).shape == (0,)
    assert torch.empty(0, 3, dtype=torch.uint8).normal_().shape == (0, 3)
    with pytest.raises(NotImplementedError, match="normal_kernel_cpu"):
        torch.randn(1, dtype=torch.int64)


def test_nan_parts_no_equal_rows() -> None:
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        x = torch.tensor([INF, 1, NAN, INF, 0, NAN, -1, 1, INF], dtype=dtype)
        for rows in (x, torch.stack([x, x], 1)):
            found, inverse, counts = rows.unique(dim=0, return_inverse=True, return_counts=True)
            first = found.reshape(len(found), -1)[:, 0]
            assert first[:4].tolist() == [-1, 0, 1, INF] and first[4:].isnan().all()
            assert counts.tolist() == [1, 1, 2, 3, 1, 1]
            torch.testing.assert_close(found[inverse], rows, equal_nan=True)


def test_the_mean_of_no_complex_numbers() -> None:
    x = torch.ones(0, 3, dtype=torch.complex128)
    for found in (x.mean(), x.mean(0)):
        assert found.real.isnan().all() and found.imag.isnan().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("number", [0.1, -3.7, 70000, torch.tensor(0.1), torch.tensor([0.1])])
@pytest.mark.parametrize("sizes", [(1,), (7,), (100,), (40, 40)])
def test_products_with_one_number_do_not_round_it(
    dtype: torch.dtype, number: Any, sizes: tuple[int, ...]
) -> None:
    x = torch.randn(sizes).to(dtype)
    wide = x.float()
    if torch.is_tensor(number) and number.dim() > 0:
        # A tensor with dimensions decides on the dtype; it has the one of the numbers here.
        number = number.to(dtype)
    for elements, exact in ((x, wide), (x.t(), wide.t()), (x[..., ::2], wide[..., ::2])):
        found = {
            "mul": elements * number,
            "in place": elements.clone().mul_(number),
            "div": elements / number,
            "trunc": torch.div(elements, number, rounding_mode="trunc"),
            "floor": torch.div(elements, number, rounding_mode="floor"),
        }
        expected = {
            "mul": exact * number,
            "in place": exact * number,
            "div": exact / number,
            "trunc": torch.div(exact, number, rounding_mode="trunc"),
            "floor": torch.div(exact, number, rounding_mode="floor"),
        }
        for name, value in found.items():
            assert value.dtype == dtype
            assert torch.equal(value, expected[name].to(dtype)), name
    overflow = x * 1e40
    assert torch.equal(overflow.isinf(), x != 0)


@pytest.mark.parametrize(
    ("sizes", "dim", "places", "error", "message"),
    [
        ((3,), 0, [3], IndexError, "index out of range in self"),
        ((0,), 0, [0], IndexError, "index out of range in self"),
        ((3, 4), 0, [-1], IndexError, "index out of range in self"),
        ((2, 3, 4), 2, [4], IndexError, "index out of range in self"),
        ((3, 4), 1, [0, 5], RuntimeError, "INDICES element is out of DATA bounds, id=5 axis_dim=4"),
        ((2, 0), 0, [0, 5], RuntimeError, "INDICES element is out of DATA bounds, id=5 axis_dim=2"),
        ((0, 3), 0, [0], RuntimeError, "self indexing axis dim should be positive"),
    ],
)
def test_places_outside_of_index_select(
    sizes: tuple[int, ...], dim: int, places: list[int], error: type[Exception], message: str
) -> None:
    x = torch.randn(sizes)
    with pytest.raises(error, match=message):
        torch.index_select(x, dim, torch.tensor(places))
    assert torch.index_select(x, dim, torch.tensor([], dtype=torch.int64)).size(dim) == 0


def test_assertions_on_tensors() -> None:
    torch._assert_async(torch.tensor(0.1))
    torch._assert_async(torch.empty(2, device="meta"), "not looked at")
    with pytest.raises(
        RuntimeError, match="Expected Tensor with single nonzero value, but got zero"
    ):
        torch._assert_async(torch.tensor(0))
    with pytest.raises(RuntimeError, match="two is no three"):
        torch._assert_async(torch.tensor(2) == 3, "two is no three")
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with no values is ambiguous"):
        torch._assert_async(torch.tensor([]))


def test_whether_elements_share_memory() -> None:
    x = torch.randn(3, 4)
    views = [x, x.expand(2, 3, 4), x[:, ::2], x.as_strided((2, 2), (1, 1))]
    assert [torch._debug_has_internal_overlap(view) for view in views] == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("dtype", "bound", "name"),
    [
        (torch.float16, 2**40, "c10::Half"),
        (torch.float16, -65505.0, "c10::Half"),
        (torch.bfloat16, 3.4e38, "c10::BFloat16"),
        (torch.float32, 1e39, "float"),
    ],
)
def test_bounds_that_the_dtype_does_not_hold(dtype: torch.dtype, bound: float, name: str) -> None:
    x = torch.ones(2, dtype=dtype)
    calls: list[Callable[[], Tensor]] = [
        lambda: x.clamp(max=bound),
        lambda: x.clamp(min=bound),
        lambda: x.clamp(bound, 1),
        lambda: x.clamp_(max=bound),
        lambda: x.clamp_min(bound),
        lambda: x.clamp_max(bound),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match=f"cannot be converted to type {name} without over"):
            call()
    assert torch.equal(x.clamp(-math.inf, math.inf), x)
    assert torch.equal(x.clamp(max=torch.finfo(dtype).max), x)
