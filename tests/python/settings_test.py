"""Settings of the process, torch.backends, and torch.nn.attention."""

from __future__ import annotations

import doctest
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, bias, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention


@pytest.fixture(autouse=True)
def _restore() -> Iterator[None]:
    yield
    torch.use_deterministic_algorithms(False)
    torch.set_float32_matmul_precision("highest")


def test_deterministic_algorithms() -> None:
    assert not torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    assert torch.are_deterministic_algorithms_enabled()
    assert not torch.is_deterministic_algorithms_warn_only_enabled()
    assert torch.get_deterministic_debug_mode() == 2
    assert torch.backends.cudnn.deterministic
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(False, warn_only=True)
    assert torch.is_deterministic_algorithms_warn_only_enabled()
    assert torch.get_deterministic_debug_mode() == 0
    assert not torch.backends.cudnn.deterministic
    for word, number in {"default": 0, "warn": 1, "error": 2}.items():
        torch.set_deterministic_debug_mode(word)
        assert torch.get_deterministic_debug_mode() == number
    with pytest.raises(RuntimeError, match="expected one of `default`, `warn`, `error`, but got x"):
        torch.set_deterministic_debug_mode("x")
    with pytest.raises(RuntimeError, match="expected 0, 1, or 2, but got 3"):
        torch.set_deterministic_debug_mode(3)
    with pytest.raises(TypeError, match="must be str or int"):
        torch.set_deterministic_debug_mode(1.5)


def test_precision_of_products() -> None:
    assert torch.get_float32_matmul_precision() == "highest"
    torch.set_float32_matmul_precision("medium")
    assert torch.get_float32_matmul_precision() == "medium"
    with pytest.raises(RuntimeError, match="low is not one of"):
        torch.set_float32_matmul_precision("low")


def test_warnings_always() -> None:
    before = torch.is_warn_always_enabled()
    assert not before
    torch.set_warn_always(True)
    try:
        assert torch.is_warn_always_enabled()
        for _ in range(2):
            # A warning of C++ that comes once otherwise.
            with pytest.warns(UserWarning, match="will be required to pass the indexing arg"):
                torch.meshgrid(torch.ones(2), torch.ones(3))
    finally:
        torch.set_warn_always(before)
    with pytest.raises(TypeError, match="expects a bool, but got int"):
        torch.set_warn_always(1)  # type: ignore[arg-type]


def test_backends() -> None:
    assert not torch.backends.mps.is_available()
    assert not torch.backends.mps.is_built()
    assert torch.backends.openmp.is_available() == torch._C.has_openmp
    assert isinstance(torch.backends.mkl.is_available(), bool)
    assert not torch.backends.opt_einsum.is_available()
    assert not torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = True
    assert torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = False
    assert torch.backends.cuda.is_built() == hasattr(torch._C, "_cuda_getCompiledVersion")


def test_conversions_that_make_new_parameters() -> None:
    layer = nn.Linear(1, 1)
    weight = layer.weight
    layer.double()
    assert layer.weight is weight
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        layer.float()
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(False)
    assert layer.weight is not weight
    assert not torch.__future__.get_overwrite_module_params_on_conversion()


def test_kernels_of_attention() -> None:
    q = torch.randn(1, 2, 5, 4)
    expected = scaled_dot_product_attention(q, q, q)
    for backends in (SDPBackend.MATH, [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
        with sdpa_kernel(backends):
            assert torch.backends.cuda.math_sdp_enabled()
            assert not torch.backends.cuda.cudnn_sdp_enabled()
            torch.testing.assert_close(scaled_dot_product_attention(q, q, q), expected)
    assert torch.backends.cuda.cudnn_sdp_enabled()
    with torch.backends.cuda.sdp_kernel(enable_flash=False):
        assert not torch.backends.cuda.flash_sdp_enabled()
    assert torch.backends.cuda.flash_sdp_enabled()
    with pytest.raises(AssertionError, match="must be an instance of SDPBackend"), sdpa_kernel("x"):  # type: ignore[arg-type]
        pass


def test_questions_about_kernels_of_attention() -> None:
    from torch.backends import cuda

    q = torch.ones(1, 2, 3, 8)
    params = cuda.SDPAParams(q, q, q, None, 0.5, True, False)
    assert params.query is q
    assert (params.attn_mask, params.dropout, params.is_causal) == (None, 0.5, True)
    with pytest.raises(AttributeError):
        params.dropout = 1.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        cuda.SDPAParams(q, q, q, None, 0.5, True)  # type: ignore[call-arg]
    for question in ("flash", "efficient", "cudnn"):
        assert getattr(cuda, f"can_use_{question}_attention")(params, True) is False
    assert not cuda.is_flash_attention_available()


def test_masks_of_attention() -> None:
    q, k = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 5, 4)
    lower = bias.causal_lower_right(3, 5)
    upper = bias.causal_upper_left(3, 5)
    assert lower._materialize().int().tolist() == [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1] * 5]
    for mask in (lower, upper):
        torch.testing.assert_close(
            scaled_dot_product_attention(q, k, k, attn_mask=mask),
            scaled_dot_product_attention(q, k, k, mask._materialize()),
        )
    square = bias.causal_lower_right(3, 3)
    torch.testing.assert_close(
        scaled_dot_product_attention(q, q, q, square),
        scaled_dot_product_attention(q, q, q, is_causal=True),
    )
    with pytest.raises(ValueError, match="should not be used with causal=True"):
        scaled_dot_product_attention(q, q, q, square, is_causal=True)
    assert repr(upper) == "CausalBias(UPPER_LEFT, seq_len_q=3, seq_len_kv=5)"


