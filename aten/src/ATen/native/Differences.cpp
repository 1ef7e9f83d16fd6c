// Differences of neighbours, gradients by central differences, integrals by the trapezoidal rule.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ScalarOps.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cumulative_trapezoid_native.h>
#include <ATen/ops/diff.h>
#include <ATen/ops/diff_native.h>
#include <ATen/ops/gradient_native.h>
#include <ATen/ops/trapezoid.h>
#include <ATen/ops/trapezoid_native.h>
#include <ATen/ops/trapz_native.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <optional>
#include <vector>

namespace at::native {

// ---- differences

namespace {

void check_diff_part(const char* name, const Tensor& self, const std::optional<Tensor>& part,
                     int64_t dim) {
  if (!part.has_value() || !part->defined()) return;
  TORCH_CHECK(part->dim() == self.dim(),
              "diff expects prepend or append to be the same dimension as input");
  for (int64_t d = 0; d < self.dim(); ++d) {
    TORCH_CHECK(
        d == dim || part->size(d) == self.size(d),
        "diff expects the shape of tensor to prepend or append to match that of input except along the differencing dimension; input.size(",
        d, ") = ", self.size(d), ", but got tensor.size(", d, ") = ", part->size(d));
  }
}

}  // namespace

Tensor diff(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend,
            const std::optional<Tensor>& append) {
  TORCH_CHECK(self.dim() >= 1, "diff expects input to be at least one-dimensional");
  const int64_t d = at::maybe_wrap_dim(dim, self.dim());
  check_diff_part("prepend", self, prepend, d);
  check_diff_part("append", self, append, d);
  TORCH_CHECK(n >= 0, "order must be non-negative but got ", n);
  std::vector<Tensor> parts;
  if (prepend.has_value() && prepend->defined()) parts.push_back(*prepend);
  parts.push_back(self);
  if (append.has_value() && append->defined()) parts.push_back(*append);
  Tensor result = n == 0 || parts.size() == 1 ? self : at::cat(parts, d);
  if (n == 0) return at::zeros_like(self).copy_(self);
  for (int64_t i = 0; i < n && result.size(d) > 0; ++i) {
    const int64_t length = result.size(d) - 1;
    const Tensor later = result.narrow(d, 1, length);
    const Tensor earlier = result.narrow(d, 0, length);
    result = self.scalar_type() == kBool ? later.logical_xor(earlier) : later - earlier;
  }
  return result;
}

Tensor& diff_out(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend,
                 const std::optional<Tensor>& append, Tensor& result) {
  return write_out(result, at::diff(self, n, dim, prepend, append));
}

// ---- integrals by the trapezoidal rule

namespace {

// The widths of the intervals, in the shape of `y` with one less along `dim`.
Tensor widths(const Tensor& y, const Tensor& x, int64_t dim) {
  if (x.dim() == 1) {
    TORCH_CHECK(x.size(0) == y.size(dim),
                "trapezoid: There must be one `x` value for each sample point");
    std::vector<int64_t> shape(static_cast<size_t>(y.dim()), 1);
    shape[static_cast<size_t>(dim)] = x.size(0) - 1;
    return x.diff().view(shape);
  }
  // `x` broadcasts with `y`, from the last dimension on.
  Tensor grid = x;
  while (grid.dim() < y.dim()) grid = grid.unsqueeze(0);
  if (grid.size(dim) == 1) return grid.slice(dim, 1) - grid.slice(dim, 0, -1);
  return grid.slice(dim, 1) - grid.slice(dim, 0, -1);
}

Tensor pair_sums(const Tensor& y, int64_t dim) { return y.slice(dim, 1) + y.slice(dim, 0, -1); }

Tensor zeros_without(const Tensor& y, int64_t dim) {
  std::vector<int64_t> sizes = y.sizes().vec();
  sizes.erase(sizes.begin() + dim);
  return at::zeros(sizes, y.options());
}

}  // namespace

Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim_in) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, y.dim());
  if (y.size(dim) == 0) return zeros_without(y, dim);
  TORCH_CHECK(y.scalar_type() != kBool && x.scalar_type() != kBool,
              "trapezoid: received a bool input for `x` or `y`, but bool is not supported");
  return ((widths(y, x, dim) * pair_sums(y, dim)).sum({dim}) / 2.);
}

