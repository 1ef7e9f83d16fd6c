#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <cstdint>
#include <mutex>
#include <utility>

namespace torch::autograd {

// Accumulators run before all other ready nodes: highest sequence number.
AccumulateGrad::AccumulateGrad(Variable variable_)
    : Node(/*sequence_nr=*/UINT64_MAX, edge_list()), variable(std::move(variable_)) {
  add_input_metadata(variable);
}

namespace {

// Whether `grad` may become the .grad itself: nobody else holds it and it looks like the leaf.
bool can_steal(const Variable& variable, const Variable& grad) {
  return grad.use_count() <= 1 && grad.is_non_overlapping_and_dense() &&
         grad.strides() == variable.strides();
}

void accumulate(const Variable& variable, Variable& variable_grad, Variable&& new_grad) {
  const bool recording = c10::GradMode::is_enabled();
  if (!variable_grad.defined()) {
    if (!recording && can_steal(variable, new_grad)) {
      variable_grad = new_grad.detach();
    } else {
      variable_grad = recording ? new_grad.clone() : new_grad.detach().clone();
    }
  } else if (!recording) {
    variable_grad.add_(new_grad);
  } else {
    // In place would change a gradient that the recorded graph may use.
    variable_grad = variable_grad.add(new_grad);
  }
}

}  // namespace

variable_list AccumulateGrad::apply(variable_list&& grads) {
  check_input_variables("AccumulateGrad", grads, 1, 0);
  Variable new_grad = std::move(grads[0]);
  if (!new_grad.defined() || !variable.requires_grad()) {
    return {};
  }
  // Backward passes of several threads may reach one leaf.
  std::lock_guard<std::mutex> lock(mutex_);
  accumulate(variable, variable.mutable_grad(), std::move(new_grad));
  if (auto& hook = tensor_post_acc_grad_hooks(); hook != nullptr) {
    (*hook)(variable);
  }
  return {};
}

}  // namespace torch::autograd
