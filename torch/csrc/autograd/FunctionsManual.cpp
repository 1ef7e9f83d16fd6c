#include <torch/csrc/autograd/FunctionsManual.h>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Reduction.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/native_layer_norm_backward.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <c10/util/accumulate.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

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

namespace {

// Wrapped, and all dimensions for an empty list.
std::vector<int64_t> normalized_dims(IntArrayRef dims, int64_t ndim) {
  std::vector<int64_t> result;
  if (dims.empty()) {
    result.resize(static_cast<size_t>(ndim));
    std::iota(result.begin(), result.end(), 0);
    return result;
  }
  for (const int64_t dim : dims) {
    result.push_back(c10::maybe_wrap_dim(dim, ndim));
  }
  std::sort(result.begin(), result.end());
  return result;
}

IntArrayRef dims_or_all(OptionalIntArrayRef dims) {
  return dims.has_value() ? *dims : IntArrayRef();
}

// Puts size-1 dimensions where a reduction to `output` removed some of `ndim` dimensions.
Tensor unsqueeze_reduced(const Tensor& output, IntArrayRef dims, int64_t ndim, bool keepdim) {
  if (keepdim || ndim == 0) {
    return output;
  }
  Tensor result = output;
  for (const int64_t dim : normalized_dims(dims, ndim)) {
    result = result.unsqueeze(dim);
  }
  return result;
}

int64_t reduced_numel(IntArrayRef sizes, IntArrayRef dims) {
  if (sizes.empty()) return 1;  // dim 0 and dim -1 may be named all the same
  int64_t count = 1;
  for (const int64_t dim : normalized_dims(dims, static_cast<int64_t>(sizes.size()))) {
    count *= sizes[static_cast<size_t>(dim)];
  }
  return count;
}

// As the loss reduces its elements.
Tensor reduced_weight(const Tensor& grad, int64_t reduction, int64_t numel) {
  return reduction == at::Reduction::Mean ? grad / static_cast<double>(numel) : grad;
}

}  // namespace

// ---- arithmetic ----

Tensor maybe_multiply(const Tensor& t, const Scalar& s) {
  const bool is_one = s.isFloatingPoint()                  ? s.toDouble() == 1.0
                      : s.isIntegral(/*includeBool=*/true) ? s.toLong() == 1
                                                           : false;
  return is_one ? t : t * s;
}

Tensor _to_copy_backward(const Tensor& grad, const at::TensorOptions& self_options) {
  return grad.to(self_options.device(), c10::typeMetaToScalarType(self_options.dtype()));
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
  return (grad * (result * safe.log()).conj()).masked_fill(flat, 0);
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

// ---- views ----

namespace {

// One past the largest offset that the geometry reaches, from its own start.
int64_t storage_extent(IntArrayRef sizes, IntArrayRef strides) {
  int64_t extent = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) {
      return 0;
    }
    extent += (sizes[i] - 1) * strides[i];
  }
  return extent;
}

// Offsets of the elements of a strided view, flattened.
Tensor strided_offsets(IntArrayRef sizes, IntArrayRef strides, const at::TensorOptions& options) {
  Tensor offsets = at::zeros({}, options);
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<int64_t> shape(sizes.size(), 1);
    shape[i] = sizes[i];
    offsets = offsets + (at::arange(sizes[i], options) * strides[i]).view(shape);
  }
  return offsets.expand(sizes).reshape({-1});
}

}  // namespace

Tensor as_strided_backward(const Tensor& grad, const at::TensorGeometry& input, IntArrayRef sizes,
                           IntArrayRef strides, std::optional<int64_t> storage_offset) {
  // Scatter the gradient into a flat image of the storage, then read it as the input does. An
  // input that overlaps itself has each storage element's gradient shared evenly.
  const int64_t offset = storage_offset.value_or(input.storage_offset());
  const int64_t base = std::min(offset, input.storage_offset());
  const int64_t size =
      std::max(offset - base + storage_extent(sizes, strides),
               input.storage_offset() - base + storage_extent(input.sizes(), input.strides()));
  const at::TensorOptions index_options =
      at::TensorOptions().dtype(at::kLong).device(grad.device());
  const Tensor out_index = strided_offsets(sizes, strides, index_options) + (offset - base);
  const Tensor in_index = strided_offsets(input.sizes(), input.strides(), index_options) +
                          (input.storage_offset() - base);
  Tensor storage = at::zeros({size}, grad.options()).index_add(0, out_index, grad.reshape({-1}));
  const bool overlaps =
      storage_extent(input.sizes(), input.strides()) < c10::multiply_integers(input.sizes());
  if (overlaps) {
    const Tensor ones = at::zeros({in_index.numel()}, grad.options()) + 1;
    const Tensor count = at::zeros({size}, grad.options()).index_add(0, in_index, ones);
    storage = storage / count.masked_fill(count == 0, 1);
  }
  return storage.index_select(0, in_index).view(input.sizes());
}

