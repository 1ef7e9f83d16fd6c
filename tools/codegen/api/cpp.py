"""The C++ face of an operator: `at::` functions and `Tensor` methods.

An operator with tensor options has two signatures, one *faithful* to the schema (dtype, layout,
device, pin_memory apart, no defaults) and a convenient one with `at::TensorOptions`. An out
function has `op_out(out, ...)` and the faithful `op_outf(..., out)`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.codegen.api.dispatcher import DispatcherSignature
from tools.codegen.api.types import (
    Binding,
    argument_type,
    bind,
    bind_options,
    return_names,
    return_type,
    returns_type,
    scatter_options,
    trailing_defaults,
    value_type,
)
from tools.codegen.model import (
    FunctionSchema,
    NativeFunction,
    SelfArgument,
    TensorOptionsArguments,
)

__all__ = [
    "CppSignature",
    "CppSignatureGroup",
    "argument_type",
    "name",
    "return_names",
    "return_type",
    "returns_type",
    "signatures",
    "value_type",
]


def name(func: FunctionSchema, *, faithful_name_for_out_overloads: bool = False) -> str:
    """The C++ function name: `add`, `add_`, `add_out`, `add_outf`."""
    text = str(func.name.name)
    if func.is_out_fn():
        text += "_outf" if faithful_name_for_out_overloads else "_out"
    return text


@dataclass(frozen=True, slots=True)
class CppSignature:
    """One C++ overload."""

    f: NativeFunction
    method: bool
    faithful: bool

    def name(self) -> str:
        """The function's name."""
        return name(self.f.func, faithful_name_for_out_overloads=self.faithful)

    def arguments(self) -> list[Binding]:
        """Parameters with defaults; for methods without self."""
        func = self.f.func
        const_ref = self.f.use_const_ref_for_mutable_tensors
        blocked = self.f.cpp_no_default_args
        # Defaults belong to the convenient overload where there are two.
        defaults = not (self.faithful and _has_two(func))
        bindings: list[Binding] = []
        for item in func.arguments.non_out:
            if isinstance(item, TensorOptionsArguments):
                if not self.faithful:
                    bindings.append(bind_options(item))
                    continue
                own = item.all()
            elif isinstance(item, SelfArgument):
                own = () if self.method else (item.argument,)
            else:
                own = (item,)
            bindings += [
                bind(a, defaults=defaults and a.name not in blocked, const_ref_out=const_ref)
                for a in own
            ]
        out = [bind(a, defaults=False, const_ref_out=const_ref) for a in func.arguments.out]
        if self.faithful:
            return bindings + out
        return trailing_defaults(out + bindings)

    def returns_type(self) -> str:
        """The C++ return type."""
        return returns_type(self.f.func, self.f.use_const_ref_for_mutable_tensors)

    def decl(self, *, prefix: str = "") -> str:
        """A declaration with defaults, without the semicolon."""
        params = ", ".join(b.decl() for b in self.arguments())
        return f"{self.returns_type()} {prefix}{self.name()}({params}){self._const()}"

    def defn(self, *, prefix: str = "") -> str:
        """The head of a definition."""
        params = ", ".join(b.defn() for b in self.arguments())
        return f"{self.returns_type()} {prefix}{self.name()}({params}){self._const()}"

    def _const(self) -> str:
        return " const" if self.method else ""

    def dispatcher_call_arguments(self) -> str:
        """Expressions for the parameters of `at::_ops::X::call`, in its order."""
        func = self.f.func
        options = func.arguments.tensor_options
        scattered = {} if options is None or self.faithful else scatter_options(options)
        merges_format = bool(scattered) and any(
            a.name == "memory_format" for a in func.arguments.flat_kwarg_only
        )
        result = []
        for binding in DispatcherSignature.of(self.f).arguments():
            if binding.name == "self" and self.method:
                writes = binding.type == "at::Tensor &"
                result.append("const_cast<Tensor&>(*this)" if writes else "*this")
            elif binding.name in scattered:
                result.append(scattered[binding.name])
            elif binding.name == "memory_format" and merges_format:
                result.append(
                    "c10::impl::check_tensor_options_and_extract_memory_format("
                    "options, memory_format)"
                )
            else:
                result.append(binding.name)
        return ", ".join(result)


def _has_two(func: FunctionSchema) -> bool:
    return func.arguments.tensor_options is not None or func.is_out_fn()


@dataclass(frozen=True, slots=True)
class CppSignatureGroup:
    """The convenient signature and, where it differs, the faithful one."""

    signature: CppSignature
    faithful_signature: CppSignature | None

    @staticmethod
    def from_native_function(f: NativeFunction, *, method: bool) -> CppSignatureGroup:
        """The signatures of one native function."""
        if not _has_two(f.func):
            # Nothing to gather: the only signature is faithful and keeps its defaults.
            return CppSignatureGroup(CppSignature(f, method, faithful=False), None)
        return CppSignatureGroup(
            CppSignature(f, method, faithful=False), CppSignature(f, method, faithful=True)
        )

    def signatures(self) -> tuple[CppSignature, ...]:
        """All of them, the convenient one first."""
        if self.faithful_signature is None:
            return (self.signature,)
        return (self.signature, self.faithful_signature)


def signatures(f: NativeFunction, *, method: bool = False) -> tuple[CppSignature, ...]:
    """All C++ overloads of a native function."""
    return CppSignatureGroup.from_native_function(f, method=method).signatures()
