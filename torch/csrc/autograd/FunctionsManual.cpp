// What generated nodes are made of, and derivatives of arithmetic, activations, dropout, embeddings
// and layer norm.

#include <torch/csrc/autograd/FunctionsManual.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/native_layer_norm_backward.h>
#include <ATen/ops/real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace torch::autograd::generated::details {

// ---- what generated nodes are made of ----

void copy_range(variable_list& out, IndexRange range, const Tensor& gradient) {
  TORCH_INTERNAL_ASSERT(range.second - range.first == 1 && range.second <= out.size());
  out[range.first] = gradient;
}

void copy_range(variable_list& out, IndexRange range, TensorList gradients) {
  TORCH_INTERNAL_ASSERT(range.second - range.first == gradients.size() &&
                        range.second <= out.size());
  std::copy(gradients.begin(), gradients.end(), out.begin() + static_cast<ptrdiff_t>(range.first));
}

bool any_variable_defined(const variable_list& variables) {
  return std::any_of(variables.begin(), variables.end(),
                     [](const Tensor& variable) { return variable.defined(); });
}

std::optional<Tensor> to_optional(Tensor tensor) {
  return tensor.defined() ? std::make_optional(std::move(tensor)) : std::nullopt;
}

std::vector<Tensor> unpack_list(const std::vector<SavedVariable>& saved,
                                std::shared_ptr<Node> saved_for) {
  std::vector<Tensor> tensors;
  tensors.reserve(saved.size());
  for (const SavedVariable& variable : saved) {
    tensors.push_back(variable.unpack(saved_for));
  }
  return tensors;
}

OptionalTensorList unpack_opt_list(const std::vector<SavedVariable>& saved,
                                   std::shared_ptr<Node> saved_for) {
  OptionalTensorList tensors;
  tensors.reserve(saved.size());
  for (const SavedVariable& variable : saved) {
    tensors.push_back(to_optional(variable.unpack(saved_for)));
  }
  return tensors;
}

std::vector<std::vector<int64_t>> to_args_sizes(TensorList tensors) {
  std::vector<std::vector<int64_t>> sizes;
  sizes.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    sizes.push_back(tensor.sizes().vec());
  }
  return sizes;
}

std::vector<at::ScalarType> to_args_scalartypes(TensorList tensors) {
  std::vector<at::ScalarType> types;
  types.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    types.push_back(tensor.scalar_type());
  }
  return types;
}

Tensor not_implemented(const char* name, const char* reason) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "the derivative for '", name, "' is not implemented.",
                              *reason == '\0' ? "" : " ", reason);
  throw 0;  // Not reached; the macro's throw is not visible to the compiler.
}

// ---- arithmetic ----

Tensor maybe_multiply(const Tensor& t, const Scalar& s) {
  const bool is_one = s.isFloatingPoint()                  ? s.toDouble() == 1.0
                      : s.isIntegral(/*includeBool=*/true) ? s.toLong() == 1
                                                           : false;
  return is_one ? t : t * s;
}

Tensor _to_copy_backward(const Tensor& grad, const at::TensorOptions& self_options) {
  const auto dtype = c10::typeMetaToScalarType(self_options.dtype());
  // The gradient of a real number that was made complex is the real part.
  const bool real_part = grad.is_complex() && !c10::isComplexType(dtype);
  return (real_part ? at::real(grad) : grad).to(self_options.device(), dtype);
}

Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other,
                                std::optional<std::string_view> rounding_mode) {
  return rounding_mode.has_value() ? at::zeros_like(grad) : grad / other;
}

Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other,
                                std::optional<std::string_view> rounding_mode) {
  return rounding_mode.has_value() ? at::zeros_like(grad) : grad / other;
}

Tensor div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                                 std::optional<std::string_view> rounding_mode) {
  if (rounding_mode.has_value()) {
    return at::zeros_like(grad);
  }
  return -grad * ((self / other) / other).conj();
}

Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& min,
                      const std::optional<Scalar>& max) {
  Tensor result = grad;
  if (min.has_value()) {
    result = result.masked_fill((self >= *min).logical_not(), 0);
  }
  if (max.has_value()) {
    result = result.masked_fill((self <= *max).logical_not(), 0);
  }
  return result;
}

