"""Operators made of others: none reads a GPU's memory on the processor."""

from __future__ import annotations

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional


def test_lu_unpack(device: torch.device) -> None:
    factors, pivots = torch.linalg.lu_factor(torch.randn(3, 5, 5))
    for there, here in zip(
        torch.lu_unpack(factors.to(device), pivots.to(device)),
        torch.lu_unpack(factors, pivots),
        strict=True,
    ):
        assert there.device.type == device.type
        assert torch.equal(there.cpu(), here)


@pytest.mark.parametrize("dtype", [*gen.FLOATS, *gen.INTEGERS], ids=str)
def test_dot(dtype: torch.dtype, device: torch.device) -> None:
    a, b = gen.random((301,), dtype, -1, 2), gen.random((301,), dtype, -1, 2)
    there = torch.dot(a.to(device), b.to(device))
    assert there.dtype == dtype
    if dtype.is_floating_point:
        gen.assert_close(there, torch.dot(a.double(), b.double()), dtype, "dot", scale=40)
    else:
        assert there.item() == torch.dot(a, b).item()


@pytest.mark.gpu_only
def test_lengths_on_a_gpu_are_read(device: torch.device) -> None:
    probs = torch.randn(6, 2, 4, device=device).log_softmax(-1)
    lengths = torch.tensor([6, 5], device=device), torch.tensor([2, 1], device=device)
    with pytest.raises(NotImplementedError, match="'CUDA' backend"):
        F.ctc_loss(probs, torch.tensor([[1, 2], [3, 0]], device=device), *lengths)