Tensor permute_backwards(const Tensor& grad, IntArrayRef dims) {
  std::vector<int64_t> inverse(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    inverse[static_cast<size_t>(c10::maybe_wrap_dim(dims[i], static_cast<int64_t>(dims.size())))] =
        static_cast<int64_t>(i);
  }
  return grad.permute(inverse);
}

Tensor slice_backward_wrapper(const Tensor& grad, IntArrayRef input_sizes, int64_t dim,
                              std::optional<int64_t> start, std::optional<int64_t> end,
                              int64_t step) {
  Tensor result = at::zeros(input_sizes, grad.options());
  result.slice(dim, start, end, step).copy_(grad);
  return result;
}

Tensor split_with_sizes_backward(const variable_list& grads, IntArrayRef split_sizes, int64_t dim,
                                 IntArrayRef sizes, const at::TensorOptions& options) {
  dim = c10::maybe_wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  std::vector<Tensor> parts(grads.size());
  for (size_t i = 0; i < grads.size(); ++i) {
    if (grads[i].defined()) {
      parts[i] = grads[i];
    } else {
      std::vector<int64_t> part_sizes = sizes.vec();
      part_sizes[static_cast<size_t>(dim)] = split_sizes[i];
      parts[i] = at::zeros(part_sizes, options);
    }
  }
  return at::cat(parts, dim);
}

Tensor split_backward(const variable_list& grads, int64_t split_size, int64_t dim,
                      IntArrayRef sizes, const at::TensorOptions& options) {
  dim = c10::maybe_wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  const int64_t total = sizes[static_cast<size_t>(dim)];
  std::vector<int64_t> split_sizes(grads.size(), split_size);
  if (!grads.empty()) {
    split_sizes.back() = total - split_size * static_cast<int64_t>(grads.size() - 1);
  }
  return split_with_sizes_backward(grads, split_sizes, dim, sizes, options);
}

Tensor unbind_backward(const variable_list& grads, int64_t dim) {
  const auto defined =
      std::find_if(grads.begin(), grads.end(), [](const Tensor& grad) { return grad.defined(); });
  if (defined == grads.end()) {
    return Tensor();
  }
  std::vector<Tensor> parts;
  parts.reserve(grads.size());
  for (const Tensor& grad : grads) {
    parts.push_back(grad.defined() ? grad : at::zeros(defined->sizes(), defined->options()));
  }
  return at::stack(parts, dim);
}

Tensor unsqueeze_to(const Tensor& self, IntArrayRef sizes) {
  Tensor result = self;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] == 1) {
      result = result.unsqueeze(static_cast<int64_t>(dim));
    }
  }
  return result;
}

Tensor unsqueeze_to(const Tensor& self, int64_t dim, IntArrayRef sizes) {
  return unsqueeze_to(self, IntArrayRef{dim}, sizes);
}

Tensor unsqueeze_to(const Tensor& self, IntArrayRef dims, IntArrayRef sizes) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  Tensor result = self;
  if (ndim == 0 || dims.empty()) {
    return result;
  }
  for (const int64_t dim : normalized_dims(dims, ndim)) {
    if (sizes[static_cast<size_t>(dim)] == 1) {
      result = result.unsqueeze(dim);
    }
  }
  return result;
}

Tensor repeat_backward(Tensor grad, IntArrayRef repeats, IntArrayRef input_sizes) {
  if (std::find(repeats.begin(), repeats.end(), 0) != repeats.end()) {
    return at::zeros(input_sizes, grad.options());
  }
  // Each repeated dimension becomes (repeat, size); sum over the repeats.
  const size_t new_dims = repeats.size() - input_sizes.size();
  std::vector<int64_t> shape;
  std::vector<int64_t> sum_dims;
  for (size_t i = 0; i < repeats.size(); ++i) {
    sum_dims.push_back(static_cast<int64_t>(shape.size()));
    shape.push_back(repeats[i]);
    if (i >= new_dims) {
      shape.push_back(input_sizes[i - new_dims]);
    }
  }
  if (sum_dims.empty()) {
    return grad;
  }
  return grad.reshape(shape).sum(sum_dims);
}

