"""Formulas for complex numbers against finite differences, by their parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch.autograd.gradcheck import gradcheck, gradgradcheck

Function = Callable[..., Any]

_CASES: dict[str, tuple[Function, tuple[tuple[int, ...], ...]]] = {
    "conv1d": (
        lambda x, w, b: F.conv1d(x, w, b, stride=2, padding=1),
        ((2, 2, 5), (3, 2, 2), (3,)),
    ),
    "conv2d, groups": (lambda x, w: F.conv2d(x, w, groups=2), ((1, 2, 3, 4), (4, 1, 2, 2))),
    "conv_transpose1d": (
        lambda x, w: F.conv_transpose1d(x, w, stride=2, output_padding=1),
        ((1, 2, 3), (2, 2, 3)),
    ),
    "cumprod": (lambda x: x.cumprod(1), ((2, 4),)),
    "lerp": (lambda x, y, w: torch.lerp(x, y, w), ((3,), (2, 3), (3,))),
    "lerp by a number": (lambda x, y: torch.lerp(x, y, 0.3 + 0.4j), ((3,), (2, 3))),
    "logcumsumexp": (lambda x: x.logcumsumexp(0), ((4, 2),)),
    "logsumexp": (lambda x: x.logsumexp(0), ((4, 2),)),
    "prod": (lambda x: x.prod(1), ((2, 4),)),
    "prod of all": (lambda x: x.prod(), ((2, 3),)),
}


@pytest.mark.parametrize("name", _CASES)
def test_matches_finite_differences(name: str) -> None:
    function, shapes = _CASES[name]
    torch.manual_seed(0)
    parts = [torch.randn(*shape, 2, dtype=torch.float64).requires_grad_() for shape in shapes]

    def of_parts(*values: Any) -> Any:
        return torch.view_as_real(function(*(torch.view_as_complex(v) for v in values)))

    assert gradcheck(of_parts, parts)
    assert gradgradcheck(of_parts, parts, atol=1e-4)


def test_the_parts_are_attributes() -> None:
    x = torch.tensor([1 + 2j, 3 - 4j])
    assert x.real.tolist() == [1.0, 3.0]
    assert x.imag.tolist() == [2.0, -4.0]
    x.real = torch.tensor([5.0, 6.0])
    x.imag = 7.0
    assert x.tolist() == [5 + 7j, 6 + 7j]
    assert torch.ones(2).real.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="imag"):
        torch.ones(2).imag.sum()
