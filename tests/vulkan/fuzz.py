"""Calls of random operators on random tensors, compared with float64 under the validation layer.

    ./bazelw run //tests/vulkan:fuzz -- --calls 10000

A failure ends the run with the operator and the line that calls it again.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import inputs
import torch
from inputs import broadcast_pair, check, shape, values
from torch import Tensor
from torch.nn import functional

F = functional
FLOATS = [torch.float32, torch.float16]
INTEGERS = [torch.int32, torch.int64, torch.uint8]
ALL = [*FLOATS, *INTEGERS, torch.bool]
# Sums of many products, in float32 and of float16 that is rounded once or twice.
SUMS = {torch.float32: (1e-4, 2e-3), torch.float16: (1e-2, 1e-1)}

UNARY = [
    "abs", "neg", "ceil", "floor", "round", "trunc", "sign", "exp", "expm1", "sin", "cos", "tanh",
    "sigmoid", "erf", "erfc", "exp2", "frac", "sinh", "cosh", "reciprocal", "square",
]  # fmt: skip
OF_POSITIVE = ["log", "log2", "log10", "log1p", "sqrt", "rsqrt"]
ACTIVATIONS = [
    "relu", "gelu", "silu", "elu", "softplus", "leaky_relu", "hardswish", "hardsigmoid", "hardtanh",
    "mish", "relu6",
]  # fmt: skip
BINARY = ["add", "sub", "mul", "maximum", "minimum"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"]
# One number of a row, and whether integers have it.
REDUCTIONS = {"sum": True, "mean": False, "amax": True, "amin": True, "std": False, "var": False}

CALLS: dict[str, Callable[[], None]] = {}


def call(function: Callable[[], None]) -> Callable[[], None]:
    """Makes a function one of the calls."""
    CALLS[function.__name__] = function
    return function


def floats() -> torch.dtype:
    return random.choice(FLOATS)


def compare(
    function: Callable[..., object], *tensors: Tensor, sums: bool = False, **kwargs: Any
) -> None:
    """Compares, with the tolerance of sums of products where `sums`."""
    rtol, atol = SUMS[tensors[0].dtype] if sums else (None, None)
    check(function, *tensors, rtol=rtol, atol=atol, **kwargs)


def exactly(function: Callable[..., Tensor], *tensors: Tensor) -> None:
    """Compares with the processor's result for the very same tensors."""
    actual, wanted = function(*(inputs.moved(t) for t in tensors)).cpu(), function(*tensors)
    assert actual.dtype == wanted.dtype and actual.shape == wanted.shape
    assert torch.equal(actual, wanted), f"{actual} is not {wanted}"


def with_gradients(function: Callable[..., Tensor], tensors: Sequence[Tensor]) -> None:
    """Compares a function and its gradients by all arguments."""

    def both(*leaves: Tensor) -> tuple[Tensor, ...]:
        inside = [t.detach().requires_grad_() for t in leaves]
        out = function(*inside)
        (out * torch.linspace(0.5, 1.5, out.numel()).reshape(out.shape).to(out)).sum().backward()
        return (out.detach(), *(t.grad for t in inside))

    compare(both, *tensors, sums=True)


@call
def unary() -> None:
    name = random.choice(UNARY + OF_POSITIVE)
    x = values(shape(), floats(), scale=1.5)
    if name in OF_POSITIVE or name == "reciprocal":
        x = x.abs() + 0.1
    check(getattr(torch, name), x, rtol=2e-6 if x.dtype == torch.float32 else 2e-3)


@call
def activation() -> None:
    function = getattr(F, random.choice(ACTIVATIONS))
    # The places where a function has a corner are no place to compare a gradient.
    x = values(shape(least=1), torch.float32)
    corners = torch.tensor([-3.0, -1.0, 0.0, 1.0, 3.0, 6.0])
    if (x.unsqueeze(-1) - corners).abs().min() > 1e-4:
        with_gradients(function, [x])


@call
def binary() -> None:
    first, second = broadcast_pair()
    dtype = random.choice([*FLOATS, *INTEGERS])
    x, y = values(first, dtype), values(second, dtype)
    function = getattr(torch, random.choice(BINARY))
    if dtype.is_floating_point:
        compare(function, x, y)
    else:
        exactly(function, x, y)


