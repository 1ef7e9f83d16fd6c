"""The classes of the backward graph: one a derivatives.yaml entry with formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tools.codegen.autograd_model import (
    Derivative,
    NodeInfo,
    Saved,
    called_functions,
    differentiable_list,
    identifiers,
    output_names,
)
from tools.codegen.context import AUTOGRAD, GENERATED, TENSOR_CLASS, Context, include_lines
from tools.codegen.model import ListType, OptionalType


def functions_h(nodes: Iterable[NodeInfo]) -> str:
    """Declarations of the nodes of a shard."""
    body = "\n".join(node_class(info) for info in nodes)
    return f"""\
#pragma once

// {GENERATED}

#include <ATen/TensorGeometry.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Export.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torch::autograd::generated {{

{body}
}}  // namespace torch::autograd::generated
"""


def list_inputs(info: NodeInfo) -> list[str]:
    """The differentiable arguments that are lists of tensors."""
    return [a.name for a in info.inputs if differentiable_list(a.type)]


def is_traceable(info: NodeInfo) -> bool:
    """True when the formulas are known to be made of operators."""
    return not any(d.is_not_implemented for d in info.derivatives)


def node_class(info: NodeInfo) -> str:
    """One class."""
    members: list[str] = []
    release: list[str] = []
    for saved in info.saved:
        if saved.is_tensor_list:
            members += [f"{saved.cpp_type} {saved.name}_;", f"bool {saved.name}_released_ = false;"]
            release += [f"{saved.name}_.clear();", f"{saved.name}_released_ = true;"]
        elif saved.is_tensor:
            members.append(f"SavedVariable {saved.name}_;")
            release.append(f"{saved.name}_.reset_data();")
        elif saved.cpp_type == "at::Device":
            members.append(f"at::Device {saved.name}_ = at::Device(c10::DeviceType::CPU);")
        else:
            members.append(f"{saved.cpp_type} {saved.name}_{{}};")
    members += [f"size_t {name}_size_ = 0;" for name in list_inputs(info)]
    base = "TraceableFunction" if is_traceable(info) else "Node"
    releasing = ""
    if release:
        lines = "\n".join(f"    {line}" for line in release)
        releasing = f"""\
  void release_variables() override {{
    std::lock_guard<std::mutex> lock(mutex_);
{lines}
  }}
"""
    fields = "\n" + "\n".join(f"  {m}" for m in members) + "\n" if members else ""
    return f"""\
struct TORCH_API {info.op} : public {base} {{
  using {base}::{base};
  variable_list apply(variable_list&& grads) override;
  std::string name() const override {{ return "{info.op}"; }}
{releasing}{fields}}};
"""


def functions_headers(context: Context, nodes: Sequence[NodeInfo]) -> list[str]:
    """The generated headers that a shard includes: of the operators that formulas call."""
    called = {name for i in nodes for d in i.derivatives for name in called_functions(d.formula)}
    return [TENSOR_CLASS, *(f"ops/{root}.h" for root in sorted(called & set(context.by_root)))]


def functions_cpp(context: Context, index: int, nodes: Sequence[NodeInfo]) -> str:
    """Definitions of the nodes of a shard."""
    body = "\n".join(node_apply(info) for info in nodes)
    return f"""\
// {GENERATED}

#include <{AUTOGRAD}/Functions_{index}.h>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/FunctionsManual.h>
#include <torch/csrc/autograd/graph_task.h>
{include_lines(functions_headers(context, nodes))}

#include <cmath>
#include <mutex>
#include <string_view>
#include <tuple>

