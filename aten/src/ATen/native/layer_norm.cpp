// Layer normalisation over the last dimensions (Ba, Kiros and Hinton, arXiv:1607.06450).

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/layer_norm_native.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/native_layer_norm_backward_native.h>
#include <ATen/ops/native_layer_norm_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <vector>

namespace at::native {
namespace {

// The input as m rows of n elements that are normalised together.
struct Rows {
  int64_t m;
  int64_t n;
};

Rows check_layer_norm_inputs(const Tensor& input, IntArrayRef normalized_shape,
                             const Tensor& weight, const Tensor& bias) {
  const auto axes = static_cast<int64_t>(normalized_shape.size());
  TORCH_CHECK(axes >= 1, "Expected normalized_shape to be at least 1-dimensional, i.e., ",
              "containing at least one element, but got normalized_shape = ", normalized_shape);
  TORCH_CHECK(!weight.defined() || weight.sizes().equals(normalized_shape),
              "Expected weight to be of same shape as normalized_shape, but got ",
              "weight of shape ", weight.defined() ? weight.sizes() : IntArrayRef{},
              " and normalized_shape = ", normalized_shape);
  TORCH_CHECK(!bias.defined() || bias.sizes().equals(normalized_shape),
              "Expected bias to be of same shape as normalized_shape, but got ", "bias of shape ",
              bias.defined() ? bias.sizes() : IntArrayRef{},
              " and normalized_shape = ", normalized_shape);
  const IntArrayRef shape = input.sizes();
  const int64_t ndim = input.dim();
  TORCH_CHECK(
      ndim >= axes && shape.slice(static_cast<size_t>(ndim - axes)).equals(normalized_shape),
      "Given normalized_shape=", normalized_shape, ", expected input with shape [*", ", ",
      normalized_shape, "], but got input of size", shape);
  Rows rows{1, 1};
  for (int64_t d = 0; d < ndim; ++d) (d < ndim - axes ? rows.m : rows.n) *= shape[d];
  return rows;
}

Tensor as_double_or_undefined(const std::optional<Tensor>& t) {
  return t.has_value() && t->defined() ? t->to(kDouble).contiguous() : Tensor();
}

const double* data_or_null(const Tensor& t) {
  return t.defined() ? t.const_data_ptr<double>() : nullptr;
}

int64_t row_grain(int64_t n) { return std::max<int64_t>(1, 4096 / std::max<int64_t>(n, 1)); }

// mean and 1 / std have the shape of the input with the normalised dimensions of size 1.
std::vector<int64_t> stat_shape(const Tensor& input, size_t axes) {
  std::vector<int64_t> shape = input.sizes().vec();
  std::fill(shape.end() - static_cast<int64_t>(axes), shape.end(), 1);
  return shape;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> layer_norm_cpu(const Tensor& input, IntArrayRef normalized_shape,
                                                  const std::optional<Tensor>& weight,
                                                  const std::optional<Tensor>& bias, double eps) {
  const Rows rows = check_layer_norm_inputs(input, normalized_shape, weight.value_or(Tensor()),
                                            bias.value_or(Tensor()));
  const Tensor x = input.contiguous();
  const Tensor gamma = as_double_or_undefined(weight);
  const Tensor beta = as_double_or_undefined(bias);
  Tensor y = at::empty_like(x, MemoryFormat::Contiguous);
  const auto shape = stat_shape(input, normalized_shape.size());
  Tensor mean = at::empty(shape, x.options());
  Tensor rstd = at::empty(shape, x.options());
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, x.scalar_type(), "LayerNormKernelImpl", [&] {
    const auto* xd = x.const_data_ptr<scalar_t>();
    auto* yd = y.mutable_data_ptr<scalar_t>();
    auto* md = mean.mutable_data_ptr<scalar_t>();
    auto* rd = rstd.mutable_data_ptr<scalar_t>();
    const double* gd = data_or_null(gamma);
    const double* bd = data_or_null(beta);
    at::parallel_for(0, rows.m, row_grain(rows.n), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const scalar_t* row = xd + i * rows.n;
        double sum = 0;
        for (int64_t j = 0; j < rows.n; ++j) sum += static_cast<double>(row[j]);
        const double mu = sum / static_cast<double>(rows.n);
        double squares = 0;
        for (int64_t j = 0; j < rows.n; ++j) {
          const double delta = static_cast<double>(row[j]) - mu;
          squares += delta * delta;
        }
        const double scale = 1.0 / std::sqrt(squares / static_cast<double>(rows.n) + eps);
        for (int64_t j = 0; j < rows.n; ++j) {
          const double normalized = (static_cast<double>(row[j]) - mu) * scale;
          yd[i * rows.n + j] = static_cast<scalar_t>(normalized * (gd != nullptr ? gd[j] : 1.0) +
                                                     (bd != nullptr ? bd[j] : 0.0));
        }
        md[i] = static_cast<scalar_t>(mu);
        rd[i] = static_cast<scalar_t>(scale);
      }
    });
  });
  return {y, mean, rstd};
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_backward_cpu(const Tensor& dY, const Tensor& input,
                                                           IntArrayRef normalized_shape,
                                                           const Tensor& mean, const Tensor& rstd,
                                                           const std::optional<Tensor>& weight,
                                                           const std::optional<Tensor>& bias,
                                                           std::array<bool, 3> grad_input_mask) {
  const Rows rows = check_layer_norm_inputs(input, normalized_shape, weight.value_or(Tensor()),
                                            bias.value_or(Tensor()));
  const Tensor dy = dY.contiguous();
  const Tensor x = input.contiguous();
  const Tensor mu = mean.contiguous();
  const Tensor scale = rstd.contiguous();
  const Tensor gamma = as_double_or_undefined(weight);
  Tensor dx = grad_input_mask[0] ? at::empty_like(x, MemoryFormat::Contiguous) : Tensor();
  std::vector<double> dgamma(static_cast<size_t>(rows.n));
  std::vector<double> dbeta(static_cast<size_t>(rows.n));
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kBFloat16, kHalf, x.scalar_type(), "LayerNormBackwardKernelImpl", [&] {
        const auto* dyd = dy.const_data_ptr<scalar_t>();
        const auto* xd = x.const_data_ptr<scalar_t>();
        const auto* md = mu.const_data_ptr<scalar_t>();
        const auto* rd = scale.const_data_ptr<scalar_t>();
        const double* gd = data_or_null(gamma);
        auto* dxd = dx.defined() ? dx.mutable_data_ptr<scalar_t>() : nullptr;
        for (int64_t i = 0; i < rows.m; ++i) {
          const auto m = static_cast<double>(md[i]);
          const auto r = static_cast<double>(rd[i]);
          double sum_g = 0;   // sum of dy * gamma
          double sum_gx = 0;  // sum of dy * gamma * normalised x
          for (int64_t j = 0; j < rows.n; ++j) {
            const auto g = static_cast<double>(dyd[i * rows.n + j]);
            const double normalized = (static_cast<double>(xd[i * rows.n + j]) - m) * r;
            dgamma[static_cast<size_t>(j)] += g * normalized;
            dbeta[static_cast<size_t>(j)] += g;
            const double scaled = g * (gd != nullptr ? gd[j] : 1.0);
            sum_g += scaled;
            sum_gx += scaled * normalized;
          }
          if (dxd == nullptr) continue;
          const auto n = static_cast<double>(rows.n);
          for (int64_t j = 0; j < rows.n; ++j) {
            const double scaled =
                static_cast<double>(dyd[i * rows.n + j]) * (gd != nullptr ? gd[j] : 1.0);
            const double normalized = (static_cast<double>(xd[i * rows.n + j]) - m) * r;
            dxd[i * rows.n + j] =
                static_cast<scalar_t>(r * (scaled - sum_g / n - normalized * sum_gx / n));
          }
        }
      });
  const auto to_tensor = [&](const std::vector<double>& values) {
    Tensor t = at::empty(normalized_shape, x.options().dtype(kDouble));
    std::copy(values.begin(), values.end(), t.mutable_data_ptr<double>());
    return t.to(x.scalar_type());
  };
  return {dx, grad_input_mask[1] && gamma.defined() ? to_tensor(dgamma) : Tensor(),
          grad_input_mask[2] && bias.has_value() && bias->defined() ? to_tensor(dbeta) : Tensor()};
}

Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                  const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                  double eps, bool cudnn_enable) {
  return std::get<0>(at::native_layer_norm(input, normalized_shape, weight, bias, eps));
}

}  // namespace at::native