@call
def quotient() -> None:
    first, second = broadcast_pair()
    if random.random() < 0.5:
        y = values(second)
        check(torch.div, values(first), y + y.sign() * 0.1, rtol=2e-6)
        return
    x, y = (values(sizes, random.choice(INTEGERS)) for sizes in (first, second))
    y = torch.where(y == 0, torch.ones_like(y), y)
    exactly(getattr(torch, random.choice(["floor_divide", "remainder", "fmod"])), x, y)


@call
def promotion() -> None:
    x, y = values([9], random.choice(ALL)), values([9], random.choice(ALL))
    if x.dtype != torch.bool or y.dtype != torch.bool:
        check(torch.mul, x, y, rtol=2e-3, atol=2e-3)


@call
def number() -> None:
    dtype = random.choice([*FLOATS, *INTEGERS])
    x = values(shape(), dtype)
    number = random.randint(1, 9)
    function = random.choice(
        [
            lambda t: t + number,
            lambda t: number - t,
            lambda t: t * number,
            lambda t: t.clamp(number - 4, number) if dtype != torch.uint8 else t.clamp(max=number),
            lambda t: t.masked_fill(t > number, number),
            lambda t: torch.where(t > number, t, number),
            lambda t: torch.full_like(t, number),
            lambda t: t > number,
        ]
    )
    compare(function, x) if dtype.is_floating_point else exactly(function, x)


@call
def comparison() -> None:
    first, second = broadcast_pair()
    dtype = random.choice(ALL)
    function = getattr(torch, random.choice(COMPARISONS))
    exactly(function, values(first, dtype), values(second, dtype))


@call
def conversion() -> None:
    x = values(shape(), random.choice(ALL))
    to = random.choice(ALL)
    if to == torch.uint8:
        x = x.abs() if x.dtype != torch.bool else x
    exactly(lambda t: t.to(to), x)


@call
def move() -> None:
    dtype = random.choice([*ALL, torch.float64, torch.int16, torch.bfloat16])
    x = values(shape(), torch.float32).to(dtype)
    exactly(lambda t: t.clone().contiguous(), x)
    if x.dim() > 0:
        exactly(lambda t: t.flip(0), x)


@call
def where() -> None:
    first, second = broadcast_pair()
    exactly(torch.where, values(first, torch.bool), values(second), values(first))


@call
def reduction() -> None:
    name = random.choice(list(REDUCTIONS))
    dtype = random.choice([*FLOATS, torch.int32, torch.int64] if REDUCTIONS[name] else FLOATS)
    x = values(shape(least=1), dtype)
    dims = random.sample(range(x.dim()), random.randint(1, x.dim())) if x.dim() else []
    correction = {"correction": 0} if name in ("std", "var") else {}
    function = getattr(torch, name)
    keepdim = random.random() < 0.5
    run = lambda t: function(t, dim=dims, keepdim=keepdim, **correction)  # noqa: E731
    compare(run, x, sums=True) if dtype.is_floating_point else exactly(run, x)


@call
def extreme() -> None:
    x = values(shape(random.randint(1, 5), least=1), random.choice([torch.float32, torch.int32]))
    x = x.unique()[torch.randperm(x.unique().numel())] if x.dim() == 1 else x
    function = random.choice([torch.amax, torch.argmax, torch.argmin])
    d = random.randrange(x.dim())
    if function is torch.amax or x.dim() == 1:
        exactly(lambda t: function(t, d), x)


@call
def truth() -> None:
    x = values(shape(least=1), torch.bool)
    exactly(random.choice([torch.any, torch.all]), x)


@call
def long_row() -> None:
    x = values([random.randint(1, 3), random.randint(200, 5000)], scale=1.0)
    run = random.choice(
        [lambda t: t.sum(1), lambda t: t.var(1), lambda t: t.softmax(1), lambda t: t.amax(0)]
    )
    compare(run, x, sums=True)


@call
def softmax() -> None:
    x = values(shape(random.randint(1, 5), least=1), floats())
    d = random.randrange(x.dim())
    with_gradients(random.choice([lambda t: t.softmax(d), lambda t: t.log_softmax(d)]), [x])


