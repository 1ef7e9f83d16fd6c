#pragma once

// What the generated kernels of VariableType and ADInplaceOrView are made of.

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/FunctionsManual.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace torch::autograd {

using generated::details::to_args_scalartypes;
using generated::details::to_args_sizes;

/// Throws for an undefined tensor where the operator needs one.
inline void check_defined(const at::Tensor& tensor, const char* name, int position) {
  TORCH_CHECK(
      tensor.defined(),
      "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #",
      position, " '", name, "'");
}

/// Throws when a tensor without a derivative requires grad.
inline void check_no_requires_grad(const at::Tensor& tensor, const char* name,
                                   const char* function) {
  TORCH_CHECK_NOT_IMPLEMENTED(!(c10::GradMode::is_enabled() && requires_grad_of(tensor)),
                              "The function '", function,
                              "' is not differentiable with respect to argument '", name,
                              "'. This input cannot have requires_grad True.");
}
inline void check_no_requires_grad(const std::optional<at::Tensor>& tensor, const char* name,
                                   const char* function) {
  if (tensor.has_value()) {
    check_no_requires_grad(*tensor, name, function);
  }
}

[[noreturn]] inline void throw_error_out_requires_grad(const char* name) {
  TORCH_CHECK(
      false, name,
      "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
}

/// After an in-place operation that `grad_fn` differentiates.
inline void rebase_history(const at::Tensor& variable, std::shared_ptr<Node> grad_fn) {
  if (variable.defined()) {
    grad_fn->add_input_metadata(variable);
    impl::rebase_history(variable, Edge(std::move(grad_fn), 0));
  }
}

inline void increment_version(const at::Tensor& tensor) {
  if (tensor.defined()) {
    impl::bump_version(tensor);
  }
}

inline std::vector<SavedVariable> make_saved_variable_list(at::TensorList tensors, bool is_output) {
  std::vector<SavedVariable> saved;
  saved.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) {
    saved.emplace_back(tensor, is_output);
  }
  return saved;
}
inline std::vector<SavedVariable> make_saved_variable_list(
    const c10::List<std::optional<at::Tensor>>& tensors, bool is_output) {
  std::vector<SavedVariable> saved;
  saved.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    saved.emplace_back(tensors.get(i), is_output);
  }
  return saved;
}

/// How a view that is made now may be changed later.
inline CreationMeta view_creation_meta(bool multiple_outputs) {
  if (c10::InferenceMode::is_enabled()) {
    return CreationMeta::INFERENCE_MODE;
  }
  if (!c10::GradMode::is_enabled()) {
    return CreationMeta::NO_GRAD_MODE;
  }
  return multiple_outputs ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::DEFAULT;
}

/// Makes `tensor`, fresh from the kernel, a view of `base`: they share the version counter, and
/// gradients find the way from one to the other.
TORCH_API at::Tensor as_view(const at::Tensor& base, at::Tensor&& tensor, bool is_differentiable,
                             CreationMeta creation_meta);
TORCH_API std::vector<at::Tensor> as_view(const at::Tensor& base, std::vector<at::Tensor>&& tensors,
                                          bool is_differentiable, CreationMeta creation_meta);

}  // namespace torch::autograd
