"""torch.autocast on the CPU: which operators are cast, to what, and when."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F

FLOAT, HALF, BF16, DOUBLE = torch.float32, torch.float16, torch.bfloat16, torch.float64

# The operators that PyTorch's documentation of torch.amp lists, those of this tree and others.
CPU_LISTS = """
    _addmm_activation _convolution.deprecated _grid_sampler_2d_cpu_fallback _lu_with_info
    _native_multi_head_attention adaptive_avg_pool3d adaptive_max_pool3d addbmm addmm avg_pool3d
    baddbmm binary_cross_entropy binary_cross_entropy_with_logits bmm cat cdist cholesky
    cholesky_inverse cholesky_solve conv1d conv1d.padding conv2d conv2d.padding conv3d
    conv3d.padding conv_tbc conv_transpose1d conv_transpose2d.input conv_transpose3d.input
    cosine_embedding_loss cross_entropy_loss ctc_loss.IntList ctc_loss.Tensor
    fake_quantize_per_tensor_affine fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft fft_ifft2
    fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn
    fractional_max_pool2d fractional_max_pool3d geqrf grid_sampler grid_sampler_2d
    grid_sampler_3d hinge_embedding_loss huber_loss index_copy inverse kl_div l1_loss
    linalg_cholesky linalg_cholesky_ex linalg_cond linalg_cond.p_str linalg_eig linalg_eigh
    linalg_eigvals linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex
    linalg_lstsq linalg_matrix_rank linalg_matrix_rank.atol_rtol_float
    linalg_matrix_rank.atol_rtol_tensor linalg_matrix_rank.tol_tensor linalg_qr linalg_solve
    linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve linalg_vecdot linear lu_solve
    margin_ranking_loss matmul max_pool3d max_unpool2d max_unpool3d mkldnn_rnn_layer mm mse_loss
    multi_margin_loss multilabel_margin_loss multilabel_margin_loss_forward nanquantile
    nanquantile.scalar nll_loss nll_loss2d orgqr ormqr pinverse poisson_nll_loss polar prelu
    prod prod.dim_int qr quantile quantile.scalar reflection_pad1d reflection_pad2d
    replication_pad1d replication_pad2d replication_pad3d scaled_dot_product_attention
    smooth_l1_loss soft_margin_loss stack stft stft.center svd trace triangular_solve
    triplet_margin_loss view_as_complex
"""
CUDA_LISTS = """
    _convolution _convolution.deprecated _scaled_dot_product_flash_attention
    _thnn_fused_gru_cell _thnn_fused_lstm_cell _upsample_bicubic2d_aa _upsample_bilinear2d_aa
    _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d acos addbmm
    addcdiv addcmul addmm addmv addr asin atan2 baddbmm bilinear binary_cross_entropy
    binary_cross_entropy_with_logits bmm cdist chain_matmul conv1d conv2d conv3d conv_tbc
    conv_transpose1d conv_transpose2d.input conv_transpose3d.input convolution cosh
    cosine_embedding_loss cosine_similarity cross cumprod cumsum dist dot einsum erfinv exp
    expm1 frobenius_norm.dim grid_sampler group_norm gru_cell hinge_embedding_loss huber_loss
    index_put kl_div l1_loss layer_norm linalg_matrix_norm linalg_matrix_norm.str_ord
    linalg_multi_dot linalg_vecdot linalg_vector_norm linear log log10 log1p log2
    log_softmax.int logsumexp lstm_cell margin_ranking_loss matmul mm mse_loss multi_margin_loss
    multilabel_margin_loss mv native_layer_norm nll_loss nll_loss2d norm.Scalar
    norm.ScalarOpt_dim nuclear_norm nuclear_norm.dim pdist poisson_nll_loss pow.Scalar
    pow.Tensor_Scalar pow.Tensor_Tensor prelu prod prod.dim_int reciprocal renorm rms_norm
    rnn_relu_cell rnn_tanh_cell rsqrt scaled_dot_product_attention scatter_add sinh
    smooth_l1_loss soft_margin_loss softmax.int softplus sum sum.dim_IntList tan tensordot
    triplet_margin_loss upsample_bicubic2d upsample_bilinear2d upsample_linear1d
    upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_trilinear3d vdot
