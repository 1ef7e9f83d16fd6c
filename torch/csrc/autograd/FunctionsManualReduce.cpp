// Derivatives of sums, means, variances, products and norms; FunctionsManual.h says what they
// share.

#include <torch/csrc/autograd/FunctionsManual.h>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/isnan.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace torch::autograd::generated::details {

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

}  // namespace

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
  Tensor mask = input == value;
  if (at::isFloatingType(input.scalar_type())) {
    // NaN equals nothing, and is what these functions return where there is one.
    mask = mask.logical_or(at::isnan(input).logical_and(at::isnan(value)));
  }
  return mask * (grad / mask.sum());
}

Tensor sum_backward(const Tensor& grad, IntArrayRef sizes, OptionalIntArrayRef dims, bool keepdim) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  return unsqueeze_reduced(grad, dims_or_all(dims), ndim, keepdim).expand(sizes);
}

Tensor nansum_backward(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims,
                       bool keepdim) {
  return sum_backward(grad.to(self.scalar_type()), self.sizes(), dims, keepdim)
      .mul(self.isnan().logical_not());
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

}  // namespace torch::autograd::generated::details
