"""Dispatch keys and their sets, and a guard that switches autocast's keys off."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from enum import Enum

from torch import _C

# Those of c10/core/DispatchKey.h, in its order.
DispatchKey = Enum(
    "DispatchKey",
    "Undefined CPU CUDA HIP XPU MPS Vulkan Meta PrivateUse1 BackendSelect Python Conjugate "
    "Negative ADInplaceOrView AutogradOther AutogradCPU AutogradCUDA AutogradHIP AutogradXPU "
    "AutogradMPS AutogradMeta AutogradPrivateUse1 Tracer AutocastCPU AutocastXPU AutocastMPS "
    "AutocastCUDA AutocastPrivateUse1 PythonDispatcher Autograd CompositeImplicitAutograd "
    "CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional",
    module="torch._C",
    start=0,
)


class DispatchKeySet:
    """Several dispatch keys.

    Args:
      key: the first of them; `|`, `&` and `-` make others of two sets.
    """

    def __init__(self, key: DispatchKey) -> None:
        self._keys = frozenset([key]) - {DispatchKey.Undefined}

    @staticmethod
    def _of(keys: frozenset[DispatchKey]) -> DispatchKeySet:
        made = DispatchKeySet(DispatchKey.Undefined)
        made._keys = keys
        return made

    def __or__(self, other: DispatchKeySet) -> DispatchKeySet:
        return self._of(self._keys | other._keys)

    def __and__(self, other: DispatchKeySet) -> DispatchKeySet:
        return self._of(self._keys & other._keys)

    def __sub__(self, other: DispatchKeySet) -> DispatchKeySet:
        return self._of(self._keys - other._keys)

    def has(self, key: DispatchKey) -> bool:
        """Whether a key is among them."""
        return key in self._keys

    def __iter__(self) -> Iterator[DispatchKey]:
        return iter(sorted(self._keys, key=lambda key: key.value))

    def __repr__(self) -> str:
        return f"DispatchKeySet({', '.join(key.name for key in self)})"


@contextlib.contextmanager
def _ExcludeDispatchKeyGuard(keys: DispatchKeySet) -> Iterator[None]:
    """Calls skip the kernels of these keys.

    Raises:
      NotImplementedError: keys other than autocast's.
    """
    others = [key.name for key in keys if not key.name.startswith("Autocast")]
    if others:
        raise NotImplementedError(
            f"_ExcludeDispatchKeyGuard: only keys of autocast can be excluded, not {', '.join(others)}. Call the operator that the kernels of the key call"
        )
    devices = [key.name.removeprefix("Autocast").lower() for key in keys]
    before = {name: _C.is_autocast_enabled(name) for name in devices if name in ("cpu", "cuda")}
    try:
        for name in before:
            _C.set_autocast_enabled(name, False)
        yield
    finally:
        for name, enabled in before.items():
            _C.set_autocast_enabled(name, enabled)


def install() -> None:
    """Puts them where PyTorch has them; `import torch` does it once."""
    for name in (DispatchKey, DispatchKeySet, _ExcludeDispatchKeyGuard):
        setattr(_C, name.__name__, name)
