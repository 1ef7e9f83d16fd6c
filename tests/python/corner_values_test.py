"""Results at the corners of operators: infinities, minus zero, unsigned integers, memory formats,
sizes that a factor gives, errors of complex numbers. The values are PyTorch's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

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
