#pragma once

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <memory>
#include <vector>

namespace torch::autograd {

/// The node of a leaf: adds the gradient to `variable.grad()`. The first gradient is taken over
/// without a copy when nobody else holds it.
struct TORCH_API AccumulateGrad : public Node {
  explicit AccumulateGrad(Variable variable);

  variable_list apply(variable_list&& grads) override;

  std::vector<std::unique_ptr<FunctionPreHook>>& tensor_pre_hooks() noexcept override {
    return impl::hooks(variable);
  }
  std::unique_ptr<PostAccumulateGradHook>& tensor_post_acc_grad_hooks() const noexcept override {
    return impl::post_acc_grad_hooks(variable);
  }

  Variable variable;
};

}  // namespace torch::autograd