@call
def product() -> None:
    dtype = random.choice([*FLOATS, torch.int32, torch.int64, torch.uint8])
    m, k, n, b = (random.randint(1, 50) for _ in range(4))
    batch = b % 5 + 1
    function, *sizes = random.choice(
        [
            (torch.mm, [m, k], [k, n]),
            (torch.mv, [m, k], [k]),
            (torch.bmm, [batch, m, k], [batch, k, n]),
            (torch.matmul, [2, 1, m, k], [batch, k, n]),
        ]
    )
    x, y = (values(each, dtype, scale=1.0) for each in sizes)
    if dtype.is_floating_point:
        with_gradients(function, [x, y])
    else:
        exactly(function, x, y)
        if function is torch.mm:
            bias = values([m, m], dtype)
            exactly(lambda a, b: torch.addmm(a, b, b.t(), beta=3, alpha=2), bias, x)


@call
def linear() -> None:
    sizes, k, n = shape(random.randint(1, 3), least=1), random.randint(1, 40), random.randint(1, 40)
    dtype = floats()
    x, w, b = (values(s, dtype, scale=1.0) for s in ([*sizes, k], [n, k], [n]))
    with_gradients(F.linear, [x, w, b])


@call
def convolution() -> None:
    dims = random.randint(1, 3)
    groups = random.choice([1, 1, 2, 3, 8])
    inside = groups * random.randint(1, 3)
    outside = inside if groups == 8 else groups * random.randint(1, 9)
    kernel = [random.randint(1, 3) for _ in range(dims)]
    sizes = [random.randint(5, 12 if dims < 3 else 7) for _ in range(dims)]
    dtype = floats()
    x = values([random.randint(1, 3), inside, *sizes], dtype, 1.0)
    w = values([outside, inside // groups, *kernel], dtype, 1.0)
    how = {"stride": random.randint(1, 2), "padding": random.randint(0, 2), "groups": groups}
    function = getattr(F, f"conv{dims}d")
    with_gradients(lambda x, w, b: function(x, w, b, **how), [x, w, values([outside], dtype)])


@call
def pooling() -> None:
    dims = random.randint(2, 3)
    count = 6 * 8**dims
    # All different, so that each maximum has one place.
    x = (torch.randperm(count).float() / 64).reshape(2, 3, *[8] * dims)
    kernel, step, padding = random.randint(2, 3), random.randint(1, 3), random.randint(0, 1)
    ceil, pads = random.random() < 0.5, random.random() < 0.5
    most, mean = getattr(F, f"max_pool{dims}d"), getattr(F, f"avg_pool{dims}d")
    adaptive = getattr(F, f"adaptive_avg_pool{dims}d")
    run = random.choice(
        [
            lambda t: most(t, kernel, step, padding, ceil_mode=ceil),
            lambda t: mean(t, kernel, step, padding, ceil, pads),
            lambda t: adaptive(t, tuple(random.Random(step).choices(range(1, 10), k=dims))),
        ]
    )
    with_gradients(run, [x])


@call
def normalization() -> None:
    width, dtype = random.choice([1, 5, 33, 70, 300]), floats()
    sizes = ([random.randint(1, 9), width], [width], [width])
    x, w, b = (values(s, dtype, scale=1.0) for s in sizes)
    kinds: list[tuple[Callable[..., Tensor], list[Tensor]]] = [
        (lambda t: F.layer_norm(t, [width]), [x]),
        (lambda t, w, b: F.layer_norm(t, [width], w, b), [x, w, b]),
        (lambda t, w: F.rms_norm(t, [width], w, eps=1e-3), [x, w]),
    ]
    if width > 1:
        with_gradients(*random.choice(kinds))


@call
def batch_norm() -> None:
    x, w, b = (values(s, scale=1.0) for s in ([4, 6, 5, 3], [6], [6]))
    with_gradients(lambda t, w, b: F.batch_norm(t, None, None, w, b, training=True), [x, w, b])


@call
def read_by_index() -> None:
    x = values([11, 6, 5], random.choice(ALL))
    i, j = torch.randint(-11, 11, (3, 4)), torch.randint(-6, 6, (4,))
    exactly(
        random.choice(
            [
                lambda t, i, j: t[i],
                lambda t, i, j: t[i, j],
                lambda t, i, j: t[:, j],
                lambda t, i, j: t[i, :, j % 5],
                lambda t, i, j: t.index_select(1, j % 6),
                lambda t, i, j: t.gather(0, (i % 11).reshape(12, 1, 1).expand(12, 6, 5)),
            ]
        ),
        x, i, j,
    )  # fmt: skip


@call
def write_by_index() -> None:
    x = values([11, 6], random.choice(ALL))
    exactly(
        lambda t, i, v: t.index_put((i,), v),
        x,
        torch.randperm(11)[:7] - 11,
        values([7, 6], x.dtype),
    )


@call
def add_by_index() -> None:
    dtype = random.choice([torch.float32, torch.int32, torch.int64, torch.uint8])
    x, added = values([11, 6], dtype, 1.0), values([30, 6], dtype, 1.0)
    i = torch.randint(0, 11, (30,))
    run = random.choice(
        [
            lambda t, i, v: t.index_put((i,), v, accumulate=True),
            lambda t, i, v: t.index_add(0, i, v),
            lambda t, i, v: t.scatter_add(0, i[:, None].expand(30, 6), v),
        ]
    )
    if dtype.is_floating_point:
        compare(run, x, i, added, sums=True)
    else:
        exactly(run, x, i, added)


@call
def embedding() -> None:
    places = torch.randint(0, 9, (4, 7))
    with_gradients(lambda t: F.embedding(places.to(t.device), t), [values([9, 5])])


@call
def joined() -> None:
    x = values(shape(random.randint(1, 4), least=1), random.choice(ALL))
    d = random.randrange(x.dim())
    exactly(lambda t: torch.cat([t, t.narrow(d, 0, 1), t], d), x)
    exactly(lambda t: torch.stack([t, t], d), x)


@call
def padded() -> None:
    mode = random.choice(["constant", "reflect", "replicate"])
    pads = [random.randint(0, 3) for _ in range(4)]
    with_gradients(lambda t: F.pad(t, pads, mode=mode), [values([2, 3, 5, 6])])


@call
def resampled() -> None:
    mode = random.choice(["nearest", "bilinear", "bicubic"])
    size = [random.randint(1, 12) for _ in range(2)]
    with_gradients(lambda t: F.interpolate(t, size=size, mode=mode), [values([2, 3, 5, 6])])


@call
def attention() -> None:
    q, k, v = (values([2, 3, 11, 8], scale=1.0) for _ in range(3))
    causal = random.random() < 0.5
    with_gradients(
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal), [q, k, v]
    )


@call
def loss() -> None:
    x, y = values([12, 7]), torch.randint(0, 7, (12,))
    with_gradients(lambda t: F.cross_entropy(t, y.to(t.device)), [x])
    with_gradients(F.mse_loss, [x, values([12, 7])])


def fuzz(calls: int, seed: int, only: Sequence[str] = ()) -> Counter[str]:
    """How often each of the calls was made.

    Raises:
        AssertionError: a result is wrong, or the validation layer says something.
    """
    names = sorted(only or CALLS)
    made: Counter[str] = Counter()
    for number in range(seed, seed + calls):
        random.seed(number)
        torch.manual_seed(number)
        name = random.choice(names)
        try:
            CALLS[name]()
            torch.ops.vulkan.synchronize(-1)
        except Exception as error:
            again = f"--seed {number} --calls 1" + (f" --only {','.join(names)}" if only else "")
            raise AssertionError(f"{name}: {error}\nTo make this call again: {again}") from error
        made[name] += 1
    return made


def main() -> int:
    """The status is 0 if all calls gave what float64 gives, and nothing else was said."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    parser.add_argument("--only", default="", help=f"of: {', '.join(sorted(CALLS))}; with commas")
    parser.add_argument("--library", type=Path, required=True, help="libtorch_vulkan.so")
    arguments = parser.parse_args()
    os.environ["TORCH_VULKAN_VALIDATION"] = "1"
    torch.ops.load_library(arguments.library.resolve())
    begin = time.monotonic()
    try:
        made = fuzz(arguments.calls, arguments.seed, [n for n in arguments.only.split(",") if n])
    except AssertionError:
        traceback.print_exc()
        return 1
    print(dict(made.most_common()))
    print(
        f"{made.total()} calls on {torch.ops.vulkan.device_name(-1)}, from --seed "
        f"{arguments.seed}, in {time.monotonic() - begin:.0f} s: as float64's, no validation error"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
