"""ADInplaceOrView: kernels that count versions and make views know their base.

They run below autograd, also when nothing requires grad: a tensor saved for backward must notice
every change, and a view made now may be changed under grad mode later.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.codegen.api.dispatcher import DispatcherSignature
from tools.codegen.context import GENERATED, TENSOR_CLASS, include_lines, op_headers
from tools.codegen.model import ListType, NativeFunction, SchemaKind

# Their kernels are in torch/csrc/autograd/VariableTypeManual.cpp.
MANUAL = frozenset({"copy_", "detach", "detach_", "resize_", "resize_as_"})
# Marked as views because they may return their argument; they return it or a fresh tensor.
NOT_VIEWS = frozenset({"lift_fresh", "lift"})


def is_view(f: NativeFunction) -> bool:
    """True for operators whose result shares the storage of self."""
    name = str(f.func.name.name)
    return f.is_view_op and f.func.kind() is SchemaKind.functional and name not in NOT_VIEWS


def needs_kernel(f: NativeFunction) -> bool:
    """True for views, in-place and out operators that are no composites."""
    if f.has_composite_implicit_autograd_kernel or str(f.func.name.name) in MANUAL:
        return False
    if f.func.kind() in (SchemaKind.inplace, SchemaKind.out):
        return True
    return is_view(f)


def redispatch(f: NativeFunction, keys: str) -> str:
    """The call of the kernels below."""
    sig = DispatcherSignature.of(f)
    arguments = ", ".join([f"ks & c10::{keys}", *(b.name for b in sig.arguments())])
    return f"at::_ops::{sig.unambiguous_name()}::redispatch({arguments})"


def kernel_head(f: NativeFunction) -> str:
    """The head of a kernel: the operator's signature behind a key set."""
    sig = DispatcherSignature.of(f)
    params = ", ".join(["c10::DispatchKeySet ks", *(b.defn() for b in sig.arguments())])
    return f"{sig.returns_type()} {sig.unambiguous_name()}({params})"


def returned_arguments(f: NativeFunction) -> str:
    """The return of an in-place or out function."""
    if f.func.name.name.inplace:
        return "self"
    names = [a.name for a in f.func.arguments.out]
    return names[0] if len(names) == 1 else f"std::forward_as_tuple({', '.join(names)})"


def mutation_kernel(f: NativeFunction) -> str:
    """In-place and out: run, then count. What out= writes over has no history."""
    check = "".join(
        f"""\
  if (c10::GradMode::is_enabled() && {a.name}.requires_grad()) {{
    throw_error_out_requires_grad("{f.func.name.name}");
  }}
"""
        for a in f.func.arguments.out
        if not a.type.is_list_like()
    )
    bumps = "\n".join(
        f"  for (const at::Tensor& each : {a.name}) increment_version(each);"
        if a.type.is_list_like()
        else f"  increment_version({a.name});"
        for a in f.func.arguments.flat_all
        if a.is_write
    )
    returned = f"  return {returned_arguments(f)};\n" if f.func.returns else ""
    return f"""\
{kernel_head(f)} {{
{check}  {{
    at::AutoDispatchBelowADInplaceOrView guard;
    {redispatch(f, "after_ADInplaceOrView_keyset")};
  }}
{bumps}
{returned}}}
"""


def view_kernel(f: NativeFunction, is_differentiable: bool) -> str:
    """Views: make the result know its base."""
    base = next(a.name for a in f.func.arguments.flat_all if a.annotation is not None)
    multiple = isinstance(f.func.returns[0].type, ListType)
    meta = f"view_creation_meta(/*multiple_outputs=*/{str(multiple).lower()})"
    flag = str(is_differentiable).lower()
    return f"""\
{kernel_head(f)} {{
  auto tmp = [&]() {{
    at::AutoDispatchBelowADInplaceOrView guard;
    return {redispatch(f, "after_ADInplaceOrView_keyset")};
  }}();
  return as_view({base}, std::move(tmp), /*is_differentiable=*/{flag}, {meta});
}}
"""


def ad_inplace_or_view_headers(functions: Sequence[NativeFunction]) -> list[str]:
    """The generated headers that a shard includes."""
    return [TENSOR_CLASS, *op_headers(filter(needs_kernel, functions), "_ops")]


def ad_inplace_or_view_cpp(functions: Sequence[NativeFunction]) -> str:
    """One shard."""
    kernels: list[str] = []
    registrations: list[str] = []
    for f in filter(needs_kernel, functions):
        if is_view(f):
            # A view under another dtype has no gradient.
            kernels.append(view_kernel(f, str(f.func.name) != "view.dtype"))
        else:
            kernels.append(mutation_kernel(f))
        registrations.append(
            f'  m.impl("{f.func.name}", TORCH_FN(ADInplaceOrView::'
            f"{f.func.name.unambiguous_name()}));"
        )
    body = "\n".join(kernels)
    lines = "\n".join(registrations)
    return f"""\
// {GENERATED}

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/VariableTypeUtils.h>
#include <torch/library.h>
{include_lines(ad_inplace_or_view_headers(functions))}

#include <tuple>
#include <utility>

namespace torch::autograd {{
namespace ADInplaceOrView {{
namespace {{

{body}
}}  // namespace
}}  // namespace ADInplaceOrView

namespace {{

TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) {{
{lines}
}}

}}  // namespace
}}  // namespace torch::autograd
"""
