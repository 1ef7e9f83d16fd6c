"""Random tensors, also empty, strided and broadcast ones, and comparison with float64."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

# Relative and absolute, as OpInfo's are for these types.
TOLERANCE = {torch.float32: (1.3e-6, 1e-5), torch.float16: (1e-3, 1e-3)}

VULKAN = torch.device("vulkan:0")


def shape(dims: int | None = None, least: int = 0) -> list[int]:
    """A shape of up to five dimensions; one in ten has no elements unless `least` is above 0."""
    if dims is None:
        dims = random.randint(0, 5)
    most = {0: 1, 1: 300, 2: 40, 3: 12, 4: 6}.get(dims, 4)
    sizes = [random.randint(max(least, 1), most) for _ in range(dims)]
    if sizes and least == 0 and random.random() < 0.1:
        sizes[random.randrange(dims)] = 0
    return sizes


def broadcast_pair() -> tuple[list[int], list[int]]:
    """Two shapes that broadcast against each other."""
    first = shape()
    second = [
        1 if random.random() < 0.3 else size for size in first[random.randint(0, len(first)) :]
    ]
    return (first, second) if random.random() < 0.5 else (second, first)


def restride(t: Tensor) -> Tensor:
    """The same elements with other strides: part of a larger tensor, or in another order."""
    kind = random.randrange(3)
    if t.dim() == 0 or kind == 0:
        return t
    if kind == 1:
        order = random.sample(range(t.dim()), t.dim())
        inverse = [order.index(d) for d in range(t.dim())]
        return t.permute(order).contiguous().permute(inverse)
    d = random.randrange(t.dim())
    padded = torch.cat([t, t.narrow(d, 0, min(1, t.size(d))), t], d) if t.size(d) else t
    return padded.narrow(d, random.choice([0, padded.size(d) - t.size(d)]), t.size(d))


def values(sizes: Sequence[int], dtype: torch.dtype = torch.float32, scale: float = 3.0) -> Tensor:
    """Random elements, of other strides than usual every other time."""
    if dtype is torch.bool:
        return restride(torch.rand(sizes) < 0.5)
    if dtype.is_floating_point:
        # exp of 11.1 is the first that float16 does not hold.
        return restride((torch.randn(sizes) * scale).clamp(-10, 10).to(dtype))
    low = 0 if dtype is torch.uint8 else -20
    return restride(torch.randint(low, 20, tuple(sizes)).to(dtype))


def reference(t: object) -> object:
    """The argument in float64, where it is of floating point."""
    if isinstance(t, Tensor):
        return t.double() if t.is_floating_point() else t
    if isinstance(t, (list, tuple)):
        return type(t)(reference(each) for each in t)
    return t


def moved(t: object) -> object:
    """The argument on the device, strides as they are."""
    if isinstance(t, Tensor):
        if t.dim() == 0 or t.is_contiguous():
            return t.to(VULKAN)
        room = 1 + sum((size - 1) * step for size, step in zip(t.size(), t.stride(), strict=True))
        if t.numel() == 0:
            return t.to(VULKAN)
        whole = torch.as_strided(t, (room,), (1,), t.storage_offset())
        return whole.to(VULKAN).as_strided(t.size(), t.stride(), 0)
    if isinstance(t, (list, tuple)):
        return type(t)(moved(each) for each in t)
    return t


def close(actual: object, wanted: object, rtol: float, atol: float) -> None:
    """Fails unless the device's result is the reference, within the tolerance."""
    if isinstance(wanted, (list, tuple)):
        assert isinstance(actual, (list, tuple))
        for a, w in zip(actual, wanted, strict=True):
            close(a, w, rtol, atol)
        return
    assert isinstance(actual, Tensor)
    assert isinstance(wanted, Tensor)
    assert actual.device.type == "vulkan"
    assert actual.shape == wanted.shape
    result = actual.cpu()
    if wanted.is_floating_point():
        assert result.is_floating_point()
        torch.testing.assert_close(
            result.double(), wanted.double(), rtol=rtol, atol=atol, equal_nan=True
        )
    else:
        assert result.dtype == wanted.dtype
        assert torch.equal(result, wanted)


def check(
    function: Callable[..., object],
    *args: object,
    rtol: float | None = None,
    atol: float | None = None,
    **kwargs: object,
) -> None:
    """Compares a function on the device with itself in float64 on the processor."""
    dtypes = [t.dtype for t in args if isinstance(t, Tensor) and t.is_floating_point()]
    usual = TOLERANCE.get(dtypes[0], (0.0, 0.0)) if dtypes else (0.0, 0.0)
    wanted = function(*(reference(a) for a in args), **{k: reference(v) for k, v in kwargs.items()})
    actual = function(*(moved(a) for a in args), **{k: moved(v) for k, v in kwargs.items()})
    close(
        actual,
        wanted,
        usual[0] if rtol is None else rtol,
        usual[1] if atol is None else atol,
    )
