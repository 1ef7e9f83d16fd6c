"""Operations that FlopCounterMode counts, against the sizes of the products."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode, flop_registry, register_flop_formula


def count(function: Callable[[], Any]) -> int:
    with FlopCounterMode(display=False) as counter:
        result = function()
        if isinstance(result, torch.Tensor) and result.requires_grad:
            result.sum().backward()
    return counter.get_total_flops()


def leaf(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, requires_grad=True)


B, M, K, N = (random.randint(2, 6) for _ in range(4))


@pytest.mark.parametrize(
    ("function", "products"),
    [
        (lambda: torch.mm(torch.ones(M, K), torch.ones(K, N)), 1),
        (lambda: leaf(M, K) @ leaf(K, N), 3),
        (lambda: leaf(M, K) @ torch.ones(K, N), 2),
        (lambda: torch.addmm(torch.ones(N), leaf(M, K), leaf(K, N)), 3),
        (lambda: torch.bmm(leaf(B, M, K), leaf(B, K, N)), 3 * B),
        (lambda: leaf(B, M, K).matmul(leaf(K, N)), 3 * B),
        (lambda: torch.einsum("bmk,bkn->bnm", leaf(B, M, K), leaf(B, K, N)), 3 * B),
        (lambda: torch.einsum("mk,nk", leaf(M, K), leaf(N, K)), 3),
        (lambda: torch.tensordot(leaf(M, K), leaf(K, N), 1), 3),
        (lambda: torch.inner(leaf(M, K), leaf(N, K)), 3),
        (lambda: nn.functional.linear(leaf(B, M, K), leaf(N, K), leaf(N)), 3 * B),
        (lambda: torch.ops.aten.mm(leaf(M, K), leaf(K, N)), 3),
        (lambda: leaf(M, K) @ leaf(K), 0),
        (lambda: leaf(M, K) + 1, 0),
    ],
)
def test_products(function: Callable[[], Any], products: int) -> None:
    assert count(function) == products * 2 * M * K * N


def test_convolutions() -> None:
    x, w = leaf(2, 4, 7, 6), leaf(6, 2, 3, 2)
    forward = 2 * 2 * (5 * 5) * 6 * (2 * 3 * 2)
    assert count(lambda: nn.functional.conv2d(x.detach(), w.detach(), groups=2)) == forward
    assert count(lambda: nn.functional.conv2d(x, w.detach(), groups=2)) == 2 * forward
    transposed = 2 * 2 * (7 * 6) * 4 * (3 * 3 * 2)
    filters = torch.ones(4, 3, 3, 2)
    assert count(lambda: nn.functional.conv_transpose2d(x.detach(), filters)) == transposed


def test_attention_counts_two_products_and_five() -> None:
    q, k, v = leaf(2, 3, 5, 8), leaf(2, 3, 7, 8), leaf(2, 3, 7, 4)
    attend = nn.functional.scaled_dot_product_attention
    pairs = 2 * 2 * 3 * 5 * 7
    assert count(lambda: attend(q.detach(), k.detach(), v.detach())) == pairs * (8 + 4)
    assert count(lambda: attend(q, k, v)) == pairs * (8 + 4 + 3 * 8 + 2 * 4)


def test_modules_and_table() -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.ModuleList([nn.Linear(4, 5)])[0])
    with FlopCounterMode(display=False) as counter:
        model(torch.ones(10, 3)).sum().backward()
    counts = {name: sum(c.values()) for name, c in counter.get_flop_counts().items()}
    first, second = 2 * 10 * 3 * 4, 2 * 10 * 4 * 5
    assert counts == {
        "Global": 2 * first + 3 * second,
        "Sequential": 2 * first + 3 * second,
        "Sequential.0": 2 * first,
        "Sequential.1": 3 * second,
    }
    lines = [line.split() for line in counter.get_table().splitlines()]
    assert lines[0] == ["Module", "FLOP", "%", "Total"]
    assert lines[2] == ["Sequential", "1680.000", "100.00%"]


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with FlopCounterMode():
        torch.ones(2, 3) @ torch.ones(3, 4)
    assert "- aten.mm" in capsys.readouterr().out


def test_formulas_of_ones_own() -> None:
    library = torch.library.Library("flops", "FRAGMENT")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x * 2, "CompositeImplicitAutograd")
    operator = torch.ops.flops.twice

    @register_flop_formula(operator)
    def twice(x: Any, out_shape: Any = None, **kwargs: Any) -> int:
        return int(100 * x[0])

    try:
        assert count(lambda: operator(torch.ones(7))) == 700
        with pytest.raises(RuntimeError, match="duplicate registrations for flops.twice"):
            register_flop_formula(operator)(twice)
    finally:
        flop_registry.pop(operator)
    mapping = {operator: lambda x, out_shape: 3}
    with FlopCounterMode(display=False, custom_mapping=mapping) as counter:
        operator(torch.ones(7))
    assert counter.get_total_flops() == 3


def test_what_is_not_seen_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="sees no calls of aten.relu; it counts aten.mm"):
        FlopCounterMode(custom_mapping={torch.ops.aten.relu: lambda *a, **k: 1})
    with pytest.raises(ValueError, match="expected each target to be OpOverloadPacket"):
        register_flop_formula(torch.relu)(lambda: 1)
    with FlopCounterMode(display=False), pytest.raises(NotImplementedError, match="cannot count"):
        torch.einsum("ij,jk,kl", *torch.ones(3, 2, 2))
    with pytest.warns(UserWarning, match="counts no products of second derivatives"):
        x = leaf(M, K)
        with FlopCounterMode(display=False):
            torch.autograd.grad((x @ torch.ones(K, N)).sum(), x, create_graph=True)