"""


def exists(name: str) -> bool:
    base, _, overload = name.partition(".")
    packet = getattr(torch.ops.aten, base, None)
    return packet is not None and (overload or "default") in packet.overloads()


def has_kernel(name: str, key: str) -> bool:
    return torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", key)


@pytest.mark.parametrize(
    ("key", "names"), [("AutocastCPU", CPU_LISTS), ("AutocastCUDA", CUDA_LISTS)]
)
def test_every_listed_operator_of_the_tree_is_cast(key: str, names: str) -> None:
    here = [name for name in names.split() if exists(name)]
    assert len(here) > 70
    assert [name for name in here if not has_kernel(name, key)] == []
    for name in ("add.Tensor", "relu", "max_pool2d", "dropout"):
        assert not has_kernel(name, key)
    with pytest.raises(RuntimeError, match="operator aten::nothing does not exist"):
        has_kernel("nothing", key)


def x(*shape: int, dtype: torch.dtype = FLOAT) -> torch.Tensor:
    return torch.rand(shape, dtype=FLOAT).add(0.25).to(dtype)


def square(dtype: torch.dtype) -> torch.Tensor:
    return torch.eye(3).mul(3).add(torch.rand(3, 3)).to(dtype)


# Calls with arguments of a dtype, whose result has a dtype that tells what they were cast to.
LOWER: dict[str, Callable[[torch.dtype], torch.Tensor]] = {
    "mm": lambda d: torch.mm(x(2, 3, dtype=d), x(3, 2, dtype=d)),
    "matmul": lambda d: x(2, 3, dtype=d) @ x(3, dtype=d),
    "bmm": lambda d: torch.bmm(x(2, 2, 3, dtype=d), x(2, 3, 2, dtype=d)),
    "addmm": lambda d: torch.addmm(x(2, dtype=d), x(2, 3, dtype=d), x(3, 2, dtype=d)),
    "addmm_activation": lambda d: torch._addmm_activation(
        x(2, dtype=d), x(2, 3, dtype=d), x(3, 2, dtype=d)
    ),
    "baddbmm": lambda d: torch.baddbmm(
        x(1, 2, 2, dtype=d), x(1, 2, 2, dtype=d), x(1, 2, 2, dtype=d)
    ),
    "linear": lambda d: F.linear(x(2, 3, dtype=d), x(2, 3, dtype=d), x(2, dtype=d)),
    "conv1d": lambda d: F.conv1d(x(1, 1, 5, dtype=d), x(1, 1, 2, dtype=d)),
    "conv2d": lambda d: F.conv2d(x(1, 1, 5, 5, dtype=d), x(1, 1, 2, 2, dtype=d)),
    "conv2d, padding": lambda d: F.conv2d(
        x(1, 1, 5, 5, dtype=d), x(1, 1, 3, 3, dtype=d), padding="same"
    ),
    "conv_transpose2d": lambda d: F.conv_transpose2d(
        x(1, 1, 3, 3, dtype=d), x(1, 1, 2, 2, dtype=d)
    ),
    "prelu": lambda d: F.prelu(x(2, 3, dtype=d), x(1, dtype=d)),
    "vecdot": lambda d: torch.linalg.vecdot(x(2, 3, dtype=d), x(2, 3, dtype=d)),
    "attention": lambda d: F.scaled_dot_product_attention(
        *(x(1, 1, 4, 8, dtype=d) for _ in range(3))
    ),
}
FP32: dict[str, Callable[[torch.dtype], torch.Tensor]] = {
    "prod": lambda d: x(3, dtype=d).prod(),
    "mse_loss": lambda d: F.mse_loss(x(3, dtype=d), x(3, dtype=d)),
    "l1_loss": lambda d: F.l1_loss(x(3, dtype=d), x(3, dtype=d)),
    "cross_entropy": lambda d: F.cross_entropy(x(2, 3, dtype=d), torch.tensor([0, 2])),
    "binary_cross_entropy": lambda d: F.binary_cross_entropy(
        x(3, dtype=d).mul(0.5), x(3, dtype=d).mul(0.5)
    ),
    "avg_pool3d": lambda d: F.avg_pool3d(x(1, 1, 4, 4, 4, dtype=d), 2),
    "reflection_pad2d": lambda d: F.pad(x(1, 1, 4, 4, dtype=d), (1, 1, 1, 1), mode="reflect"),
    "cdist": lambda d: torch.cdist(x(2, 3, dtype=d), x(2, 3, dtype=d)),
    "grid_sample": lambda d: F.grid_sample(
        x(1, 1, 3, 3, dtype=d), x(1, 2, 2, 2, dtype=d), align_corners=False
    ),
    "trace": lambda d: square(d).trace(),
    "inverse": lambda d: torch.linalg.inv(square(d)),
    "cholesky": lambda d: torch.linalg.cholesky(square(FLOAT).mm(square(FLOAT).t()).to(d)),
    "svdvals": lambda d: torch.linalg.svdvals(square(d)),
    "quantile": lambda d: torch.quantile(x(5, dtype=d), 0.5),
    "kl_div": lambda d: F.kl_div(x(2, 3, dtype=d).log(), x(2, 3, dtype=d), reduction="batchmean"),
    "poisson_nll_loss": lambda d: F.poisson_nll_loss(x(3, dtype=d), x(3, dtype=d), full=True),
    "triplet_margin_loss": lambda d: F.triplet_margin_loss(*(x(2, 3, dtype=d) for _ in range(3))),
    "margin_ranking_loss": lambda d: F.margin_ranking_loss(*(x(3, dtype=d) for _ in range(3))),
}
UNCHANGED: dict[str, Callable[[torch.dtype], torch.Tensor]] = {
    "add": lambda d: x(3, dtype=d) + x(3, dtype=d),
    "exp": lambda d: x(3, dtype=d).exp(),
    "softmax": lambda d: x(3, dtype=d).softmax(0),
    "sum": lambda d: x(3, dtype=d).sum(),
    "max_pool2d": lambda d: F.max_pool2d(x(1, 1, 4, 4, dtype=d), 2),
    "mv": lambda d: torch.mv(x(2, 3, dtype=d), x(3, dtype=d)),
}


@pytest.mark.parametrize("lower", [BF16, HALF])
@pytest.mark.parametrize("name", LOWER)
def test_lower_precision(name: str, lower: torch.dtype) -> None:
    with torch.autocast("cpu", dtype=lower):
        assert LOWER[name](FLOAT).dtype == lower
        assert LOWER[name](lower).dtype == lower
        assert LOWER[name](DOUBLE).dtype == DOUBLE
    assert LOWER[name](FLOAT).dtype == FLOAT


@pytest.mark.parametrize("name", FP32)
def test_float32(name: str) -> None:
    with torch.autocast("cpu"):
        assert FP32[name](BF16).dtype == FLOAT
        assert FP32[name](FLOAT).dtype == FLOAT
        assert FP32[name](DOUBLE).dtype == DOUBLE


@pytest.mark.parametrize("name", UNCHANGED)
def test_what_no_list_names_is_not_cast(name: str) -> None:
    with torch.autocast("cpu"):
        for dtype in (FLOAT, BF16, DOUBLE):
            assert UNCHANGED[name](dtype).dtype == dtype


def test_the_cast_product_is_that_of_the_cast_factors() -> None:
    a, b = torch.randn(5, 7), torch.randn(7, 3)
    with torch.autocast("cpu"):
        actual = a @ b
    assert torch.equal(actual, a.bfloat16() @ b.bfloat16())


def test_the_widest_type_wins() -> None:
    with torch.autocast("cpu"):
        assert torch.cat([x(2), x(2, dtype=BF16)]).dtype == FLOAT
        assert torch.stack([x(2, dtype=BF16), x(2, dtype=BF16)]).dtype == BF16
        index = torch.tensor([0])
        assert torch.index_copy(x(2, dtype=BF16), 0, index, x(1)).dtype == FLOAT
        assert torch.cat([x(2, dtype=DOUBLE), x(2)]).dtype == DOUBLE
        with pytest.raises(RuntimeError, match="Unexpected floating ScalarType in at::autocast"):
            torch.cat([x(2, dtype=HALF), x(2)])
        assert torch.cat([torch.ones(2, dtype=torch.int64), torch.ones(1).long()]).dtype == (
            torch.int64
        )


def test_functions_of_a_device_take_its_name_as_a_keyword() -> None:
    before = torch.get_autocast_dtype(device_type="cpu")
    try:
        torch.set_autocast_dtype(device_type="cpu", dtype=torch.float16)
        torch.set_autocast_enabled(device_type="cpu", enabled=True)
        assert torch.is_autocast_enabled(device_type="cpu")
        assert torch.get_autocast_dtype("cpu") is torch.float16
    finally:
        torch.set_autocast_enabled("cpu", False)
        torch.set_autocast_dtype("cpu", before)
    assert not torch.is_autocast_enabled("cpu")


def test_guards_of_dispatch_keys_switch_autocast_off() -> None:
    key, of = torch._C.DispatchKey, torch._C.DispatchKeySet  # type: ignore[attr-defined]
    guard = torch._C._ExcludeDispatchKeyGuard  # type: ignore[attr-defined]
    keys = of(key.AutocastCPU) | of(key.AutocastXPU)
    assert str(keys) == "DispatchKeySet(AutocastCPU, AutocastXPU)"
    assert keys.has(key.AutocastCPU) and not (keys - of(key.AutocastCPU)).has(key.AutocastCPU)
    assert list(keys & of(key.AutocastXPU)) == [key.AutocastXPU]
    x = torch.randn(2, 2)
    with torch.autocast("cpu", dtype=BF16):
        with guard(keys):
            assert (x @ x).dtype == FLOAT
        assert (x @ x).dtype == BF16
        with guard(of(key.AutocastCUDA)):
            assert (x @ x).dtype == BF16
    with pytest.raises(NotImplementedError, match="only keys of autocast.*not AutogradCPU"):
        guard(of(key.AutogradCPU)).__enter__()
    library = torch.library.Library("keys", "DEF")
    library.define("f(Tensor x) -> Tensor")
    for one in key:
        if one is not key.Undefined and one is not key.CompositeExplicitAutogradNonFunctional:
            library.impl("f", lambda x: x, one.name)
