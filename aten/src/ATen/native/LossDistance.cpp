// Losses of a distance that is squared near 0: smooth_l1_loss and huber_loss, which is delta times
// the first one.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/LossReduction.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/ops/huber_loss_backward_native.h>
#include <ATen/ops/huber_loss_native.h>
#include <ATen/ops/smooth_l1_loss_backward_native.h>
#include <ATen/ops/smooth_l1_loss_native.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>

namespace at::meta {

TORCH_META_FUNC(smooth_l1_loss)
(const Tensor& input, const Tensor& target, int64_t reduction, double beta) {
  TORCH_CHECK(beta >= 0, "smooth_l1_loss does not support negative values for beta.");
  build_borrowing_binary_op(maybe_get_output(), input, target);
  // The kernel reduces a temporary.
  if (reduction != Reduction::None) maybe_get_output().resize_({});
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(smooth_l1_stub);
DEFINE_DISPATCH(smooth_l1_backward_stub);

namespace {

// `scale` times the gradient of smooth_l1_loss.
void backward(const Tensor& grad_output, const Tensor& input, const Tensor& target,
              int64_t reduction, double beta, double scale, Tensor& grad_input) {
  auto iter = loss_backward_iterator(grad_input, input, target, grad_output);
  if (reduction == at::Reduction::Mean) scale /= static_cast<double>(iter.numel());
  if (!grad_input.is_meta()) smooth_l1_backward_stub(iter.device_type(), iter, beta, scale);
}

}  // namespace

// Girshick, arXiv:1504.08083.
TORCH_IMPL_FUNC(smooth_l1_loss_out)
(const Tensor& input, const Tensor& target, int64_t reduction, double beta, const Tensor& result) {
  if (reduction == at::Reduction::None) {
    smooth_l1_stub(device_type(), *this, beta, /*scale=*/1);
    return;
  }
  Tensor loss;
  auto iter = TensorIterator::borrowing_binary_op(loss, input, target);
  smooth_l1_stub(iter.device_type(), iter, beta, /*scale=*/1);
  reduce_loss_out(const_cast<Tensor&>(result), iter.output(), reduction);
}

Tensor& smooth_l1_loss_backward_out(const Tensor& grad_output, const Tensor& input,
                                    const Tensor& target, int64_t reduction, double beta,
                                    Tensor& grad_input) {
  backward(grad_output, input, target, reduction, beta, /*scale=*/1, grad_input);
  return grad_input;
}

Tensor smooth_l1_loss_backward(const Tensor& grad_output, const Tensor& input, const Tensor& target,
                               int64_t reduction, double beta) {
  Tensor grad_input = at::zeros_like(input, MemoryFormat::Contiguous);
  return native::smooth_l1_loss_backward_out(grad_output, input, target, reduction, beta,
                                             grad_input);
}

// Huber, Robust estimation of a location parameter (1964).
Tensor huber_loss(const Tensor& input, const Tensor& target, int64_t reduction, double delta) {
  TORCH_CHECK(delta > 0, "huber_loss does not support non-positive values for delta.");
  Tensor loss;
  auto iter = TensorIterator::borrowing_binary_op(loss, input, target);
  if (!iter.output().is_meta()) smooth_l1_stub(iter.device_type(), iter, delta, delta);
  return apply_loss_reduction(iter.output(), reduction);
}

Tensor& huber_loss_out(const Tensor& input, const Tensor& target, int64_t reduction, double delta,
                       Tensor& result) {
  TORCH_CHECK(delta > 0, "huber_loss does not support non-positive values for delta.");
  if (reduction == at::Reduction::None) {
    auto iter = TensorIterator::borrowing_binary_op(result, input, target);
    if (!result.is_meta()) smooth_l1_stub(iter.device_type(), iter, delta, delta);
    return result;
  }
  const Tensor loss = native::huber_loss(input, target, at::Reduction::None, delta);
  return reduce_loss_out(result, loss, reduction);
}

Tensor& huber_loss_backward_out(const Tensor& grad_output, const Tensor& input,
                                const Tensor& target, int64_t reduction, double delta,
                                Tensor& grad_input) {
  backward(grad_output, input, target, reduction, delta, /*scale=*/delta, grad_input);
  return grad_input;
}

Tensor huber_loss_backward(const Tensor& grad_output, const Tensor& input, const Tensor& target,
                           int64_t reduction, double delta) {
  Tensor grad_input = at::zeros_like(input, MemoryFormat::Contiguous);
  return native::huber_loss_backward_out(grad_output, input, target, reduction, delta, grad_input);
}

}  // namespace at::native
