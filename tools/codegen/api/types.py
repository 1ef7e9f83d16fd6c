"""C++ types of schema types.

* `argument_type(arg, const_ref_out=False)` -> ``const at::Tensor &``
* `returns_type(func)` -> ``::std::tuple<at::Tensor,at::Tensor>``
* `default_expr(arg)` -> the C++ default of a schema default, or None
* `Binding`: a C++ parameter, its `decl()` and `defn()`
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from tools.codegen.model import (
    Argument,
    BaseTy,
    BaseType,
    CustomClassType,
    FunctionSchema,
    ListType,
    NativeFunction,
    OptionalType,
    Return,
    TensorOptionsArguments,
    Type,
)

# SymInt is int64_t in this tree: sizes are concrete (see c10/core/SymInt.h).
_VALUE_TYPES = {
    BaseTy.Tensor: "at::Tensor",
    BaseTy.Scalar: "at::Scalar",
    BaseTy.Generator: "at::Generator",
    BaseTy.int: "int64_t",
    BaseTy.SymInt: "int64_t",
    BaseTy.float: "double",
    BaseTy.bool: "bool",
    BaseTy.SymBool: "bool",
    BaseTy.str: "::std::string_view",
    BaseTy.ScalarType: "at::ScalarType",
    BaseTy.Layout: "at::Layout",
    BaseTy.Device: "at::Device",
    BaseTy.DeviceIndex: "c10::DeviceIndex",
    BaseTy.MemoryFormat: "at::MemoryFormat",
    BaseTy.QScheme: "at::QScheme",
    BaseTy.Storage: "at::Storage",
    BaseTy.Stream: "at::Stream",
    BaseTy.Dimname: "at::Dimname",
    BaseTy.DimVector: "at::DimVector",
    BaseTy.GraphModule: "at::GraphModule",
}

_INT_LIKE = (BaseTy.int, BaseTy.SymInt)
_INT_LIKE_TYPES = tuple(BaseType(t) for t in _INT_LIKE)


@dataclass(frozen=True, slots=True)
class Binding:
    """A C++ parameter: its type, its name, the schema argument behind it."""

    name: str
    type: str
    argument: Argument | TensorOptionsArguments
    default: str | None = None

    def defn(self) -> str:
        """`type name`, for definitions."""
        return f"{self.type} {self.name}"

    def decl(self) -> str:
        """`type name=default`, for declarations."""
        return f"{self.type} {self.name}" + ("" if self.default is None else f"={self.default}")


def value_type(type_: Type) -> str:
    """The type of a variable that owns a value of this schema type."""
    if isinstance(type_, BaseType):
        return "::std::string" if type_.name is BaseTy.str else _VALUE_TYPES[type_.name]
    if isinstance(type_, OptionalType):
        return f"::std::optional<{value_type(type_.elem)}>"
    if isinstance(type_, ListType):
        if type_.size is not None and type_.elem == BaseType(BaseTy.bool):
            return f"::std::array<bool,{type_.size}>"
        return f"::std::vector<{value_type(type_.elem)}>"
    raise TypeError(f"no C++ value type for {type_}")


@cache
def _type(type_: Type, mutable: bool) -> str:
    if isinstance(type_, BaseType):
        if type_.name is BaseTy.Tensor:
            return "at::Tensor &" if mutable else "const at::Tensor &"
        if type_.name is BaseTy.Scalar:
            return "const at::Scalar &"
        return _VALUE_TYPES[type_.name]
    if isinstance(type_, CustomClassType):
        return f"const c10::intrusive_ptr<{type_.class_name.replace('.', '::')}> &"
    if isinstance(type_, OptionalType):
        elem = type_.elem
        if isinstance(elem, BaseType):
            if elem.name is BaseTy.Tensor:
                return "at::Tensor &" if mutable else "const ::std::optional<at::Tensor> &"
            if elem.name is BaseTy.Scalar:
                return "const ::std::optional<at::Scalar> &"
        if isinstance(elem, ListType) and elem.elem in _INT_LIKE_TYPES:
            return "at::OptionalIntArrayRef"
        return f"::std::optional<{_type(elem, mutable)}>"
    assert isinstance(type_, ListType)
    elem = type_.elem
    if isinstance(elem, BaseType):
        if elem.name is BaseTy.bool and type_.size is not None:
            return f"::std::array<bool,{type_.size}>"
        if elem.name in _INT_LIKE:
            return "at::IntArrayRef"
        if elem.name is BaseTy.Tensor:
            return "at::TensorList"
        if elem.name is BaseTy.Dimname:
            return "at::DimnameList"
        return f"at::ArrayRef<{_VALUE_TYPES[elem.name]}>"
    if isinstance(elem, OptionalType) and elem.is_tensor_like():
        return "const c10::List<::std::optional<at::Tensor>> &"
    return f"at::ArrayRef<{_type(elem, mutable)}>"


def argument_type(arg: Argument, const_ref_out: bool = False) -> str:
    """The parameter type; `const_ref_out` passes written tensors as const references."""
    return _type(arg.type, arg.is_write and not const_ref_out)


@cache
def _return_type(type_: Type, mutable: bool, const_ref_out: bool) -> str:
    if isinstance(type_, BaseType):
        if type_.name is BaseTy.Tensor and mutable:
            return "const at::Tensor &" if const_ref_out else "at::Tensor &"
        return "::std::string" if type_.name is BaseTy.str else _VALUE_TYPES[type_.name]
    if isinstance(type_, OptionalType):
        return f"::std::optional<{_return_type(type_.elem, mutable, const_ref_out)}>"
    if isinstance(type_, ListType):
        return f"::std::vector<{_return_type(type_.elem, False, False)}>"
    raise TypeError(f"no C++ return type for {type_}")


def return_type(ret: Return, const_ref_out: bool = False) -> str:
    """The type of one return value."""
    return _return_type(ret.type, ret.is_write, const_ref_out)


@cache
def returns_type(func: FunctionSchema, const_ref_out: bool = False) -> str:
    """void, one type, or a tuple."""
    types = [return_type(r, const_ref_out) for r in func.returns]
    if not types:
        return "void"
    return types[0] if len(types) == 1 else f"::std::tuple<{','.join(types)}>"


def return_names(f: NativeFunction, fallback: str = "result") -> tuple[str, ...]:
    """A C++ name for every return value, distinct from the arguments.

    In-place functions return self, out functions their out arguments.
    """
    func = f.func
    names = []
    taken = {a.name for a in func.arguments.flat_non_out}
    for i, ret in enumerate(func.returns):
        if func.name.name.inplace:
            names.append("self")
        elif func.is_out_fn():
            names.append(func.arguments.out[i].name)
        elif ret.name is not None:
            names.append(f"{ret.name}_return" if ret.name in taken else ret.name)
        else:
            names.append(fallback if len(func.returns) == 1 else f"{fallback}{i}")
    return tuple(names)


_NAMED_DEFAULTS = {
    "True": "true",
    "False": "false",
    "Mean": "at::Reduction::Mean",
    "contiguous_format": "c10::MemoryFormat::Contiguous",
    "long": "at::kLong",
    "strided": "at::kStrided",
}


def _string_literal(text: str) -> str:
    body = text[1:-1]
    if text[0] == '"':
        return text
    out = body.replace("\\'", "'")
    return '"' + out.replace('"', '\\"') + '"' if '\\"' not in out else f'"{out}"'


@cache
def _default(default: str, type_: Type) -> str:
    if default == "None":
        if isinstance(type_, OptionalType) and not type_.is_tensor_like():
            return "::std::nullopt"
        return "{}"
    if isinstance(type_, OptionalType):
        return _default(default, type_.elem)
    if default[0] in "\"'":
        return _string_literal(default)
    if default.startswith("["):
        return "{" + default[1:-1] + "}"
    if (
        isinstance(type_, ListType)
        and type_.elem == BaseType(BaseTy.bool)
        and default
        in (
            "True",
            "False",
        )
    ):
        return "{{" + ",".join([default.lower()] * (type_.size or 1)) + "}}"
    return _NAMED_DEFAULTS.get(default, default)


def default_expr(arg: Argument) -> str | None:
    """The C++ spelling of the argument's default."""
    return None if arg.default is None else _default(arg.default, arg.type)


