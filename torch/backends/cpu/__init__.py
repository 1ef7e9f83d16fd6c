"""The processor that the kernels of the CPU backend run on."""

from __future__ import annotations

import torch

__all__ = ["get_cpu_capability"]


def get_cpu_capability() -> str:
    """The instruction set that kernels use: "DEFAULT", "AVX2" or "AVX512".

    It is the best that both the processor and the build have. The environment variable
    ATEN_CPU_CAPABILITY, read once, chooses a lower one.

    Raises:
        ValueError: ATEN_CPU_CAPABILITY is no capability, or one this processor lacks.
    """
    return torch._C._get_cpu_capability()
