"""Random inputs in all layouts, and comparison with what the processor computes in float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

# How far results may be from float64 ones: relative to the result, and to the inputs' size.
TOLERANCES = {
    torch.float64: 1e-11,
    torch.float32: 3e-5,
    torch.float16: 4e-3,
    torch.bfloat16: 3e-2,
}
FLOATS = list(TOLERANCES)
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
# Odd sizes, a size with tails after packs of sixteen bytes, none, one, and many dimensions.
SHAPES: list[tuple[int, ...]] = [
    (),
    (0,),
    (1,),
    (7,),
    (1031,),
    (3, 0, 5),
    (17, 33),
    (5, 1, 8, 3),
    (2, 3, 2, 2, 3, 2),
    (129, 257),
]


def random(
    shape: tuple[int, ...],
    dtype: torch.dtype,
    low: float = -3.0,
    high: float = 3.0,
) -> torch.Tensor:
    """A tensor on the processor; integers are in [low, high] too."""
    if dtype == torch.bool:
        return torch.rand(shape) < 0.5
    if dtype in INTEGERS:
        first = max(int(low), 0) if dtype == torch.uint8 else int(low)
        return torch.randint(first, int(high) + 1, shape).to(dtype)
    return (torch.rand(shape, dtype=torch.float64) * (high - low) + low).to(dtype)


def layouts(t: torch.Tensor, device: torch.device) -> Iterator[tuple[str, torch.Tensor]]:
    """The same elements on `device`, in memory of several orders."""
    yield "contiguous", t.to(device)
    if t.dim() == 0:
        return
    if t.dim() >= 2:
        turned = t.transpose(0, -1).contiguous().to(device)
        yield "transposed", turned.transpose(0, -1)
    wide = torch.zeros((*t.shape[:-1], t.shape[-1] * 2 + 1), dtype=t.dtype).to(device)
    every_second = wide.narrow(-1, 1, t.shape[-1] * 2)[..., ::2]
    every_second.copy_(t.to(device))
    yield "every second, at an odd address", every_second


def expanded(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """A tensor whose first dimension has stride 0."""
    return random((1, *shape[1:]), dtype).to(device).expand(shape)


def wide(value: Any) -> Any:
    """On the processor, and in float64 where it is floating point."""
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        return value.double() if value.is_floating_point() else value
    if isinstance(value, (list, tuple)):
        return type(value)(wide(v) for v in value)
    return value


def leaf(t: torch.Tensor, device: torch.device | None = None) -> torch.Tensor:
    """A copy that collects a gradient: on `device`, or in float64 on the processor."""
    return (t.double() if device is None else t.to(device)).detach().clone().requires_grad_()


def assert_close(
    actual: Any,
    reference: Any,
    dtype: torch.dtype,
    what: str,
    factor: float = 1.0,
    scale: float = 1.0,
) -> None:
    """Compares shapes, and values within the tolerance of `dtype`.

    Args:
      factor: by which the tolerance is wider.
      scale: size of the numbers that were added up; errors relative to it are allowed.
    """
    if isinstance(reference, (list, tuple)):
        assert len(actual) == len(reference), what
        for i, (a, r) in enumerate(zip(actual, reference, strict=True)):
            assert_close(a, r, dtype, f"{what}, output {i}", factor, scale)
        return
    assert tuple(actual.shape) == tuple(reference.shape), what
    got = actual.detach().cpu()
    if not got.is_floating_point():
        wrong = (got.double() != reference.double()).sum().item()
        assert wrong == 0, f"{what}: {int(wrong)} of {got.numel()} elements differ"
        return
    got = got.double()
    expected = reference.double()
    both_nan = got.isnan() & expected.isnan()
    # What is too large for the type is infinite there.
    overflow = expected.abs() > torch.finfo(dtype).max * (1 - TOLERANCES[dtype])
    same = (got == expected) | (overflow & got.isinf() & (got.sign() == expected.sign()))
    tolerance = TOLERANCES[dtype] * factor
    near = (got - expected).abs() <= tolerance * (expected.abs() + scale)
    wrong = ~(both_nan | same | near)
    count = int(wrong.sum().item())
    if count == 0:
        return
    place = wrong.reshape(-1).nonzero()[0].item()
    raise AssertionError(
        f"{what}: {count} of {got.numel()} elements differ, the first at {place}: "
        f"{got.reshape(-1)[place].item()}, float64 gives {expected.reshape(-1)[place].item()}"
    )


def check(
    function: Callable[..., Any],
    inputs: list[torch.Tensor],
    device: torch.device,
    what: str,
    factor: float = 1.0,
    scale: float = 1.0,
) -> None:
    """Compares a function on `device`, for every layout of its first input, with float64."""
    reference = function(*wide(inputs))
    others = [t.to(device) for t in inputs[1:]]
    for layout, first in layouts(inputs[0], device):
        result = function(first, *others)
        label = f"{what}, {inputs[0].dtype}, shape {tuple(inputs[0].shape)}, {layout}"
        assert_close(result, reference, inputs[0].dtype, label, factor, scale)
