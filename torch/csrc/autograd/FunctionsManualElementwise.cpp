// Derivatives of elementwise functions; FunctionsManual.h says what they share.

#include <torch/csrc/autograd/FunctionsManual.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/i0.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/special_i0e.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace torch::autograd::generated::details {

Tensor angle_backward(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) return at::zeros_like(self);
  // d angle = Im(dz / z); its adjoint is i z / |z|^2.
  const Tensor square = (self * self.conj());
  const Tensor direction = self * Scalar(c10::complex<double>(0.0, 1.0)) / square;
  return at::where(square == 0, Scalar(0), grad * direction);
}

Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                      const std::optional<Tensor>& max) {
  Tensor result = grad;
  if (min.has_value()) result = result.masked_fill((self >= *min).logical_not(), 0);
  if (max.has_value()) result = result.masked_fill((self <= *max).logical_not(), 0);
  return result;
}

Tensor clamp_backward_min(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                          const std::optional<Tensor>& max) {
  if (!min.has_value()) return Tensor();
  // Where the bounds cross, the upper one is the result.
  Tensor chosen = self < *min;
  if (max.has_value()) chosen = chosen.logical_and(*min < *max);
  return grad.masked_fill(chosen.logical_not(), 0);
}

Tensor clamp_backward_max(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                          const std::optional<Tensor>& max) {
  if (!max.has_value()) return Tensor();
  Tensor chosen = self > *max;
  if (min.has_value()) chosen = chosen.logical_or(*max < *min);
  return grad.masked_fill(chosen.logical_not(), 0);
}

Tensor copysign_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  const Tensor ratio = (result / self).masked_fill(self == 0, 0);
  return grad * ratio;
}

Tensor deg2rad_backward(const Tensor& grad) { return grad * (std::numbers::pi / 180); }

Tensor rad2deg_backward(const Tensor& grad) { return grad * (180 / std::numbers::pi); }

// I1' = I0 - I1 / x, which is 1/2 at 0.
Tensor i1_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  const double tiny = std::numeric_limits<double>::min();
  const Tensor is_zero = self.abs() <= tiny;
  const Tensor x = at::where(is_zero, Scalar(1), self);
  return grad * at::where(is_zero, Scalar(0.5), at::i0(self) - result / x);
}

Tensor i1e_backward(const Tensor& grad, const Tensor& self, const Tensor& result) {
  const double tiny = std::numeric_limits<double>::min();
  const Tensor is_zero = self.abs() <= tiny;
  const Tensor x = at::where(is_zero, Scalar(1), self);
  const Tensor slope = at::special_i0e(self) - result * (self.sgn() + x.reciprocal());
  return grad * at::where(is_zero, Scalar(0.5), slope);
}

Tensor infinitely_differentiable_logit_backward(const Tensor& grad, const Tensor& self,
                                                std::optional<double> eps) {
  const Tensor result = grad / (self * (1 - self));
  const double low = eps.value_or(0);
  const Tensor inside = (self >= low).logical_and(self <= 1 - low);
  const double outside = eps.has_value() ? 0 : std::numeric_limits<double>::quiet_NaN();
  return at::where(inside, result, Scalar(outside));
}

Tensor mvlgamma_backward(const Tensor& grad, const Tensor& self, int64_t p) {
  const Tensor steps = at::arange(0, p, self.options()).mul(-0.5);
  return grad * (self.unsqueeze(-1) + steps).digamma().sum(-1);
}

Tensor sgn_backward(const Tensor& self, const Tensor& grad, const Tensor& sgn) {
  if (!self.is_complex()) return at::zeros_like(grad);
  // What of the gradient is across the direction, over the magnitude.
  const Tensor magnitude = self.abs();
  const Tensor along = (sgn.conj() * grad + sgn * grad.conj()) * 0.5;
  return ((grad - along * sgn) / magnitude).masked_fill(magnitude == 0, 0);
}

Tensor sinc_backward(const Tensor& grad, const Tensor& self) {
  const Tensor product = self * std::numbers::pi;
  const Tensor slope = (product * product.cos() - product.sin()) / (product * self);
  return grad * at::where(self == 0, Scalar(0), slope).conj();
}

Tensor xlogy_self_backward(const Tensor& grad, const Tensor& self, const Scalar& other) {
  const double y = other.toDouble();
  const Tensor result = grad * std::log(y);
  return y > 0 ? result : result.masked_fill(self == 0, 0);
}

}  // namespace torch::autograd::generated::details
