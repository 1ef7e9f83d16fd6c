"""Sources: calls into the dispatcher, methods, schemas and kernels' registrations.

* `Operators_N.cpp`      `at::_ops::X::call` and `redispatch`, through one static handle each
* `TensorMethods_N.cpp`  methods of class Tensor
* `RegisterSchema.cpp`   the schema of every operator
* `Register<Key>_N.cpp`  the kernels of one dispatch key

A shard includes the headers of its own operators only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from tools.codegen.api import cpp
from tools.codegen.api.dispatcher import DispatcherSignature
from tools.codegen.api.structured import (
    impl_arguments,
    meta_arguments,
    meta_name,
    precomputed_elements,
)
from tools.codegen.context import ATEN, GENERATED, Context, GeneratedFile, op_includes
from tools.codegen.headers import c_string
from tools.codegen.model import (
    BackendMetadata,
    BaseTy,
    DispatchKey,
    NativeFunction,
    NativeFunctionsGroup,
    SchemaKind,
    Variant,
)


def files(context: Context) -> Iterator[GeneratedFile]:
    """All sources."""
    yield from context.sharded_files(ATEN, "Operators", operators_cpp, only_functions=True)
    yield from context.sharded_files(ATEN, "TensorMethods", tensor_methods_cpp, only_functions=True)
    yield GeneratedFile(f"{ATEN}/RegisterSchema.cpp", partial(register_schema_cpp, context))
    for key in context.options.backends:
        if has_registrations(context, key):
            yield from context.sharded_files(
                ATEN,
                f"Register{key}",
                partial(register_cpp, context, key),
                only_functions=True,
            )


def has_registrations(context: Context, key: DispatchKey) -> bool:
    """True if some operator has a kernel at this key."""
    if key is DispatchKey.Meta and context.structured:
        return True
    return any(key in f.dispatch for f in context.functions)


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
{op_includes(functions, "_ops")}

namespace at {{
namespace _ops {{

{body}
}}  // namespace _ops
}}  // namespace at
"""


def tensor_methods_cpp(functions: Sequence[NativeFunction]) -> str:
    """Definitions of the methods."""
    methods = [f for f in functions if Variant.method in f.variants and not f.manual_cpp_binding]
    parts = []
    for f in methods:
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
{op_includes(methods, "_ops")}

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
        lines = "\n".join(f"  m.def({c_string(str(f.func))});" for f in functions)
        blocks.append(f"TORCH_LIBRARY({namespace}, m) {{\n{lines}\n}}\n")
    body = "\n".join(blocks)
    return f"// {GENERATED}\n\n#include <torch/library.h>\n\n{body}"


def register_cpp(context: Context, key: DispatchKey, functions: Sequence[NativeFunction]) -> str:
    """The kernels of one key: a wrapper each, and the registrations."""
    wrappers: list[str] = []
    registrations: dict[str, list[str]] = {}
    used: list[NativeFunction] = []
    for f in functions:
        metadata = f.dispatch.get(key)
        group = context.structured.get(f.func.name)
        name = f"wrapper_{key}_{f.func.name.unambiguous_name()}"
        if group is not None and (metadata is None or metadata.structured):
            text = structured_wrapper(f, group, key, name)
            used.append(group.out)
        elif metadata is not None:
            text = plain_wrapper(f, metadata, key, name)
        else:
            continue
        if not text:
            continue
        used.append(f)
        wrappers.append(text)
        registrations.setdefault(f.namespace, []).append(
            f'  m.impl("{f.func.name}", TORCH_FN({name}));'
        )
    blocks = "\n".join(
        f"TORCH_LIBRARY_IMPL({namespace}, {key}, m) {{\n{chr(10).join(lines)}\n}}\n"
        for namespace, lines in registrations.items()
    )
    body = "\n".join(wrappers)
    guard = "#include <ATen/DeviceGuard.h>\n" if "device_guard" in body else ""
    output = "#include <ATen/StructuredOutput.h>\n" if "at::impl::" in body else ""
    return f"""\
// {GENERATED}

{guard}{output}#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
{op_includes(used, "_native")}
#include <torch/library.h>

namespace {{

{body}
}}  // namespace

{blocks}"""


