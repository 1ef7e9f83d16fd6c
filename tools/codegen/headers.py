"""Headers: of each operator, of the tensor class, and the umbrellas.

* `ops/X_ops.h`     `at::_ops::X`: the schema and the calls into the dispatcher
* `ops/X.h`         `at::X(...)` and `at::X_out(...)`, inline calls of the former
* `ops/X_native.h`  the kernels: `at::native::` functions, classes of structured kernels
* `ops/X_meta.h`    of structured operators, the class of the meta function
* `ops/X_<key>_dispatch.h`  `at::<key>::X(...)`: the kernels of one dispatch key, called directly
* `core/TensorBody.h`  class Tensor with the methods declared
* `core/enum_tag.h`    `at::Tag`
* `Functions.h`, `Operators.h`, `MethodOperators.h`, `NativeFunctions.h`, `NativeMetaFunctions.h`,
  `<Key>Functions.h`   umbrellas, for users only
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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
from tools.codegen.backends import DIRECT, FLAGS, HOST, namespace
from tools.codegen.composite_kernels import called_by
from tools.codegen.context import ATEN, GENERATED, Context, GeneratedFile
from tools.codegen.model import DispatchKey, NativeFunction, NativeFunctionsGroup, Variant
from tools.codegen.registrations import registered


def operator_headers(context: Context) -> Iterator[GeneratedFile]:
    """The headers of each operator."""
    for root, functions in context.by_root.items():
        path = f"{ATEN}/ops/{root}"
        made_from = context.made_from(functions)
        renders: list[tuple[str, Callable[[], str]]] = [
            ("", partial(functions_h, root, functions)),
            ("_ops", partial(ops_h, functions)),
            ("_native", partial(native_h, context, root, functions)),
        ]
        metas = meta_groups(context, functions)
        if metas:
            renders.append(("_meta", partial(meta_h, metas)))
        for suffix, render in renders:
            yield GeneratedFile(f"{path}{suffix}.h", render, made_from, root)
    yield from _dispatch_headers(context, HOST)


def backend_headers(flag: str, context: Context) -> Iterator[GeneratedFile]:
    """The headers of the direct calls of a backend that a flag turns on."""
    yield from _dispatch_headers(context, FLAGS[flag])
    yield from _dispatch_umbrellas(context, FLAGS[flag])


def _direct(context: Context, key: DispatchKey) -> Mapping[str, list[NativeFunction]]:
    """The functions that can be called directly at a key, by base name."""
    return registered(context, key) if key in DIRECT else {}


def _dispatch_headers(context: Context, keys: Iterable[DispatchKey]) -> Iterator[GeneratedFile]:
    for key in keys:
        for root, functions in _direct(context, key).items():
            path = f"{ATEN}/ops/{root}_{namespace(key)}_dispatch.h"
            render = partial(dispatch_h, key, functions)
            yield GeneratedFile(path, render, context.made_from(functions), root)


def _dispatch_umbrellas(context: Context, keys: Iterable[DispatchKey]) -> Iterator[GeneratedFile]:
    for key in keys:
        roots = tuple(_direct(context, key))
        if roots:
            suffix = f"_{namespace(key)}_dispatch"
            yield GeneratedFile(f"{ATEN}/{key}Functions.h", partial(umbrella_h, roots, suffix))


def tensor_headers(context: Context) -> Iterator[GeneratedFile]:
    """The tensor class, the tags and the umbrellas."""
    yield GeneratedFile(f"{ATEN}/core/TensorBody.h", partial(tensor_body_h, context))
    yield GeneratedFile(f"{ATEN}/core/enum_tag.h", partial(enum_tag_h, context))
    by_root = context.by_root.items()
    methods = [root for root, fs in by_root if any(Variant.method in f.variants for f in fs)]
    metas = [root for root, fs in by_root if meta_groups(context, fs)]
    yield GeneratedFile(f"{ATEN}/Operators.h", partial(operators_h, context.roots))
    for name, roots, suffix in (
        ("Functions", context.roots, ""),
        ("MethodOperators", tuple(methods), "_ops"),
        ("NativeFunctions", context.roots, "_native"),
        ("NativeMetaFunctions", tuple(metas), "_meta"),
    ):
        yield GeneratedFile(f"{ATEN}/{name}.h", partial(umbrella_h, roots, suffix))
    yield from _dispatch_umbrellas(context, HOST)


def umbrella_h(roots: Iterable[str], suffix: str) -> str:
    """A header of headers."""
    includes = "\n".join(f"#include <ATen/ops/{root}{suffix}.h>" for root in roots)
    return f"#pragma once\n\n// {GENERATED}\n\n{includes}\n"


def operators_h(roots: Iterable[str]) -> str:
    """`Operators.h`: the structs, and their names by operator and overload."""
    return (
        umbrella_h(roots, "_ops")
        + """