def test_doctests() -> None:
    for module in (torch.nn.attention, bias):
        results = doctest.testmod(module, extraglobs={"torch": torch})
        assert results.attempted > 0
        assert results.failed == 0


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.complex64, torch.uint8, torch.int64, torch.bool, torch.uint16]
)
def test_uninitialized_memory_is_filled(dtype: torch.dtype) -> None:
    torch.use_deterministic_algorithms(True)
    made = [
        torch.empty(3, dtype=dtype),
        torch.empty_like(torch.zeros(2, 2, dtype=dtype)),
        torch.empty_strided((2, 2), (1, 2), dtype=dtype),
        torch.zeros(0, dtype=dtype).resize_(4),
        torch.zeros(3, dtype=dtype).resize_(5)[3:],
    ]
    for x in made:
        if dtype.is_floating_point or dtype.is_complex:
            assert x.isnan().all()
        else:
            largest = 1 if dtype is torch.bool else torch.iinfo(dtype).max
            assert x.eq(largest).all()
    assert torch.zeros(3, dtype=dtype).resize_(5)[:3].tolist() == [0, 0, 0]
    from torch.utils import deterministic

    assert deterministic.fill_uninitialized_memory
    deterministic.fill_uninitialized_memory = False
    try:
        assert not deterministic.fill_uninitialized_memory
        assert torch.zeros(2).resize_(2).tolist() == [0, 0]
    finally:
        deterministic.fill_uninitialized_memory = True
    with pytest.raises(RuntimeError, match="expected a bool, but got int"):
        deterministic.fill_uninitialized_memory = 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: torch.zeros(3).put_(torch.tensor([0]), torch.ones(1)),
        lambda: nn.functional.max_unpool2d(
            torch.ones(1, 1, 1), torch.zeros(1, 1, 1, dtype=torch.int64), 2
        ),
    ],
)
def test_what_is_not_deterministic_says_so(call: Callable[[], torch.Tensor]) -> None:
    call()
    torch.use_deterministic_algorithms(True)
    with pytest.raises(RuntimeError, match="does not have a deterministic implementation"):
        call()
    torch.use_deterministic_algorithms(True, warn_only=True)
    with pytest.warns(UserWarning, match="does not have a deterministic implementation"):
        call()


def test_threads_between_operators() -> None:
    before = torch.get_num_interop_threads()
    torch.set_num_interop_threads(before + 2)
    assert torch.get_num_interop_threads() == before + 2
    torch.set_num_interop_threads(before)
    with pytest.raises(RuntimeError, match="expects a positive integer"):
        torch.set_num_interop_threads(0)
    with pytest.raises(RuntimeError, match="expects an int, but got str"):
        torch.set_num_interop_threads("2")  # type: ignore[arg-type]


def test_denormal_numbers() -> None:
    tiny = torch.tensor(1e-310, dtype=torch.float64)
    assert tiny.mul(1).item() == 1e-310
    assert torch.set_flush_denormal(True) is True
    try:
        assert tiny.mul(1).item() == 0
    finally:
        assert torch.set_flush_denormal(False) is True
    assert tiny.mul(1).item() == 1e-310
    with pytest.raises(RuntimeError, match="flush_denormal expects a bool, but got int"):
        torch.set_flush_denormal(1)  # type: ignore[arg-type]
