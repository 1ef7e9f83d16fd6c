"""Which dispatch keys are registered: always those of the host, others by backend flags.

The backends are those of config/backends.bzl.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.codegen.backend_table import BACKENDS
from tools.codegen.keys import DispatchKey

_FUNCTIONALITIES = ("", "Sparse", "SparseCsr", "Quantized", "NestedTensor")


def _keys(*backends: str) -> tuple[DispatchKey, ...]:
    """The keys of some backends: dense, sparse, quantized and nested tensors."""
    names = (f"{kind}{backend}" for backend in backends for kind in _FUNCTIONALITIES)
    return tuple(DispatchKey(name) for name in names if name in DispatchKey.__members__)


HOST: tuple[DispatchKey, ...] = (
    *_keys("CPU", "Meta"),
    DispatchKey.MkldnnCPU,
    DispatchKey.ZeroTensor,
    DispatchKey.CompositeImplicitAutograd,
    DispatchKey.CompositeImplicitAutogradNestedTensor,
    DispatchKey.CompositeExplicitAutograd,
    DispatchKey.CompositeExplicitAutogradNonFunctional,
)

# The backend whose outputs each backend flag of the command line adds.
OUTPUTS: Mapping[str, str] = {
    name: backend.kernels or name for name, backend in BACKENDS.items() if backend.flag
}

# What each backend flag adds.
FLAGS: Mapping[str, tuple[DispatchKey, ...]] = {
    flag: _keys(BACKENDS[name].key) for flag, name in OUTPUTS.items()
}

# Keys whose kernels C++ may call directly, `at::cpu::add`, through `ops/add_cpu_dispatch.h`.
DIRECT = frozenset(
    {
        DispatchKey.CPU,
        DispatchKey.Meta,
        *(keys[0] for keys in FLAGS.values()),
        DispatchKey.SparseMPS,
        DispatchKey.SparseCsrMPS,
        DispatchKey.CompositeImplicitAutograd,
        DispatchKey.CompositeImplicitAutogradNestedTensor,
        DispatchKey.CompositeExplicitAutograd,
        DispatchKey.CompositeExplicitAutogradNonFunctional,
    }
)

# Keys that c10 has, of those that a YAML file may name: kernels of others would not compile.
IN_C10 = frozenset(
    {
        *(DispatchKey(backend.key) for backend in BACKENDS.values() if backend.in_c10),
        DispatchKey.CompositeImplicitAutograd,
        DispatchKey.CompositeExplicitAutograd,
        DispatchKey.CompositeExplicitAutogradNonFunctional,
    }
)


def namespace(key: DispatchKey) -> str:
    """The namespace inside `at` for direct calls: `cpu`."""
    return key.value.lower()
