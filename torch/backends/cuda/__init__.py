"""CUDA as this build has it, and how precise its products may be.

`matmul.allow_tf32`, `matmul.allow_fp16_reduced_precision_reduction` and
`matmul.allow_bf16_reduced_precision_reduction` permit products of fewer bits. They may be read and
set in any build. Products of floats have all their bits here whatever they say; sums of
half-precision products are in float32.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import _absent

__all__ = [
    "SDPAParams",
    "can_use_cudnn_attention",
    "can_use_efficient_attention",
    "can_use_flash_attention",
    "cudnn_sdp_enabled",
    "enable_cudnn_sdp",
    "enable_flash_sdp",
    "enable_math_sdp",
    "enable_mem_efficient_sdp",
    "flash_sdp_enabled",
    "is_built",
    "is_flash_attention_available",
    "math_sdp_enabled",
    "matmul",
    "mem_efficient_sdp_enabled",
    "sdp_kernel",
]

_SWITCHES = {
    "allow_tf32": False,
    "allow_fp16_reduced_precision_reduction": True,
    "allow_bf16_reduced_precision_reduction": True,
}


# scaled_dot_product_attention has two algorithms: the fused one of "flash", and the formula.
_ATTENTION = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True}


def is_built() -> bool:
    """Whether this build has the CUDA backend; the machine may be without a GPU all the same."""
    return torch._C._device_count("cuda") is not None


class cuBLASModule:
    """The switches of matrix products."""

    allow_tf32: bool
    allow_fp16_reduced_precision_reduction: bool
    allow_bf16_reduced_precision_reduction: bool

    def __getattr__(self, name: str) -> bool:
        if name not in _SWITCHES:
            raise AttributeError(f"Unknown attribute {name}")
        return _SWITCHES[name]

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _SWITCHES:
            raise AttributeError(f"Unknown attribute {name}")
        if not isinstance(value, bool):
            raise RuntimeError(
                f"torch.backends.cuda.matmul.{name} expects a bool, but got {type(value).__name__}"
            )
        _SWITCHES[name] = value


matmul = cuBLASModule()


def flash_sdp_enabled() -> bool:
    """What `enable_flash_sdp` was given."""
    return _ATTENTION["flash"]


def enable_flash_sdp(enabled: bool) -> None:
    """Permits the fused algorithm of `scaled_dot_product_attention`, where shapes and dtypes fit
    it.

    Args:
        enabled: whether it is permitted, as it is at first.
    """
    _ATTENTION["flash"] = bool(enabled)


def mem_efficient_sdp_enabled() -> bool:
    """What `enable_mem_efficient_sdp` was given."""
    return _ATTENTION["mem_efficient"]


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Permits an algorithm of PyTorch's that is not here.

    Args:
        enabled: what `mem_efficient_sdp_enabled` says then.
    """
    _ATTENTION["mem_efficient"] = bool(enabled)


def math_sdp_enabled() -> bool:
    """What `enable_math_sdp` was given."""
    return _ATTENTION["math"]


def enable_math_sdp(enabled: bool) -> None:
    """Permits the formula of `scaled_dot_product_attention`. Where nothing else can be used, it is.

    Args:
        enabled: whether it is permitted, as it is at first.
    """
    _ATTENTION["math"] = bool(enabled)


def cudnn_sdp_enabled() -> bool:
    """What `enable_cudnn_sdp` was given."""
    return _ATTENTION["cudnn"]


def enable_cudnn_sdp(enabled: bool) -> None:
    """Permits an algorithm of PyTorch's that is not here.

    Args:
        enabled: what `cudnn_sdp_enabled` says then.
    """
    _ATTENTION["cudnn"] = bool(enabled)


@contextmanager
def sdp_kernel(
    enable_flash: bool = True,
    enable_math: bool = True,
    enable_mem_efficient: bool = True,
    enable_cudnn: bool = True,
) -> Iterator[None]:
    """The four permissions for one block; `torch.nn.attention.sdpa_kernel` took its place.

    Args:
        enable_flash, enable_math, enable_mem_efficient, enable_cudnn: as those of
            `enable_flash_sdp` and the others.

    Example::

        >>> with torch.backends.cuda.sdp_kernel(enable_flash=False):
        ...     torch.backends.cuda.flash_sdp_enabled()
        False
    """
    before = dict(_ATTENTION)
    _ATTENTION.update(
        flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn
    )
    try:
        yield
    finally:
        _ATTENTION.update(before)


@dataclass(frozen=True, eq=False)
class SDPAParams:
    """Arguments of `scaled_dot_product_attention`, for `can_use_flash_attention` and its kind.

    Args:
        query, key, value: the three tensors.
        attn_mask: its mask, or None.
        dropout: the probability of a zero.
        is_causal: whether a place sees itself and earlier ones alone.
        enable_gqa: whether several heads of `query` share one of `key`.
    """

    query: torch.Tensor
    key: torch.Tensor
    value: torch.Tensor
    attn_mask: torch.Tensor | None
    dropout: float
    is_causal: bool
    enable_gqa: bool


def is_flash_attention_available() -> bool:
    """False: the library FlashAttention is not in this build."""
    return False


def can_use_flash_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False: `scaled_dot_product_attention` takes no kernel of the library FlashAttention.

    Its own fused kernel is taken without a question, where the arguments fit it.

    Args:
        params: the arguments.
        debug: nothing to say here; PyTorch without CUDA says nothing either.

    Example::

        >>> q = torch.ones(1, 2, 3, 8)
        >>> params = torch.backends.cuda.SDPAParams(q, q, q, None, 0.0, False, False)
        >>> torch.backends.cuda.can_use_flash_attention(params)
        False
    """
    return False


def can_use_efficient_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False, as `can_use_flash_attention`."""
    return False


def can_use_cudnn_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False, as `can_use_flash_attention`."""
    return False


__getattr__ = _absent.names_of(
    __name__,
    _absent.CUDA_CHOICES,
    classes="SDPBackend",
    functions="blas_workspace_size preferred_blas_library preferred_linalg_library",
)
