// Derivatives of scans, and of reductions by index; FunctionsManual.h says what they share.

#include <torch/csrc/autograd/FunctionsManual.h>

#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace torch::autograd::generated::details {

// ---- scans

Tensor aminmax_backward(const Tensor& self, std::optional<int64_t> dim, bool keepdim,
                        const Tensor& grad_min, const Tensor& grad_max, const Tensor& min,
                        const Tensor& max) {
  const std::vector<int64_t> dims =
      dim.has_value() ? std::vector<int64_t>{*dim} : std::vector<int64_t>();
  // Both are reductions that share a gradient among equal elements.
  const auto one = [&](const Tensor& grad, const Tensor& value) {
    const Tensor g =
        !dim.has_value() && !keepdim ? grad : restore_reduced_dims(grad, dims, keepdim);
    const Tensor v =
        !dim.has_value() && !keepdim ? value : restore_reduced_dims(value, dims, keepdim);
    return scale_grad_by_count(g, v == self, dims);
  };
  if (!grad_min.defined() && !grad_max.defined()) return Tensor();
  if (!grad_min.defined()) return one(grad_max, max);
  if (!grad_max.defined()) return one(grad_min, min);
  return one(grad_min, min) + one(grad_max, max);
}

namespace {

Tensor reversed_cumsum(const Tensor& t, int64_t dim) {
  return t.flip({dim}).cumsum(dim).flip({dim});
}

}  // namespace

// d out_k / d in_i = out_k / in_i for k >= i. Where an element is 0, the products without it are
// computed again, one element at a time.
Tensor cumprod_backward(const Tensor& grad, const Tensor& input, int64_t dim_in,
                        const Tensor& output) {
  if (input.numel() == 0) return input;
  if (input.dim() == 0) return grad;
  const int64_t dim = at::maybe_wrap_dim(dim_in, input.dim());
  const int64_t n = input.size(dim);
  if (n == 1) return grad;
  const Tensor in_conj = input.conj();
  const Tensor out_conj = output.conj().to(in_conj.scalar_type());
  if ((input == 0).any().item().toBool() || c10::GradMode::is_enabled()) {
    std::vector<Tensor> parts;
    for (int64_t i = 0; i < n; ++i) {
      // The products of the elements before i, and from there on of those after it.
      Tensor products = at::ones_like(in_conj.slice(dim, 0, 1));
      if (i > 0) products = in_conj.slice(dim, 0, i).prod(dim, /*keepdim=*/true);
      if (i + 1 < n) {
        const Tensor rest = in_conj.slice(dim, i + 1).cumprod(dim);
        products = at::cat({products, products * rest}, dim);
      }
      parts.push_back((grad.slice(dim, i) * products).sum({dim}, /*keepdim=*/true));
    }
    return at::cat(parts, dim);
  }
  return reversed_cumsum(grad * out_conj, dim) / in_conj;
}

// exp(x_i) times the running sum, from the end, of grad_k exp(-result_k): in logarithms, which do
// not overflow, with the positive and the negative part of the gradient apart.
Tensor logcumsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                             int64_t dim) {
  if (grad.dim() == 0 || grad.numel() == 0) return grad;
  if (grad.is_complex()) {
    const Tensor scaled = (grad.log() - result.conj()).flip({dim}).logcumsumexp(dim).flip({dim});
    return (scaled + self.conj()).exp();
  }
  if (c10::GradMode::is_enabled()) {
    // Plainly, so that it can be differentiated again.
    return (reversed_cumsum(grad * (-result.conj()).exp(), dim)) * self.conj().exp();
  }
  const auto part = [&](const Tensor& log_grad) {
    return ((log_grad - result).flip({dim}).logcumsumexp(dim).flip({dim}) + self).exp();
  };
  const double low = -std::numeric_limits<double>::infinity();
  const Tensor positive = at::where(grad > 0, grad, Scalar(1)).log().masked_fill(grad <= 0, low);
  const Tensor negative = at::where(grad < 0, -grad, Scalar(1)).log().masked_fill(grad >= 0, low);
  return part(positive) - part(negative);
}

Tensor renorm_backward(const Tensor& grad, const Tensor& self, const Scalar& p, int64_t dim_in,
                       const Scalar& maxnorm) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  std::vector<int64_t> others;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) others.push_back(d);
  }
  const Tensor norm = at::linalg_vector_norm(self, p, others, /*keepdim=*/true);
  const Tensor inverse = (norm + 1e-7).reciprocal();
  const Tensor overlap = (self.conj() * grad).sum(others, /*keepdim=*/true);
  const Tensor real_overlap = overlap.is_complex() ? (overlap + overlap.conj()) * 0.5 : overlap;
  const Tensor through_norm = linalg_vector_norm_backward(
      real_overlap * inverse * inverse * -1, self, p, norm, OptionalIntArrayRef(others), true);
  const Tensor scaled = (grad * inverse + through_norm) * maxnorm;
  return at::where(norm > maxnorm, scaled.to(grad.scalar_type()), grad);
}

