#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <c10/macros/Export.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace torch::autograd {

using tensor_list = std::vector<at::Tensor>;
using function_constructor = std::function<std::shared_ptr<Node>(edge_list&&)>;

/// Wraps tensors computed from `inputs` in variables, connected to the node `constructor` makes
/// when an input requires grad.
TORCH_API variable_list wrap_outputs(const variable_list& inputs, tensor_list&& outputs,
                                     const function_constructor& constructor);

/// Throws unless there are `required_args` inputs (0: any number) and all, or the first
/// `required_args`, are defined.
TORCH_API void check_input_variables(const char* name, const variable_list& inputs, int args,
                                     int required_args = -1, bool allow_undefined = false);

inline bool requires_grad_of(const at::Tensor& tensor) {
  return tensor.defined() && tensor.requires_grad();
}
inline bool requires_grad_of(const std::optional<at::Tensor>& tensor) {
  return tensor.has_value() && requires_grad_of(*tensor);
}
inline bool requires_grad_of(at::TensorList tensors) {
  for (const at::Tensor& tensor : tensors) {
    if (requires_grad_of(tensor)) {
      return true;
    }
  }
  return false;
}
template <typename List>
  requires requires(const List& list) {
    list.size();
    list.get(0);
  }
bool requires_grad_of(const List& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (requires_grad_of(list.get(i))) {
      return true;
    }
  }
  return false;
}

/// Whether an operator on these tensors is recorded: grad mode is on and one requires grad.
template <typename... Args>
bool compute_requires_grad(const Args&... args) {
  return c10::GradMode::is_enabled() && (requires_grad_of(args) || ...);
}

/// Makes `grad_fn` the history of a fresh result.
inline void set_history(const at::Tensor& variable, const std::shared_ptr<Node>& grad_fn) {
  TORCH_CHECK(grad_fn != nullptr, "set_history without a node");
  if (!variable.defined()) {
    grad_fn->add_input_metadata(Node::undefined_input());
    return;
  }
  if (!isDifferentiableType(variable.scalar_type())) {
    grad_fn->add_input_metadata(variable);
    return;
  }
  const uint32_t output_nr = grad_fn->add_input_metadata(variable);
  impl::set_gradient_edge(variable, Edge(grad_fn, output_nr));
}
inline void set_history(const std::vector<at::Tensor>& variables,
                        const std::shared_ptr<Node>& grad_fn) {
  for (const at::Tensor& variable : variables) {
    set_history(variable, grad_fn);
  }
}

namespace detail {
inline void append_edge(edge_list& edges, const at::Tensor& tensor) {
  edges.push_back(tensor.defined() ? impl::gradient_edge(tensor) : Edge());
}
inline void append_edge(edge_list& edges, const std::optional<at::Tensor>& tensor) {
  edges.push_back(tensor.has_value() && tensor->defined() ? impl::gradient_edge(*tensor) : Edge());
}
inline void append_edge(edge_list& edges, at::TensorList tensors) {
  for (const at::Tensor& tensor : tensors) {
    append_edge(edges, tensor);
  }
}
}  // namespace detail

/// The gradient edges of the tensors, in order; invalid ones for those that need no gradient.
template <typename... Args>
edge_list collect_next_edges(const Args&... args) {
  edge_list edges;
  if (c10::GradMode::is_enabled()) {
    edges.reserve(sizeof...(args));
    (detail::append_edge(edges, args), ...);
  }
  return edges;
}

}  // namespace torch::autograd
