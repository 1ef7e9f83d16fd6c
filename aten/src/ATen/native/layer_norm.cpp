// Layer normalisation over the last dimensions (Ba, Kiros and Hinton, arXiv:1607.06450).

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/Normalization.h>
#include <ATen/ops/_fused_rms_norm.h>
#include <ATen/ops/_fused_rms_norm_backward_native.h>
#include <ATen/ops/_fused_rms_norm_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/layer_norm_native.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/native_layer_norm_backward_native.h>
#include <ATen/ops/native_layer_norm_native.h>
#include <ATen/ops/rms_norm_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(layer_norm_stub);
DEFINE_DISPATCH(layer_norm_backward_stub);

namespace {

// The input as m rows of n elements that are normalised together.
struct Rows {
  int64_t m;
  int64_t n;
};

Rows check_layer_norm_inputs(const Tensor& input, IntArrayRef normalized_shape,
                             const Tensor& weight, const Tensor& bias) {
  const auto axes = static_cast<int64_t>(normalized_shape.size());
  TORCH_CHECK(
      axes >= 1,
      "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = ",
      normalized_shape);
  TORCH_CHECK(!weight.defined() || weight.sizes().equals(normalized_shape),
              "Expected weight to be of same shape as normalized_shape, but got weight of shape ",
              weight.defined() ? weight.sizes() : IntArrayRef{},
              " and normalized_shape = ", normalized_shape);
  TORCH_CHECK(!bias.defined() || bias.sizes().equals(normalized_shape),
              "Expected bias to be of same shape as normalized_shape, but got bias of shape ",
              bias.defined() ? bias.sizes() : IntArrayRef{},
              " and normalized_shape = ", normalized_shape);
  const IntArrayRef shape = input.sizes();
  const int64_t ndim = input.dim();
  TORCH_CHECK(
      ndim >= axes && shape.slice(static_cast<size_t>(ndim - axes)).equals(normalized_shape),
      "Given normalized_shape=", normalized_shape, ", expected input with shape [*, ",
      c10::Join(", ", normalized_shape), "], but got input of size", shape);
  Rows rows{1, 1};
  for (int64_t d = 0; d < ndim; ++d) (d < ndim - axes ? rows.m : rows.n) *= shape[d];
  return rows;
}

// In the type of the input, contiguous.
Tensor parameter(const std::optional<Tensor>& t, const Tensor& x) {
  return t.has_value() && t->defined() ? t->to(x.scalar_type()).contiguous() : Tensor();
}

const void* data_or_null(const Tensor& t) { return t.defined() ? t.const_data_ptr() : nullptr; }

// The type of mean and 1 / std: see layer_norm_stub.
TensorOptions stat_options(const Tensor& x) {
  const bool wide = x.is_cpu() || x.scalar_type() == kDouble;
  return x.options().dtype(wide ? x.scalar_type() : kFloat);
}

// What the gradients of the parameters are added up in: see layer_norm_backward_stub.
TensorOptions sum_options(const Tensor& x) {
  const c10::Device device = x.device();
  return x.options().dtype(device.is_vulkan() || device.is_mps() ? kFloat : kDouble);
}

// mean and 1 / std have the shape of the input with the normalised dimensions of size 1.
std::vector<int64_t> stat_shape(const Tensor& input, size_t axes) {
  std::vector<int64_t> shape = input.sizes().vec();
  std::fill(shape.end() - static_cast<int64_t>(axes), shape.end(), 1);
  return shape;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input,
                                                     IntArrayRef normalized_shape,
                                                     const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias,
                                                     double eps) {
  const Rows rows = check_layer_norm_inputs(input, normalized_shape, weight.value_or(Tensor()),
                                            bias.value_or(Tensor()));
  const Tensor x = input.contiguous();
  const Tensor gamma = parameter(weight, x);
  const Tensor beta = parameter(bias, x);
  Tensor y = at::empty_like(x, MemoryFormat::Contiguous);
  const auto shape = stat_shape(input, normalized_shape.size());
  Tensor mean = at::empty(shape, stat_options(x));
  Tensor rstd = at::empty(shape, stat_options(x));
  layer_norm_stub(x.device().type(), x.scalar_type(), rows.m, rows.n, x.const_data_ptr(),
                  data_or_null(gamma), data_or_null(beta), eps, /*centred=*/true,
                  y.mutable_data_ptr(), mean.mutable_data_ptr(), rstd.mutable_data_ptr());
  return {y, mean, rstd};
}

std::tuple<Tensor, Tensor, Tensor> native_layer_norm_backward(
    const Tensor& dY, const Tensor& input, IntArrayRef normalized_shape, const Tensor& mean,
    const Tensor& rstd, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    std::array<bool, 3> grad_input_mask) {
  const Rows rows = check_layer_norm_inputs(input, normalized_shape, weight.value_or(Tensor()),
                                            bias.value_or(Tensor()));
  const Tensor dy = dY.contiguous();
  const Tensor x = input.contiguous();
  const Tensor mu = mean.contiguous();
  const Tensor scale = rstd.contiguous();
  const Tensor gamma = parameter(weight, x);
  Tensor dx = grad_input_mask[0] ? at::empty_like(x, MemoryFormat::Contiguous) : Tensor();
  const bool has_weight = grad_input_mask[1] && gamma.defined();
  const bool has_bias = grad_input_mask[2] && bias.has_value() && bias->defined();
  Tensor dgamma = has_weight ? at::zeros(normalized_shape, sum_options(x)) : Tensor();
  Tensor dbeta = has_bias ? at::zeros(normalized_shape, sum_options(x)) : Tensor();
  layer_norm_backward_stub(x.device().type(), x.scalar_type(), rows.m, rows.n, dy.const_data_ptr(),
                           x.const_data_ptr(), mu.const_data_ptr(), scale.const_data_ptr(),
                           data_or_null(gamma), /*centred=*/true,
                           dx.defined() ? dx.mutable_data_ptr() : nullptr,
                           has_weight ? dgamma.mutable_data_ptr() : nullptr,
                           has_bias ? dbeta.mutable_data_ptr() : nullptr);
  return {dx, has_weight ? dgamma.to(x.scalar_type()) : Tensor(),
          has_bias ? dbeta.to(x.scalar_type()) : Tensor()};
}

Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                  const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                  double eps, bool cudnn_enable) {
  return std::get<0>(at::native_layer_norm(input, normalized_shape, weight, bias, eps));
}

