#include <torch/csrc/autograd/input_buffer.h>

#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <utility>

namespace torch::autograd {

void InputBuffer::add(size_t pos, at::Tensor&& grad) {
  TORCH_INTERNAL_ASSERT(pos < buffer.size());
  if (!grad.defined()) {
    return;
  }
  at::Tensor& sum = buffer[pos];
  if (!sum.defined()) {
    sum = std::move(grad);
    return;
  }
  if (owned_[pos] && !c10::GradMode::is_enabled() && !grad.requires_grad() &&
      sum.scalar_type() == grad.scalar_type() && sum.sizes() == grad.sizes()) {
    sum.add_(grad);
    return;
  }
  sum = sum.add(grad);
  owned_[pos] = true;
}

}  // namespace torch::autograd
