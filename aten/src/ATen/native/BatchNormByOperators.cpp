// Batch normalisation, for devices without kernels of their own (Ioffe and Szegedy,
// arXiv:1502.03167), made of reductions and elementwise operators: two passes over the input
// forwards, three backwards.

// The kernels have the name of the first backend that ran them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/_native_batch_norm_legit_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_batch_norm_backward_native.h>
#include <ATen/ops/native_batch_norm_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

namespace at::native {
namespace {

bool given(const std::optional<Tensor>& t) { return t.has_value() && t->defined(); }

// Everything is computed in this type, and statistics are returned in it.
ScalarType wide_type(const Tensor& input) {
  return input.scalar_type() == kDouble ? kDouble : kFloat;
}

// All dimensions but that of the channels.
std::vector<int64_t> reduced_dims(const Tensor& input) {
  std::vector<int64_t> dims = {0};
  for (int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
  return dims;
}

// A vector of one value a channel, beside the input.
Tensor beside(const Tensor& vector, const Tensor& input) {
  std::vector<int64_t> shape(static_cast<size_t>(input.dim()), 1);
  shape[1] = -1;
  return vector.view(shape);
}

void check_vector(const char* name, const std::optional<Tensor>& t, const Tensor& input) {
  TORCH_CHECK(!given(t) || t->numel() == input.size(1), name, " should contain ", input.size(1),
              " elements not ", given(t) ? t->numel() : 0);
}

// running = momentum * value + (1 - momentum) * running
void update(const std::optional<Tensor>& running, const Tensor& value, double momentum) {
  if (!given(running)) return;
  Tensor(*running).mul_(1 - momentum).add_(value.to(running->scalar_type()), momentum);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> batch_norm_cuda(const Tensor& input,
                                                   const std::optional<Tensor>& weight,
                                                   const std::optional<Tensor>& bias,
                                                   const std::optional<Tensor>& running_mean,
                                                   const std::optional<Tensor>& running_var,
                                                   bool training, double momentum, double eps) {
  TORCH_CHECK(input.dim() >= 2, "batch_norm expects an input of at least 2 dimensions, but got ",
              input.dim());
  check_vector("running_mean", running_mean, input);
  check_vector("running_var", running_var, input);
  check_vector("weight", weight, input);
  check_vector("bias", bias, input);
  const ScalarType type = wide_type(input);
  const auto options = input.options().dtype(type);
  if (input.numel() == 0) {
    const int64_t saved = training ? input.size(1) : 0;
    return {at::empty_like(input), at::zeros({saved}, options), at::zeros({saved}, options)};
  }
  const Tensor x = input.to(type);
  Tensor mean;
  Tensor variance;
  if (training) {
    const auto dims = reduced_dims(input);
    mean = x.mean(dims);
    variance = x.var(dims, Scalar(0), /*keepdim=*/false);
    const auto n = static_cast<double>(input.numel() / input.size(1));
    update(running_mean, mean, momentum);
    update(running_var, variance.mul(n / (n - 1)), momentum);
  } else {
    TORCH_CHECK(given(running_mean), "running_mean must be defined in evaluation mode");
    TORCH_CHECK(given(running_var), "running_var must be defined in evaluation mode");
    mean = running_mean->to(type);
    variance = running_var->to(type);
  }
  const Tensor invstd = variance.add(eps).rsqrt();
  const Tensor scale = given(weight) ? invstd.mul(weight->to(type)) : invstd;
  Tensor output = x.sub(beside(mean, x)).mul_(beside(scale, x));
  if (given(bias)) output.add_(beside(bias->to(type), x));
  output = output.to(input.scalar_type());
  if (!training) return {output, at::empty({0}, options), at::empty({0}, options)};
  return {output, mean, invstd};
}

std::tuple<Tensor, Tensor, Tensor> _batch_norm_legit_cuda(
    const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    Tensor& running_mean, Tensor& running_var, bool training, double momentum, double eps) {
  return batch_norm_cuda(input, weight, bias, running_mean, running_var, training, momentum, eps);
}

std::tuple<Tensor, Tensor, Tensor> _batch_norm_legit_no_stats_cuda(
    const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    bool training, double momentum, double eps) {
  return batch_norm_cuda(input, weight, bias, std::nullopt, std::nullopt, training, momentum, eps);
}

// With n the normalised input: dweight = sum(dy n), dbias = sum(dy),
// dx = weight invstd (dy - mean(dy) - n mean(dy n)), both means 0 in evaluation.
std::tuple<Tensor, Tensor, Tensor> batch_norm_backward_cuda(
    const Tensor& grad_out, const Tensor& input, const std::optional<Tensor>& weight,
    const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
    const std::optional<Tensor>& save_mean, const std::optional<Tensor>& save_invstd, bool train,
    double eps, std::array<bool, 3> grad_input_mask) {
  const ScalarType type = wide_type(input);
  const auto options = input.options().dtype(type);
  const int64_t channels = input.size(1);
  if (input.numel() == 0) {
    return {grad_input_mask[0] ? at::empty_like(input) : Tensor(),
            grad_input_mask[1] ? at::zeros({channels}, options) : Tensor(),
            grad_input_mask[2] ? at::zeros({channels}, options) : Tensor()};
  }
  const Tensor x = input.to(type);
  const Tensor dy = grad_out.to(type);
  const Tensor mean = (train ? save_mean : running_mean)->to(type);
  const Tensor invstd = train ? save_invstd->to(type) : running_var->to(type).add(eps).rsqrt();
  const Tensor normal = x.sub(beside(mean, x)).mul_(beside(invstd, x));
  const auto dims = reduced_dims(input);
  const Tensor sum = dy.sum(dims);
  const Tensor dot = dy.mul(normal).sum(dims);
  Tensor grad_input;
  if (grad_input_mask[0]) {
    const Tensor scale = given(weight) ? invstd.mul(weight->to(type)) : invstd;
    grad_input = dy;
    if (train) {
      const auto n = static_cast<double>(input.numel() / channels);
      grad_input = dy.sub(beside(sum.div(n), x)).sub_(normal.mul(beside(dot.div(n), x)));
    }
    grad_input = grad_input.mul(beside(scale, x)).to(input.scalar_type());
  }
  return {grad_input, grad_input_mask[1] ? dot : Tensor(), grad_input_mask[2] ? sum : Tensor()};
}

}  // namespace at::native
