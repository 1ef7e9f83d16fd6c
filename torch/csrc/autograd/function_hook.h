#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>

#include <vector>

namespace torch::autograd {

using Variable = at::Tensor;
using variable_list = std::vector<Variable>;

/// Runs on the gradients that enter a node and returns their replacements.
struct TORCH_API FunctionPreHook {
  virtual ~FunctionPreHook();
  virtual variable_list operator()(const variable_list& grads) = 0;
};

/// Runs after a node, on the gradients that leave it; returns their replacements.
struct TORCH_API FunctionPostHook {
  virtual ~FunctionPostHook();
  /// `outputs` left the node, `inputs` entered it.
  virtual variable_list operator()(const variable_list& outputs, const variable_list& inputs) = 0;
};

/// Runs after a gradient was added to the `.grad` of a leaf.
struct TORCH_API PostAccumulateGradHook {
  virtual ~PostAccumulateGradHook();
  virtual void operator()(const Variable& tensor) = 0;
};

}  // namespace torch::autograd
