"""Which dispatch keys are registered: always those of the host, others by backend flags."""

from __future__ import annotations

from collections.abc import Mapping

from tools.codegen.model import DispatchKey

_FUNCTIONALITIES = ("", "Sparse", "SparseCsr", "Quantized", "NestedTensor")


def _keys(*backends: str) -> tuple[DispatchKey, ...]:
    """The keys of some backends: dense, sparse, quantized and nested tensors."""
    return tuple(DispatchKey(f"{kind}{b}") for b in backends for kind in _FUNCTIONALITIES)


HOST: tuple[DispatchKey, ...] = (
    *_keys("CPU", "Meta"),
    DispatchKey.MkldnnCPU,
    DispatchKey.ZeroTensor,
    DispatchKey.CompositeImplicitAutograd,
    DispatchKey.CompositeImplicitAutogradNestedTensor,
    DispatchKey.CompositeExplicitAutograd,
    DispatchKey.CompositeExplicitAutogradNonFunctional,
)

# What each backend flag of the command line adds; ROCm runs kernels written for CUDA.
FLAGS: Mapping[str, tuple[DispatchKey, ...]] = {
    "cuda": _keys("CUDA"),
    "rocm": _keys("CUDA"),
    "mps": _keys("MPS"),
    "xpu": _keys("XPU"),
    "mtia": _keys("MTIA"),
}

# Keys whose kernels C++ may call directly, `at::cpu::add`, through `ops/add_cpu_dispatch.h`.
DIRECT = frozenset(
    {
        DispatchKey.CPU,
        DispatchKey.CUDA,
        DispatchKey.MPS,
        DispatchKey.XPU,
        DispatchKey.MTIA,
        DispatchKey.Meta,
        DispatchKey.SparseMPS,
        DispatchKey.SparseCsrMPS,
        DispatchKey.CompositeImplicitAutograd,
        DispatchKey.CompositeImplicitAutogradNestedTensor,
        DispatchKey.CompositeExplicitAutograd,
        DispatchKey.CompositeExplicitAutogradNonFunctional,
    }
)


def namespace(key: DispatchKey) -> str:
    """The namespace inside `at` for direct calls: `cpu`."""
    return key.value.lower()