// ---- reductions ----

Tensor restore_reduced_dims(const Tensor& output, IntArrayRef dims, bool keepdim) {
  if (keepdim) {
    return output;
  }
  const auto ndim = output.dim() + static_cast<int64_t>(dims.size());
  // Without dims everything was reduced: a number, which broadcasts as it is.
  return dims.empty() ? output : unsqueeze_reduced(output, dims, ndim, keepdim);
}

Tensor scale_grad_by_count(const Tensor& grad, const Tensor& mask, IntArrayRef dims) {
  const Tensor weight = mask.to(grad.scalar_type());
  return (grad * weight) / (dims.empty() ? weight.sum() : weight.sum(dims, /*keepdim=*/true));
}

Tensor evenly_distribute_backward(const Tensor& grad, const Tensor& input, const Tensor& value) {
  const Tensor mask = input == value;
  return mask * (grad / mask.sum());
}

Tensor sum_backward(const Tensor& grad, IntArrayRef sizes, OptionalIntArrayRef dims, bool keepdim) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  return unsqueeze_reduced(grad, dims_or_all(dims), ndim, keepdim).expand(sizes);
}

Tensor mean_backward(const Tensor& grad, IntArrayRef sizes, OptionalIntArrayRef dims, int64_t numel,
                     bool keepdim) {
  const int64_t count = dims_or_all(dims).empty() ? numel : reduced_numel(sizes, *dims);
  return sum_backward(grad, sizes, dims, keepdim) / count;
}

Tensor var_backward(Tensor grad, const Tensor& self, OptionalIntArrayRef dims,
                    const std::optional<Scalar>& correction, bool keepdim) {
  const double c = correction.has_value() ? correction->toDouble() : 1.0;
  const std::vector<int64_t> reduced = normalized_dims(dims_or_all(dims), self.dim());
  const auto count = static_cast<double>(reduced_numel(self.sizes(), reduced));
  grad = unsqueeze_reduced(grad, reduced, self.dim(), keepdim);
  const Tensor mean = self.dim() == 0 ? self : self.mean(reduced, /*keepdim=*/true);
  return (2.0 / (count - c)) * grad * (self - mean);
}

Tensor std_backward(const Tensor& result, const Tensor& grad, const Tensor& self,
                    OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                    bool keepdim) {
  const Tensor grad_var = (grad / (result * 2)).masked_fill(result == 0, 0);
  return var_backward(grad_var, self, dims, correction, keepdim);
}

namespace {

// For each element of the last dimension the product of all others, also where some are zero:
// n rows of the vector, with ones on the diagonal.
Tensor products_of_others(const Tensor& input) {
  const int64_t n = input.size(-1);
  const Tensor index = at::arange(n, at::TensorOptions().dtype(at::kLong).device(input.device()));
  const Tensor diagonal = index.unsqueeze(0) == index.unsqueeze(1);
  std::vector<int64_t> sizes = input.sizes().vec();
  sizes.push_back(n);
  return input.unsqueeze(-2).expand(sizes).masked_fill(diagonal, 1).prod(-1);
}

}  // namespace

Tensor prod_backward(const Tensor& grad, const Tensor& input, const Tensor& result) {
  if (input.dim() == 0) {
    return grad.clone();
  }
  if ((input == 0).any().item<bool>()) {
    return grad * products_of_others(input.reshape({-1})).view(input.sizes());
  }
  return grad * result / input;
}

Tensor prod_backward(Tensor grad, const Tensor& input, Tensor result, int64_t dim, bool keepdim) {
  if (input.dim() == 0) {
    return grad.clone();
  }
  dim = c10::maybe_wrap_dim(dim, input.dim());
  if (!keepdim) {
    grad = grad.unsqueeze(dim);
    result = result.unsqueeze(dim);
  }
  if ((input == 0).any().item<bool>()) {
    return grad * products_of_others(input.transpose(dim, -1)).transpose(dim, -1);
  }
  return grad * result / input;
}

Tensor norm_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& p,
                     const Tensor& norm) {
  return norm_backward(grad, self, p, norm, {}, /*keepdim=*/true);
}