Tensor grad_of_selected(const Tensor& grad, const Tensor& self, const Tensor& other,
                        const Tensor& rejected) {
  return at::where(self == other, grad / 2, grad).masked_fill(rejected, 0);
}

Tensor pow_backward(const Tensor& grad, const Tensor& self, const Scalar& exponent) {
  if (exponent.equal(0)) {
    return at::zeros_like(self);
  }
  const Scalar lower = exponent.isComplex()         ? Scalar(exponent.toComplexDouble() - 1.0)
                       : exponent.isFloatingPoint() ? Scalar(exponent.toDouble() - 1)
                                                    : Scalar(exponent.toLong() - 1);
  return grad * (self.pow(lower) * exponent).conj();
}

Tensor pow_backward_self(const Tensor& grad, const Tensor& self, const Tensor& exponent) {
  return (grad * (exponent * self.pow(exponent - 1)).conj()).masked_fill(exponent == 0, 0);
}

namespace {

// Where a power of 0 is 0 and the logarithm is not finite: for real exponents from 0 on, and for
// complex ones with such a real part.
Tensor from_zero_on(const Tensor& exponent) {
  return exponent.is_complex() ? at::real(exponent) >= 0 : exponent >= 0;
}

}  // namespace

Tensor pow_backward_exponent(const Tensor& grad, const Tensor& self, const Tensor& exponent,
                             const Tensor& result) {
  const Tensor flat = (self == 0).logical_and(from_zero_on(exponent));
  const Tensor safe = at::where(flat, at::zeros_like(self) + 1, self);
  // The logarithm of a negative number is complex where the power is.
  const Tensor logarithm =
      (result.is_complex() && !safe.is_complex() ? safe.to(result.scalar_type()) : safe).log();
  return (grad * (result * logarithm).conj()).masked_fill(flat, 0);
}

Tensor pow_backward_exponent(const Tensor& grad, const Scalar& base, const Tensor& exponent,
                             const Tensor& result) {
  if (base.equal(0)) {
    return (grad * (result * -std::numeric_limits<double>::infinity()).conj())
        .masked_fill(from_zero_on(exponent), 0);
  }
  if (base.isComplex() || base.toDouble() < 0) {
    const c10::complex<double> value = base.toComplexDouble();
    const c10::complex<double> logarithm(std::log(std::hypot(value.real(), value.imag())),
                                         std::atan2(value.imag(), value.real()));
    if (base.isComplex() || exponent.is_complex()) {
      return grad * (result * Scalar(logarithm)).conj();
    }
  }
  return grad * (result * std::log(base.toDouble())).conj();
}

// ---- activations, dropout, embeddings, layer norm ----

Tensor gelu_double_backward(const Tensor& ggI, const Tensor& gO, const Tensor& input,
                            std::string_view approximate) {
  const Tensor square = input * input;
  if (approximate != "tanh") {
    // gelu(x) = x F(x), F the normal distribution, f its density: gelu'' = (2 - x^2) f(x).
    const double scale = 1.0 / std::sqrt(2.0 * M_PI);
    return ggI * gO * ((2 - square) * ((square * -0.5).exp() * scale));
  }
  // gelu(x) = x (1 + tanh u) / 2 with u = k (x + c x^3).
  const double k = std::sqrt(2.0 / M_PI);
  constexpr double c = 0.044715;
  const Tensor t = ((input + input * square * c) * k).tanh();
  const Tensor du = (square * (3 * c) + 1) * k;
  const Tensor ddu = input * (6 * c * k);
  const Tensor dt = 1 - t * t;
  return ggI * gO * (dt * du + 0.5 * input * (dt * ddu - 2 * t * dt * du * du));
}

Tensor infinitely_differentiable_silu_backward(const Tensor& grad_output, const Tensor& input) {
  const Tensor sigmoid = input.sigmoid();
  return grad_output * sigmoid * (1 + input * (1 - sigmoid));
}