Tensor trapezoid(const Tensor& y, const Scalar& dx, int64_t dim_in) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, y.dim());
  if (y.size(dim) == 0) return zeros_without(y, dim);
  TORCH_CHECK(y.scalar_type() != kBool,
              "trapezoid: received a bool input for `y`, but bool is not supported");
  TORCH_CHECK(!dx.isBoolean(), "trapezoid: Currently, we only support dx as a real number.");
  const double half = dx.toDouble() / 2;
  return pair_sums(y, dim).sum({dim}) * half;
}

Tensor trapz(const Tensor& y, const Tensor& x, int64_t dim) { return at::trapezoid(y, x, dim); }

Tensor trapz(const Tensor& y, double dx, int64_t dim) { return at::trapezoid(y, dx, dim); }

Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim_in) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, y.dim());
  TORCH_CHECK(
      y.scalar_type() != kBool && x.scalar_type() != kBool,
      "cumulative_trapezoid: received a bool input for `x` or `y`, but bool is not supported");
  return (widths(y, x, dim) * pair_sums(y, dim)).cumsum(dim) / 2.;
}

Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx, int64_t dim_in) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, y.dim());
  TORCH_CHECK(y.scalar_type() != kBool,
              "cumulative_trapezoid: received a bool input for `y`, but bool is not supported");
  return pair_sums(y, dim).cumsum(dim) * (dx.toDouble() / 2);
}

// ---- gradients by central differences, one for each dimension

