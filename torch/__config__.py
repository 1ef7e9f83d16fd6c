"""What this build was made with, and how it runs here."""

from __future__ import annotations

import os

import torch


def _cxx_flags() -> str:
    """The flags that an extension needs to fit."""
    return f"-std=c++20 -D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}"


def show() -> str:
    """A text for people, one fact a line."""
    return "\n".join(
        [
            "PyTorch built with:",
            f"  - Version {torch.__version__}",
            f"  - Compiler: {torch._C._COMPILER}",
            "  - C++ Version: 202002",
            f"  - Build settings: CXX_FLAGS={_cxx_flags()}",
            f"  - Parallel backend: {_backend()}",
            f"  - CPU capability usage: {torch._C._get_cpu_capability()}",
            f"  - oneDNN: {'on' if torch.backends.mkldnn.is_available() else 'off'}",
            f"  - CUDA: {torch.version.cuda or 'off'}",
            f"  - Assertions: {'on' if torch.version.debug else 'off'}",
        ]
    )


def _backend() -> str:
    return "OpenMP" if torch._C.has_openmp else "native thread pool"


def parallel_info() -> str:
    """Threads, and the variables of the environment that decide about them."""
    lines = ["ATen/Parallel:", f"\tat::get_num_threads() : {torch.get_num_threads()}"]
    lines += [f"std::thread::hardware_concurrency() : {os.cpu_count()}", "Environment variables:"]
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        lines.append(f"\t{name} : {os.environ.get(name, '[not set]')}")
    lines.append(f"ATen parallel backend: {_backend()}")
    return "\n".join(lines) + "\n"


__all__ = ["parallel_info", "show"]
