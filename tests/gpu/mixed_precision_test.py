"""Autocasting, scaled losses, and optimisers that step all parameters in one launch."""

from __future__ import annotations

import math
from typing import Any

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional

SIZES = [(3,), (5, 7), (0,), (70001,), (), (65536, 2)]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_products_are_cast(dtype: torch.dtype, device: torch.device) -> None:
    a, b = torch.randn(5, 7), torch.randn(7, 3)
    with torch.autocast(device.type, dtype=dtype):
        product = a.to(device) @ b.to(device)
        loss = F.mse_loss(product, torch.zeros_like(product))
    assert product.dtype == dtype
    assert loss.dtype == torch.float32
    gen.assert_close(
        product, (a.to(dtype).double() @ b.to(dtype).double()), dtype, "product", scale=9
    )


@pytest.mark.gpu_only
def test_functions_that_need_the_range_are_float(device: torch.device) -> None:
    x = torch.rand(9, device=device).half()
    with torch.autocast("cuda"):
        for function in (torch.exp, torch.log, torch.sum, torch.cumsum, torch.softmax, torch.norm):
            arguments = (x, 0) if function in (torch.cumsum, torch.softmax) else (x,)
            assert function(*arguments).dtype == torch.float32
        with pytest.raises(RuntimeError, match="unsafe to autocast"):
            F.binary_cross_entropy(x, x)


@pytest.mark.parametrize("dtype", gen.FLOATS)
@pytest.mark.parametrize(
    ("optimizer", "options"),
    [
        ("Adam", {"weight_decay": 0.1, "amsgrad": True}),
        ("AdamW", {"maximize": True}),
        ("SGD", {}),
        ("SGD", {"momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    ],
)
def test_fused_optimizers(
    optimizer: str, options: dict[str, Any], dtype: torch.dtype, device: torch.device
) -> None:
    make = getattr(torch.optim, optimizer)
    start = [torch.randn(size).to(dtype) for size in SIZES]
    ours = [torch.nn.Parameter(t.to(device)) for t in start]
    # More tensors than one launch takes.
    ours += [
        torch.nn.Parameter(torch.full((2,), 0.5, dtype=dtype, device=device)) for _ in range(99)
    ]
    reference = [torch.nn.Parameter(p.detach().cpu().double()) for p in ours]
    fused, plain = make(ours, lr=0.01, fused=True, **options), make(reference, lr=0.01, **options)
    for _ in range(3):
        for mine, exact in zip(ours, reference, strict=True):
            # None so small that its square is none of float16's.
            grad = torch.rand(exact.shape).add(0.5).mul(torch.randn(exact.shape).sign()).to(dtype)
            mine.grad, exact.grad = grad.to(device), grad.double()
        fused.step()
        plain.step()
    gen.assert_close(
        [p.detach() for p in ours], [p.detach() for p in reference], dtype, optimizer, factor=10
    )


@pytest.mark.parametrize("fused", [False, True])
def test_scaled_losses(fused: bool, device: torch.device) -> None:
    weight = torch.nn.Parameter(torch.ones(5, device=device))
    optimizer = torch.optim.SGD([weight], lr=1.0, fused=fused)
    scaler = torch.amp.GradScaler(device.type, init_scale=8.0, growth_interval=2)
    for factor, expected, scale in ((0.5, 0.5, 8.0), (math.inf, 0.5, 4.0), (0.5, 0.0, 4.0)):
        optimizer.zero_grad()
        scaler.scale((weight * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        assert torch.equal(weight.detach().cpu(), torch.full((5,), expected))
        assert scaler.get_scale() == scale


@pytest.mark.parametrize("use_gelu", [False, True])
@pytest.mark.parametrize("dtype", gen.FLOATS)
def test_product_with_bias_and_activation(
    use_gelu: bool, dtype: torch.dtype, device: torch.device
) -> None:
    bias, a, b = (gen.random(shape, dtype) for shape in ((33,), (17, 65), (65, 33)))
    actual = torch._addmm_activation(bias.to(device), a.to(device), b.to(device), use_gelu=use_gelu)
    exact = torch.addmm(bias.double(), a.double(), b.double())
    approximate = "none" if device.type == "cpu" else "tanh"
    expected = F.gelu(exact, approximate=approximate) if use_gelu else exact.relu()
    gen.assert_close(actual, expected, dtype, "product", scale=65 * 9)
