"""Copies, factories, views and elementwise operators, compared with float64."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import torch
from inputs import VULKAN, broadcast_pair, check, moved, shape, values
from torch import Tensor
from torch.nn import functional

pytestmark = pytest.mark.usefixtures("device")

FLOATS = [torch.float32, torch.float16]
INTEGERS = [torch.int32, torch.int64, torch.uint8]
ALL = [*FLOATS, *INTEGERS, torch.bool]

UNARY = [
    "abs", "neg", "ceil", "floor", "round", "trunc", "sign", "exp", "expm1", "sin", "cos", "tanh",
    "sigmoid", "erf", "erfc", "reciprocal",
]  # fmt: skip
OF_POSITIVE = ["log", "log1p", "sqrt", "rsqrt"]
ACTIVATIONS = [
    functional.relu, functional.gelu, functional.silu, functional.elu, functional.softplus,
    functional.leaky_relu, functional.hardswish, functional.hardsigmoid, functional.hardtanh,
    functional.mish, functional.relu6,
]  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, dtype: torch.dtype) -> None:
    for _ in range(4):
        check(getattr(torch, name), values(shape(), dtype))


@pytest.mark.parametrize("name", OF_POSITIVE)
def test_unary_of_positive(name: str) -> None:
    for _ in range(4):
        check(getattr(torch, name), values(shape()).abs() + 1e-3)


@pytest.mark.parametrize("name", [*UNARY, *OF_POSITIVE])
def test_special_values(name: str) -> None:
    """Infinities, NaN, zeros of both signs, and numbers near the ends of the range."""
    ends = [
        0.0,
        -0.0,
        float("inf"),
        float("-inf"),
        float("nan"),
        1e-30,
        -1e-30,
        88.0,
        -88.0,
        1e30,
        -3e38,
    ]
    x = torch.tensor(ends)
    wanted = getattr(torch, name)(x.double()).float()
    torch.testing.assert_close(
        getattr(torch, name)(x.to(VULKAN)).cpu(), wanted, rtol=2e-6, atol=0.0, equal_nan=True
    )


@pytest.mark.parametrize("function", ACTIVATIONS, ids=lambda f: str(f.__name__))
def test_activations(function: object) -> None:
    assert callable(function)
    for dtype in FLOATS:
        check(function, values(shape(), dtype))
    check(lambda x: functional.gelu(x, approximate="tanh"), values(shape()))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "maximum", "minimum"])
@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_binary(name: str, dtype: torch.dtype) -> None:
    for _ in range(4):
        first, second = broadcast_pair()
        x, y = values(first, dtype), values(second, dtype)
        if dtype.is_floating_point:
            check(getattr(torch, name), x, y)
        else:
            wanted = getattr(torch, name)(x, y)
            assert torch.equal(getattr(torch, name)(moved(x), moved(y)).cpu(), wanted)


@pytest.mark.parametrize("name", ["div", "remainder", "fmod", "floor_divide"])
def test_quotients(name: str) -> None:
    for _ in range(4):
        first, second = broadcast_pair()
        y = values(second)
        check(getattr(torch, name), values(first), y + y.sign() * 0.1, rtol=2e-6)
    for dtype in (torch.int32, torch.int64):
        x, y = values([50], dtype), values([50], dtype)
        y = torch.where(y == 0, torch.ones_like(y), y)
        wanted = getattr(torch, name)(x, y)
        actual = getattr(torch, name)(moved(x), moved(y)).cpu()
        torch.testing.assert_close(actual, wanted)


def test_power() -> None:
    for _ in range(4):
        first, second = broadcast_pair()
        check(torch.pow, values(first).abs(), values(second), rtol=4e-6)
    for exponent in (2, 3, -1, -2, 0.5, 1.7, 0, -3.5):
        check(lambda x, e=exponent: torch.pow(x, e), values(shape()).abs() + 0.1, rtol=2e-6)
    check(lambda x: x**3, values(shape()))
    assert torch.equal((torch.arange(-5, 6, device=VULKAN) ** 3).cpu(), torch.arange(-5, 6) ** 3)


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or"])
@pytest.mark.parametrize("dtype", ALL)
def test_comparison(name: str, dtype: torch.dtype) -> None:
    first, second = broadcast_pair()
    x, y = values(first, dtype), values(second, dtype)
    assert torch.equal(getattr(torch, name)(moved(x), moved(y)).cpu(), getattr(torch, name)(x, y))


def test_nan_compares_with_nothing() -> None:
    x = torch.tensor([float("nan"), 1.0])
    v = x.to(VULKAN)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        assert torch.equal(getattr(torch, name)(v, v).cpu(), getattr(torch, name)(x, x))


def test_numbers_of_python() -> None:
    x = values(shape())
    for function in (
        lambda t: t + 2, lambda t: 2 - t, lambda t: t * 1.5, lambda t: t / 3,
        lambda t: 1 / (t.abs() + 1),
        lambda t: t.clamp(-1, 1), lambda t: t.clamp(min=0.5), lambda t: t.clamp(max=0.5),
        lambda t: torch.where(t > 0, t, 0.0), lambda t: t.masked_fill(t > 0, -1.0),
        lambda t: torch.add(t, t, alpha=0.25), lambda t: torch.rsub(t, 1),
    ):  # fmt: skip
        check(function, x)


def test_types_are_promoted() -> None:
    for a in ALL:
        for b in ALL:
            x, y = values([7], a), values([7], b)
            wanted = x.add(y) if (a, b) != (torch.bool, torch.bool) else x.logical_or(y)
            actual = (
                moved(x).add(moved(y))
                if (a, b) != (torch.bool, torch.bool)
                else moved(x).logical_or(moved(y))
            ).cpu()  # type: ignore[attr-defined]
            assert actual.dtype == wanted.dtype
            torch.testing.assert_close(actual.double(), wanted.double(), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("source", ALL)
@pytest.mark.parametrize("target", ALL)
def test_conversion(source: torch.dtype, target: torch.dtype) -> None:
    x = values(shape(), source)
    if target is torch.uint8 and source is not torch.bool:
        x = x.abs()
    assert torch.equal(moved(x).to(target).cpu(), x.to(target))  # type: ignore[attr-defined]


def test_ternary() -> None:
    first, second = broadcast_pair()
    x, y = values(first), values(second)
    z = values([*torch.broadcast_shapes(tuple(first), tuple(second))]).abs() + 0.5
    check(lambda a, b, c: torch.addcmul(a, b, c, value=0.5), x, y, z, rtol=1e-5)
    check(lambda a, b, c: torch.addcdiv(a, b, c, value=0.5), x, y, z, rtol=1e-5)
    check(lambda a, b, c: torch.where(a > 0, b, c), x, y, z)
    check(torch.lerp, x, y, torch.rand(tuple(first)), rtol=1e-5)
    check(torch.clamp, x, y - 1, y + 1)


def test_joins_and_parts() -> None:
    for _ in range(5):
        x = values(shape(random.randint(1, 4), least=1))
        d = random.randrange(x.dim())
        check(lambda t, d=d: torch.cat([t, t * 2, t], d), x)
        check(lambda t, d=d: torch.stack([t, t * 2], d), x)
        check(lambda t, d=d: t.flip(d), x)
        check(lambda t, d=d: t.transpose(0, d).contiguous(), x)
        check(lambda t, d=d: t.narrow(d, 0, max(1, t.size(d) // 2)) + 1, x)
        check(lambda t: t.reshape(-1), x)


def test_copies_follow_strides() -> None:
    for _ in range(10):
        sizes = shape(random.randint(1, 4), least=1)
        source, target = values(sizes), values(sizes)
        there = moved(target)
        assert isinstance(there, Tensor)
        there.copy_(moved(source) if random.random() < 0.5 else source)
        assert torch.equal(there.cpu(), source)
        back = target.clone()
        back.copy_(there)
        assert torch.equal(back, source)


def test_factories() -> None:
    for dtype in ALL:
        assert torch.equal(
            torch.zeros(3, 4, dtype=dtype, device="vulkan").cpu(), torch.zeros(3, 4, dtype=dtype)
        )
        assert torch.equal(
            torch.full((5,), 1, dtype=dtype, device="vulkan").cpu(),
            torch.full((5,), 1, dtype=dtype),
        )
    assert torch.equal(torch.arange(3, 40, 4, device="vulkan").cpu(), torch.arange(3, 40, 4))
    assert torch.empty(2, 3, device="vulkan").device == torch.device("vulkan:0")
    torch.manual_seed(5)
    there = torch.randn(40, device="vulkan").cpu()
    torch.manual_seed(5)
    assert torch.equal(there, torch.randn(40))
    assert torch.empty(0, 4, device="vulkan").cpu().shape == (0, 4)


def test_gradients() -> None:
    x = values([6, 5])
    results = []
    for device, dtype in (("vulkan", torch.float32), ("cpu", torch.float64)):
        a = x.to(device, dtype).requires_grad_()
        y = (a.tanh() * a.sigmoid() + a.exp() / (a * a + 1)).relu()
        y.backward(torch.ones_like(y))
        assert a.grad is not None
        results.append(a.grad.cpu().double())
    torch.testing.assert_close(results[0], results[1], rtol=1e-5, atol=1e-5)


def test_what_is_missing_is_refused_by_name() -> None:
    assert torch.zeros(3, dtype=torch.float64, device="vulkan").tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(NotImplementedError, match=r"exp_stub has no kernel for Double on vulkan:0"):
        torch.ones(3, dtype=torch.float64).to("vulkan").exp()
    with pytest.raises(
        NotImplementedError, match=r"'aten::atan2.out' with arguments from the 'Vulkan' backend"
    ):
        torch.atan2(torch.ones(2, device="vulkan"), torch.ones(2, device="vulkan"))


def test_numbers_that_a_type_does_not_hold() -> None:
    for dtype, number in ((torch.uint8, 300), (torch.int32, 1 << 40), (torch.float16, 1e6)):
        messages = []
        for device in ("cpu", "vulkan"):
            x = torch.zeros(3, dtype=dtype, device=device)
            with pytest.raises(RuntimeError, match="without overflow") as of_fill:
                x.fill_(number)
            with pytest.raises(RuntimeError, match="without overflow") as of_masked_fill:
                x.masked_fill_(x == 0, number)
            messages.append((str(of_fill.value), str(of_masked_fill.value)))
        assert messages[0] == messages[1]
    assert torch.zeros(2, dtype=torch.bool, device=VULKAN).fill_(0.5).all().item()


def test_a_number_of_the_processor_is_of_the_elements_type() -> None:
    x = torch.tensor([44, 10], dtype=torch.uint8)
    number = torch.tensor(300)
    assert torch.equal((x.to(VULKAN) == number).cpu(), x == number)
    half = torch.tensor([0.1, 0.2], dtype=torch.float16)
    assert torch.equal((half.to(VULKAN) == 0.1).cpu(), half == 0.1)


def test_what_is_only_moved_may_be_of_any_type() -> None:
    for dtype in (torch.float64, torch.bfloat16, torch.int16, torch.int8, torch.complex64):
        x = torch.randn(5, 7).to(dtype)
        v = x.to(VULKAN)
        assert torch.equal(v.t().contiguous().cpu(), x.t())
        assert torch.equal(
            torch.full((3,), 3, dtype=dtype, device=VULKAN).cpu(), torch.full((3,), 3, dtype=dtype)
        )
        assert torch.equal(v.flip(1).cpu(), x.flip(1))
    z = torch.randn(4, dtype=torch.complex64)
    assert torch.equal(z.to(VULKAN).conj().cpu(), z.conj().resolve_conj())
    assert torch.equal(z.conj().to(VULKAN).cpu(), z.conj().resolve_conj())


def test_the_smallest_integer_is_divided() -> None:
    for dtype in (torch.int32, torch.int64):
        x = torch.tensor([torch.iinfo(dtype).min, 7, -7], dtype=dtype)
        y = torch.tensor([-1, -1, 2], dtype=dtype)
        for name in ("remainder", "fmod"):
            actual = getattr(torch, name)(x.to(VULKAN), y.to(VULKAN)).cpu()
            assert actual.tolist()[1:] == getattr(torch, name)(x, y).tolist()[1:]


def test_nan_and_bounds() -> None:
    nan = float("nan")
    assert torch.tensor([nan, 0.0, -0.0], device=VULKAN).bool().tolist() == [True, False, False]
    x = torch.randn(5)
    assert x.to(VULKAN).clamp(min=nan).cpu().isnan().all()
    assert x.to(VULKAN).clamp(-1, nan).cpu().isnan().all()


def test_results_of_other_strides() -> None:
    x = torch.randn(6, 5)
    out = torch.zeros(12, device=VULKAN)[::2]
    torch.sum(x.to(VULKAN), 1, out=out)
    torch.testing.assert_close(out.cpu(), x.sum(1))
    torch.amax(x.to(VULKAN), 1, out=out)
    torch.testing.assert_close(out.cpu(), x.amax(1))
    wide = torch.zeros(5, 6, device=VULKAN).t()
    torch.softmax(x.to(VULKAN), 1, out=wide)
    torch.testing.assert_close(wide.cpu(), x.softmax(1))
    square = wide.new_zeros(6, 12)[:, ::2]
    torch.mm(x.to(VULKAN), x.t().to(VULKAN), out=square)
    torch.testing.assert_close(square.cpu(), x @ x.t())
    bias = torch.randn(8)
    w, image = torch.randn(4, 3, 2, 2), torch.randn(1, 3, 5, 5)
    torch.testing.assert_close(
        functional.conv2d(image.to(VULKAN), w.to(VULKAN), bias.to(VULKAN)[::2]).cpu(),
        functional.conv2d(image, w, bias[::2]),
        rtol=1e-4,
        atol=1e-4,
    )
    torch.testing.assert_close(
        functional.layer_norm(x.t().to(VULKAN), (6,), bias.to(VULKAN)[1:7]).cpu(),
        functional.layer_norm(x.t(), (6,), bias[1:7]),
    )
    torch.testing.assert_close(
        functional.layer_norm(x.to(VULKAN)[:, ::2], (3,), bias.to(VULKAN)[2::2]).cpu(),
        functional.layer_norm(x[:, ::2], (3,), bias[2::2]),
    )


OUTS: dict[str, Callable[..., Tensor]] = {
    "unary": lambda x, y, out: torch.cos(x, out=out),
    "a number": lambda x, y, out: torch.add(x, 3, out=out),
    "binary": lambda x, y, out: torch.mul(x, y, out=out),
    "ternary": lambda x, y, out: torch.addcmul(x, x, y, value=2, out=out),
    "rounding": lambda x, y, out: torch.floor_divide(x, y, out=out),
}


@pytest.mark.parametrize("name", OUTS)
@pytest.mark.parametrize("given", [torch.float32, torch.float16])
@pytest.mark.parametrize("to", [torch.float32, torch.float16])
def test_out_of_another_type(name: str, given: torch.dtype, to: torch.dtype) -> None:
    x = values([5, 7], given)
    y = values([7], given)
    y = torch.where(y.abs() < 0.1, torch.ones_like(y), y)
    wanted = torch.full([5, 7], 9.0, dtype=to)
    actual = torch.full([7, 5], 9.0, dtype=to, device="vulkan").t()
    OUTS[name](x, y, wanted)
    assert OUTS[name](x.to("vulkan"), y.to("vulkan"), actual) is actual
    assert actual.dtype == to
    torch.testing.assert_close(actual.cpu(), wanted, rtol=2e-3, atol=2e-3)


def test_out_of_a_type_without_a_kernel() -> None:
    x = torch.ones(3, device="vulkan")
    out = torch.zeros(3, dtype=torch.float64, device="vulkan")
    with pytest.raises(NotImplementedError, match="copy_ has no kernel for Double on vulkan:0"):
        torch.cos(x, out=out)


def test_integers_into_floating_point() -> None:
    x, y = values([9], torch.int32), values([9], torch.int32)
    out = torch.zeros(9, device="vulkan")
    torch.mul(x.to("vulkan"), y.to("vulkan"), out=out)
    assert torch.equal(out.cpu(), (x * y).float())
