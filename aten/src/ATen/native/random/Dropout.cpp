// Dropout: elements become zero with probability p, the others are scaled by 1 / (1 - p).

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/alpha_dropout_native.h>
#include <ATen/ops/dropout_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/feature_alpha_dropout_native.h>
#include <ATen/ops/feature_dropout_native.h>
#include <ATen/ops/native_dropout_backward_native.h>
#include <ATen/ops/native_dropout_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

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
  if (p == 1) return input.mul(at::zeros({}, input.options()));
  return input.mul(dropout_noise(input, p));
}

Tensor& dropout_(Tensor& input, double p, bool train) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input.mul_(at::zeros({}, input.options()));
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

// ---- whole channels, and alpha dropout (Klambauer and others, arXiv:1706.02515),
// which keeps the mean and variance of selu's outputs

namespace {

// One value for each element, or for each channel of each sample.
Tensor keep_noise(const Tensor& input, double p, bool feature) {
  if (!feature) return at::empty_like(input).bernoulli_(1 - p, std::nullopt);
  TORCH_CHECK(input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input");
  std::vector<int64_t> shape = input.sizes().vec();
  for (size_t d = 2; d < shape.size(); ++d) shape[d] = 1;
  return at::empty(shape, input.options()).bernoulli_(1 - p, std::nullopt);
}

// The factor and the summand that dropping with probability p is.
struct Affine {
  Tensor factor;
  std::optional<Tensor> summand;
};

Affine drop(const Tensor& input, double p, bool feature, bool alpha) {
  if (p == 1) return {at::zeros({}, input.options()), std::nullopt};
  const Tensor noise = keep_noise(input, p, feature);
  if (!alpha) return {noise.div(1 - p), std::nullopt};
  constexpr double kAlpha = 1.7580993408473766;
  const double a = 1.0 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  return {noise.mul(a), noise.sub(1).mul(kAlpha * a).add(kAlpha * a * p)};
}

Tensor dropped(const Tensor& input, double p, bool train, bool feature, bool alpha) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  const Affine affine = drop(input, p, feature, alpha);
  const Tensor product = input.mul(affine.factor);
  return affine.summand.has_value() ? product.add(*affine.summand) : product;
}

Tensor& dropped_(Tensor& input, double p, bool train, bool feature, bool alpha) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  const Affine affine = drop(input, p, feature, alpha);
  input.mul_(affine.factor);
  return affine.summand.has_value() ? input.add_(*affine.summand) : input;
}

}  // namespace

Tensor feature_dropout(const Tensor& input, double p, bool train) {
  return dropped(input, p, train, /*feature=*/true, /*alpha=*/false);
}
Tensor& feature_dropout_(Tensor& input, double p, bool train) {
  return dropped_(input, p, train, /*feature=*/true, /*alpha=*/false);
}
Tensor alpha_dropout(const Tensor& input, double p, bool train) {
  return dropped(input, p, train, /*feature=*/false, /*alpha=*/true);
}
Tensor& alpha_dropout_(Tensor& input, double p, bool train) {
  return dropped_(input, p, train, /*feature=*/false, /*alpha=*/true);
}
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train) {
  return dropped(input, p, train, /*feature=*/true, /*alpha=*/true);
}
Tensor& feature_alpha_dropout_(Tensor& input, double p, bool train) {
  return dropped_(input, p, train, /*feature=*/true, /*alpha=*/true);
}

}  // namespace at::native