namespace torch::autograd::generated {{

using namespace details;
using at::IntArrayRef;
using at::Scalar;
using at::Tensor;
using c10::GradMode;

{body}
}}  // namespace torch::autograd::generated
"""


def unpack(saved: Saved) -> str:
    """The statement that brings a member into a formula's scope."""
    name = saved.name
    owner = "shared_from_this()" if saved.is_output else ""
    if saved.is_tensor:
        if isinstance(saved.type, OptionalType):
            return f"const auto {name} = to_optional({name}_.unpack({owner}));"
        return f"const auto {name} = {name}_.unpack({owner});"
    if saved.is_tensor_list:
        optional = isinstance(saved.type, ListType) and saved.type.elem.is_nullable()
        function = "unpack_opt_list" if optional else "unpack_list"
        check = f"TORCH_CHECK(!{name}_released_, ERR_BACKWARD_TWICE);"
        owner = f", {owner}" if owner else ""
        return f"{check}\n  const auto {name} = {function}({name}_{owner});"
    if saved.cpp_type == "std::vector<int64_t>":
        return f"const IntArrayRef {name}({name}_);"
    if saved.cpp_type == "std::optional<std::vector<int64_t>>":
        return (
            f"const at::OptionalIntArrayRef {name} = {name}_.has_value() "
            f"? at::OptionalIntArrayRef(*{name}_) : at::OptionalIntArrayRef();"
        )
    if saved.cpp_type == "std::optional<std::string>":
        return (
            f"const auto {name} = {name}_.has_value() "
            f"? std::optional<std::string_view>(*{name}_) : std::nullopt;"
        )
    return f"const auto& {name} = {name}_;"


def gradients(info: NodeInfo) -> list[str]:
    """Names for the gradients the formulas use."""
    used = {name for d in info.derivatives for name in identifiers(d.formula)}
    lines = []
    if "grad" in used:
        lines.append("const auto& grad = grads[0];")
    names = output_names(info.schema)
    for i, position in enumerate(info.outputs):
        if f"grad_{names[position]}" in used:
            lines.append(f"const auto& grad_{names[position]} = grads[{i}];")
    if "retain_variables" in used:
        lines.append("const bool retain_variables = get_current_graph_task_keep_graph();")
    return lines


def node_apply(info: NodeInfo) -> str:
    """The definition of `apply`."""
    lines: list[str] = []
    if any(s.is_tensor or s.is_tensor_list for s in info.saved):
        lines.append("std::lock_guard<std::mutex> lock(mutex_);")
    lines.append("IndexRangeGenerator gen;")
    lists = list_inputs(info)
    for a in info.inputs:
        count = f"{a.name}_size_" if a.name in lists else "1"
        lines.append(f"const auto {a.name}_ix = gen.range({count});")
    lines.append("variable_list grad_inputs(gen.size());")
    lines += [unpack(saved) for saved in info.saved]
    lines += gradients(info)
    lines.append("if (!any_variable_defined(grads)) {\n    return grad_inputs;\n  }")
    lines += [formula_block(info, d) for d in info.derivatives]
    lines.append("return grad_inputs;")
    body = "\n".join(f"  {line}" for line in lines)
    return f"""\
variable_list {info.op}::apply(variable_list&& grads) {{
{body}
}}
"""


def formula_block(info: NodeInfo, derivative: Derivative) -> str:
    """Computes the gradients of one formula where they are wanted."""
    names = [a.name for a in info.inputs if a.name in derivative.var_names]
    ranges = ", ".join(f"{name}_ix" for name in names)
    lines = [f"if (task_should_compute_output({{{ranges}}})) {{"]
    if re.search(r"\bgrad_input_mask\b", derivative.formula):
        values = ", ".join(f"task_should_compute_output({{{n}_ix}})" for n in derivative.var_names)
        size = len(derivative.var_names)
        lines.append(f"  const std::array<bool, {size}> grad_input_mask{{{values}}};")
    if len(names) == 1:
        lines.append(f"  copy_range(grad_inputs, {names[0]}_ix, {derivative.formula});")
    else:
        lines.append(f"  const auto grad_result = {derivative.formula};")
        for i, name in enumerate(derivative.var_names):
            lines.append(f"  if (task_should_compute_output({{{name}_ix}})) {{")
            lines.append(f"    copy_range(grad_inputs, {name}_ix, std::get<{i}>(grad_result));")
            lines.append("  }")
    lines.append("}")
    return "\n  ".join(lines)
