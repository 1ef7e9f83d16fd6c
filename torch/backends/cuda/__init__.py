"""CUDA as this build has it, and how precise its products may be.

`matmul.allow_tf32`, `matmul.allow_fp16_reduced_precision_reduction` and
`matmul.allow_bf16_reduced_precision_reduction` permit products of fewer bits. They may be read and
set in any build. Products of floats have all their bits here whatever they say; sums of
half-precision products are in float32.
"""

from __future__ import annotations

import torch
from torch import _absent

__all__ = ["is_built", "matmul"]

_SWITCHES = {
    "allow_tf32": False,
    "allow_fp16_reduced_precision_reduction": True,
    "allow_bf16_reduced_precision_reduction": True,
}


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

__getattr__ = _absent.names_of(
    __name__,
    _absent.CUDA_CHOICES,
    classes="SDPAParams SDPBackend",
    functions="blas_workspace_size can_use_cudnn_attention can_use_efficient_attention"
    " can_use_flash_attention cudnn_sdp_enabled enable_cudnn_sdp enable_flash_sdp enable_math_sdp"
    " enable_mem_efficient_sdp flash_sdp_enabled is_flash_attention_available math_sdp_enabled"
    " mem_efficient_sdp_enabled preferred_blas_library preferred_linalg_library sdp_kernel",
)
