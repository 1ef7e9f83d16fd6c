"""VariableType: kernels at the Autograd keys. Each records a node, then runs the kernels below.

An operator without an entry in derivatives.yaml records a node that throws "derivative for
aten::x is not implemented". Composites need no kernel: the operators they call have one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.codegen.api.types import return_names
from tools.codegen.autograd_functions import list_inputs
from tools.codegen.autograd_model import Derivatives, NodeInfo, Saved, output_names
from tools.codegen.autograd_views import (
    MANUAL,
    is_view,
    kernel_head,
    redispatch,
    returned_arguments,
)
from tools.codegen.context import (
    AUTOGRAD,
    GENERATED,
    TENSOR_CLASS,
    include_lines,
    op_headers,
)
from tools.codegen.model import Argument, ListType, NativeFunction, OptionalType, SchemaKind

# Base names of operators whose results never depend differentiably on a tensor argument: new
# tensors that take a shape from it, logic, and indices.
DONT_REQUIRE_DERIVATIVE = frozenset(
    [
        "ones_like",
        "zeros_like",
        "empty_like",
        "full_like",
        "rand_like",
        "randn_like",
        "randint_like",
        "new_empty",
        "new_zeros",
        "new_ones",
        "new_full",
        "new_empty_strided",
        "quantize_per_tensor",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "bitwise_not",
        "logical_and",
        "logical_or",
        "logical_xor",
        "logical_not",
        "isinf",
        "isnan",
        "isfinite",
        "isposinf",
        "isneginf",
        "signbit",
        "argmax",
        "argmin",
        "argsort",
        "nonzero",
        "randperm",
        "searchsorted",
        "bucketize",
        "__and__",
        "__or__",
        "__xor__",
        "__iand__",
        "__ior__",
        "__ixor__",
        "__lshift__",
        "__rshift__",
        "is_same_size",
        "equal",
        "allclose",
        "_local_scalar_dense",
    ]
)


def tensor_arguments(f: NativeFunction) -> list[Argument]:
    """The tensor-like arguments that are no outputs."""
    return [a for a in f.func.arguments.flat_non_out if a.type.is_tensor_like()]


def returns_tensors(f: NativeFunction) -> bool:
    """True if a result is tensor-like."""
    return any(r.type.is_tensor_like() for r in f.func.returns)


def needs_kernel(f: NativeFunction, derivatives: Derivatives) -> bool:
    """True for operators that record a node, or that must refuse to."""
    name = f.func.name.name
    if f.has_composite_implicit_autograd_kernel or f.manual_kernel_registration:
        return False
    if str(name) in MANUAL or name.base in DONT_REQUIRE_DERIVATIVE:
        return False
    if not tensor_arguments(f) or not returns_tensors(f):
        return False
    if f.category_override == "factory":
        return False  # It reads the numbers in its tensors, as linspace does.
    if f.func.kind() is SchemaKind.scratch:
        return False
    info = info_of(f, derivatives)
    if f.func.kind() is SchemaKind.mutable and info is None:
        return False
    return info is None or info.op is not None


def info_of(f: NativeFunction, derivatives: Derivatives) -> NodeInfo | None:
    """The entry of an operator; that of the functional form for out functions."""
    own = derivatives.of(f)
    return own if own is not None else derivatives.by_signature.get(f.func.signature())


def out_kernel(f: NativeFunction, info: NodeInfo | None) -> str:
    """out= writes over a tensor: it cannot be recorded."""
    inputs = [a.name for a in (info.inputs if info is not None else tensor_arguments(f))]
    return f"""\
{kernel_head(f)} {{
  if (compute_requires_grad({", ".join(inputs)})) {{
    throw_error_out_requires_grad("{f.func.name.name}");
  }}
  {{
    at::AutoDispatchBelowAutograd guard;
    {redispatch(f, "after_autograd_keyset")};
  }}
  return {returned_arguments(f)};
}}
"""


class _Kernel:
    """A kernel that records a node; lines of C++ in the order they run."""

    def __init__(self, f: NativeFunction, info: NodeInfo | None) -> None:
        self.f = f
        self.info = info
        self.inplace = f.func.kind() is SchemaKind.inplace
        self.inputs = list(info.inputs) if info is not None else tensor_arguments(f)
        self.results = list(return_names(f))

    def render(self) -> str:
        """The whole function."""
        lines = [
            *self.checks(),
            *self.requires_grad(),
            *self.node(),
            *self.call(),
            *self.history(),
            *self.save_outputs(),
            f"return {self.returned()};",
        ]
        body = "\n".join(f"  {line}" for line in lines)
        return f"{kernel_head(self.f)} {{\n{body}\n}}\n"

    def checks(self) -> list[str]:
        """Arguments are defined; those without a derivative do not require grad."""
        lines = []
        for i, a in enumerate(self.f.func.arguments.flat_all):
            if str(a.type) == "Tensor":
                lines.append(f'check_defined({a.name}, "{a.name}", {i});')
        if self.info is None:
            return lines
        derived = {a.name for a in self.inputs}
        for a in tensor_arguments(self.f):
            if a.name in derived or a.name in self.info.non_differentiable:
                continue
            if not isinstance(a.type, ListType):
                name = self.f.func.name.name
                lines.append(f'check_no_requires_grad({a.name}, "{a.name}", "{name}");')
        return lines

    def requires_grad(self) -> list[str]:
        """Whether to record."""
        names = ", ".join(a.name for a in self.inputs)
        condition = f"compute_requires_grad({names})"
        if self.info is not None and self.info.output_conditions:
            conditions = " || ".join(f"({c})" for c in self.info.output_conditions)
            condition += f" && ({conditions})"
        lines = [f"const bool any_requires_grad = {condition};"]
        if self.inplace:
            lines.append("check_inplace_allowed(self, any_requires_grad);")
        return lines

    @property
    def node_class(self) -> str:
        """The C++ class of the node."""
        if self.info is None:
            return "NotImplemented"
        return f"generated::{self.info.op}"

    def node(self) -> list[str]:
        """Makes the node and saves inputs."""
        node = self.node_class
        argument = "" if self.info is not None else f'"aten::{self.f.func.name.name}"'
        names = ", ".join(a.name for a in self.inputs)
        lines = []
        if self.clones_self():
            lines.append("std::optional<at::Tensor> original_self;")
        lines += [
            f"std::shared_ptr<{node}> grad_fn;",
            "if (any_requires_grad) {",
            f"  grad_fn = std::shared_ptr<{node}>(new {node}({argument}), deleteNode);",
            f"  grad_fn->set_next_edges(collect_next_edges({names}));",
        ]
        if self.info is not None:
            lines += [f"  grad_fn->{n}_size_ = {n}.size();" for n in list_inputs(self.info)]
            for saved in self.info.saved:
                if not saved.is_output and not self.is_written(saved):
                    lines += [f"  {line}" for line in self.guarded(saved, self.save_input(saved))]
        lines.append("}")
        return lines

    def is_written(self, saved: Saved) -> bool:
        """True for an argument besides self that the operator writes to: it is saved afterwards."""
        return any(
            a.name == saved.name and a.is_write and not (self.inplace and a.name == "self")
            for a in self.f.func.arguments.flat_non_out
        )

    def clones_self(self) -> bool:
        """True if an in-place operator needs the value it overwrites."""
        return (
            self.inplace
            and self.info is not None
            and any(s.name == "self" and s.is_tensor and not s.is_output for s in self.info.saved)
        )

    def guarded(self, saved: Saved, lines: list[str]) -> list[str]:
        """Saves a tensor only if a gradient that needs it is wanted."""
        assert self.info is not None
        users = self.info.uses_of(saved)
        if not (saved.is_tensor or saved.is_tensor_list) or list_inputs(self.info):
            return lines
        if len(users) == len(self.info.inputs):
            return lines
        positions = {a.name: i for i, a in enumerate(self.info.inputs)}
        condition = " || ".join(f"grad_fn->should_compute_output({positions[u]})" for u in users)
        return [f"if ({condition}) {{", *(f"  {line}" for line in lines), "}"]

    def save_input(self, saved: Saved) -> list[str]:
        """The statements that save an argument, or a fact about one."""
        member, expr = f"grad_fn->{saved.name}_", saved.expr
        if saved.is_tensor:
            if self.inplace and saved.name == "self":
                return [
                    "if (!original_self.has_value()) {",
                    "  original_self = self.clone();",
                    "}",
                    f"{member} = SavedVariable(*original_self, false);",
                ]
            return [f"{member} = SavedVariable({expr}, false);"]
        if saved.is_tensor_list:
            return [f"{member} = make_saved_variable_list({expr}, false);"]
        if saved.type is None:
            return [f"{member} = {expr};"]
        return [f"{member} = {owned(saved)};"]

    def call(self) -> list[str]:
        """Runs the kernels below."""
        below = "AutoDispatchBelowADInplaceOrView"
        if self.inplace or is_view(self.f):
            below = "AutoDispatchBelowAutograd"
        call = redispatch(self.f, "after_autograd_keyset")
        if self.inplace:
            return ["{", f"  at::{below} guard;", f"  {call};", "}"]
        target = self.results[0] if len(self.results) == 1 else f"[{', '.join(self.results)}]"
        return [
            f"auto {target} = [&]() {{",
            f"  at::{below} guard;",
            f"  return {call};",
            "}();",
        ]

    def history(self) -> list[str]:
        """Connects the results to the node."""
        if self.inplace:
            rebase = "rebase_history(self, grad_fn);"
            if self.f.is_view_op:
                # What is seen changes, not what the base holds.
                rebase = (
                    "impl::get_view_autograd_meta(self) ? set_history(self, grad_fn) : " + rebase
                )
            return ["if (grad_fn) {", f"  {rebase}", "}"]
        if self.info is not None:
            positions: Sequence[int] = self.info.outputs
        else:
            returns = self.f.func.returns
            positions = [i for i, r in enumerate(returns) if r.type.is_tensor_like()]
        lines = [f"  set_history({self.results[i]}, grad_fn);" for i in positions]
        return ["if (grad_fn) {", *lines, "}"]

    def save_outputs(self) -> list[str]:
        """Saves results, once they have their history, and arguments that were written to."""
        if self.info is None:
            return []
        names = output_names(self.info.schema)
        lines: list[str] = []
        for saved in self.info.saved:
            if not saved.is_output:
                if self.is_written(saved):
                    lines += self.guarded(saved, self.save_input(saved))
                continue
            source = self.results[names.index(saved.source or saved.name)]
            member = f"grad_fn->{saved.name}_"
            if saved.is_tensor:
                on_view = ", self.is_view()" if self.inplace else ""
                lines += self.guarded(
                    saved, [f"{member} = SavedVariable({source}, true{on_view});"]
                )
            elif saved.is_tensor_list:
                lines.append(f"{member} = make_saved_variable_list({source}, true);")
            else:
                expr = saved.expr.replace(saved.source or "", source)
                lines.append(f"{member} = {expr};")
        return ["if (grad_fn) {", *(f"  {line}" for line in lines), "}"] if lines else []

    def returned(self) -> str:
        """The return expression."""
        if self.inplace:
            return "self"
        if len(self.results) == 1:
            return self.results[0]
        return f"std::make_tuple({', '.join(f'std::move({name})' for name in self.results)})"


def owned(saved: Saved) -> str:
    """The expression that copies a borrowed argument into its member."""
    name = saved.name
    if saved.cpp_type == "std::string":
        return f"std::string({name})"
    if saved.cpp_type == "std::optional<std::string>":
        return f"{name}.has_value() ? std::make_optional(std::string(*{name})) : std::nullopt"
    if isinstance(saved.type, OptionalType) and saved.type.is_list_like():
        return f"{name}.has_value() ? std::make_optional({name}->vec()) : std::nullopt"
    if saved.cpp_type.startswith("std::vector"):
        return f"{name}.vec()"
    return name


def variable_type_headers(
    derivatives: Derivatives, functions: Sequence[NativeFunction]
) -> list[str]:
    """The generated headers that a shard includes."""
    return [TENSOR_CLASS, *op_headers(_recorded(derivatives, functions), "_ops")]


def _recorded(
    derivatives: Derivatives, functions: Sequence[NativeFunction]
) -> list[NativeFunction]:
    return [f for f in functions if needs_kernel(f, derivatives)]


def variable_type_cpp(
    derivatives: Derivatives, index: int, functions: Sequence[NativeFunction]
) -> str:
    """One shard."""
    kernels: list[str] = []
    registrations: list[str] = []
    for f in _recorded(derivatives, functions):
        info = info_of(f, derivatives)
        if f.func.kind() is SchemaKind.out:
            kernels.append(out_kernel(f, info))
        else:
            kernels.append(_Kernel(f, info).render())
        registrations.append(
            f'  m.impl("{f.func.name}", TORCH_FN(VariableType::{f.func.name.unambiguous_name()}));'
        )
    body = "\n".join(kernels)
    lines = "\n".join(registrations)
    return f"""\
// {GENERATED}

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/VariableTypeUtils.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <{AUTOGRAD}/Functions_{index}.h>
#include <torch/library.h>
{include_lines(variable_type_headers(derivatives, functions))}

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace torch::autograd {{
namespace VariableType {{
namespace {{

{body}
}}  // namespace
}}  // namespace VariableType

namespace {{

TORCH_LIBRARY_IMPL(aten, Autograd, m) {{
{lines}
}}

}}  // namespace
}}  // namespace torch::autograd
"""
