"""What networks are made of, compared with float64."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import torch
from inputs import check, values
from torch import Tensor
from torch.nn import functional

pytestmark = pytest.mark.usefixtures("device")

# Sums of hundreds of products in float32, and of float16 rounded once.
SUMS = {torch.float32: {"rtol": 1e-4, "atol": 1e-3}, torch.float16: {"rtol": 4e-3, "atol": 6e-2}}
DTYPES = [torch.float32, torch.float16]


@pytest.mark.parametrize("dtype", DTYPES)
def test_products(dtype: torch.dtype) -> None:
    for _ in range(6):
        m, k, n, b = (random.randint(1, 90) for _ in range(4))
        x, y = values([m, k], dtype, scale=1.0), values([k, n], dtype, scale=1.0)
        check(torch.mm, x, y, **SUMS[dtype])
        check(
            lambda c, x, y: torch.addmm(c, x, y, beta=0.5, alpha=2),
            values([n], dtype),
            x,
            y,
            **SUMS[dtype],
        )
        batch = b % 7 + 1
        check(
            torch.bmm,
            values([batch, m, k], dtype, 1.0),
            values([batch, k, n], dtype, 1.0),
            **SUMS[dtype],
        )
        check(
            torch.matmul,
            values([2, 1, m, k], dtype, 1.0),
            values([batch, k, n], dtype, 1.0),
            **SUMS[dtype],
        )
        check(
            functional.linear,
            values([3, m, k], dtype, 1.0),
            values([n, k], dtype, 1.0),
            values([n], dtype),
            **SUMS[dtype],
        )
        check(torch.mv, x, values([k], dtype, 1.0), **SUMS[dtype])
    check(torch.mm, values([3, 0]), values([0, 4]))
    check(torch.dot, values([70], scale=1.0), values([70], scale=1.0), rtol=1e-4, atol=1e-4)


def test_a_result_that_is_not_a_number_is_not_read() -> None:
    nan = torch.full((4, 5), float("nan"))
    x, y = torch.randn(4, 3), torch.randn(3, 5)
    actual = torch.addmm(nan.to("vulkan"), x.to("vulkan"), y.to("vulkan"), beta=0).cpu()
    torch.testing.assert_close(actual, x @ y, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_convolution(dims: int, dtype: torch.dtype) -> None:
    function = getattr(functional, f"conv{dims}d")
    for _ in range(5):
        groups = random.choice([1, 1, 2, 3])
        inside, outside = groups * random.randint(1, 4), groups * random.randint(1, 12)
        kernel = [random.randint(1, 3) for _ in range(dims)]
        sizes = [random.randint(7, 14 if dims < 3 else 9) for _ in range(dims)]
        x = values([random.randint(1, 3), inside, *sizes], dtype, 1.0)
        w = values([outside, inside // groups, *kernel], dtype, 1.0)
        bias = values([outside], dtype) if random.random() < 0.5 else None
        arguments = {
            "stride": random.randint(1, 2),
            "padding": random.randint(0, 2),
            "dilation": random.randint(1, 2),
            "groups": groups,
        }
        check(function, x, w, bias, **arguments, **SUMS[dtype])


def test_depthwise_and_channels_last() -> None:
    for channels in (1, 5, 32):
        x, w = values([2, channels, 9, 11], scale=1.0), values([channels, 1, 3, 3], scale=1.0)
        check(
            lambda x, w, c=channels: functional.conv2d(x, w, padding=1, groups=c),
            x,
            w,
            **SUMS[torch.float32],
        )
    x = torch.randn(2, 6, 8, 8).contiguous(memory_format=torch.channels_last)
    check(functional.conv2d, x, values([4, 6, 3, 3], scale=1.0), **SUMS[torch.float32])
    check(functional.conv_transpose2d, x, values([6, 4, 3, 3], scale=1.0), **SUMS[torch.float32])


def test_gradients_of_a_convolution() -> None:
    x, w = torch.randn(2, 3, 7, 7), torch.randn(4, 3, 3, 3)
    grads = []
    for device, dtype in (("vulkan", torch.float32), ("cpu", torch.float64)):
        a, b = (t.to(device, dtype).requires_grad_() for t in (x, w))
        functional.conv2d(a, b, stride=2, padding=1).square().sum().backward()
        assert a.grad is not None
        assert b.grad is not None
        grads.append((a.grad.cpu().double(), b.grad.cpu().double()))
    torch.testing.assert_close(grads[0], grads[1], rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_pooling(dtype: torch.dtype) -> None:
    for _ in range(5):
        x = values([2, 3, random.randint(6, 14), random.randint(6, 14)], dtype)
        kernel, step, padding = random.randint(2, 4), random.randint(1, 3), random.randint(0, 1)
        up = random.random() < 0.5
        check(
            lambda t, k=kernel, s=step, p=padding, c=up: functional.max_pool2d(
                t, k, s, p, ceil_mode=c
            ),
            x,
        )
        check(
            lambda t, k=kernel, s=step, p=padding, c=up: functional.avg_pool2d(
                t, k, s, p, ceil_mode=c
            ),
            x,
        )
        check(
            lambda t, k=kernel, s=step, p=padding: functional.avg_pool2d(
                t, k, s, p, count_include_pad=False
            ),
            x,
        )
        check(lambda t: functional.adaptive_avg_pool2d(t, (3, 5)), x)
        check(lambda t: functional.adaptive_max_pool2d(t, 4), x)
        check(lambda t: functional.max_pool2d(t, 3, dilation=2, return_indices=True), x)
    check(lambda t: functional.adaptive_avg_pool2d(t, 1), values([2, 8, 7, 7]))
    check(lambda t: functional.max_pool1d(t, 3, 2), values([2, 3, 20]))
    check(lambda t: functional.avg_pool3d(t, 2), values([2, 3, 6, 6, 6]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_layer_norm(dtype: torch.dtype) -> None:
    for width in (1, 5, 70, 300):
        x = values([3, 4, width], dtype)
        tolerance = (
            {"rtol": 1e-4, "atol": 1e-4} if dtype == torch.float32 else {"rtol": 4e-3, "atol": 1e-2}
        )
        check(lambda t, n=width: functional.layer_norm(t, [n]), x, **tolerance)
        check(
            lambda t, w, b, n=width: functional.layer_norm(t, [n], w, b),
            x, values([width], dtype), values([width], dtype), **tolerance,
        )  # fmt: skip
        # The default of eps is the dtype's, and the reference has another dtype.
        check(
            lambda t, w, n=width: functional.rms_norm(t, [n], w, eps=1e-5),
            x,
            values([width], dtype),
            **tolerance,
        )


def test_batch_and_group_norm() -> None:
    x = values([4, 6, 5, 3])
    mean, variance, w, b = values([6]), values([6]).abs() + 0.5, values([6]), values([6])
    check(functional.batch_norm, x, mean, variance, w, b, rtol=1e-4, atol=1e-4)
    check(
        lambda t, w, b: functional.batch_norm(t, None, None, w, b, training=True),
        x,
        w,
        b,
        rtol=1e-4,
        atol=1e-4,
    )


def test_embedding_and_indices() -> None:
    table = values([30, 7])
    places = torch.randint(0, 30, (4, 6))
    check(functional.embedding, places, table)
    check(lambda t, i: t[i], table, places)
    check(lambda t, i, j: t[i, j], table, torch.randint(-30, 30, (9,)), torch.randint(-7, 7, (9,)))
    check(lambda t, i: torch.index_select(t, 0, i), table, places[0])
    check(lambda t, i: torch.gather(t, 1, i), table, torch.randint(0, 7, (20, 3)))
    check(
        lambda t, i, s: torch.scatter(t, 0, i, s),
        table,
        torch.stack([torch.randperm(30) for _ in range(7)], 1),
        values([30, 7]),
    )
    check(
        lambda t, i, s: torch.scatter_add(t, 1, i, s),
        table,
        torch.randint(0, 7, (30, 9)),
        values([30, 9]),
        rtol=1e-5,
    )
    check(
        lambda t, i, s: t.index_add(0, i, s),
        table,
        torch.randint(0, 30, (50,)),
        values([50, 7]),
        rtol=1e-5,
    )


def test_a_wrong_index_is_an_error() -> None:
    table, places = torch.randn(5, 3, device="vulkan"), torch.tensor([0, 7], device="vulkan")
    with pytest.raises(
        IndexError, match=r"index 7 is out of bounds for dimension with size 5 \(on vulkan:0"
    ):
        torch.index_select(table, 0, places).cpu()
    # The device goes on.
    assert torch.equal((torch.ones(3, device="vulkan") + 1).cpu(), torch.full((3,), 2.0))


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
def test_upsampling(mode: str) -> None:
    x = values([2, 3, 5, 7])
    corners = {} if mode == "nearest" else {"align_corners": random.random() < 0.5}
    check(
        lambda t: functional.interpolate(t, scale_factor=2, mode=mode, **corners),
        x,
        rtol=1e-4,
        atol=1e-4,
    )
    check(
        lambda t: functional.interpolate(t, size=(8, 4), mode=mode, **corners),
        x,
        rtol=1e-4,
        atol=1e-4,
    )


def test_padding() -> None:
    x = values([2, 3, 6, 7])
    for mode in ("constant", "reflect", "replicate"):
        check(lambda t, m=mode: functional.pad(t, (1, 2, 3, 0), mode=m), x)


def test_attention() -> None:
    for causal in (False, True):
        q, k, v = (values([2, 3, 11, 8], scale=1.0) for _ in range(3))
        check(
            lambda q, k, v, c=causal: functional.scaled_dot_product_attention(q, k, v, is_causal=c),
            q, k, v, rtol=1e-4, atol=1e-4,
        )  # fmt: skip


def test_random_numbers_are_the_processors() -> None:
    for draw in (
        lambda t: t.uniform_(-1, 2),
        lambda t: t.bernoulli_(0.3),
        lambda t: t.random_(0, 9),
    ):
        torch.manual_seed(3)
        there = draw(torch.empty(50, device="vulkan")).cpu()
        torch.manual_seed(3)
        assert torch.equal(there, draw(torch.empty(50)))


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.uint8])
def test_products_of_integers(dtype: torch.dtype) -> None:
    # They wrap around, and int64 is not rounded to a float on its way.
    bits = 70 if dtype == torch.int64 else 40
    a, b = (torch.randint(0, 1 << min(bits, 62), s).to(dtype) for s in ((37, 70), (70, 33)))
    wanted = (a.long().unsqueeze(-1) * b.long()).sum(1)
    c = values([37, 33], dtype)
    assert torch.equal((a.to("vulkan") @ b.to("vulkan")).cpu(), wanted.to(dtype))
    actual = torch.addmm(c.to("vulkan"), a.to("vulkan"), b.to("vulkan"), beta=2, alpha=3)
    assert torch.equal(actual.cpu(), (wanted * 3 + c.long() * 2).to(dtype))
    x = torch.ones(2, 2, dtype=torch.bool, device="vulkan")
    with pytest.raises(NotImplementedError, match=r"mm has no kernel for Bool on vulkan:0 \("):
        x @ x


def test_more_tiles_than_a_grid() -> None:
    """A device takes 65,535 workgroups; there may be more tiles of 32 x 32 than that."""
    a, b = torch.randn(32 * 65_600, 1), torch.randn(1, 1)
    assert torch.equal((a.to("vulkan") @ b.to("vulkan")).cpu(), a @ b)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.int64, torch.uint8])
def test_many_threads_add_to_one_element(dtype: torch.dtype) -> None:
    added = torch.randint(1, 4, (5000,)).to(dtype)
    if dtype == torch.int64:
        added += 1 << 31
    places = torch.randint(0, 3, (5000,))
    t = torch.zeros(3, dtype=dtype)
    wanted = t.index_put((places,), added, accumulate=True)
    there = [x.to("vulkan") for x in (t, places, added)]
    assert torch.equal(there[0].index_put((there[1],), there[2], accumulate=True).cpu(), wanted)
    assert torch.equal(there[0].scatter_add(0, there[1], there[2]).cpu(), wanted)
    with pytest.raises(NotImplementedError, match=r"index_put_ has no kernel for Bool on vulkan"):
        there[0].bool().index_put((there[1],), there[2].bool(), accumulate=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("width", [1, 5, 64, 300])
def test_gradients_of_layer_norm(width: int, dtype: torch.dtype) -> None:
    tolerance = {"rtol": 1e-3, "atol": 1e-3 if dtype == torch.float32 else 2e-1}
    x, w, b = (values(s, dtype, 1.0) for s in ([37, width], [width], [width]))
    grad = values([37, width], dtype, 1.0)

    def gradients(function: Callable[..., Tensor], *tensors: Tensor) -> list[Tensor]:
        leaves = [t.detach().requires_grad_() for t in tensors[1:]]
        function(*leaves).backward(tensors[0])
        return [leaf.grad for leaf in leaves if leaf.grad is not None]

    for norm, tensors in (
        (lambda t, w, b: functional.layer_norm(t, [width], w, b, eps=1e-2), (x, w, b)),
        (lambda t: functional.layer_norm(t, [width], eps=1e-2), (x,)),
        (lambda t, w: functional.rms_norm(t, [width], w, eps=1e-2), (x, w)),
    ):
        check(lambda *t, n=norm: gradients(n, *t), grad, *tensors, **tolerance)


def test_indices_of_the_processor_are_moved() -> None:
    x = torch.randn(3, 4)
    for index in (torch.tensor(1), torch.tensor([2, 0])):
        assert torch.equal(torch.ops.aten.index(x.to("vulkan"), [index]).cpu(), x[index])


def test_a_shape_of_many_dimensions() -> None:
    sizes = [2] * 12
    x = values(sizes)
    order = random.sample(range(12), 12)
    check(lambda t: t.permute(order).contiguous() + t, x)
