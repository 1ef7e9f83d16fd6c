"""Padding with edges, and upsampling, forwards and backwards."""

from __future__ import annotations

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional

CASES = [
    ("pad", {"pad": (3, 2), "mode": "reflect"}, (2, 3, 7)),
    ("pad", {"pad": (1, 2, 0, 3), "mode": "reflect"}, (2, 3, 5, 7)),
    ("pad", {"pad": (1, 2, 0, 3, 2, 1), "mode": "replicate"}, (2, 3, 5, 4, 3)),
    ("interpolate", {"size": 11, "mode": "nearest"}, (2, 3, 7)),
    ("interpolate", {"size": 11, "mode": "linear"}, (2, 3, 7)),
    ("interpolate", {"scale_factor": (1.5, 2.0), "mode": "nearest-exact"}, (2, 3, 5, 7)),
    ("interpolate", {"size": (3, 9), "mode": "bilinear", "align_corners": True}, (2, 3, 5, 7)),
    ("interpolate", {"size": (8, 9), "mode": "bicubic"}, (2, 3, 5, 7)),
    ("interpolate", {"size": (4, 3, 9), "mode": "trilinear"}, (2, 3, 5, 4, 3)),
]


@pytest.mark.parametrize("dtype", gen.FLOATS)
@pytest.mark.parametrize(("function", "options", "shape"), CASES)
def test_resampling(
    function: str,
    options: dict[str, object],
    shape: tuple[int, ...],
    dtype: torch.dtype,
    device: torch.device,
) -> None:
    call = getattr(F, function)
    x = gen.random(shape, dtype)
    mine, exact = gen.leaf(x, device), gen.leaf(x)
    actual, expected = call(mine, **options), call(exact, **options)
    what = f"{function} {options}"
    gen.assert_close(actual, expected, dtype, what, scale=3)
    grad = gen.random(tuple(expected.shape), dtype)
    actual.backward(grad.to(device))
    expected.backward(grad.double())
    gen.assert_close(mine.grad, exact.grad, dtype, what + ", gradient", scale=30)
