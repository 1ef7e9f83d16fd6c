"""`Register<Key>_N.cpp`: a wrapper for each kernel of one dispatch key, and its registration.

A wrapper has the operator's signature. It calls a kernel of `at::native`, or runs a structured
kernel on outputs that a class of ATen/StructuredOutput.h makes, or is itself the kernel of a
variant that has no kernel of its own. Where C++ may call the kernels of a key directly,
`at::cpu::add` and the like are here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tools.codegen import composite_kernels, ufunc
from tools.codegen.api import cpp
from tools.codegen.api.dispatcher import DispatcherSignature
from tools.codegen.api.structured import (
    impl_arguments,
    meta_arguments,
    meta_name,
    precomputed_elements,
)
from tools.codegen.backends import DIRECT, FLAGS, HOST, namespace
from tools.codegen.context import ATEN, GENERATED, TENSOR_CLASS, Context, GeneratedFile
from tools.codegen.model import (
    Argument,
    BackendMetadata,
    BaseTy,
    DispatchKey,
    NativeFunction,
    NativeFunctionsGroup,
    SchemaKind,
)

# How a key makes the outputs of structured operators; the others ask the dispatcher.
_OUTPUTS = {DispatchKey.CPU: "CPUOutputs", DispatchKey.Meta: "MetaOutputs"}
_NON_FUNCTIONAL = DispatchKey.CompositeExplicitAutogradNonFunctional


def files(context: Context) -> Iterator[GeneratedFile]:
    """The registrations of the host's keys that have kernels."""
    return _of_keys(context, HOST)


def backend_files(flag: str, context: Context) -> Iterator[GeneratedFile]:
    """The registrations of a backend that a flag turns on, and kernels that are made of loops."""
    yield from _of_keys(context, FLAGS[flag])
    if DispatchKey.CUDA in FLAGS[flag]:
        yield from ufunc.cuda_files(context)


def _of_keys(context: Context, keys: Iterable[DispatchKey]) -> Iterator[GeneratedFile]:
    for key in keys:
        functions = registered(context, key)
        if functions:
            render = partial(register_cpp, context, key)
            yield from context.sharded_files(
                ATEN,
                f"Register{key}",
                render,
                functions,
                headers=partial(_headers, context, key),
                only_functions=True,
            )


def registered(context: Context, key: DispatchKey) -> Mapping[str, list[NativeFunction]]:
    """The functions that get a kernel at this key, by base name."""
    if not context.registered:
        for root, functions in context.by_root.items():
            for f in functions:
                for own in _keys(context, f):
                    context.registered.setdefault(own, {}).setdefault(root, []).append(f)
    return context.registered.get(key, {})


def _keys(context: Context, f: NativeFunction) -> set[DispatchKey]:
    """The keys at which a function gets a kernel."""
    if f.manual_kernel_registration:
        return set()
    keys = {key for key, metadata in f.dispatch.items() if not metadata.structured}
    group = context.structured.get(f.func.name)
    if group is None:
        if _meta_changes_nothing(f):
            keys.add(DispatchKey.Meta)
        return keys
    keys |= {key for key, metadata in group.out.dispatch.items() if metadata.structured}
    keys.add(DispatchKey.Meta)
    if f is not group.out:
        # The out variant is what a backend brings.
        keys.add(_NON_FUNCTIONAL)
    return keys


def _meta_changes_nothing(f: NativeFunction) -> bool:
    """True for in-place operators without a meta kernel: self has its shape already."""
    in_place = f.func.kind() is SchemaKind.inplace and len(f.func.returns) == 1
    return in_place and not f.has_composite_kernel


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A wrapper: its name and text, the stems of the operators' headers and others it needs."""

    function: NativeFunction
    name: str
    text: str
    headers: tuple[str, ...] = ()
    includes: frozenset[str] = frozenset()


_EVERY_SHARD = frozenset({"ATen/core/List.h", "ATen/core/Tensor.h", "torch/library.h"})


def _headers(context: Context, key: DispatchKey, functions: Sequence[NativeFunction]) -> list[str]:
    """The generated headers of what the kernels call, and of what a shard defines."""
    kernels = [_kernel(context, key, f) for f in functions]
    return [TENSOR_CLASS, *_operator_headers(key, kernels)]


def register_cpp(context: Context, key: DispatchKey, functions: Sequence[NativeFunction]) -> str:
    """The kernels of one key: a wrapper each, and the registrations."""
    kernels = [_kernel(context, key, f) for f in functions]
    registrations: dict[str, list[str]] = {}
    for k in kernels:
        registrations.setdefault(k.function.namespace, []).append(
            f'  m.impl("{k.function.func.name}", TORCH_FN({k.name}));'
        )
    blocks = "\n".join(
        f"TORCH_LIBRARY_IMPL({namespace}, {key}, m) {{\n{chr(10).join(lines)}\n}}\n"
        for namespace, lines in registrations.items()
    )
    body = "\n".join(k.text for k in kernels)
    includes = _EVERY_SHARD.union(
        *(k.includes for k in kernels), (f"ATen/{h}" for h in _operator_headers(key, kernels))
    )
    return f"""\
// {GENERATED}

{chr(10).join(f"#include <{name}>" for name in sorted(includes))}

namespace {{

{body}
}}  // namespace

{blocks}{_direct_calls(key, kernels)}"""


