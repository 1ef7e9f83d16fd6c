"""The dispatcher's view of an operator: schema order, out last, tensor options apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tools.codegen.api.types import Binding, bind, returns_type
from tools.codegen.model import FunctionSchema, NativeFunction


@cache
def _arguments(func: FunctionSchema, const_ref_out: bool) -> tuple[Binding, ...]:
    return tuple(
        bind(a, defaults=False, const_ref_out=const_ref_out) for a in func.arguments.flat_all
    )


@dataclass(frozen=True, slots=True)
class DispatcherSignature:
    """The signature of `at::_ops::X::call` and of every function registered for the operator."""

    func: FunctionSchema
    const_ref_out: bool = False

    @staticmethod
    def from_schema(func: FunctionSchema, const_ref_out: bool = False) -> DispatcherSignature:
        """The signature of a schema."""
        return DispatcherSignature(func, const_ref_out)

    @staticmethod
    def of(f: NativeFunction) -> DispatcherSignature:
        """The signature of a native function, its options respected."""
        return DispatcherSignature(f.func, f.use_const_ref_for_mutable_tensors)

    def arguments(self) -> tuple[Binding, ...]:
        """Parameters, without defaults."""
        return _arguments(self.func, self.const_ref_out)

    def name(self) -> str:
        """The operator's C++ name, without overload."""
        return str(self.func.name.name)

    def unambiguous_name(self) -> str:
        """The struct in `at::_ops`."""
        return self.func.name.unambiguous_name()

    def returns_type(self) -> str:
        """The C++ return type."""
        return returns_type(self.func, self.const_ref_out)

    def parameters(self, *, with_keyset: bool = False) -> str:
        """`c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, ...`"""
        parts = [b.defn() for b in self.arguments()]
        if with_keyset:
            parts.insert(0, "c10::DispatchKeySet dispatchKeySet")
        return ", ".join(parts)

    def decl(self, name: str | None = None, *, with_keyset: bool = False) -> str:
        """A declaration without the semicolon."""
        return (
            f"{self.returns_type()} {name or self.name()}"
            f"({self.parameters(with_keyset=with_keyset)})"
        )

    def defn(self, name: str | None = None, *, with_keyset: bool = False) -> str:
        """The head of a definition."""
        return self.decl(name, with_keyset=with_keyset)

    def type(self) -> str:
        """The function type: `at::Tensor (const at::Tensor &)`."""
        return f"{self.returns_type()} ({', '.join(b.type for b in self.arguments())})"

    def call_arguments(self) -> str:
        """The parameter names, to pass everything on."""
        return ", ".join(b.name for b in self.arguments())
