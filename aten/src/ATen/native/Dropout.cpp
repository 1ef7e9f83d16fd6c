// Dropout: elements become zero with probability p, the others are scaled by 1 / (1 - p).

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/dropout_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_dropout_backward_native.h>
#include <ATen/ops/native_dropout_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <tuple>

namespace at::native {
namespace {

void check_probability(double p) {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
}

// 0 with probability p, else 1 / (1 - p).
Tensor dropout_noise(const Tensor& input, double p) {
  Tensor noise = at::empty_like(input);
  noise.bernoulli_(1 - p, std::nullopt);
  noise.div_(1 - p);
  return noise;
}

}  // namespace

Tensor dropout(const Tensor& input, double p, bool train) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input.mul(at::zeros_like(input));
  return input.mul(dropout_noise(input, p));
}

Tensor& dropout_(Tensor& input, double p, bool train) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input.mul_(at::zeros_like(input));
  return input.mul_(dropout_noise(input, p));
}

std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p,
                                          std::optional<bool> train) {
  check_probability(p);
  if (input.numel() == 0)
    return {input.clone(), at::empty_like(input, input.options().dtype(kBool))};
  if (!train.value_or(true)) {
    return {input.clone(), at::ones_like(input, input.options().dtype(kBool))};
  }
  if (p == 1) {
    return {at::zeros_like(input), at::zeros_like(input, input.options().dtype(kBool))};
  }
  const Tensor mask =
      at::empty_like(input, input.options().dtype(kBool)).bernoulli_(1 - p, std::nullopt);
  return {input.mul(mask).mul_(1 / (1 - p)), mask};
}

Tensor native_dropout_backward(const Tensor& grad_output, const Tensor& mask, double scale) {
  return grad_output.mul(mask).mul(scale);
}

}  // namespace at::native
