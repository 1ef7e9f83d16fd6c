"""Headers: three for each operator, the tensor class, the umbrellas.

* `ops/X_ops.h`     `at::_ops::X`: the schema and the calls into the dispatcher
* `ops/X.h`         `at::X(...)` and `at::X_out(...)`, inline calls of the former
* `ops/X_native.h`  the kernels: `at::native::` functions, structured classes
* `core/TensorBody.h`  class Tensor with the methods declared
* `Functions.h`, `Operators.h`, `NativeFunctions.h`  umbrellas, for users only
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from tools.codegen.api import cpp
from tools.codegen.api.dispatcher import DispatcherSignature
from tools.codegen.api.native import NativeSignature
from tools.codegen.api.structured import (
    impl_parameters,
    meta_name,
    meta_parameters,
    precompute_struct,
)
from tools.codegen.context import ATEN, GENERATED, Context, GeneratedFile
from tools.codegen.model import NativeFunction, NativeFunctionsGroup, Variant


def operator_headers(context: Context) -> Iterator[GeneratedFile]:
    """The headers of each operator."""
    for root, functions in context.by_root.items():
        made_from = context.made_from(functions)
        for suffix, render in (
            ("", partial(functions_h, root, functions)),
            ("_ops", partial(ops_h, functions)),
            ("_native", partial(native_h, context, functions)),
        ):
            yield GeneratedFile(f"{ATEN}/ops/{root}{suffix}.h", render, made_from)


def tensor_headers(context: Context) -> Iterator[GeneratedFile]:
    """The tensor class and the umbrellas."""
    yield GeneratedFile(f"{ATEN}/core/TensorBody.h", partial(tensor_body_h, context))
    for name, suffix in (("Functions", ""), ("Operators", "_ops"), ("NativeFunctions", "_native")):
        yield GeneratedFile(f"{ATEN}/{name}.h", partial(umbrella_h, context.roots, suffix))


def umbrella_h(roots: Iterable[str], suffix: str) -> str:
    """A header of headers."""
    includes = "\n".join(f"#include <ATen/ops/{root}{suffix}.h>" for root in roots)
    return f"#pragma once\n\n// {GENERATED}\n\n{includes}\n"


def ops_h(functions: Iterable[NativeFunction]) -> str:
    """`X_ops.h`: one struct for each overload."""
    structs = []
    for f in functions:
        sig = DispatcherSignature.of(f)
        structs.append(f"""\
struct TORCH_API {sig.unambiguous_name()} {{
  using schema = {sig.type()};
  using ptr_schema = schema*;
  static constexpr const char* name = "{f.namespace}::{f.func.name.name}";
  static constexpr const char* overload_name = "{f.func.name.overload_name}";
  static constexpr const char* schema_str = {c_string(str(f.func))};
  static {sig.decl("call")};
  static {sig.decl("redispatch", with_keyset=True)};
}};
""")
    body = "\n".join(structs)
    return f"""\
#pragma once

// {GENERATED}

#include <ATen/core/Tensor.h>
#include <c10/core/DispatchKeySet.h>

#include <array>
#include <tuple>
#include <vector>

namespace at {{
namespace _ops {{

{body}
}}  // namespace _ops
}}  // namespace at
"""


def functions_h(root: str, functions: Iterable[NativeFunction]) -> str:
    """`X.h`: inline functions in namespace at."""
    parts = []
    for f in functions:
        if Variant.function not in f.variants or f.manual_cpp_binding:
            continue
        name = f.func.name.unambiguous_name()
        parts.append(f"// {f.namespace}::{f.func}")
        for sig in cpp.signatures(f):
            parts.append(f"""\
inline {sig.decl()} {{
  return at::_ops::{name}::call({sig.dispatcher_call_arguments()});
}}
""")
    body = "\n".join(parts)
    reduction = "#include <ATen/core/Reduction.h>\n" if "Reduction::" in body else ""
    namespace = f"namespace at {{\n\n{body}\n}}  // namespace at\n" if parts else ""
    return f"""\
