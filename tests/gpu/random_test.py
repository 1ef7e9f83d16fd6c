"""Random numbers: by seed, by their distributions, and dropout."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

F = functional
COUNT = 1 << 20


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16], ids=str)
def test_distributions(dtype: torch.dtype, device: torch.device) -> None:
    uniform = torch.rand(COUNT, dtype=dtype, device=device).double().cpu()
    assert uniform.min().item() >= 0 and uniform.max().item() <= 1
    # Five standard deviations of the mean of so many.
    assert abs(uniform.mean().item() - 0.5) < 5 * (1 / 12) ** 0.5 / COUNT**0.5 + 1e-3 * (
        dtype == torch.float16
    )
    normal = torch.randn(COUNT, dtype=dtype, device=device).double().cpu()
    assert abs(normal.mean().item()) < 5 / COUNT**0.5
    assert abs(normal.var().item() - 1) < 5 * 2**0.5 / COUNT**0.5 + 1e-3
    assert abs((normal.abs() < 1).double().mean().item() - 0.682689) < 5e-3


def test_seeds(device: torch.device) -> None:
    def draw() -> list[torch.Tensor]:
        return [torch.randn(1000, device=device), torch.rand(77, device=device)]

    torch.manual_seed(5)
    first = draw()
    second = draw()
    torch.manual_seed(5)
    again = draw()
    for a, b, c in zip(first, second, again, strict=True):
        assert torch.equal(a, c)
        assert not torch.equal(a, b)


def test_integers(device: torch.device) -> None:
    t = torch.randint(-3, 4, (COUNT,), device=device).cpu()
    assert t.min().item() == -3 and t.max().item() == 3
    counts = torch.stack([(t == v).sum() for v in range(-3, 4)]).double()
    expected = COUNT / 7
    chi = ((counts - expected) ** 2 / expected).sum().item()
    assert chi < 40  # of six degrees of freedom: once in two million


def test_permutation(device: torch.device) -> None:
    for n in (0, 1, 1000, 100003):
        order = torch.randperm(n, device=device)
        assert order.device.type == device.type and order.dtype == torch.int64
        assert torch.equal(order.sort().values.cpu(), torch.arange(n))
    assert not torch.equal(order.cpu(), torch.arange(n))


def test_bernoulli(device: torch.device) -> None:
    t = torch.empty(COUNT, device=device).bernoulli_(0.3)
    assert abs(t.double().mean().item() - 0.3) < 5 * (0.3 * 0.7 / COUNT) ** 0.5


def test_dropout(device: torch.device) -> None:
    x = torch.ones(COUNT, device=device, requires_grad=True)
    y = F.dropout(x, 0.25, training=True)
    kept = y.detach() != 0
    assert abs(kept.double().mean().item() - 0.75) < 5 * (0.25 * 0.75 / COUNT) ** 0.5
    assert torch.allclose(y.detach()[kept], torch.tensor(1 / 0.75).to(device))
    y.sum().backward()
    assert torch.equal(x.grad != 0, kept)
    assert torch.equal(F.dropout(x, 0.25, training=False), x)
