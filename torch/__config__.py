"""What this build was made with, and how it runs here."""

from __future__ import annotations

import os
import re
from pathlib import Path

import torch
from torch import _build_settings


def _cxx_flags() -> str:
    """The flags that an extension needs to fit."""
    return f"-std=c++20 -D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}"


def _loaded(pattern: str) -> str:
    """The shared library of that name that this process has loaded; empty if there is none."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = re.search(rf"(/\S*/lib(?:{pattern})[^/\s]*)$", maps, re.MULTILINE)
    return found[1] if found else ""


# The names of each library's files, as `--blas` calls the library.
_BLAS_FILES = {
    "apl": "armpl",
    "atlas": "f77blas|satlas|tatlas",
    "blis": "blis",
    "flexiblas": "flexiblas",
    "mkl": "mkl_core",
    "nvpl": "nvpl_blas",
    "openblas": "openblas",
}


def _blas() -> str:
    """The library that multiplies matrices, with the file that answers in this process."""
    name = _build_settings.OPTIONS["blas"]
    if name not in _BLAS_FILES:
        return f"{name}, linked in"
    return f"{name}, {_loaded(_BLAS_FILES[name]) or 'not loaded'}"


def _lapack() -> str:
    """The library that finds eigenvalues and singular values, and its file once it was used."""
    loaded = _loaded("scipy_openblas")
    return _build_settings.LAPACK + (f", {loaded}" if loaded else "")


def _openmp() -> str:
    return _loaded("gomp|omp|iomp5") or "not loaded"


def show() -> str:
    """A text for people, one fact a line."""
    options = _build_settings.OPTIONS
    switches = [
        f"USE_{name.upper()}={value.upper()}"
        for name, value in options.items()
        if value in ("on", "off")
    ]
    settings = [
        f"BLAS_INFO={options['blas']}",
        f"BUILD_TYPE={_build_settings.BUILD_TYPE}",
        f"CXX_FLAGS={_cxx_flags()} {_build_settings.CXX_FLAGS}".rstrip(),
        f"SANITIZERS={_build_settings.SANITIZERS}",
        *switches,
    ]
    return "\n".join(
        [
            "PyTorch built with:",
            f"  - Version {torch.__version__}",
            f"  - Compiler: {torch._C._COMPILER}",
            "  - C++ Version: 202002",
            f"  - BLAS: {_blas()}",
            f"  - LAPACK is enabled ({_lapack()})",
            f"  - Parallel backend: {_backend()}",
            *([f"  - OpenMP: {_openmp()}"] if torch._C.has_openmp else []),
            f"  - CPU capability usage: {torch._C._get_cpu_capability()}",
            f"  - oneDNN: {'on' if torch.backends.mkldnn.is_available() else 'off'}",
            f"  - CUDA: {torch.version.cuda or 'off'}",
            f"  - Assertions: {'on' if torch.version.debug else 'off'}",
            f"  - Build settings: {', '.join(settings)}",
        ]
    )


def _backend() -> str:
    return "OpenMP" if torch._C.has_openmp else "native thread pool"


def parallel_info() -> str:
    """Threads, and the variables of the environment that decide about them."""
    lines = ["ATen/Parallel:", f"\tat::get_num_threads() : {torch.get_num_threads()}"]
    if torch._C.has_openmp:
        lines.append(f"OpenMP runtime : {_openmp()}")
    lines.append(f"BLAS : {_blas()}")
    lines += [f"std::thread::hardware_concurrency() : {os.cpu_count()}", "Environment variables:"]
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        lines.append(f"\t{name} : {os.environ.get(name, '[not set]')}")
    lines.append(f"ATen parallel backend: {_backend()}")
    return "\n".join(lines) + "\n"


__all__ = ["parallel_info", "show"]
