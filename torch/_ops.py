"""`torch.ops`: every registered operator by its name, those of extensions too.

`torch.ops.aten.add(x, y)` calls the overload whose schema fits; `torch.ops.aten.add.Tensor` is one
overload. `torch.ops.load_library("x.so")` loads a library whose TORCH_LIBRARY blocks register more.
"""

from __future__ import annotations

import ctypes
import enum
import os
import types
from collections.abc import Iterator
from typing import Any

from torch import _C
from torch._schema import FunctionSchema
from torch._torch_function import handle_torch_function


class _TagNumber(enum.Enum):
    def __int__(self) -> int:
        return int(self.value)

    __index__ = __int__


# Facts about an operator, such as `torch.Tag.pointwise`: what `torch.library.define` takes and
# `torch.ops.aten.add.Tensor.tags` lists. tags.yaml says what each means.
_new_enum: Any = _TagNumber
Tag: Any = _new_enum(
    "Tag", {name: number for number, name in enumerate(_C._tags())}, module="torch"
)


class OpOverload:
    """One operator: `torch.ops.aten.add.Tensor`."""

    def __init__(self, packet: OpOverloadPacket, overload: str) -> None:
        self._qualified_op_name = packet._qualified_op_name
        self._overload = overload
        self._overloadpacket = packet
        self._overloadname = overload or "default"
        self._name = self._qualified_op_name + (f".{overload}" if overload else "")
        self._namespace, _, self._opname = self._qualified_op_name.partition("::")
        self.__name__ = f"{self._opname}.{self._overloadname}"
        self.__qualname__ = self._name
        self.__module__ = f"torch._ops.{self._namespace}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        candidates = _C._torch_function_candidates(args, kwargs)
        if candidates is not None:
            return handle_torch_function(self, candidates, *args, **kwargs)
        return _C._call_operator(self._qualified_op_name, self._overload, args, kwargs)

    def name(self) -> str:
        """namespace::name.overload, as `torch.library` takes it."""
        return self._name

    @property
    def namespace(self) -> str:
        """Such as "aten"."""
        return self._namespace

    @property
    def overloadpacket(self) -> OpOverloadPacket:
        """All overloads of the name."""
        return self._overloadpacket

    @property
    def _schema(self) -> FunctionSchema:
        # Looked up each time: the namespace may be registered again.
        return FunctionSchema(_C._operator_schema(self._qualified_op_name, self._overload))

    @property
    def is_view(self) -> bool:
        """Whether a result shares the memory of an argument, which stays as it is."""
        return self._schema._is_view_op()

    def has_kernel_for_dispatch_key(self, key: Any) -> bool:
        """Whether a kernel is registered for the key itself, such as "CPU"."""
        return _C._dispatch_has_kernel_for_dispatch_key(self._name, getattr(key, "name", key))

    def decompose(self, *args: Any, **kwargs: Any) -> Any:
        """The result by the operators of which this one is made.

        Returns:
            What a call returns; NotImplemented for an operator that is not made of others.

        Example::

            >>> torch.ops.aten.square.default.decompose(torch.tensor(3.0))
            tensor(9.)
            >>> torch.ops.aten.mul.Tensor.decompose(torch.ones(1), torch.ones(1))
            NotImplemented
        """
        if not self.has_kernel_for_dispatch_key("CompositeImplicitAutograd"):
            return NotImplemented
        return self(*args, **kwargs)

    @property
    def tags(self) -> list[Any]:
        """The `torch.Tag`s that the operator was declared with."""
        return [Tag(n) for n in _C._operator_tags(self._qualified_op_name, self._overload)]

    def __deepcopy__(self, memo: dict[int, Any]) -> OpOverload:
        return self

    def __str__(self) -> str:
        return self._qualified_op_name.replace("::", ".") + "." + self._overloadname

    def __repr__(self) -> str:
        name = self._qualified_op_name.replace("::", ".")
        return f"<OpOverload(op='{name}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """All overloads of a name: `torch.ops.aten.add`."""

    def __init__(self, name: str, overloads: list[str]) -> None:
        self._qualified_op_name = name
        self._overloads = overloads
        self.__name__ = name.split("::")[1]
        self.__module__ = f"torch.ops.{name.split('::')[0]}"

    def overloads(self) -> list[str]:
        """Their names; the unnamed one is `default`."""
        return [overload or "default" for overload in self._overloads]

    def __iter__(self) -> Iterator[str]:
        return iter(self.overloads())

    def __deepcopy__(self, memo: dict[int, Any]) -> OpOverloadPacket:
        return self

    def __getattr__(self, overload: str) -> OpOverload:
        if overload.startswith("__"):
            # What Python asks of any object, also of one that is not made yet.
            raise AttributeError(overload)
        name = "" if overload == "default" else overload
        if name not in self._overloads:
            raise AttributeError(
                f"The underlying op of '{self}' has no overload name '{overload}'; it has: "
                + ", ".join(self.overloads())
            )
        found = self.__dict__[overload] = OpOverload(self, name)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        candidates = _C._torch_function_candidates(args, kwargs)
        if candidates is not None:
            return handle_torch_function(self, candidates, *args, **kwargs)
        first: RuntimeError | None = None
        for overload in self._overloads:
            try:
                return _C._call_operator(self._qualified_op_name, overload, args, kwargs)
            except RuntimeError as error:
                # Only arguments that do not fit lead to the next overload.
                if "Declaration: " not in str(error) and "Schema: " not in str(error):
                    raise
                first = first or error
        assert first
        raise first

    def __str__(self) -> str:
        return self._qualified_op_name.replace("::", ".")

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self}')>"


class _OpNamespace(types.ModuleType):
    """The operators of one namespace: `torch.ops.aten`."""

    def __init__(self, name: str) -> None:
        super().__init__(f"torch.ops.{name}")
        self._namespace = name

    def __getattr__(self, name: str) -> OpOverloadPacket:
        if name.startswith("__"):
            raise AttributeError(name)
        overloads = sorted(_C._operator_overloads(f"{self._namespace}::{name}"))
        if not overloads and self._namespace == "aten" and _declare_absent(name):
            overloads = [""]
        if not overloads:
            raise AttributeError(
                f"'_OpNamespace' '{self._namespace}' object has no attribute '{name}'"
            )
        # Kept under its name until `forget`: finding the overloads takes milliseconds.
        packet = self.__dict__[name] = OpOverloadPacket(f"{self._namespace}::{name}", overloads)
        return packet


# The registrations of `_declare_absent`, which last as long as the process.
_declared: list[Any] = []


def _declare_absent(name: str) -> bool:
    """Declares an operator of PyTorch that has no kernel here, if programs name it.

    Packages use such operators as keys of tables when they are imported. A call of one raises
    NotImplementedError: there is no kernel for the tensor's device.
    """
    from torch._absent_names import SCHEMAS

    if name not in SCHEMAS:
        return False
    library = _C._library_new("FRAGMENT", "aten")
    _C._library_define(library, name + SCHEMAS[name], ())
    _declared.append(library)
    return True


class _Ops(types.ModuleType):
    """`torch.ops` itself."""

    def __init__(self) -> None:
        super().__init__("torch.ops")
        self.loaded_libraries: set[str] = set()

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(name)
        namespace = _OpNamespace(name)
        setattr(self, name, namespace)
        return namespace

    def load_library(self, path: str | os.PathLike[str]) -> None:
        """Loads a library; OSError with the loader's words if it cannot be loaded."""
        found = os.path.realpath(path)
        ctypes.CDLL(found)
        self.loaded_libraries.add(found)
        for namespace in list(self.__dict__):
            if isinstance(self.__dict__[namespace], _OpNamespace):
                forget(namespace)


ops = _Ops()


def forget(namespace: str) -> None:
    """Makes `torch.ops.NAMESPACE` look for its operators again, after registrations."""
    found = ops.__dict__.get(namespace)
    if found is not None:
        for name, value in list(found.__dict__.items()):
            if isinstance(value, OpOverloadPacket):
                del found.__dict__[name]