// y = x / sqrt(mean(x^2) + eps) * weight (Zhang and Sennrich, arXiv:1910.07467), and 1 / the root.
std::tuple<Tensor, Tensor> _fused_rms_norm(const Tensor& input, IntArrayRef normalized_shape,
                                           const std::optional<Tensor>& weight,
                                           std::optional<double> eps) {
  const Rows rows =
      check_layer_norm_inputs(input, normalized_shape, weight.value_or(Tensor()), Tensor());
  const Tensor x = input.contiguous();
  const Tensor gamma = parameter(weight, x);
  Tensor y = at::empty_like(x, MemoryFormat::Contiguous);
  Tensor rstd = at::empty(stat_shape(input, normalized_shape.size()), stat_options(x));
  // The distance from 1 to the next number of the type that is computed in.
  const double epsilon =
      eps.value_or(x.scalar_type() == kDouble ? std::numeric_limits<double>::epsilon()
                                              : std::numeric_limits<float>::epsilon());
  layer_norm_stub(x.device().type(), x.scalar_type(), rows.m, rows.n, x.const_data_ptr(),
                  data_or_null(gamma), nullptr, epsilon, /*centred=*/false, y.mutable_data_ptr(),
                  nullptr, rstd.mutable_data_ptr());
  return {y, rstd};
}

std::tuple<Tensor, Tensor> _fused_rms_norm_backward(const Tensor& grad_out, const Tensor& input,
                                                    IntArrayRef normalized_shape,
                                                    const Tensor& rstd,
                                                    const std::optional<Tensor>& weight,
                                                    std::array<bool, 2> output_mask) {
  const Rows rows =
      check_layer_norm_inputs(input, normalized_shape, weight.value_or(Tensor()), Tensor());
  const Tensor x = input.contiguous();
  const Tensor gamma = parameter(weight, x);
  Tensor dx = output_mask[0] ? at::empty_like(x, MemoryFormat::Contiguous) : Tensor();
  const bool has_weight = output_mask[1] && gamma.defined();
  Tensor dgamma = has_weight ? at::zeros(normalized_shape, sum_options(x)) : Tensor();
  layer_norm_backward_stub(x.device().type(), x.scalar_type(), rows.m, rows.n,
                           grad_out.contiguous().const_data_ptr(), x.const_data_ptr(), nullptr,
                           rstd.contiguous().const_data_ptr(), data_or_null(gamma),
                           /*centred=*/false, dx.defined() ? dx.mutable_data_ptr() : nullptr,
                           has_weight ? dgamma.mutable_data_ptr() : nullptr, nullptr);
  return {dx, has_weight ? dgamma.to(x.scalar_type()) : Tensor()};
}

Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape,
                const std::optional<Tensor>& weight, std::optional<double> eps) {
  if (!input.is_complex()) {
    return std::get<0>(at::_fused_rms_norm(input, normalized_shape, weight, eps));
  }
  check_layer_norm_inputs(input, normalized_shape, weight.value_or(Tensor()), Tensor());
  std::vector<int64_t> dims;
  for (int64_t d = -static_cast<int64_t>(normalized_shape.size()); d < 0; ++d) dims.push_back(d);
  const double epsilon =
      eps.value_or(input.scalar_type() == kComplexDouble ? std::numeric_limits<double>::epsilon()
                                                         : std::numeric_limits<float>::epsilon());
  const Tensor root = input.mul(input).mean(dims, /*keepdim=*/true).add(epsilon).rsqrt();
  const Tensor normal = input.mul(root);
  return weight.has_value() && weight->defined() ? normal.mul(*weight) : normal;
}

}  // namespace at::native
