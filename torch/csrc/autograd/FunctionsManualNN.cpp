#include <torch/csrc/autograd/FunctionsManualNN.h>

#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/_fused_rms_norm_backward.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/elu_backward.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/native_batch_norm_backward.h>
#include <ATen/ops/native_group_norm_backward.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/real.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <vector>

namespace torch::autograd::generated::details {

using at::IntArrayRef;
using at::Scalar;
using at::Tensor;

Tensor max_pool_double_backward(const Tensor& grad, const Tensor& indices, int64_t dims) {
  if (indices.numel() == 0) return at::zeros_like(indices, grad.options());
  std::vector<int64_t> planes = indices.sizes().vec();
  planes.resize(planes.size() - static_cast<size_t>(dims));
  planes.push_back(-1);
  return at::gather(grad.reshape(planes), -1, indices.reshape(planes)).view(indices.sizes());
}

Tensor constant_pad_nd_backward(const Tensor& grad, IntArrayRef pad) {
  std::vector<int64_t> cut = pad.vec();
  for (int64_t& size : cut) size = -size;
  return at::constant_pad_nd(grad, cut, 0);
}

namespace {

bool given(const std::optional<Tensor>& t) { return t.has_value() && t->defined(); }

// scale * (g - mean(g) - n mean(g n)): the gradient of a normalisation over `dims`, n its result.
Tensor normalized_backward(const Tensor& g, const Tensor& normal, const Tensor& scale,
                           IntArrayRef dims) {
  return scale * (g - g.mean(dims, true) - normal * (g * normal).mean(dims, true));
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> batch_norm_backward(
    const Tensor& grad, const Tensor& input, const std::optional<Tensor>& weight,
    const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
    const Tensor& save_mean, const Tensor& save_invstd, bool training, double eps,
    std::array<bool, 3> grad_input_mask) {
  if (!grad.defined()) return {};
  if (!c10::GradMode::is_enabled() || input.numel() == 0) {
    return at::native_batch_norm_backward(grad, input, weight, running_mean, running_var, save_mean,
                                          save_invstd, training, eps, grad_input_mask);
  }
  std::vector<int64_t> dims = {0};
  std::vector<int64_t> shape(static_cast<size_t>(input.dim()), 1);
  shape[1] = -1;
  for (int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
  const Tensor centered = input - (training ? input.mean(dims, true) : running_mean->view(shape));
  const Tensor variance =
      training ? (centered * centered).mean(dims, true) : running_var->view(shape);
  const Tensor scale = (variance + eps).rsqrt();
  const Tensor normal = centered * scale;
  Tensor grad_input;
  if (grad_input_mask[0]) {
    const Tensor g = given(weight) ? grad * weight->view(shape) : grad;
    grad_input = training ? normalized_backward(g, normal, scale, dims) : g * scale;
  }
  return {grad_input, grad_input_mask[1] ? (grad * normal).sum(dims) : Tensor(),
          grad_input_mask[2] ? grad.sum(dims) : Tensor()};
}

std::tuple<Tensor, Tensor, Tensor> group_norm_backward(
    const Tensor& grad, const Tensor& grad_mean, const Tensor& grad_rstd, const Tensor& input,
    const Tensor& mean, const Tensor& rstd, const std::optional<Tensor>& weight, int64_t N,
    int64_t C, int64_t HxW, int64_t group, double eps, std::array<bool, 3> grad_input_mask) {
  const bool statistics = grad_mean.defined() || grad_rstd.defined();
  if (!grad.defined() && !statistics) return {};
  if (!statistics && !c10::GradMode::is_enabled()) {
    return at::native_group_norm_backward(grad.contiguous(), input.contiguous(), mean, rstd, weight,
                                          N, C, HxW, group, grad_input_mask);
  }
  const Tensor x = input.reshape({N, group, C / group, HxW});
  const Tensor dy = grad.defined() ? grad.reshape({N, group, C / group, HxW}) : at::zeros_like(x);
  const Tensor centered = x - x.mean({2, 3}, true);
  const Tensor scale = ((centered * centered).mean({2, 3}, true) + eps).rsqrt();
  const Tensor normal = centered * scale;
  Tensor grad_input;
  if (grad_input_mask[0]) {
    const Tensor g = given(weight) ? dy * weight->view({1, group, C / group, 1}) : dy;
    grad_input = normalized_backward(g, normal, scale, {2, 3});
    const auto count = static_cast<double>(C / group * HxW);
    const auto each = [&](const Tensor& t) { return t.reshape({N, group, 1, 1}) / count; };
    if (grad_mean.defined()) grad_input = grad_input + each(grad_mean);
    if (grad_rstd.defined()) grad_input = grad_input - each(grad_rstd) * scale * scale * normal;
    grad_input = grad_input.reshape(input.sizes());
  }
  return {grad_input, grad_input_mask[1] ? (dy * normal).sum({0, 3}).reshape({C}) : Tensor(),
          grad_input_mask[2] ? dy.sum({0, 3}).reshape({C}) : Tensor()};
}

std::tuple<Tensor, Tensor> rms_norm_backward(const Tensor& grad, const Tensor& input,
                                             IntArrayRef normalized_shape, const Tensor& rstd,
                                             const std::optional<Tensor>& weight,
                                             std::array<bool, 2> grad_input_mask) {
  if (!grad.defined()) return {};
  if (!c10::GradMode::is_enabled()) {
    return at::_fused_rms_norm_backward(grad, input, normalized_shape, rstd, weight,
                                        grad_input_mask);
  }
  const auto inner = static_cast<int64_t>(normalized_shape.size());
  std::vector<int64_t> inner_dims;
  std::vector<int64_t> outer_dims;
  for (int64_t d = 0; d < input.dim(); ++d) {
    (d < input.dim() - inner ? outer_dims : inner_dims).push_back(d);
  }
  // eps is inside rstd; it comes back as rstd^-2 - mean(x^2).
  const Tensor square = (input * input).mean(inner_dims, true);
  const Tensor scale = (square + (rstd.pow(-2) - square).detach()).rsqrt();
  const Tensor normal = input * scale;
  Tensor grad_input;
  if (grad_input_mask[0]) {
    const Tensor g = given(weight) ? grad * *weight : grad;
    grad_input = scale * (g - normal * (g * normal).mean(inner_dims, true));
  }
  Tensor grad_weight;
  if (grad_input_mask[1]) {
    grad_weight = grad * normal;
    if (!outer_dims.empty()) grad_weight = grad_weight.sum(outer_dims);
  }
  return {grad_input, grad_weight};
}

Tensor elu_double_backward(const Tensor& grad, const Tensor& grad_output, const Scalar& alpha,
                           const Scalar& scale, const Scalar& input_scale, bool is_result,
                           const Tensor& self_or_result) {
  // Where the function is exponential each derivative is input_scale times the one before.
  const Tensor negative = (self_or_result < 0).to(grad.scalar_type());
  const Tensor product = grad * grad_output * input_scale;
  if (is_result) return product * negative;
  return at::elu_backward(product, alpha, scale, input_scale, /*is_result=*/false, self_or_result) *
         negative;
}

Tensor hardswish_double_backward(const Tensor& grad, const Tensor& grad_output,
                                 const Tensor& self) {
  const Tensor inside = (self > -3).logical_and(self < 3).to(grad.scalar_type());
  return grad * grad_output * inside / 3;
}

Tensor infinitely_differentiable_mish_backward(const Tensor& grad, const Tensor& self) {
  const Tensor t = at::softplus(self).tanh();
  return grad * (t + self * self.sigmoid() * (1 - t * t));
}

std::tuple<Tensor, Tensor, Tensor> prelu_double_backward(const Tensor& grad_self,
                                                         const Tensor& grad_weight,
                                                         const Tensor& grad_output,
                                                         const Tensor& self, const Tensor& weight) {
  const Tensor negative = (self <= 0).to(self.scalar_type());
  Tensor for_output;
  Tensor for_self;
  Tensor for_weight;
  if (grad_self.defined()) {
    for_output = grad_self * (1 - negative) + grad_self * negative * weight;
    for_weight = grad_self * grad_output * negative;
  }
  if (grad_weight.defined()) {
    const Tensor part = grad_weight * self * negative;
    for_output = for_output.defined() ? for_output + part : part;
    for_self = grad_weight * grad_output * negative;
  }
  return {for_output, for_self, for_weight};
}

std::tuple<Tensor, Tensor> glu_double_backward(const Tensor& grad, const Tensor& grad_output,
                                               const Tensor& self, int64_t dim) {
  if (!grad.defined()) return {};
  const int64_t half = self.size(dim) / 2;
  const Tensor a = self.narrow(dim, 0, half);
  const Tensor gate = self.narrow(dim, half, half).sigmoid();
  const Tensor slope = gate * (1 - gate);
  const Tensor u = grad.narrow(dim, 0, half);
  const Tensor v = grad.narrow(dim, half, half);
  const Tensor for_output = u * gate + v * a * slope;
  const Tensor for_a = v * grad_output * slope;
  const Tensor for_b = grad_output * slope * (u + v * a * (1 - 2 * gate));
  return {for_output, at::cat({for_a, for_b}, dim)};
}

Tensor log_sigmoid_double_backward(const Tensor& grad, const Tensor& self) {
  const Tensor s = self.sigmoid();
  return grad * s * (s - 1);
}

std::tuple<Tensor, Tensor, Tensor> scaled_dot_product_attention_backward(
    const Tensor& grad, const Tensor& query, const Tensor& key, const Tensor& value,
    const Tensor& output, const Tensor& logsumexp, double dropout_p, bool is_causal,
    const std::optional<Tensor>& attn_mask, std::optional<double> scale_opt) {
  if (!grad.defined()) return {};
  if (!c10::GradMode::is_enabled()) {
    return at::_scaled_dot_product_flash_attention_for_cpu_backward(
        grad, query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask, scale_opt);
  }
  // The weights again, as a function of the inputs.
  const double scale = scale_opt.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1))));
  const Tensor weights = std::get<1>(at::_scaled_dot_product_attention_math(
      query, key, value, given(attn_mask) ? attn_mask : std::nullopt, 0.0, is_causal, std::nullopt,
      scale));
  const Tensor dp = grad.matmul(value.transpose(-2, -1));
  const Tensor ds = weights * (dp - (dp * weights).sum(-1, true)) * scale;
  return {ds.matmul(key), ds.transpose(-2, -1).matmul(query),
          weights.transpose(-2, -1).matmul(grad)};
}

Tensor fft_r2c_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization, bool onesided,
                        IntArrayRef sizes) {
  Tensor whole = grad;
  if (onesided) {
    const int64_t last = at::maybe_wrap_dim(dim.back(), grad.dim());
    std::vector<int64_t> pad(2 * (grad.dim() - last));
    pad.back() = sizes[last] - grad.size(last);
    whole = at::constant_pad_nd(grad, pad, 0);
  }
  return at::real(at::_fft_c2c(whole, dim, normalization, /*forward=*/false));
}

Tensor fft_c2r_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization) {
  const int64_t last = at::maybe_wrap_dim(dim.back(), grad.dim());
  const Tensor half = at::_fft_r2c(grad, dim, normalization, /*onesided=*/true);
  // Frequencies 1, 2, ... stand for their conjugates as well; 0, and n / 2 of an even n, do not.
  const int64_t twice = grad.size(last) - half.size(last);
  std::vector<int64_t> shape(grad.dim(), 1);
  shape[last] = half.size(last);
  Tensor weights = at::ones(shape, grad.options());
  weights.narrow(last, 1, twice).fill_(2);
  return half * weights;
}

}  // namespace torch::autograd::generated::details
