"""Kernels that are made of other operators: those of derived variants, of out variants that copy
what the functional one returns, and of `X_copy` of views.

Each is the body of a registered wrapper, whose parameters are those of the operator.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.codegen.api.dispatcher import DispatcherSignature
from tools.codegen.api.types import returns_type
from tools.codegen.model import (
    GENERATED_TAG,
    DispatchKey,
    FunctionSchema,
    NativeFunction,
    OperatorName,
)

HEADER = "ATen/CompositeKernels.h"


def called_by(
    f: NativeFunction, key: DispatchKey, by_name: Mapping[OperatorName, NativeFunction]
) -> NativeFunction | None:
    """The operator that the generated kernel of `f` calls; None if somebody writes the kernel."""
    if f.generated_from is not None:
        return by_name[f.generated_from]
    if key is not DispatchKey.CompositeExplicitAutogradNonFunctional or "view_copy" not in f.tags:
        return None
    base = f.func.name.name.base
    if not base.endswith("_copy") or f.func.is_out_fn():
        return None
    # A view fails where strides cannot express it; a copy never does.
    name = "reshape" if str(f.func.name) == "view_copy" else base.removesuffix("_copy")
    return by_name.get(OperatorName.parse(name).with_overload(f.func.name.overload_name))


def body(f: NativeFunction, calls: NativeFunction) -> str:
    """The statements of the kernel."""
    if f.generated_from is None:
        return _copy_of_view(calls.func)
    if f.func.is_out_fn():
        write = "copy_to_out" if GENERATED_TAG in f.tags else "write_to_out"
        return _out(f.func, calls.func, write)
    return _functional(f.func, calls.func)


def _call(func: FunctionSchema, arguments: list[str]) -> str:
    return f"at::_ops::{func.name.unambiguous_name()}::call({', '.join(arguments)})"


def _copy_of_view(view: FunctionSchema) -> str:
    call = _call(view, [b.name for b in DispatcherSignature(view).arguments()])
    if len(view.returns) == 1:
        return f"  return at::impl::contiguous_copy({call});\n"
    copies = ", ".join(
        f"at::impl::contiguous_copy(std::get<{i}>(views))" for i in range(len(view.returns))
    )
    return f"  auto views = {call};\n  return ::std::make_tuple({copies});\n"


def _functional(func: FunctionSchema, writing: FunctionSchema) -> str:
    """Clones what the called function writes to; returns its own results, then the clones."""
    lines = []
    arguments = []
    clones = []
    for a in writing.arguments.flat_all:
        if not a.is_write:
            arguments.append(a.name)
            continue
        clone = f"{a.name}_clone"
        lines.append(f"  auto {clone} = at::impl::clone_argument({a.name});\n")
        arguments.append(clone)
        clones.append(clone)
    own = [i for i, name in enumerate(writing.aliased_return_names()) if name is None]
    results = [*_results(writing, own), *clones]
    assign = "auto result = " if own else ""
    lines.append(f"  {assign}{_call(writing, arguments)};\n")
    return "".join(lines) + _return(func, results)


def _out(func: FunctionSchema, calls: FunctionSchema, write: str) -> str:
    """Calls, and copies the results into the given tensors."""
    out = func.arguments.out
    given = {a.name for a in func.arguments.flat_all}
    options = {
        "dtype": f"{out[0].name}.scalar_type()",
        "layout": f"{out[0].name}.layout()",
        "device": f"{out[0].name}.device()",
        "pin_memory": "::std::nullopt",
    }
    arguments = [a.name if a.name in given else options[a.name] for a in calls.arguments.flat_all]
    tensors = [i for i, r in enumerate(calls.returns) if r.type.is_tensor_like()]
    result = "result" if "result" not in given else "results"
    values = _results(calls, list(range(len(calls.returns))), result)
    lines = [f"  auto {result} = {_call(calls, arguments)};\n"]
    # A functional form may return more than was asked for: written arguments come last.
    for a, i in zip(out, tensors, strict=False):
        lines.append(f"  at::impl::{write}({a.name}, {values[i]});\n")
    others = iter(v for i, v in enumerate(values) if i not in tensors)
    results = [next(others) if name is None else name for name in func.aliased_return_names()]
    return "".join(lines) + _return(func, results)


def _results(func: FunctionSchema, positions: list[int], result: str = "result") -> list[str]:
    """Expressions for some of the values in `result`."""
    if len(func.returns) == 1:
        return [result for _ in positions]
    return [f"std::get<{i}>({result})" for i in positions]


def _return(func: FunctionSchema, values: list[str]) -> str:
    if not func.returns:
        return ""
    if len(func.returns) == 1:
        return f"  return {values[0]};\n"
    return f"  return {returns_type(func)}({', '.join(values)});\n"
