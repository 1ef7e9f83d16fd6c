#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/GradMode.h>
#include <c10/macros/Export.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/variable.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace torch::autograd {

using optional_variable_list = std::vector<std::optional<Variable>>;

/// What forward() leaves for backward().
struct TORCH_API AutogradContext {
  AutogradContext() = default;
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  /// Values that are no tensors.
  std::unordered_map<std::string, c10::IValue> saved_data;

  /// Keeps inputs or outputs of forward() for backward(). Intermediate tensors belong here too.
  void save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }
  /// What save_for_backward() kept, connected to the graph.
  variable_list get_saved_variables() const;

  /// The inputs forward() changed in place.
  void mark_dirty(const variable_list& inputs);
  /// The outputs that have no gradient.
  void mark_non_differentiable(const variable_list& outputs);
  /// Whether undefined gradients become zeros before backward(); they do by default.
  void set_materialize_grads(bool value) { materialize_grads_ = value; }

  bool needs_input_grad(size_t output_edge_index) const;

 private:
  template <class T>
  friend struct CppNode;
  friend TORCH_API variable_list _wrap_custom_outputs(AutogradContext& ctx,
                                                      const variable_list& inputs,
                                                      const variable_list& outputs,
                                                      const std::shared_ptr<Node>& node);
  template <class T>
  friend struct Function;

  void save_variables();

  std::unordered_set<at::TensorImpl*> non_differentiable_;
  std::unordered_set<at::TensorImpl*> dirty_inputs_;
  std::vector<SavedVariable> saved_variables_;
  variable_list to_save_;
  bool materialize_grads_ = true;
  std::weak_ptr<Node> grad_fn_;
  bool has_freed_buffers_ = false;
};

/// Node of a custom function; calls T::backward.
template <class T>
struct CppNode : public Node {
  variable_list apply(variable_list&& inputs) override;
  void release_variables() override {
    std::lock_guard<std::mutex> lock(mutex_);
    ctx_.saved_variables_.clear();
    ctx_.has_freed_buffers_ = true;
  }

  AutogradContext ctx_;
  // One entry for each argument of forward: whether it is a tensor.
  std::vector<bool> is_variable_input_;
};

/// Connects the outputs of a custom forward to `node` (null: nothing requires grad).
TORCH_API variable_list _wrap_custom_outputs(AutogradContext& ctx, const variable_list& inputs,
                                             const variable_list& outputs,
                                             const std::shared_ptr<Node>& node);

/// A differentiable function with its own derivative:
///
///   struct MyFunction : public torch::autograd::Function<MyFunction> {
///     static Variable forward(AutogradContext* ctx, const Variable& x, double scale);
///     static variable_list backward(AutogradContext* ctx, variable_list grads);
///   };
///   auto y = MyFunction::apply(x, 2.0);
///
/// backward() returns one gradient for each argument of forward(), undefined for those that are
/// no tensors.
template <class T>
struct Function {
  template <typename... Args>
  static auto apply(Args&&... args);
};

namespace detail {

inline void extract_vars(variable_list& vars, std::vector<bool>& is_var, const Variable& x) {
  is_var.push_back(true);
  vars.push_back(x);
}
inline void extract_vars(variable_list& vars, std::vector<bool>& is_var,
                         const std::optional<Variable>& x) {
  is_var.push_back(true);
  vars.push_back(x.value_or(Variable()));
}
inline void extract_vars(variable_list& vars, std::vector<bool>& is_var, const variable_list& x) {
  for (const Variable& variable : x) {
    extract_vars(vars, is_var, variable);
  }
}
template <typename T>
  requires(!std::is_convertible_v<const T&, Variable> && !std::is_same_v<T, variable_list>)
void extract_vars(variable_list&, std::vector<bool>& is_var, const T&) {
  is_var.push_back(false);
}

inline variable_list to_variable_list(const Variable& output) { return {output}; }
inline const variable_list& to_variable_list(const variable_list& outputs) { return outputs; }

template <typename Output>
Output to_output(variable_list&& outputs) {
  if constexpr (std::is_same_v<Output, Variable>) {
    return std::move(outputs[0]);
  } else {
    return std::move(outputs);
  }
}

}  // namespace detail

template <class T>
template <typename... Args>
auto Function<T>::apply(Args&&... args) {
  auto node = std::shared_ptr<CppNode<T>>(new CppNode<T>(), deleteNode);
  variable_list input_vars;
  (detail::extract_vars(input_vars, node->is_variable_input_, args), ...);

  const bool is_executable = c10::GradMode::is_enabled() && any_variable_requires_grad(input_vars);
  edge_list next_edges = collect_next_edges(at::TensorList(input_vars));
  if (next_edges.empty()) {
    next_edges.resize(input_vars.size());
  }
  node->set_next_edges(std::move(next_edges));
  node->ctx_.grad_fn_ = node;

  using Output = std::decay_t<decltype(T::forward(&node->ctx_, std::forward<Args>(args)...))>;
  variable_list outputs;
  {
    c10::AutoGradMode no_grad(false);
    outputs = detail::to_variable_list(T::forward(&node->ctx_, std::forward<Args>(args)...));
  }
  variable_list wrapped =
      _wrap_custom_outputs(node->ctx_, input_vars, outputs, is_executable ? node : nullptr);
  if (is_executable) {
    node->ctx_.save_variables();
  }
  return detail::to_output<Output>(std::move(wrapped));
}

template <class T>
variable_list CppNode<T>::apply(variable_list&& inputs) {
  if (ctx_.materialize_grads_) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].defined() && !input_metadata(i).was_default_constructed()) {
        inputs[i] = input_metadata(i).zeros_like();
      }
    }
  }
  variable_list outputs = T::backward(&ctx_, inputs);

  TORCH_CHECK(outputs.size() >= is_variable_input_.size(), "function ", name(),
              " returned an incorrect number of gradients (expected ", is_variable_input_.size(),
              ", got ", outputs.size(), ")");
  for (size_t i = is_variable_input_.size(); i < outputs.size(); ++i) {
    TORCH_CHECK(!outputs[i].defined(), "function ", name(),
                " returned an incorrect number of gradients (expected ", is_variable_input_.size(),
                ", got ", outputs.size(), ")");
  }
  variable_list results;
  results.reserve(num_outputs());
  for (size_t i = 0; i < is_variable_input_.size(); ++i) {
    if (is_variable_input_[i]) {
      results.push_back(std::move(outputs[i]));
    } else {
      TORCH_CHECK(!outputs[i].defined(), "function ", name(),
                  " returned a gradient different from None at position ", i + 1,
                  ", but the corresponding forward input was not a Variable");
    }
  }
  return results;
}

}  // namespace torch::autograd
