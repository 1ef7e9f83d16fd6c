// Derivatives of losses; FunctionsManual.h says what they share.

#include <torch/csrc/autograd/FunctionsManual.h>

#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <optional>

namespace torch::autograd::generated::details {

namespace {

// Keeps denominators of the form x (1 - x) away from zero, as the forward clamps logarithms.
constexpr double kEpsilon = 1e-12;

Tensor weighted(const Tensor& loss, const std::optional<Tensor>& weight) {
  return weight.has_value() && weight->defined() ? loss * *weight : loss;
}

// As the loss reduces its elements.
Tensor reduced_weight(const Tensor& grad, int64_t reduction, int64_t numel) {
  return reduction == at::Reduction::Mean ? grad / static_cast<double>(numel) : grad;
}

}  // namespace

Tensor smooth_l1_loss_double_backward(const Tensor& grad, const Tensor& input, const Tensor& target,
                                      int64_t reduction, double beta) {
  if (beta == 0) return at::zeros_like(input);
  const Tensor near = (input - target).abs() < beta;
  const double count = reduction == at::Reduction::Mean ? static_cast<double>(near.numel()) : 1;
  return (grad / (beta * count)).masked_fill(near.logical_not(), 0);
}

Tensor mse_loss_double_backward(const Tensor& grad, const Tensor& input, int64_t reduction) {
  return reduced_weight(2 * grad, reduction, input.numel());
}

Tensor binary_cross_entropy_target_backward(const Tensor& grad, const Tensor& self,
                                            const Tensor& target,
                                            const std::optional<Tensor>& weight,
                                            int64_t reduction) {
  // loss = -(t log x + (1 - t) log(1 - x)), so dloss/dt = log(1 - x) - log x.
  const Tensor slope = (1 - self).log().clamp_min(-100) - self.log().clamp_min(-100);
  return reduced_weight(weighted(grad * slope, weight), reduction, target.numel());
}

Tensor binary_cross_entropy_double_backward(const Tensor& grad_output, const Tensor& grad,
                                            const Tensor& input, const Tensor& target,
                                            const std::optional<Tensor>& weight,
                                            int64_t reduction) {
  // d2loss/dx2 = (x^2 - 2 x t + t) / (x (1 - x))^2.
  const Tensor denominator = (input * (1 - input)).clamp_min(kEpsilon);
  const Tensor curvature =
      (input * input - 2 * input * target + target) / (denominator * denominator);
  return reduced_weight(weighted(grad_output * grad * curvature, weight), reduction, input.numel());
}

Tensor binary_cross_entropy_double_backward_target(const Tensor& grad, const Tensor& grad_output,
                                                   const Tensor& self, const Tensor& target,
                                                   const std::optional<Tensor>& weight,
                                                   int64_t reduction) {
  const Tensor denominator = (self * (1 - self)).clamp_min(kEpsilon);
  return reduced_weight(weighted(-grad * grad_output / denominator, weight), reduction,
                        target.numel());
}

Tensor binary_cross_entropy_double_backward_grad_output(const Tensor& grad, const Tensor& input,
                                                        const Tensor& target,
                                                        const std::optional<Tensor>& weight,
                                                        int64_t reduction) {
  const Tensor denominator = (input * (1 - input)).clamp_min(kEpsilon);
  const Tensor slope = (input - target) / denominator;
  return reduced_weight(weighted(grad * slope, weight), reduction, input.numel());
}

Tensor binary_cross_entropy_with_logits_backward(const Tensor& grad, const Tensor& input,
                                                 const Tensor& target,
                                                 const std::optional<Tensor>& weight,
                                                 const std::optional<Tensor>& pos_weight,
                                                 int64_t reduction) {
  // loss = -(w t log s + (1 - t) log(1 - s)) with s = sigmoid(x): slope (1 - t) s - w t (1 - s).
  const Tensor s = input.sigmoid();
  const Tensor positive = weighted(target, pos_weight);
  const Tensor slope = (1 - target) * s - positive * (1 - s);
  return reduced_weight(weighted(grad * slope, weight), reduction, input.numel());
}

Tensor binary_cross_entropy_with_logits_target_backward(const Tensor& grad, const Tensor& self,
                                                        const Tensor& target,
                                                        const std::optional<Tensor>& weight,
                                                        const std::optional<Tensor>& pos_weight,
                                                        int64_t reduction) {
  // log(1 - s) - w log s, where log(1 - s) = log s - x.
  const Tensor log_s =
      -at::where(self < 0, (self.exp() + 1).log() - self, ((-self).exp() + 1).log());
  const Tensor slope = (log_s - self) - weighted(log_s, pos_weight);
  return reduced_weight(weighted(grad * slope, weight), reduction, target.numel());
}

}  // namespace torch::autograd::generated::details
