"""torch._higher_order_ops.associative_scan against scans that are operators."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch._higher_order_ops.associative_scan import associative_scan


def _add(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a + b


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_sums(dim: int) -> None:
    x = torch.randn(3, 5, 2, dtype=torch.float64, requires_grad=True)
    found = associative_scan(_add, x, dim, combine_mode="generic")
    torch.testing.assert_close(found, x.cumsum(dim))
    back = associative_scan(_add, x, dim, reverse=True, combine_mode="generic")
    torch.testing.assert_close(back, x.flip(dim).cumsum(dim).flip(dim))
    weight = torch.randn_like(x)
    torch.testing.assert_close(
        torch.autograd.grad((found * weight).sum(), x),
        torch.autograd.grad((x.cumsum(dim) * weight).sum(), x),
    )


def test_a_recurrence_in_two_tensors() -> None:
    """h_i = a_i h_{i-1} + b_i, as state-space models have it."""
    xs = {"a": torch.rand(6, 2, dtype=torch.float64), "b": torch.randn(6, 2, dtype=torch.float64)}

    def combine(left: Any, right: Any) -> Any:
        return {"a": left["a"] * right["a"], "b": right["a"] * left["b"] + right["b"]}

    found = associative_scan(combine, xs, 0, combine_mode="generic")
    h, expected = torch.zeros(2, dtype=torch.float64), []
    for a, b in zip(xs["a"], xs["b"], strict=True):
        h = a * h + b
        expected.append(h)
    torch.testing.assert_close(found["b"], torch.stack(expected))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((1, torch.ones(2), 0), ValueError, "Combine_fn must be a callable, but got 1"),
        ((_add, torch.ones(2), 0.5), ValueError, "Dim must be an int, but got"),
        ((_add, torch.ones(2), 0, 1), RuntimeError, "Reverse must be a bool, but got"),
        ((_add, torch.ones(2), 0, False, "fast"), ValueError, "Combine_mode must either"),
        ((_add, torch.ones(2), 0), ValueError, "For combine_mode='pointwise', all input"),
        ((_add, [], 0, False, "generic"), ValueError, "Expected at least 1 xs leaf"),
        ((_add, [1], 0, False, "generic"), ValueError, "xs leaves must be a Tensor"),
        ((_add, torch.ones(2), 1, False, "generic"), IndexError, "Dimension out of range"),
        ((_add, torch.ones(0), 0, False, "generic"), ValueError, "and scan dimension > 0"),
        (
            (_add, [torch.ones(2), torch.ones(3)], 0, False, "generic"),
            ValueError,
            "xs leaves must have one size along dimension 0",
        ),
        (
            (lambda a, b: [a, b], torch.ones(2), 0, False, "generic"),
            RuntimeError,
            "combine_fn gives 2 tensors, and elements of xs have 1",
        ),
    ],
)
def test_arguments(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        associative_scan(*arguments)
