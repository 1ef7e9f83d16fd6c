"""Sources: calls into the dispatcher, methods, schemas and kernels' registrations.

* `Operators_N.cpp`      `at::_ops::X::call` and `redispatch`, through one static handle each
* `TensorMethods_N.cpp`  methods of class Tensor
* `RegisterSchema.cpp`   the schema of every operator
* `Register<Key>_N.cpp`  the kernels of one dispatch key; see `registrations.py`
* `UfuncCPU*_X.cpp`      kernels that are made of loops; see `ufunc.py`

A shard includes the headers of its own operators only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from tools.codegen import registrations, ufunc
from tools.codegen.api import cpp
from tools.codegen.api.dispatcher import DispatcherSignature
from tools.codegen.context import (
    ATEN,
    GENERATED,
    TENSOR_CLASS,
    Context,
    GeneratedFile,
    include_lines,
    op_headers,
)
from tools.codegen.headers import c_string
from tools.codegen.model import NativeFunction, Variant


def files(context: Context) -> Iterator[GeneratedFile]:
    """All sources."""
    yield from context.sharded_files(
        ATEN, "Operators", operators_cpp, headers=_operators_headers, only_functions=True
    )
    yield from context.sharded_files(
        ATEN, "TensorMethods", tensor_methods_cpp, headers=_methods_headers, only_functions=True
    )
    yield GeneratedFile(
        f"{ATEN}/RegisterSchema.cpp",
        partial(register_schema_cpp, context),
        headers=lambda: ["core/enum_tag.h"],
    )
    yield from registrations.files(context)
    yield from ufunc.files(context)


def _operators_headers(functions: Sequence[NativeFunction]) -> list[str]:
    return [TENSOR_CLASS, *op_headers(functions, "_ops")]


def operators_cpp(functions: Sequence[NativeFunction]) -> str:
    """Definitions of `at::_ops::X`."""
    parts = []
    for f in functions:
        sig = DispatcherSignature.of(f)
        name = sig.unambiguous_name()
        arguments = sig.call_arguments()
        redispatch = f"dispatchKeySet, {arguments}" if arguments else "dispatchKeySet"
        parts.append(f"""\
static const c10::TypedOperatorHandle<{name}::schema>& {name}_handle() {{
  static const auto handle = c10::Dispatcher::singleton()
                                 .findSchemaOrThrow({name}::name, {name}::overload_name)
                                 .typed<{name}::schema>();
  return handle;
}}

// {f.namespace}::{f.func}
{sig.defn(f"{name}::call")} {{
  return {name}_handle().call({arguments});
}}

{sig.defn(f"{name}::redispatch", with_keyset=True)} {{
  return {name}_handle().redispatch({redispatch});
}}
""")
    body = "\n".join(parts)
    return f"""\
// {GENERATED}

#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>
{include_lines(_operators_headers(functions))}

namespace at {{
namespace _ops {{

{body}
}}  // namespace _ops
}}  // namespace at
"""


def _methods(functions: Sequence[NativeFunction]) -> list[NativeFunction]:
    return [f for f in functions if Variant.method in f.variants and not f.manual_cpp_binding]


def _methods_headers(functions: Sequence[NativeFunction]) -> list[str]:
    return [TENSOR_CLASS, *op_headers(_methods(functions), "_ops")]


def tensor_methods_cpp(functions: Sequence[NativeFunction]) -> str:
    """Definitions of the methods."""
    parts = []
    for f in _methods(functions):
        name = f.func.name.unambiguous_name()
        parts.append(f"// {f.namespace}::{f.func}")
        for sig in cpp.signatures(f, method=True):
            parts.append(f"""\
{sig.defn(prefix="Tensor::")} {{
  return at::_ops::{name}::call({sig.dispatcher_call_arguments()});
}}
""")
    body = "\n".join(parts)
    return f"""\
// {GENERATED}

#include <ATen/core/Tensor.h>
{include_lines(_methods_headers(functions))}

namespace at {{

{body}
}}  // namespace at
"""


def register_schema_cpp(context: Context) -> str:
    """`m.def` for every operator of namespace aten, and of others if there are any."""
    namespaces: dict[str, list[NativeFunction]] = {}
    for f in context.functions:
        namespaces.setdefault(f.namespace, []).append(f)
    blocks = []
    for namespace, functions in namespaces.items():
        sets: dict[frozenset[str], str] = {}
        lines = []
        for f in functions:
            tags = f.tags & context.tags
            name = sets.setdefault(tags, f"tags_{len(sets)}") if tags else None
            lines.append(f"  m.def({c_string(str(f.func))}{f', {name}' if name else ''});")
        variables = [_tags(name, tags) for tags, name in sets.items()]
        text = "\n".join(variables + lines)
        blocks.append(f"TORCH_LIBRARY({namespace}, m) {{\n{text}\n}}\n")
    body = "\n".join(blocks)
    return f"""\
// {GENERATED}

#include <ATen/core/enum_tag.h>
#include <torch/library.h>

#include <vector>

{body}"""


def _tags(name: str, tags: frozenset[str]) -> str:
    values = ", ".join(f"at::Tag::{tag}" for tag in sorted(tags))
    return f"  const std::vector<at::Tag> {name} = {{{values}}};"
