"""Emits the type stubs of `torch._C`: `__init__.pyi`, `_VariableFunctions.pyi`, `_nn.pyi`."""

from __future__ import annotations

import keyword
from pathlib import Path

from tools.codegen.context import GENERATED, Context, GeneratedFile
from tools.codegen.model import BaseType, ListType, OptionalType, Type
from tools.codegen.python_signatures import (
    PythonArgument,
    PythonFunction,
    PythonModule,
    PythonOverload,
    python_functions,
)
from tools.codegen.python_types import OPTIONS, VALUES

_DEFAULTS = {
    "at::Reduction::Mean": "1",
    "torch.contiguous_format": "...",
    "torch.int64": "...",
    "[]": "()",
}
_HEADER = """\
# {generated}

from builtins import bool as _bool, float as _float, int as _int
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

from torch import Tensor
from torch.types import Number, _DeviceLike, _dtype, _layout
from torch._C import Generator, memory_format
"""
# The hand-written part of torch._C.
_TEMPLATE = Path(__file__).with_name("python_stub_template.pyi")


def argument_type(type_: Type) -> str:
    """A schema type as the stubs spell it."""
    if isinstance(type_, OptionalType):
        return f"{argument_type(type_.elem)} | None"
    if isinstance(type_, ListType):
        element = argument_type(type_.elem)
        if type_.size is not None and element in ("_int", "_float"):
            return f"{element} | Sequence[{element}]"
        return f"Sequence[{element}]"
    assert isinstance(type_, BaseType), type_
    return VALUES[type_.name].stub


def _default(text: str) -> str:
    return _DEFAULTS.get(text, text)


def parameter_type(argument: PythonArgument, *, numbers: bool) -> str:
    """The type of a parameter as the stubs spell it; `numbers` if tensors may be numbers."""
    if argument.argument is not None:
        type_ = argument_type(argument.argument.type)
        if numbers and type_ == "Tensor" and argument.name == "other":
            type_ = "Tensor | Number"
    elif argument.name in OPTIONS:
        type_ = VALUES[OPTIONS[argument.name]].stub
    else:
        type_ = "tuple[Tensor, ...]"  # out
    if argument.default == "None" and not type_.endswith("None"):
        type_ += " | None"
    return type_


def _parameter(argument: PythonArgument, numbers: bool) -> str:
    name = f"{argument.name}_" if keyword.iskeyword(argument.name) else argument.name
    text = f"{name}: {parameter_type(argument, numbers=numbers)}"
    return text if argument.default is None else f"{text} = {_default(argument.default)}"


def return_type(overload: PythonOverload, *, prefix: str) -> str:
    """What an overload returns, as the stubs spell it; `prefix` goes before named tuples."""
    function = overload.base.function
    returns = function.func.returns
    if not returns:
        return "None"
    if len(returns) == 1:
        type_ = returns[0].type
        if isinstance(type_, ListType):
            return "tuple[Tensor, ...]"
        return argument_type(type_)
    if all(r.name is not None for r in returns):
        return f"{prefix}{function.func.name.name.base}"
    return f"tuple[{', '.join(argument_type(r.type) for r in returns)}]"


_NUMBERS = frozenset({"add", "sub", "mul", "div", "floor_divide", "remainder", "rsub"})


def takes_numbers(name: str) -> bool:
    """Whether `other` of a Python function is a tensor or a number in one overload."""
    return name.removesuffix("_") in _NUMBERS


def _signature(function: PythonFunction, overload: PythonOverload, *, prefix: str) -> str:
    numbers = takes_numbers(function.name)
    arguments = overload.arguments()
    positional = len(overload.base.positional)
    parameters = ["self"] if function.method else []
    for argument in arguments[:positional]:
        text = _parameter(argument, numbers)
        if argument.type_str.startswith(("IntArrayRef", "SymIntArrayRef")) and positional == 1:
            text = f"*{argument.name}: Any" if argument.default is None else text
        parameters.append(text)
    keywords = [_parameter(a, numbers) for a in arguments[positional:]]
    if keywords:
        if not any(p.startswith("*") for p in parameters):
            parameters.append("*")
        parameters += keywords
    result = return_type(overload, prefix=prefix)
    return f"def {function.name}({', '.join(parameters)}) -> {result}: ..."


def _stub(function: PythonFunction, indent: str, *, prefix: str = "") -> str:
    if keyword.iskeyword(function.name):
        return ""
    lines = []
    signatures = list(
        dict.fromkeys(
            _signature(function, o, prefix=prefix)
            for o in function.overloads
            if not o.base.deprecated
        )
    )
    for text in signatures:
        if len(signatures) > 1:
            lines.append(f"{indent}@overload")
        lines.append(indent + text)
    return "\n".join(lines) + "\n"


def _named_tuples(functions: list[PythonFunction]) -> str:
    classes: dict[str, str] = {}
    for function in functions:
        for item in function.overloads:
            returns = item.base.function.func.returns
            if len(returns) > 1 and all(r.name is not None for r in returns):
                name = item.base.function.func.name.name.base
                fields = "\n".join(f"    {r.name}: Tensor" for r in returns)
                classes[name] = f"class _return_{name}(NamedTuple):\n{fields}\n"
    return "\n".join(classes[name] for name in sorted(classes))


def _module(context: Context, module: PythonModule) -> str:
    functions = python_functions(context.functions, module)
    stubs = "".join(_stub(f, "", prefix="_return_") for f in functions)
    return _HEADER.format(generated=GENERATED) + "\n" + _named_tuples(functions) + "\n" + stubs


def _init(context: Context) -> str:
    functions = python_functions(context.functions, PythonModule.methods)
    template = _TEMPLATE.read_text(encoding="utf-8")
    methods = "".join(_stub(f, "    ", prefix="_return_") for f in functions)
    return f"# {GENERATED}\n\n" + template.replace(
        "# ${named_tuples}\n", _named_tuples(functions)
    ).replace("    # ${tensor_methods}\n", methods)


def files(context: Context) -> list[GeneratedFile]:
    """The group "pyi"."""
    return [
        GeneratedFile("torch/_C/__init__.pyi", lambda: _init(context)),
        GeneratedFile(
            "torch/_C/_VariableFunctions.pyi", lambda: _module(context, PythonModule.torch)
        ),
        GeneratedFile("torch/_C/_nn.pyi", lambda: _module(context, PythonModule.nn)),
    ]