def bind(arg: Argument, *, defaults: bool = True, const_ref_out: bool = False) -> Binding:
    """The parameter of a plain argument."""
    return _bind(arg, defaults, const_ref_out)


@cache
def _bind(arg: Argument, defaults: bool, const_ref_out: bool) -> Binding:
    return Binding(
        arg.name,
        argument_type(arg, const_ref_out),
        arg,
        default_expr(arg) if defaults else None,
    )


def trailing_defaults(bindings: Iterable[Binding]) -> list[Binding]:
    """The same parameters; a default before a parameter that has none is dropped."""
    result = list(bindings)
    required = False
    for i in range(len(result) - 1, -1, -1):
        if result[i].default is None:
            required = True
        elif required:
            result[i] = replace(result[i], default=None)
    return result


def bind_options(options: TensorOptionsArguments, *, defaults: bool = True) -> Binding:
    """One `at::TensorOptions` for dtype, layout, device and pin_memory."""
    default = None
    if defaults and all(a.default == "None" for a in options.all()):
        default = "{}"
    elif defaults and options.dtype.default == "long":
        default = "at::kLong"
    return Binding("options", "at::TensorOptions", options, default)


def scatter_options(options: TensorOptionsArguments, name: str = "options") -> dict[str, str]:
    """Expressions that take a `TensorOptions` apart again, by argument name."""
    expressions = {
        "dtype": f"c10::optTypeMetaToScalarType({name}.dtype_opt())",
        "layout": f"{name}.layout_opt()",
        "device": f"{name}.device_opt()",
        "pin_memory": f"{name}.pinned_memory_opt()",
    }
    values = {
        "dtype": f"c10::typeMetaToScalarType({name}.dtype())",
        "layout": f"{name}.layout()",
        "device": f"{name}.device()",
        "pin_memory": f"{name}.pinned_memory()",
    }
    return {
        a.name: (expressions if a.type.is_nullable() else values)[a.name] for a in options.all()
    }