#pragma once

// {GENERATED}

{reduction}#include <ATen/core/Tensor.h>
#include <ATen/ops/{root}_ops.h>

{namespace}"""


def native_h(context: Context, functions: Iterable[NativeFunction]) -> str:
    """`X_native.h`: what the kernels of all backends are declared as."""
    metas: list[str] = []
    kernels: dict[str, None] = {}
    bases: set[str] = set()
    for f in functions:
        group = context.structured.get(f.func.name)
        if group is not None and f is group.out:
            bases.add(f.structured_inherits or "at::impl::MetaBase")
            metas.append(meta_class(group))
        sig = NativeSignature.from_schema(f.func, f.use_const_ref_for_mutable_tensors)
        for metadata in f.dispatch.values():
            if metadata.structured and group is not None:
                text = kernel_class(group, metadata.kernel)
            else:
                text = f"TORCH_API {sig.decl(metadata.kernel)};"
            kernels.setdefault(_in_namespace(metadata.cpp_namespace, text))
    includes = ["#include <ATen/core/Tensor.h>"]
    if "TensorIteratorBase" in bases:
        includes.append("#include <ATen/TensorIterator.h>")
    if "at::impl::MetaBase" in bases:
        includes.append("#include <ATen/TensorMeta.h>")
    body = _merge_namespaces(kernels)
    if "Reduction::" in body:
        includes.append("#include <ATen/core/Reduction.h>")
    meta = ""
    if metas:
        meta = _merge_namespaces(_in_namespace("at::meta", text) for text in metas) + "\n"
    return f"""\
#pragma once

// {GENERATED}

{chr(10).join(sorted(includes))}

#include <array>
#include <tuple>
#include <vector>

{meta}{body}"""


def meta_class(group: NativeFunctionsGroup) -> str:
    """The class whose `meta` TORCH_META_FUNC defines."""
    base = group.out.structured_inherits or "at::impl::MetaBase"
    precompute = precompute_struct(group)
    result = "meta_return_ty" if precompute else "void"
    return f"""\
struct TORCH_API structured_{meta_name(group)} : public {base} {{
{precompute}  {result} meta({meta_parameters(group)});
}};
"""


def kernel_class(group: NativeFunctionsGroup, kernel: str) -> str:
    """The class whose `impl` TORCH_IMPL_FUNC defines."""
    return f"""\
struct TORCH_API structured_{kernel} : public at::meta::structured_{meta_name(group)} {{
  void impl({impl_parameters(group)});
}};"""


def _in_namespace(namespace: str, text: str) -> str:
    return f"{namespace}\0{text}"


def _merge_namespaces(texts: Iterable[str]) -> str:
    """One block for each namespace."""
    blocks: dict[str, list[str]] = {}
    for item in texts:
        namespace, _, text = item.partition("\0")
        blocks.setdefault(namespace, []).append(text)
    result = []
    for namespace, lines in blocks.items():
        names = namespace.split("::")
        opening = "\n".join(f"namespace {n} {{" for n in names)
        closing = "\n".join(f"}}  // namespace {n}" for n in reversed(names))
        result.append(f"{opening}\n\n{chr(10).join(lines)}\n\n{closing}\n")
    return "\n".join(result)


def tensor_body_h(context: Context) -> str:
    """class Tensor: the template with all method declarations."""
    template = context.options.tensor_body_template
    if template is None:
        template = context.options.source_root / ATEN / "templates" / "TensorBody.h"
    declarations = []
    for f in context.functions:
        if Variant.method in f.variants and not f.manual_cpp_binding:
            declarations += [f"  {sig.decl()};" for sig in cpp.signatures(f, method=True)]
    text = Path(template).read_text(encoding="utf-8")
    text = text.replace("  ${tensor_method_declarations}", "\n".join(declarations))
    return text.replace("${generated_comment}", GENERATED)


def c_string(text: str) -> str:
    """A C++ string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
