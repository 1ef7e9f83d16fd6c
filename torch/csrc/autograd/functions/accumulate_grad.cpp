#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <ATen/ops/clone_ops.h>
#include <ATen/ops/empty_strided_ops.h>
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

// Whether `grad` lies in memory as the gradient of `variable` has to: like the variable if that is
// dense, else contiguous. The strides of dimensions of size 1 do not matter.
bool obeys_layout(const Variable& variable, const Variable& grad) {
  if (!variable.is_non_overlapping_and_dense()) return grad.is_contiguous();
  if (!grad.is_non_overlapping_and_dense()) return false;
  for (int64_t dim = 0; dim < variable.dim(); ++dim) {
    if (grad.size(dim) != 1 && grad.stride(dim) != variable.stride(dim)) return false;
  }
  return true;
}

// A copy of `grad` in that layout; autograd records it where it records.
Variable clone_in_layout(const Variable& variable, const Variable& grad) {
  if (!variable.is_non_overlapping_and_dense()) {
    return at::_ops::clone::call(grad, c10::MemoryFormat::Contiguous);
  }
  Variable result =
      at::_ops::empty_strided::call(variable.sizes(), variable.strides(), grad.scalar_type(),
                                    grad.layout(), grad.device(), std::nullopt);
  result.copy_(grad);
  return result;
}

void accumulate(const Variable& variable, Variable& variable_grad, Variable&& new_grad,
                size_t holders) {
  const bool recording = c10::GradMode::is_enabled();
  if (!variable_grad.defined()) {
    // The first gradient becomes the .grad itself if nobody else holds it. The memory of a
    // conjugate or a negative is that of another gradient.
    if (!recording && new_grad.use_count() <= holders && obeys_layout(variable, new_grad) &&
        !new_grad.is_conj() && !new_grad.is_neg()) {
      variable_grad = new_grad.detach();
    } else {
      variable_grad = clone_in_layout(variable, recording ? new_grad : new_grad.detach());
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
  // The engine keeps what goes in for post hooks, which see the .grad itself.
  const size_t holders = post_hooks().empty() ? 1 : 2;
  accumulate(variable, variable.mutable_grad(), std::move(new_grad), holders);
  if (auto& hook = tensor_post_acc_grad_hooks(); hook != nullptr) {
    (*hook)(variable);
  }
  return {};
}

}  // namespace torch::autograd