def _operator_headers(key: DispatchKey, kernels: Sequence[_Kernel]) -> list[str]:
    stems = {stem for k in kernels for stem in k.headers}
    if key in DIRECT:
        stems |= {f"{k.function.root_name}_{namespace(key)}_dispatch" for k in kernels}
    return [f"ops/{stem}.h" for stem in sorted(stems)]


def _direct_calls(key: DispatchKey, kernels: Sequence[_Kernel]) -> str:
    """`at::cpu::add` and the like."""
    if key not in DIRECT or not kernels:
        return ""
    parts = []
    for k in kernels:
        for sig in cpp.signatures(k.function):
            call = f"{k.name}({sig.dispatcher_call_arguments()})"
            parts.append(f"{sig.defn()} {{\n  return {call};\n}}\n")
    body = "".join(parts)
    name = namespace(key)
    return f"""
namespace at {{
namespace {name} {{

{body}
}}  // namespace {name}
}}  // namespace at
"""


def _kernel(context: Context, key: DispatchKey, f: NativeFunction) -> _Kernel:
    name = f"wrapper_{key}_{f.func.name.unambiguous_name()}"
    native = f"{f.root_name}_native"
    metadata = f.dispatch.get(key)
    group = context.structured.get(f.func.name)
    if group is not None and (metadata is None or metadata.structured):
        text, includes = structured_wrapper(f, group, key, name)
        if metadata_of(group, key) is None:
            native = f"{f.root_name}_meta"
        calls = (f"{group.root_name}_ops",) if key is _NON_FUNCTIONAL else ()
        return _Kernel(f, name, text, (native, *calls), includes)
    if metadata is None:
        return _Kernel(f, name, meta_wrapper(f, name), (), frozenset({"c10/util/Exception.h"}))
    calls_function = composite_kernels.called_by(f, key, context.by_name)
    if calls_function is not None:
        body = composite_kernels.body(f, calls_function)
        text = f"{DispatcherSignature.of(f).defn(name)} {{\n{body}}}\n"
        used = frozenset({composite_kernels.HEADER})
        return _Kernel(f, name, text, (f"{calls_function.root_name}_ops",), used)
    guard = _guard(f, key, name)
    return _Kernel(f, name, plain_wrapper(f, metadata, guard, name), (native,), guard.includes)


def metadata_of(group: NativeFunctionsGroup, key: DispatchKey) -> BackendMetadata | None:
    """The structured kernel of a key, if it has its own."""
    metadata = group.out.dispatch.get(key)
    return metadata if metadata is not None and metadata.structured else None


def _needs_guard(key: DispatchKey) -> bool:
    return not key.is_composite and not key.value.endswith(("CPU", "Meta"))


@dataclass(frozen=True, slots=True)
class _Guard:
    """The first lines of a wrapper, and the headers that they need."""

    lines: str = ""
    includes: frozenset[str] = frozenset()


_CHECK = frozenset({"ATen/core/op_registration/adaption.h"})


def _guard(f: NativeFunction, key: DispatchKey, wrapper: str) -> _Guard:
    """The device check and guard of a wrapper; nothing for host memory."""
    if not _needs_guard(key):
        return _Guard()
    arguments = f.func.arguments
    tensors = [a for a in arguments.flat_all if a.type.is_tensor_like()]
    lines = _device_check(f, tensors, wrapper) if len(tensors) > 1 else []
    includes = _CHECK if lines else frozenset()
    if f.device_guard:
        device = arguments.tensor_options
        named = {a.name for a in arguments.flat_kwarg_only}
        on = [a for a in tensors if not a.type.is_list_like() and a.name not in named] or tensors
        if device is not None or on:
            includes |= {"ATen/DeviceGuard.h"}
        if device is not None and not any(a.name == "self" for a in on):
            lines.append("  const c10::DeviceGuard device_guard(c10::device_or_default(device));\n")
        elif on:
            first = next((a for a in on if a.name == "self"), on[0])
            lines.append(
                f"  const c10::OptionalDeviceGuard device_guard(at::device_of({first.name}));\n"
            )
    return _Guard("".join(lines), includes)


