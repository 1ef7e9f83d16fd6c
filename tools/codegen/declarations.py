"""`Declarations.yaml`: every operator as C++ and Python see it, for tools that read no schemas.

The keys, their order and their values are those of PyTorch's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import yaml

from tools.codegen.api import cpp
from tools.codegen.api.types import (
    Binding,
    argument_type,
    default_expr,
    return_names,
    return_type,
    returns_type,
)
from tools.codegen.context import ATEN, Context, GeneratedFile
from tools.codegen.model import (
    Argument,
    DispatchKey,
    NativeFunction,
    OptionalType,
    TensorOptionsArguments,
    Type,
    Variant,
)

try:
    from yaml import CSafeDumper as _Dumper
except ImportError:  # PyYAML without libyaml: slower, same text.
    from yaml import SafeDumper as _Dumper  # type: ignore[assignment]

_Entry = dict[str, object]
_IMPLICIT = {
    DispatchKey.CompositeImplicitAutograd,
    DispatchKey.CompositeImplicitAutogradNestedTensor,
}


class _NoAliases(_Dumper):
    """Writes equal values out each time."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def files(context: Context) -> Iterator[GeneratedFile]:
    """The file."""
    yield GeneratedFile(f"{ATEN}/Declarations.yaml", partial(declarations_yaml, context))


def declarations_yaml(context: Context) -> str:
    """The text."""
    return yaml.dump(
        [declaration(f) for f in context.functions],
        default_flow_style=False,
        sort_keys=False,
        Dumper=_NoAliases,
        width=1_000_000,
    )


def declaration(f: NativeFunction) -> _Entry:
    """The entry of one operator."""
    func = f.func
    const_ref = f.use_const_ref_for_mutable_tensors
    names = return_names(f)
    # An out argument may have another name than the result it holds.
    fields = {
        out.name: ret.name
        for out, ret in zip(func.arguments.out, func.returns, strict=False)
        if ret.name is not None
    }
    returns: list[_Entry] = []
    for ret, name in zip(func.returns, names, strict=True):
        entry: _Entry = {
            "dynamic_type": _dynamic_type(ret.type),
            "name": name,
            "type": return_type(ret, const_ref),
        }
        if ret.name is not None:
            entry["field_name"] = ret.name
        returns.append(entry)
    bindings = cpp.signatures(f)[0].arguments()
    ordered = func.arguments.flat_all
    types = ", ".join(argument_type(a, const_ref) for a in ordered)
    has_options = any(isinstance(b.argument, TensorOptionsArguments) for b in bindings)
    method_of = [
        "Type",
        *(["Tensor"] if Variant.method in f.variants else []),
        *(["namespace"] if Variant.function in f.variants else []),
    ]
    return {
        "name": cpp.name(func),
        "operator_name": str(func.name.name),
        "overload_name": func.name.overload_name,
        "manual_kernel_registration": f.manual_kernel_registration,
        "category_override": f.category_override or "",
        "schema_string": f"aten::{func}",
        "arguments": [_binding(b, f, fields) for b in bindings],
        "schema_order_cpp_signature": f"{returns_type(func, const_ref)} ({types})",
        "schema_order_arguments": [_argument(a, f, fields) for a in ordered],
        "method_of": method_of,
        "mode": "native",
        "python_module": f.python_module or "",
        "returns": returns,
        "inplace": func.name.name.inplace,
        "is_factory_method": has_options and Variant.method not in f.variants,
        "abstract": _is_abstract(f),
        "device_guard": f.device_guard,
        "with_gil": False,
        "deprecated": False,
        "has_math_kernel": f.has_composite_implicit_autograd_kernel,
    }


def _is_abstract(f: NativeFunction) -> bool:
    """True if a backend has to bring the kernel."""
    return f.part_of_structured_group or not f.dispatch or not set(f.dispatch) <= _IMPLICIT


def _dynamic_type(type_: Type) -> str:
    """The parameter type, the same for a tensor that may be missing."""
    while isinstance(type_, OptionalType):
        type_ = type_.elem
    return "at::Tensor" if str(type_) == "Tensor" else argument_type(Argument("", type_))


def _binding(binding: Binding, f: NativeFunction, fields: Mapping[str, str]) -> _Entry:
    if isinstance(binding.argument, Argument):
        return _argument(binding.argument, f, fields)
    entry: _Entry = {
        "annotation": None,
        "dynamic_type": "at::TensorOptions",
        "is_nullable": False,
        "name": binding.name,
        "type": binding.type,
        "kwarg_only": True,
    }
    if binding.default is not None:
        entry["default"] = binding.default
    return entry


def _argument(a: Argument, f: NativeFunction, fields: Mapping[str, str]) -> _Entry:
    entry: _Entry = {
        "annotation": None if a.annotation is None else str(a.annotation),
        "dynamic_type": _dynamic_type(a.type),
        "is_nullable": a.type.is_nullable(),
        "name": a.name,
        "type": argument_type(a, f.use_const_ref_for_mutable_tensors),
    }
    default = default_expr(a)
    if default is not None:
        entry["default"] = _python_value(default)
    if a in f.func.arguments.flat_kwarg_only:
        entry["kwarg_only"] = True
    if a in f.func.arguments.out:
        entry["output"] = True
        entry["allocate"] = True
        if a.name in fields:
            entry["field_name"] = fields[a.name]
    items = a.type.is_list_like()
    if items is not None and items.size is not None and str(items.elem) != "bool":
        entry["size"] = items.size
    return entry


def _python_value(text: str) -> object:
    """A number or a boolean where the default is one, else its C++ text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
