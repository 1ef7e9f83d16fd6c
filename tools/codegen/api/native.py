"""Kernels in `at::native`: dispatcher types, with the schema's defaults."""

from __future__ import annotations

from dataclasses import dataclass

from tools.codegen.api.types import Binding, bind, returns_type, trailing_defaults
from tools.codegen.model import FunctionSchema


@dataclass(frozen=True, slots=True)
class NativeSignature:
    """The signature a kernel is declared with."""

    func: FunctionSchema
    const_ref_out: bool = False

    @staticmethod
    def from_schema(func: FunctionSchema, const_ref_out: bool = False) -> NativeSignature:
        """The signature of a schema."""
        return NativeSignature(func, const_ref_out)

    def arguments(self) -> list[Binding]:
        """Parameters with defaults."""
        return trailing_defaults(
            bind(a, const_ref_out=self.const_ref_out) for a in self.func.arguments.flat_all
        )

    def returns_type(self) -> str:
        """The C++ return type."""
        return returns_type(self.func, self.const_ref_out)

    def decl(self, name: str) -> str:
        """A declaration with defaults, without the semicolon."""
        return f"{self.returns_type()} {name}({', '.join(b.decl() for b in self.arguments())})"

    def defn(self, name: str) -> str:
        """The head of a definition."""
        return f"{self.returns_type()} {name}({', '.join(b.defn() for b in self.arguments())})"