// The struct of an operator without and with an overload, and the function that calls it.
#define ATEN_OP(op_name) at::_ops::op_name
#define ATEN_OP2(op_name, overload) at::_ops::op_name##_##overload
#define ATEN_FN(op_name) ATEN_OP(op_name)::call
#define ATEN_FN2(op_name, overload) ATEN_OP2(op_name, overload)::call
"""
    )


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


def meta_groups(
    context: Context, functions: Iterable[NativeFunction]
) -> list[NativeFunctionsGroup]:
    """The structured operators among these functions."""
    groups = ((f, context.structured.get(f.func.name)) for f in functions)
    return [group for f, group in groups if group is not None and f is group.out]


def meta_h(groups: Iterable[NativeFunctionsGroup]) -> str:
    """`X_meta.h`: the classes of the meta functions."""
    bases = {group.out.structured_inherits or "at::impl::MetaBase" for group in groups}
    includes = ["#include <ATen/core/Tensor.h>"]
    if "TensorIteratorBase" in bases:
        includes.append("#include <ATen/TensorIterator.h>")
    if "at::impl::MetaBase" in bases:
        includes.append("#include <ATen/TensorMeta.h>")
    body = _merge_namespaces(_in_namespace("at::meta", meta_class(group)) for group in groups)
    return f"""\
#pragma once

// {GENERATED}

{chr(10).join(sorted(includes))}

{body}"""


def dispatch_h(key: DispatchKey, functions: Iterable[NativeFunction]) -> str:
    """`X_cpu_dispatch.h`: calls of the kernels of one key, past the dispatcher."""
    lines = "".join(f"TORCH_API {sig.decl()};\n" for f in functions for sig in cpp.signatures(f))
    reduction = "#include <ATen/core/Reduction.h>\n" if "Reduction::" in lines else ""
    name = namespace(key)
    return f"""\
#pragma once

// {GENERATED}

{reduction}#include <ATen/core/Tensor.h>

namespace at {{
namespace {name} {{

{lines}
}}  // namespace {name}
}}  // namespace at
"""


def enum_tag_h(context: Context) -> str:
    """`at::Tag`: the tags of tags.yaml."""
    tags = sorted(context.tags)
    names = "".join(f"  {tag},\n" for tag in tags)
    texts = "".join(f'    "{tag}",\n' for tag in tags)
    return f"""\
#pragma once

// {GENERATED}

namespace at {{

enum class Tag {{
{names}}};

// The name of each tag, at its number.
inline constexpr const char* kTagNames[] = {{
{texts}}};

}}  // namespace at
"""


def native_h(context: Context, root: str, functions: Iterable[NativeFunction]) -> str:
    """`X_native.h`: what the kernels of all backends are declared as."""
    kernels: dict[str, None] = {}
    functions = tuple(functions)
    for f in functions:
        group = context.structured.get(f.func.name)
        sig = NativeSignature.from_schema(f.func, f.use_const_ref_for_mutable_tensors)
        for key, metadata in f.dispatch.items():
            if metadata.structured and group is not None:
                text = kernel_class(group, metadata.kernel)
            elif called_by(f, key, context.by_name) is not None:
                continue
            else:
                text = f"TORCH_API {sig.decl(metadata.kernel)};"
            kernels.setdefault(_in_namespace(metadata.cpp_namespace, text))
    body = _merge_namespaces(kernels)
    includes = ["#include <ATen/core/Tensor.h>"]
    if "Reduction::" in body:
        includes.append("#include <ATen/core/Reduction.h>")
    if meta_groups(context, functions):
        includes.append(f"#include <ATen/ops/{root}_meta.h>")
    return f"""\
#pragma once

// {GENERATED}

{chr(10).join(sorted(includes))}

#include <array>
#include <tuple>
#include <vector>

{body}"""


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