def _device_check(f: NativeFunction, tensors: Sequence[Argument], wrapper: str) -> list[str]:
    """Tensors of two devices throw."""
    if f.device_check.name != "ExactSame":
        return []
    return ["  ::std::optional<c10::Device> common_device = ::std::nullopt;\n"] + [
        f'  c10::impl::check_and_update_common_device(common_device, {a.name}, "{wrapper}", '
        f'"{a.name}");\n'
        for a in tensors
    ]


def _meta_check(f: NativeFunction, group: NativeFunctionsGroup, wrapper: str) -> _Guard:
    """One tensor without memory brings a call here; TensorIterator and outputs look themselves."""
    if group.out.structured_inherits is not None:
        return _Guard()
    tensors = [a for a in f.func.arguments.flat_non_out if a.type.is_tensor_like()]
    if len(tensors) == 1 and not tensors[0].type.is_list_like():
        return _Guard()
    lines = _device_check(f, tensors, wrapper)
    return _Guard("".join(lines), _CHECK if lines else frozenset())


def plain_wrapper(f: NativeFunction, metadata: BackendMetadata, guard: _Guard, name: str) -> str:
    """A wrapper that calls the kernel."""
    sig = DispatcherSignature.of(f)
    kernel = f"{metadata.cpp_namespace}::{metadata.kernel}"
    return f"""\
{sig.defn(name)} {{
{guard.lines}  return {kernel}({sig.call_arguments()});
}}
"""


def meta_wrapper(f: NativeFunction, name: str) -> str:
    """The Meta kernel of an in-place operator that keeps the shape of self."""
    return f"""\
{DispatcherSignature.of(f).defn(name)} {{
  TORCH_CHECK_NOT_IMPLEMENTED(
      self.is_meta(), "Cannot inplace into non-meta tensor with meta tensor argument");
  return self;
}}
"""


def structured_wrapper(
    f: NativeFunction, group: NativeFunctionsGroup, key: DispatchKey, name: str
) -> tuple[str, frozenset[str]]:
    """Runs meta, then the backend's impl, on new, given or own outputs; with the headers it needs.

    Without a backend of its own, the impl is the out variant of the outputs' backend.
    """
    kind = f.func.kind()
    count = len(group.out.func.arguments.out)
    metadata = metadata_of(group, key)
    if metadata is not None:
        kernel = f"{metadata.cpp_namespace}::structured_{metadata.kernel}"
    else:
        kernel = f"at::meta::structured_{meta_name(group)}"
    outputs = f"at::impl::{_OUTPUTS.get(key, 'DefaultOutputs')}"
    if kind is SchemaKind.functional:
        declare = f"at::impl::FunctionalKernel<{kernel}, {count}, {outputs}> op"
        result = [f"op.take_output({i})" for i in range(count)]
        finish = f"  return {result[0] if count == 1 else f'::std::make_tuple({_list(result)})'};\n"
    elif kind is SchemaKind.inplace:
        declare = f"at::impl::InplaceKernel<{kernel}, {outputs}> op(self)"
        finish = "  op.copy_back();\n  return self;\n"
    else:
        names = [a.name for a in f.func.arguments.out]
        declare = f"at::impl::OutKernel<{kernel}, {count}, {outputs}> op({_list(names)})"
        finish = f"  op.copy_back();\n  return {_out_result(f)};\n"
    precomputes = bool(precomputed_elements(group)) and metadata is not None
    guard = _meta_check(f, group, name) if key is DispatchKey.Meta else _guard(f, key, name)
    text = f"""\
{DispatcherSignature.of(f).defn(name)} {{
{guard.lines}  {declare};
  {"auto precompute = " if precomputes else ""}op.meta({_list(meta_arguments(group))});
{_run(group, key, count)}{finish}}}
"""
    return text, guard.includes | {"ATen/StructuredOutput.h"}


def _run(group: NativeFunctionsGroup, key: DispatchKey, count: int) -> str:
    """The call that computes, once the outputs are there."""
    if key is DispatchKey.Meta:
        return ""
    outputs = [f"op.maybe_get_output({i})" for i in range(count)]
    if key is not _NON_FUNCTIONAL:
        return f"  op.impl({_list(impl_arguments(group, outputs))});\n"
    # Handles, as the operator takes its outputs by reference.
    handles = "".join(f"  at::Tensor out{i} = {o};\n" for i, o in enumerate(outputs))
    arguments = [a.name for a in group.out.func.arguments.flat_non_out]
    arguments += [f"out{i}" for i in range(count)]
    name = group.out.func.name.unambiguous_name()
    return f"{handles}  at::_ops::{name}::call({_list(arguments)});\n"


def _list(items: Sequence[str]) -> str:
    return ", ".join(items)


def _out_result(f: NativeFunction) -> str:
    names = [a.name for a in f.func.arguments.out if a.type.is_base_ty_like(BaseTy.Tensor)]
    if not f.func.returns:
        return ""
    if len(names) == 1:
        return names[0]
    return f"{cpp.returns_type(f.func)}({_list(names)})"