namespace {

// Second order inside; at the ends of order `edge_order`. `coordinates` are undefined for a step.
Tensor gradient_along(const Tensor& self, int64_t dim, const Tensor& coordinates,
                      const Scalar& step, int64_t edge_order) {
  const int64_t n = self.size(dim);
  const auto part = [&](int64_t begin, int64_t end) { return self.slice(dim, begin, end); };
  Tensor inside, first, last;
  if (!coordinates.defined()) {
    inside = (part(2, n) - part(0, n - 2)) / 2. / step;
    if (edge_order == 1) {
      first = (part(1, 2) - part(0, 1)) / step;
      last = (part(n - 1, n) - part(n - 2, n - 1)) / step;
    } else {
      first = (part(0, 1) * -1.5 + part(1, 2) * 2. + part(2, 3) * -0.5) / step;
      last = (part(n - 3, n - 2) * 0.5 + part(n - 2, n - 1) * -2. + part(n - 1, n) * 1.5) / step;
    }
    return at::cat({first, inside, last}, dim);
  }
  std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
  shape[static_cast<size_t>(dim)] = -1;
  const Tensor h = coordinates.diff().view(shape);
  const auto width = [&](int64_t begin, int64_t end) { return h.slice(dim, begin, end); };
  const Tensor h1 = width(0, n - 2);
  const Tensor h2 = width(1, n - 1);
  inside = part(0, n - 2) * (-h2 / (h1 * (h1 + h2))) + part(1, n - 1) * ((h2 - h1) / (h1 * h2)) +
           part(2, n) * (h1 / (h2 * (h1 + h2)));
  if (edge_order == 1) {
    first = (part(1, 2) - part(0, 1)) / width(0, 1);
    last = (part(n - 1, n) - part(n - 2, n - 1)) / width(n - 2, n - 1);
  } else {
    const Tensor a1 = width(0, 1);
    const Tensor a2 = width(1, 2);
    first = part(0, 1) * (-(a1 * 2. + a2) / (a1 * (a1 + a2))) +
            part(1, 2) * ((a1 + a2) / (a1 * a2)) + part(2, 3) * (-a1 / (a2 * (a1 + a2)));
    const Tensor b1 = width(n - 3, n - 2);
    const Tensor b2 = width(n - 2, n - 1);
    last = part(n - 3, n - 2) * (b2 / (b1 * (b1 + b2))) +
           part(n - 2, n - 1) * (-(b1 + b2) / (b1 * b2)) +
           part(n - 1, n) * ((b2 * 2. + b1) / (b2 * (b1 + b2)));
  }
  return at::cat({first, inside, last}, dim);
}

std::vector<int64_t> gradient_dims(const Tensor& self, std::optional<int64_t> dim) {
  if (dim.has_value()) return {at::maybe_wrap_dim(*dim, self.dim())};
  std::vector<int64_t> all;
  for (int64_t d = 0; d < self.dim(); ++d) all.push_back(d);
  return all;
}

std::vector<int64_t> gradient_dims(const Tensor& self, IntArrayRef dims) {
  std::vector<int64_t> wrapped = dims.vec();
  for (int64_t& d : wrapped) d = at::maybe_wrap_dim(d, self.dim());
  at::dim_list_to_bitset(wrapped, self.dim());
  return wrapped;
}

void check_gradient(const Tensor& self, const std::vector<int64_t>& dims, int64_t edge_order) {
  TORCH_CHECK(self.scalar_type() != kByte, "torch.gradient does not support uint8 input.");
  TORCH_CHECK(edge_order == 1 || edge_order == 2,
              "torch.gradient only supports edge_order=1 and edge_order=2.");
  for (const int64_t d : dims) {
    TORCH_CHECK(self.size(d) >= edge_order + 1,
                "torch.gradient expected each dimension size to be at least edge_order+1");
  }
}

std::vector<Tensor> gradients(const Tensor& self, const std::vector<int64_t>& dims,
                              ArrayRef<Scalar> steps, TensorList coordinates, int64_t edge_order) {
  check_gradient(self, dims, edge_order);
  TORCH_CHECK(
      coordinates.empty() || coordinates.size() == dims.size(),
      "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() - ",
      self.dim() - static_cast<int64_t>(dims.size()),
      "', since dim argument was given, but got a list of length ", coordinates.size(), ".");
  TORCH_CHECK(
      !coordinates.empty() || steps.size() == dims.size(),
      "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the same length, but got a spacing argument of length ",
      steps.size(), " and a dim argument of length ", dims.size(), ".");
  std::vector<Tensor> result;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!coordinates.empty()) {
      TORCH_CHECK(
          coordinates[i].dim() == 1,
          "torch.gradient expected each element of spacing to have one dimension, but got an element with ",
          coordinates[i].dim(), " dimensions!");
      TORCH_CHECK(coordinates[i].device() == self.device(),
                  "torch.gradient expected each tensor to be on the same device, but got devices ",
                  self.device(), " and ", coordinates[i].device(), "!");
      TORCH_CHECK(
          coordinates[i].size(0) == self.size(dims[i]),
          "torch.gradient expected each element of spacing to match the size of its dimension");
    }
    result.push_back(gradient_along(self, dims[i], coordinates.empty() ? Tensor() : coordinates[i],
                                    coordinates.empty() ? steps[i] : Scalar(1.0), edge_order));
  }
  return result;
}

}  // namespace

std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<int64_t> dim,
                             int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), {}, spacing, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArrayRef dim,
                             int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), {}, spacing, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing,
                             std::optional<int64_t> dim, int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), spacing, {}, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim,
                             int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), spacing, {}, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArrayRef dim,
                             int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), std::vector<Scalar>(dim.size(), spacing), {},
                   edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing,
                             std::optional<int64_t> dim, int64_t edge_order) {
  const std::vector<int64_t> dims = gradient_dims(self, dim);
  return gradients(self, dims, std::vector<Scalar>(dims.size(), spacing.value_or(1.0)), {},
                   edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, IntArrayRef dim, int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), std::vector<Scalar>(dim.size(), 1.0), {},
                   edge_order);
}

}  // namespace at::native