def _needs_guard(key: DispatchKey) -> bool:
    return not key.is_composite and key not in (
        DispatchKey.CPU,
        DispatchKey.Meta,
        DispatchKey.SparseCPU,
        DispatchKey.SparseCsrCPU,
        DispatchKey.QuantizedCPU,
        DispatchKey.NestedTensorCPU,
        DispatchKey.MkldnnCPU,
    )


def guard_lines(f: NativeFunction, key: DispatchKey, wrapper: str) -> str:
    """The device check and guard of a wrapper; nothing for host memory."""
    if not _needs_guard(key):
        return ""
    lines = []
    arguments = f.func.arguments
    tensors = [a for a in arguments.flat_all if a.type.is_tensor_like()]
    if f.device_check.name == "ExactSame" and len(tensors) > 1:
        lines.append("  ::std::optional<c10::Device> common_device = ::std::nullopt;\n")
        lines += [
            f'  c10::impl::check_and_update_common_device(common_device, {a.name}, "{wrapper}", '
            f'"{a.name}");\n'
            for a in tensors
        ]
    if f.device_guard:
        device = arguments.tensor_options
        on = [a for a in tensors if not a.type.is_list_like()] or tensors
        if device is not None and not any(a.name == "self" for a in on):
            lines.append("  const c10::DeviceGuard device_guard(c10::device_or_default(device));\n")
        elif on:
            first = next((a for a in on if a.name == "self"), on[0])
            lines.append(
                f"  const c10::OptionalDeviceGuard device_guard(at::device_of({first.name}));\n"
            )
    return "".join(lines)


def plain_wrapper(f: NativeFunction, metadata: BackendMetadata, key: DispatchKey, name: str) -> str:
    """A wrapper that calls the kernel."""
    sig = DispatcherSignature.of(f)
    guard = guard_lines(f, key, name)
    kernel = f"{metadata.cpp_namespace}::{metadata.kernel}"
    return f"""\
{sig.defn(name)} {{
{guard}  return {kernel}({sig.call_arguments()});
}}
"""


def structured_wrapper(
    f: NativeFunction, group: NativeFunctionsGroup, key: DispatchKey, name: str
) -> str:
    """Runs meta, then the backend's impl, on new, given or own outputs."""
    kind = f.func.kind()
    outs = group.out.func.arguments.out
    count = len(outs)
    if key is DispatchKey.Meta:
        kernel = f"at::meta::structured_{meta_name(group)}"
    elif (metadata := group.out.dispatch.get(key)) is not None and metadata.structured:
        kernel = f"{metadata.cpp_namespace}::structured_{metadata.kernel}"
    else:
        return ""
    sig = DispatcherSignature.of(f)
    outputs = [f"op.maybe_get_output({i})" for i in range(count)]
    device = f"at::impl::{key}Outputs"
    if kind is SchemaKind.functional:
        declare = f"  at::impl::FunctionalKernel<{kernel}, {count}, {device}> op;\n"
    elif kind is SchemaKind.inplace:
        declare = f"  at::impl::InplaceKernel<{kernel}, {device}> op(self);\n"
    elif kind is SchemaKind.out:
        names = ", ".join(a.name for a in f.func.arguments.out)
        declare = f"  at::impl::OutKernel<{kernel}, {count}, {device}> op({names});\n"
    else:
        return ""
    call_meta = f"op.meta({', '.join(meta_arguments(group))});\n"
    if precomputed_elements(group) and key is not DispatchKey.Meta:
        call_meta = f"auto precompute = {call_meta}"
    call_impl = ""
    if key is not DispatchKey.Meta:
        call_impl = f"  op.impl({', '.join(impl_arguments(group, outputs))});\n"
    if kind is SchemaKind.functional:
        taken = [f"op.take_output({i})" for i in range(count)]
        result = taken[0] if count == 1 else f"::std::make_tuple({', '.join(taken)})"
        finish = f"  return {result};\n"
    else:
        result = "self" if kind is SchemaKind.inplace else _out_result(f)
        finish = f"  op.copy_back();\n  return {result};\n"
    return f"""\
{sig.defn(name)} {{
{guard_lines(f, key, name)}{declare}  {call_meta}{call_impl}{finish}}}
"""


def _out_result(f: NativeFunction) -> str:
    names = [a.name for a in f.func.arguments.out if a.type.is_base_ty_like(BaseTy.Tensor)]
    if not f.func.returns:
        return ""
    if len(names) == 1:
        return names[0]
    return f"{cpp.returns_type(f.func)}({', '.join(names)})"