// ---- reductions by index

Tensor index_copy_source_backward(const Tensor& grad, IntArrayRef source_sizes, int64_t dim,
                                  const Tensor& index) {
  if (source_sizes.empty()) return grad.index_select(dim, index.reshape({-1})).sum();
  return grad.index_select(dim, index).reshape(source_sizes);
}

namespace {

// Gathering and scattering by the index of one kind of operator.
struct ByIndex {
  int64_t dim;
  const Tensor& index;
  bool scatter;

  Tensor take(const Tensor& t) const {
    return scatter ? t.gather(dim, index) : t.index_select(dim, index);
  }
  Tensor add(const Tensor& t, const Tensor& src) const {
    return scatter ? t.scatter_add(dim, index, src) : t.index_add(dim, index, src);
  }
  Tensor fill(const Tensor& t, const Scalar& value) const {
    return scatter ? t.scatter(dim, index, value) : t.index_fill(dim, index, value);
  }
  Tensor reduce(const Tensor& t, const Tensor& src, std::string_view how) const {
    return scatter ? t.scatter_reduce(dim, index, src, how, true)
                   : t.index_reduce(dim, index, src, how, true);
  }
};

std::tuple<Tensor, Tensor> reduce_backward(const Tensor& grad, const Tensor& self,
                                           const Tensor& src, std::string_view reduce,
                                           bool include_self, const Tensor& result,
                                           const ByIndex& by) {
  Tensor grad_self, grad_src;
  if (reduce == "sum") {
    grad_self = grad;
    grad_src = by.take(grad);
  } else if (reduce == "mean") {
    Tensor count = include_self ? at::ones_like(grad) : at::zeros_like(grad);
    count = by.add(count, at::ones_like(src));
    count = count.masked_fill(count == 0, 1);
    grad_self = grad / count;
    grad_src = by.take(grad / count);
  } else if (reduce == "prod") {
    // The product without the element itself: where one element is 0, only its own gradient is not.
    const Tensor safe_self = self.masked_fill(self == 0, 1);
    grad_self = (grad * result) / safe_self;
    const Tensor self_alone =
        by.reduce(at::where(self == 0, at::ones_like(self), self), src, "prod");
    grad_self = at::where(self == 0, grad * self_alone, grad_self);
    const Tensor zero = src == 0;
    const Tensor zeros_there = by.take(by.add(at::zeros_like(self), zero.to(self.scalar_type())));
    const Tensor without_zero = by.take(
        by.reduce(include_self ? self : by.fill(self, 1), src.masked_fill(zero, 1), "prod"));
    const Tensor safe_src = src.masked_fill(zero, 1);
    const Tensor plain = by.take(grad * result) / safe_src;
    const Tensor alone = (by.take(grad) * without_zero).masked_fill(zeros_there > 1, 0);
    grad_src = at::where(zero, alone, plain);
    // Two zeros in one place: their first derivatives are 0, their second ones are not.
    if (c10::GradMode::is_enabled() && (zeros_there > 1).any().item<bool>()) {
      const std::string src_name = by.scatter ? "src" : "source";
      const std::string message = std::string(by.scatter ? "scatter" : "index") +
                                  "_reduce(): Double backward is unsupported for " + src_name +
                                  " when >1 zeros in " + src_name +
                                  " are scattered to the same position in self";
      DelayedError error(message, 1);
      grad_src = error.apply({grad_src})[0];
    }
  } else {
    // amax and amin: shared among the equal ones.
    const Tensor is_result = (self == result).to(self.scalar_type());
    const Tensor src_is_result = (src == by.take(result)).to(src.scalar_type());
    Tensor count = include_self ? is_result : at::zeros_like(self);
    count = by.add(count, src_is_result);
    const Tensor shared = grad / count.masked_fill(count == 0, 1);
    grad_self = is_result * shared;
    grad_src = src_is_result * by.take(shared);
  }
  if (!include_self) grad_self = by.fill(grad_self, 0);
  return {grad_self, grad_src};
}

}  // namespace

std::tuple<Tensor, Tensor> index_reduce_backward(const Tensor& grad, const Tensor& self,
                                                 int64_t dim, const Tensor& index,
                                                 const Tensor& source, std::string_view reduce,
                                                 bool include_self, const Tensor& result) {
  if (!grad.defined()) return {};
  return reduce_backward(grad, self, source, reduce, include_self, result,
                         ByIndex{dim, index, /*scatter=*/false});
}

std::tuple<Tensor, Tensor> scatter_reduce_backward(const Tensor& grad, const Tensor& self,
                                                   int64_t dim, const Tensor& index,
                                                   const Tensor& src, std::string_view reduce,
                                                   bool include_self, const Tensor& result) {
  if (!grad.defined()) return {};
  return reduce_backward(grad, self, src, reduce, include_self, result,
                         ByIndex{dim, index, /*scatter=*/true});
}

}  // namespace torch::autograd::generated::details
