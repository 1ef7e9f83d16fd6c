#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/variable.h>

#include <optional>

namespace torch::autograd {

/// Adds the gradients of the leaves `tensors` depend on to their `.grad`, or those of `inputs`
/// only. `grad_tensors` are the gradients of `tensors`; one-element tensors may leave theirs
/// undefined, and then have 1. `retain_graph` defaults to `create_graph`, which records the
/// backward pass itself.
TORCH_API void backward(const variable_list& tensors, const variable_list& grad_tensors = {},
                        std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                        const variable_list& inputs = {});

/// The gradients of `outputs` with respect to `inputs`; `.grad` stays as it is. An input that the
/// outputs do not use is an error unless `allow_unused`; then its gradient is undefined.
TORCH_API variable_list grad(const variable_list& outputs, const variable_list& inputs,
                             const variable_list& grad_outputs = {},
                             std::optional<bool> retain_graph = std::nullopt,
                             bool create_graph = false, bool allow_unused = false);

}  // namespace torch::autograd
