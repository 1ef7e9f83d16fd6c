"""Emits `torch._C._VariableFunctions`, the methods, `_nn`, `_linalg`, `_special` and `_fft`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tools.codegen.context import (
    AUTOGRAD,
    GENERATED,
    TENSOR_CLASS,
    Context,
    GeneratedFile,
    include_lines,
    shard_of,
)
from tools.codegen.model import (
    Argument,
    BaseTy,
    BaseType,
    ListType,
    NativeFunction,
    OptionalType,
    Type,
)
from tools.codegen.python_signatures import (
    PythonFunction,
    PythonModule,
    PythonOverload,
    PythonSignature,
    python_functions,
)
from tools.codegen.python_types import LISTS, OPTIONS, VALUES

# Arguments that C++, or the functions that a binding calls, have other uses for.
_TAKEN_NAMES = frozenset({"template", "default", "operator", "new", "delete", "class", "wrap"})


def _local(name: str) -> str:
    return f"{name}_" if name in _TAKEN_NAMES else name


def _fetch(argument: Argument, index: int) -> tuple[str, str]:
    """The statement that converts parsed argument `index`, and the expression to pass."""
    name = _local(argument.name)
    type_: Type = argument.type
    optional = isinstance(type_, OptionalType)
    if isinstance(type_, OptionalType):
        type_ = type_.elem
    if isinstance(type_, ListType):
        if isinstance(type_.elem, OptionalType):
            return f"auto {name} = to_optional_tensor_list(_r, {index});", name
        assert isinstance(type_.elem, BaseType)
        kind = type_.elem.name
        if kind is BaseTy.bool and type_.size is not None:
            return f"auto {name} = _r.boolarray<{type_.size}>({index});", name
        row = LISTS[kind]
        accessor = row.optional if optional else row.accessor
        return f"auto {name} = _r.{accessor}({index});", f"{row.view}({name})"
    assert isinstance(type_, BaseType)
    if type_.name is BaseTy.Tensor:
        if argument.is_write:
            return f"at::Tensor& {name} = _r.mutableTensor({index});", name
        if optional:
            return f"auto {name} = _r.optionalTensor({index});", name
        storage = f"{name}_number"
        return (
            f"at::Tensor {storage};\n"
            f"      const at::Tensor& {name} = _r.tensor({index}, {storage});",
            name,
        )
    value = VALUES[type_.name]
    return f"auto {name} = _r.{value.optional if optional else value.accessor}({index});", name


def _op(function: NativeFunction) -> str:
    return f"at::_ops::{function.func.name.unambiguous_name()}::call"


def _result_type(function: NativeFunction, *, out: bool) -> str | None:
    """The namedtuple of several named returns, as an expression."""
    returns = function.func.returns
    if len(returns) < 2 or any(r.name is None for r in returns):
        return None
    base = function.func.name.name.base
    fields = ", ".join(f'"{r.name}"' for r in returns)
    return f'return_type("{base}{"_out" if out else ""}", {{{fields}}})'


def _call(signature: PythonSignature, overload: PythonOverload, *, out: bool) -> list[str]:
    """The statements that convert, call and return for one native function."""
    arguments = overload.arguments()
    index = {a.argument.name: i for i, a in enumerate(arguments) if a.argument is not None}
    by_name = {a.name: i for i, a in enumerate(arguments)}
    function = signature.function
    schema = function.func.arguments
    options = schema.tensor_options
    option_names = {a.name for a in options.all()} if options and signature.takes_options else set()
    lines: list[str] = []
    values: list[str] = []
    out_names = [a.name for a in schema.out]
    if out and len(out_names) > 1:
        lines.append(f"auto out_list = _r.outputs({by_name['out']}, {len(out_names)});")
    for argument in schema.flat_all:
        if argument.name in out_names:
            if len(out_names) > 1:
                values.append(f"out_list[{out_names.index(argument.name)}]")
            else:
                statement, value = _fetch(argument, by_name["out"])
                lines.append(statement)
                values.append(value)
        elif argument.name == "self" and signature.method:
            kind = "at::Tensor&" if argument.is_write else "const at::Tensor&"
            lines.append(f"{kind} self = reinterpret_cast<THPVariable*>(self_)->cdata;")
            values.append("self")
        elif argument.name in option_names:
            position = by_name[argument.name]
            value = f"_r.{VALUES[OPTIONS[argument.name]].optional}({position})"
            if argument.default == "long":
                value += ".value_or(c10::ScalarType::Long)"
                lines.append(f"std::optional<c10::ScalarType> {argument.name} = {value};")
            else:
                lines.append(f"auto {argument.name} = {value};")
            values.append(argument.name)
        elif argument.name not in index:
            # A factor that a deprecated signature leaves out.
            values.append(f"at::Scalar({argument.default})")
        else:
            statement, value = _fetch(argument, index[argument.name])
            lines.append(statement)
            values.append(value)
    call = f"{_op(function)}({', '.join(values)})"
    returns_nothing = not function.func.returns
    if returns_nothing:
        return [*lines, "{", "  torch::GilRelease no_gil;", f"  {call};", "}", "Py_RETURN_NONE;"]
    lines.append("auto result = [&] {")
    lines.append("  torch::GilRelease no_gil;")
    if signature.takes_options and not out:
        # A factory fills its result before anyone can save it, so the version stays 0.
        lines.append("  const at::AutoDispatchBelowADInplaceOrView untracked;")
    lines.append(f"  return {call};")
    lines.append("}();")
    if overload.base.takes_options:
        grad = by_name["requires_grad"]
        lines.append(f"if (_r.toBool({grad})) result.set_requires_grad(true);")
    named = _result_type(function, out=out)
    if named is None:
        lines.append("return wrap(std::move(result));")
    else:
        lines.append(f"static PyTypeObject* const type = {named};")
        lines.append("return wrap(type, std::move(result));")
    return lines


def _case(overload: PythonOverload) -> list[str]:
    output = overload.output_argument
    if output is None:
        return _call(overload.base, overload, out=False)
    assert overload.out is not None
    position = [a.name for a in overload.arguments()].index("out")
    lines = [f"if (_r.isNone({position})) {{"]
    lines += ["  " + line for line in _call(overload.base, overload, out=False)]
    lines.append("}")
    if overload.base.takes_options:
        names = [a.name for a in overload.arguments()]
        options = ", ".join(str(names.index(name)) for name in ("dtype", "layout", "device"))
        lines.append(f"check_out_options(_r, {position}, {options});")
    lines += _call(overload.out, overload, out=True)
    return lines


def _c_name(function: PythonFunction) -> str:
    return f"THPVariable_{function.name}"


def _takes_nothing(function: PythonFunction) -> bool:
    return (
        function.method and len(function.overloads) == 1 and not function.overloads[0].arguments()
    )


def _define(function: PythonFunction) -> str:
    if _takes_nothing(function):
        body = "\n".join("  " + line for line in _case(function.overloads[0]))
        return (
            f"// {function.name}\n"
            f"PyObject* {_c_name(function)}(PyObject* self_, PyObject* /*unused*/) {{\n"
            f"  HANDLE_TH_ERRORS\n{body}\n  END_HANDLE_TH_ERRORS\n}}\n"
        )
    signatures = "\n".join(f'      "{_escape(o.signature_str())}",' for o in function.overloads)
    capacity = max(len(o.arguments()) for o in function.overloads)
    cases = []
    for position, overload in enumerate(function.overloads):
        body = "\n".join("      " + line for line in _case(overload))
        cases.append(f"    case {position}: {{\n{body}\n    }}")
    return (
        f"// {function.name}\n"
        f"PyObject* {_c_name(function)}(PyObject* self_, PyObject* const* args, Py_ssize_t nargs,\n"
        f"    PyObject* kwnames) {{\n"
        f"  HANDLE_TH_ERRORS\n"
        f"  static const PythonArgParser parser({{\n{signatures}\n  }});\n"
        f"  ParsedArgs<{capacity}> parsed_args;\n"
        f"  auto _r = parser.parse(args, nargs, kwnames, parsed_args);\n"
        f"  switch (_r.idx) {{\n" + "\n".join(cases) + "\n  }\n"
        "  Py_RETURN_NONE;\n"
        "  END_HANDLE_TH_ERRORS\n}\n"
    )


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _table_entry(function: PythonFunction) -> str:
    if _takes_nothing(function):
        return f"    TORCH_METHOD_WITHOUT_ARGUMENTS({function.name}, {_c_name(function)}),"
    kind = "TORCH_METHOD" if function.method else "TORCH_FUNCTION"
    return f"    {kind}({function.name}, {_c_name(function)}),"


def _operators(function: PythonFunction) -> set[str]:
    names = set()
    for overload in function.overloads:
        for item in (overload.base, overload.out):
            if item is not None:
                names.add(item.function.root_name)
    return names


def _headers(functions: Sequence[PythonFunction]) -> list[str]:
    """The generated headers that a source of these includes."""
    operators = sorted(set().union(*map(_operators, functions)))
    return [TENSOR_CLASS, *(f"ops/{name}_ops.h" for name in operators)]


def _file(functions: Sequence[PythonFunction], table: str) -> str:
    bodies = "\n".join(_define(f) for f in functions)
    entries = "\n".join(_table_entry(f) for f in functions)
    return (
        f"// {GENERATED}\n\n"
        "#include <torch/csrc/autograd/python_bindings.h>\n\n"
        f"#include <ATen/core/Tensor.h>\n{include_lines(_headers(functions))}\n\n"
        "namespace torch::autograd {\n\nnamespace {\n\n"
        f"{bodies}\n"
        f"PyMethodDef kMethods[] = {{\n{entries}\n    {{nullptr, nullptr, 0, nullptr}},\n}};\n\n"
        "}  // namespace\n\n"
        f"PyMethodDef* {table}() {{ return kMethods; }}\n\n"
        "}  // namespace torch::autograd\n"
    )


def _tables_header(context: Context) -> str:
    """Declares the method tables of all shards, so that their number is written once."""

    def macro(name: str, stem: str) -> str:
        entries = "".join(f" \\\n  _({stem}_{i})" for i in range(context.shard_count(stem)))
        return f"#define {name}(_){entries}\n"

    return (
        f"// {GENERATED}\n\n#pragma once\n\n"
        + macro("TORCH_FOR_EACH_FUNCTION_TABLE", "python_torch_functions")
        + macro("TORCH_FOR_EACH_METHOD_TABLE", "python_variable_methods")
    )


def _sharded(context: Context, module: PythonModule, stem: str) -> list[GeneratedFile]:
    """`stem_N.cpp`, sharded by a stable hash of the operator's base name."""
    count = context.shard_count(stem)

    @cache
    def shards() -> list[list[PythonFunction]]:
        result: list[list[PythonFunction]] = [[] for _ in range(count)]
        for f in python_functions(context.functions, module):
            result[shard_of(f.overloads[0].base.function.root_name, count)].append(f)
        return result

    return [
        GeneratedFile(
            f"{AUTOGRAD}/{stem}_{index}.cpp",
            lambda index=index: _file(shards()[index], f"{stem}_{index}"),  # type: ignore[misc]
            headers=lambda index=index: _headers(shards()[index]),  # type: ignore[misc]
        )
        for index in range(count)
    ]


def _single(context: Context, module: PythonModule, stem: str) -> GeneratedFile:
    return GeneratedFile(
        f"{AUTOGRAD}/{stem}.cpp",
        lambda: _file(python_functions(context.functions, module), stem),
        headers=lambda: _headers(python_functions(context.functions, module)),
    )


def files(context: Context) -> list[GeneratedFile]:
    """The group "python"."""
    return [
        *_sharded(context, PythonModule.torch, "python_torch_functions"),
        *_sharded(context, PythonModule.methods, "python_variable_methods"),
        _single(context, PythonModule.nn, "python_nn_functions"),
        _single(context, PythonModule.linalg, "python_linalg_functions"),
        _single(context, PythonModule.special, "python_special_functions"),
        _single(context, PythonModule.fft, "python_fft_functions"),
        GeneratedFile(f"{AUTOGRAD}/python_tables.h", lambda: _tables_header(context)),
    ]
