// Losses that compare two tensors element by element.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/LossReduction.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/ops/binary_cross_entropy_backward_native.h>
#include <ATen/ops/binary_cross_entropy_native.h>
#include <ATen/ops/binary_cross_entropy_with_logits_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/l1_loss_native.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mse_loss_backward.h>
#include <ATen/ops/mse_loss_backward_native.h>
#include <ATen/ops/mse_loss_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::meta {

TORCH_META_FUNC(mse_loss)(const Tensor& input, const Tensor& target, int64_t reduction) {
  build_borrowing_binary_op(maybe_get_output(), input, target);
  if (reduction == Reduction::None) return;
  TORCH_INTERNAL_ASSERT(reduction == Reduction::Mean || reduction == Reduction::Sum);
  // The kernel reduces a temporary.
  maybe_get_output().resize_({});
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(mse_stub);

Tensor& reduce_loss_out(Tensor& result, const Tensor& unreduced, int64_t reduction) {
  return reduction == at::Reduction::Mean ? at::mean_out(result, unreduced, IntArrayRef{})
                                          : at::sum_out(result, unreduced, IntArrayRef{});
}

TORCH_IMPL_FUNC(mse_loss_out)
(const Tensor& input, const Tensor& target, int64_t reduction, const Tensor& result) {
  if (reduction == at::Reduction::None) {
    mse_stub(device_type(), *this);
    return;
  }
  Tensor loss;
  auto iter = TensorIterator::borrowing_binary_op(loss, input, target);
  mse_stub(iter.device_type(), iter);
  reduce_loss_out(const_cast<Tensor&>(result), iter.output(), reduction);
}

Tensor& mse_loss_backward_out(const Tensor& grad_output, const Tensor& input, const Tensor& target,
                              int64_t reduction, Tensor& grad_input) {
  const double norm =
      reduction == at::Reduction::Mean ? 2.0 / static_cast<double>(input.numel()) : 2.0;
  auto iter = loss_backward_iterator(grad_input, input, target, grad_output);
  if (!grad_input.is_meta()) mse_backward_stub(iter.device_type(), iter, norm);
  return grad_input;
}

Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& input, const Tensor& target,
                         int64_t reduction) {
  Tensor grad_input = at::zeros_like(input, MemoryFormat::Contiguous);
  return native::mse_loss_backward_out(grad_output, input, target, reduction, grad_input);
}

Tensor l1_loss(const Tensor& input, const Tensor& target, int64_t reduction) {
  return apply_loss_reduction(input.sub(target).abs(), reduction);
}

// -w (t log(x) + (1 - t) log(1 - x)), with each logarithm clamped at -100 so that a certain but
// wrong prediction has a large, finite loss.
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target,
                            const std::optional<Tensor>& weight, int64_t reduction) {
  TORCH_CHECK(input.sizes() == target.sizes(), "Using a target size (", target.sizes(),
              ") that is different to the input size (", input.sizes(),
              ") is deprecated. Please ensure they have the same size.");
  TORCH_CHECK(target.scalar_type() == input.scalar_type(), "Found dtype ", target.scalar_type(),
              " but expected ", input.scalar_type());
  TORCH_CHECK(input.numel() == 0 ||
                  (input.min().item().toDouble() >= 0 && input.max().item().toDouble() <= 1),
              "all elements of input should be between 0 and 1");
  const Tensor log_x = input.log().clamp_min(-100);
  const Tensor log_1_x = input.neg().log1p().clamp_min(-100);
  Tensor loss = target.sub(1).mul(log_1_x).sub(target.mul(log_x));
  if (weight.has_value() && weight->defined()) {
    loss = loss.mul(*weight).to(input.scalar_type());
  }
  return apply_loss_reduction(loss, reduction);
}

// w (x - t) / (x (1 - x))
Tensor binary_cross_entropy_backward(const Tensor& grad, const Tensor& input, const Tensor& target,
                                     const std::optional<Tensor>& weight, int64_t reduction) {
  constexpr double kEpsilon = 1e-12;
  const Tensor denominator = input.neg().add(1).mul(input).clamp_min(kEpsilon);
  Tensor grad_input = grad.mul(input.sub(target)).div(denominator);
  if (weight.has_value() && weight->defined()) {
    grad_input = grad_input.mul(*weight).to(input.scalar_type());
  }
  if (reduction == at::Reduction::Mean) {
    grad_input = grad_input.div(static_cast<double>(input.numel()));
  }
  return grad_input;
}

// (1 - t) x + l (log(1 + exp(-|x|)) + max(-x, 0)) with l = 1 + (pos_weight - 1) t.
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const std::optional<Tensor>& weight,
                                        const std::optional<Tensor>& pos_weight,
                                        int64_t reduction) {
  TORCH_CHECK(input.sizes() == target.sizes(), "Target size (", target.sizes(),
              ") must be the same as input size (", input.sizes(), ")");
  Tensor log_term = input.abs().neg().exp().log1p().add(input.neg().clamp_min(0));
  if (pos_weight.has_value() && pos_weight->defined()) {
    log_term = log_term.mul(pos_weight->sub(1).mul(target).add(1));
  }
  Tensor loss = target.neg().add(1).mul(input).add(log_term);
  if (weight.has_value() && weight->defined()) loss = loss.mul(*weight);
  return apply_loss_reduction(loss, reduction);
}

}  // namespace at::native