Tensor softplus_double_backward(const Tensor& grad, const Tensor& input, const Scalar& beta,
                                const Scalar& threshold) {
  // softplus'(x) = sigmoid(beta x) up to the threshold, then 1.
  const Tensor x = input * beta;
  const Tensor s = x.sigmoid();
  return (grad * s * (1 - s) * beta).masked_fill(x > threshold, 0);
}

Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, int64_t dim,
                               const Tensor& output) {
  return grad_output * grad - (output * grad_output).sum(dim, /*keepdim=*/true) * grad -
         grad_output * (output * grad).sum(dim, /*keepdim=*/true);
}

double native_dropout_scale(double p, std::optional<bool> train) {
  if (!train.value_or(true)) {
    return 1.0;
  }
  return p == 1.0 ? 0.0 : 1.0 / (1.0 - p);
}

Tensor infinitely_differentiable_native_dropout_backward(const Tensor& grad, const Tensor& mask,
                                                         double scale) {
  return grad * (mask.to(grad.scalar_type()) * scale);
}

Tensor embedding_dense_double_backward(const Tensor& grad, const Tensor& indices,
                                       int64_t padding_idx) {
  // The weight's gradient is linear in the rows' gradients; padding rows took none.
  std::vector<int64_t> sizes = indices.sizes().vec();
  sizes.push_back(grad.size(-1));
  const Tensor result = at::index_select(grad, 0, indices.reshape({-1})).view(sizes);
  return result.masked_fill((indices == padding_idx).unsqueeze(-1), 0);
}

namespace {

// The same out of operators, for double backward.
std::tuple<Tensor, Tensor, Tensor> differentiable_layer_norm_backward(
    const Tensor& grad, const Tensor& input, IntArrayRef normalized_shape,
    const std::optional<Tensor>& weight, const Tensor& mean, const Tensor& rstd,
    const std::array<bool, 3>& grad_input_mask) {
  const auto inner = static_cast<int64_t>(normalized_shape.size());
  std::vector<int64_t> inner_dims;
  std::vector<int64_t> outer_dims;
  for (int64_t dim = 0; dim < input.dim(); ++dim) {
    (dim < input.dim() - inner ? outer_dims : inner_dims).push_back(dim);
  }
  // eps is inside rstd; it comes back as rstd^-2 - var.
  const Tensor centered = input - input.mean(inner_dims, /*keepdim=*/true);
  const Tensor var = (centered * centered).mean(inner_dims, /*keepdim=*/true);
  const Tensor eps = (rstd.pow(-2) - var).detach();
  const Tensor scale = (var + eps).rsqrt();
  const Tensor normal = centered * scale;

  Tensor grad_input;
  Tensor grad_weight;
  Tensor grad_bias;
  if (grad_input_mask[0]) {
    const Tensor g = weight.has_value() && weight->defined() ? grad * *weight : grad;
    grad_input =
        scale * (g - g.mean(inner_dims, true) - normal * (g * normal).mean(inner_dims, true));
  }
  const auto sum_outer = [&outer_dims](const Tensor& t) {
    return outer_dims.empty() ? t : t.sum(outer_dims);
  };
  if (grad_input_mask[1]) {
    grad_weight = sum_outer(grad * normal);
  }
  if (grad_input_mask[2]) {
    grad_bias = sum_outer(grad);
  }
  return {grad_input, grad_weight, grad_bias};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> layer_norm_backward(const Tensor& grad, const Tensor& input,
                                                       IntArrayRef normalized_shape,
                                                       const Tensor& mean, const Tensor& rstd,
                                                       const std::optional<Tensor>& weight,
                                                       const std::optional<Tensor>& bias,
                                                       const std::array<bool, 3>& grad_input_mask) {
  if (c10::GradMode::is_enabled()) {
    return differentiable_layer_norm_backward(grad, input, normalized_shape, weight, mean, rstd,
                                              grad_input_mask);
  }
  return at::native_layer_norm_backward(grad, input, normalized_shape, mean, rstd, weight, bias,
                                        grad_input_mask);
}

}  // namespace torch::autograd::generated::details