Tensor norm_backward(Tensor grad, const Tensor& self, const std::optional<Scalar>& p_opt,
                     Tensor norm, IntArrayRef dims, bool keepdim) {
  const double p = p_opt.has_value() ? p_opt->toDouble() : 2.0;
  if (!keepdim) {
    grad = unsqueeze_reduced(grad, dims, self.dim(), keepdim);
    norm = unsqueeze_reduced(norm, dims, self.dim(), keepdim);
  }
  if (p == 0.0) {
    return Tensor();  // A count does not change.
  }
  if (p == 1.0) {
    return self.sgn() * grad;
  }
  if (p == 2.0) {
    // The subgradient 0 at 0.
    return grad * (self / norm).masked_fill(norm == 0, 0);
  }
  if (std::isinf(p)) {
    // Ties share the gradient.
    const Tensor mask = (self.abs() == norm).to(grad.scalar_type());
    const Tensor count = dims.empty() ? mask.sum() : mask.sum(dims, /*keepdim=*/true);
    return self.sgn() * mask * (grad / count);
  }
  if (p < 1.0) {
    return (self.sgn() * self.abs().pow(p - 1) * grad * norm.pow(1 - p)).masked_fill(self == 0, 0);
  }
  if (p < 2.0) {
    return (self.sgn() * self.abs().pow(p - 1) * (grad / norm.pow(p - 1)))
        .masked_fill(norm == 0, 0);
  }
  return self * self.abs().pow(p - 2) * (grad / norm.pow(p - 1)).masked_fill(norm == 0, 0);
}

Tensor linalg_vector_norm_backward(const Tensor& grad, const Tensor& self, const Scalar& ord,
                                   const Tensor& norm, OptionalIntArrayRef dims, bool keepdim) {
  const IntArrayRef reduced = dims_or_all(dims);
  // Without dims everything is reduced, and a number broadcasts.
  return norm_backward(grad, self, ord, norm, reduced, keepdim || reduced.empty());
}

Tensor logsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                          IntArrayRef dims, bool keepdim) {
  const Tensor g = unsqueeze_reduced(grad, dims, self.dim(), keepdim);
  const Tensor r = unsqueeze_reduced(result, dims, self.dim(), keepdim);
  return g * (self - r).conj().exp();
}

// ---- activations and losses ----

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

namespace {

// Keeps denominators of the form x (1 - x) away from zero, as the forward clamps logarithms.
constexpr double kEpsilon = 1e-12;

Tensor weighted(const Tensor& loss, const std::optional<Tensor>& weight) {
  return weight.has_value() && weight->defined() ? loss * *weight : loss;
}

}  // namespace

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
    const Tensor g = weighted(grad, weight);
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

// ---- indexing ----

std::vector<Tensor> cat_tensors_backward(const Tensor& grad,
                                         const std::vector<std::vector<int64_t>>& sizes,
                                         const std::vector<at::ScalarType>& dtypes, int64_t dim) {
  std::vector<Tensor> results(sizes.size());
  if (!grad.defined()) {
    return results;
  }
  dim = c10::maybe_wrap_dim(dim, grad.dim());
  int64_t start = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    // cat() accepts and skips tensors of shape (0).
    if (sizes[i].size() == 1 && sizes[i][0] == 0) {
      results[i] = at::zeros({0}, grad.options());
      continue;
    }
    const int64_t size = sizes[i][static_cast<size_t>(dim)];
    results[i] = grad.narrow(dim, start, size);
    start += size;
  }
  return results;
}

std::vector<Tensor> stack_tensors_backward(const Tensor& grad, int64_t dim,
                                           const std::vector<at::ScalarType>& dtypes) {
  if (!grad.defined()) {
    return std::vector<Tensor>(dtypes.size());
  }
  return grad.unbind(dim);
}

Tensor index_backward(const Tensor& grad, IntArrayRef input_sizes,
                      const OptionalTensorList& indices) {
  return at::zeros(input_sizes, grad.options()).index_put(indices, grad, /*accumulate=*/true);
}

Tensor index_put_self_backward(const Tensor& grad, const OptionalTensorList& indices) {
  return grad.index_put(indices, at::zeros({}, grad.options()), /*accumulate=*/false);
}

Tensor masked_fill_backward(const Tensor& grad, const Tensor& mask) {
  return grad.masked_fill(mask.logical_not(), 0).sum();
}

Tensor masked_scatter_backward(const Tensor& grad, const Tensor& mask, IntArrayRef source_sizes) {
  const Tensor selected = grad.masked_select(mask);
  const int64_t total = c10::multiply_integers(source_sizes);
  const Tensor rest = at::zeros({total - selected.numel()}, grad.options());
  return at::cat({selected, rest}).view(source_sizes);
}

}  // namespace torch::autograd::generated::details
