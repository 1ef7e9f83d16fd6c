"""Blocks of torch.autocast: where they begin and end, what they remember, what they refuse."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

FLOAT, HALF, BF16, DOUBLE = torch.float32, torch.float16, torch.bfloat16, torch.float64


def test_blocks_nest_and_end() -> None:
    a = torch.ones(2, 2)
    assert not torch.is_autocast_enabled("cpu")
    with torch.autocast("cpu"):
        assert torch.is_autocast_enabled("cpu")
        assert not torch.is_autocast_enabled("cuda")
        with torch.autocast("cpu", dtype=HALF):
            assert (a @ a).dtype == HALF
            with torch.autocast("cpu", enabled=False):
                assert (a @ a).dtype == FLOAT
            assert torch.get_autocast_dtype("cpu") == HALF
        assert (a @ a).dtype == BF16
    assert (a @ a).dtype == FLOAT
    with pytest.raises(ZeroDivisionError), torch.autocast("cpu"):
        raise ZeroDivisionError
    assert not torch.is_autocast_enabled("cpu")


def test_a_function_may_be_decorated_and_call_itself() -> None:
    @torch.autocast("cpu")
    def product(depth: int) -> torch.Tensor:
        return product(depth - 1) if depth else torch.ones(2, 2) @ torch.ones(2, 2)

    assert product(2).dtype == BF16
    assert not torch.is_autocast_enabled("cpu")


def test_each_thread_casts_for_itself() -> None:
    seen = []
    a = torch.ones(2, 2)
    with torch.autocast("cpu"):
        thread = threading.Thread(target=lambda: seen.append((a @ a).dtype))
        thread.start()
        thread.join()
    assert seen == [FLOAT]


@pytest.mark.parametrize("cache_enabled", [True, False])
def test_parameters_are_cast_once(cache_enabled: bool) -> None:
    weight = torch.randn(3, 3, requires_grad=True)
    with torch.autocast("cpu", cache_enabled=cache_enabled):
        first = torch.mm(weight, torch.ones(3, 3))
        with torch.no_grad():
            weight.fill_(2.0)
        second = torch.mm(weight, torch.ones(3, 3))
        assert torch.equal(first, second) == cache_enabled
    with torch.autocast("cpu", cache_enabled=cache_enabled):  # the end of the block forgets
        assert torch.equal(torch.mm(weight, torch.ones(3, 3)).float(), torch.full((3, 3), 6.0))


def test_gradients_have_the_dtype_of_their_tensor() -> None:
    weight = torch.randn(4, 3, requires_grad=True)
    bias = torch.randn(4, requires_grad=True)
    data = torch.randn(5, 3)
    with torch.autocast("cpu"):
        loss = F.mse_loss(F.linear(data, weight, bias), torch.zeros(5, 4))
    loss.backward()
    assert loss.dtype == FLOAT
    exact_weight = weight.detach().clone().requires_grad_()
    exact_bias = bias.detach().clone().requires_grad_()
    F.mse_loss(F.linear(data, exact_weight, exact_bias), torch.zeros(5, 4)).backward()
    for got, exact in ((weight.grad, exact_weight.grad), (bias.grad, exact_bias.grad)):
        assert got is not None and exact is not None
        assert got.dtype == FLOAT
        # bfloat16 has eight bits of mantissa.
        torch.testing.assert_close(got, exact, rtol=0.05, atol=0.05)


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_a_checkpoint_is_repeated_as_it_ran(use_reentrant: bool) -> None:
    weight = torch.randn(3, 3)
    seen = []

    def body(a: torch.Tensor) -> torch.Tensor:
        product = a @ weight
        seen.append(product.dtype)
        return product.float().square()

    grads = []
    for wrap in (False, True):
        a = torch.ones(2, 3, requires_grad=True)
        with torch.autocast("cpu"):
            result = checkpoint(body, a, use_reentrant=use_reentrant) if wrap else body(a)
        result.sum().backward()
        grads.append(a.grad)
    assert seen == [BF16, BF16, BF16]
    assert torch.equal(*grads)


class Scaled(torch.autograd.Function):
    """Says in which dtype its body computes."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        a, b = ctx.saved_tensors
        return grad @ b.t(), a.t() @ grad


class Plain(torch.autograd.Function):
    """Computes as it is called, and backwards likewise."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx: Any, a: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(a)
        return a @ a

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (a,) = ctx.saved_tensors
        product = grad @ a.t()
        assert product.dtype == BF16
        return product.float() + (a.t() @ grad).float()


def test_custom_functions() -> None:
    a = torch.randn(3, 3, requires_grad=True)
    with torch.autocast("cpu"):
        result = Scaled.apply(a.bfloat16(), a)
        plain = Plain.apply(a)
    assert result.dtype == FLOAT
    assert plain.dtype == BF16
    (result.sum() + plain.float().sum()).backward()
    assert a.grad is not None and a.grad.dtype == FLOAT


def test_what_cannot_be_cast_to_is_named() -> None:
    with pytest.warns(UserWarning, match="In CPU autocast, but the target dtype is not supported"):
        block = torch.autocast("cpu", dtype=DOUBLE)
    with block:
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == FLOAT
    with pytest.raises(ValueError, match="Expected `device_type` of type `str`, got: `<class 'int"):
        torch.autocast(3)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="device type at start of device string: foo"):
        torch.autocast("foo")
    with pytest.raises(RuntimeError, match="unsupported autocast device_type 'meta'"):
        torch.autocast("meta")
    with pytest.raises(RuntimeError, match="autocast knows the devices cpu and cuda, not meta"):
        torch.get_autocast_dtype("meta")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_its_autocast_warns_and_does_nothing() -> None:
    with (
        pytest.warns(UserWarning, match="device_type of 'cuda', but CUDA is not available"),
        torch.autocast("cuda"),
    ):
        assert not torch.is_autocast_enabled("cuda")
    with (
        pytest.warns(FutureWarning, match="torch.cuda.amp.autocast.* is deprecated"),
        pytest.warns(UserWarning, match="CUDA is not available"),
        torch.cuda.amp.autocast(),
    ):
        assert not torch.is_autocast_enabled()
