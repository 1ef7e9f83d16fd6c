// Reductions made of others: counts, means beside variances, sums that pass over NaN, differences,
// integrals, covariance.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorMeta.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/all_native.h>
#include <ATen/ops/aminmax_native.h>
#include <ATen/ops/any_native.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/argsort_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/corrcoef_native.h>
#include <ATen/ops/count_nonzero.h>
#include <ATen/ops/count_nonzero_native.h>
#include <ATen/ops/cov.h>
#include <ATen/ops/cov_native.h>
#include <ATen/ops/cumulative_trapezoid_native.h>
#include <ATen/ops/diff.h>
#include <ATen/ops/diff_native.h>
#include <ATen/ops/dist_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gradient_native.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/logsumexp_native.h>
#include <ATen/ops/max.h>
#include <ATen/ops/max_native.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mean_native.h>
#include <ATen/ops/min.h>
#include <ATen/ops/min_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/msort.h>
#include <ATen/ops/msort_native.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/nanmean.h>
#include <ATen/ops/nanmean_native.h>
#include <ATen/ops/nansum.h>
#include <ATen/ops/nansum_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/norm_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/real.h>
#include <ATen/ops/renorm_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/std.h>
#include <ATen/ops/std_mean.h>
#include <ATen/ops/std_mean_native.h>
#include <ATen/ops/std_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/trapezoid.h>
#include <ATen/ops/trapezoid_native.h>
#include <ATen/ops/trapz_native.h>
#include <ATen/ops/var.h>
#include <ATen/ops/var_mean.h>
#include <ATen/ops/var_mean_native.h>
#include <ATen/ops/var_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

namespace at::meta {

TORCH_META_FUNC(aminmax)(const Tensor& self, std::optional<int64_t> dim_opt, bool keepdim) {
  TORCH_CHECK(!self.is_complex(), "aminmax() does not support complex input");
  std::vector<int64_t> shape;
  if (dim_opt.has_value()) {
    const int64_t dim = at::maybe_wrap_dim(*dim_opt, self.dim());
    native::zero_numel_check_dims(self, IntArrayRef(&dim, 1), "aminmax");
    shape = native::shape_from_dim_mask(
        self, native::make_dim_mask(IntArrayRef(&dim, 1), self.dim()), keepdim);
  } else {
    TORCH_CHECK(self.numel() > 0,
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
                "identity.");
    if (keepdim) shape.assign(static_cast<size_t>(self.dim()), 1);
  }
  set_output_raw_strided(0, shape, {}, self.options());
  set_output_raw_strided(1, shape, {}, self.options());
}

TORCH_META_FUNC2(all, dims)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  const ScalarType type = self.scalar_type() == kByte ? kByte : kBool;
  const auto mask = native::make_dim_mask(dim, self.dim(), /*allow_empty_dims=*/true);
  set_output_raw_strided(0, native::shape_from_dim_mask(self, mask, keepdim), {},
                         self.options().dtype(type));
}

TORCH_META_FUNC2(any, dims)(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  const ScalarType type = self.scalar_type() == kByte ? kByte : kBool;
  const auto mask = native::make_dim_mask(dim, self.dim(), /*allow_empty_dims=*/true);
  set_output_raw_strided(0, native::shape_from_dim_mask(self, mask, keepdim), {},
                         self.options().dtype(type));
}

TORCH_META_FUNC(renorm)
(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  TORCH_CHECK(!p.isComplex(), "renorm: p must be real-valued");
  TORCH_CHECK(p.toDouble() > 0.0, "renorm: non-positive-norm not supported");
  TORCH_CHECK(!maxnorm.isComplex(), "renorm: maxnorm must be real-valued");
  TORCH_CHECK(maxnorm.toDouble() >= 0.0, "renorm: expected maxnorm to be >= 0 but got ",
              maxnorm.toDouble());
  TORCH_CHECK(self.dim() > 1, "renorm: input needs at least 2 dimensions, got ", self.dim(),
              " dimensions");
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace at::meta

namespace at::native {

TORCH_IMPL_FUNC(aminmax_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& min,
 const Tensor& max) {
  const auto mask = dim.has_value() ? make_dim_mask(IntArrayRef(&*dim, 1), self.dim())
                                    : make_dim_mask(std::nullopt, self.dim());
  const Tensor low = at::empty(min.sizes(), min.options());
  const Tensor high = at::empty(max.sizes(), max.options());
  min_values_stub(self.device().type(), low, self, mask);
  max_values_stub(self.device().type(), high, self, mask);
  min.copy_(low);
  max.copy_(high);
}

TORCH_IMPL_FUNC(all_dims_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, const Tensor& result) {
  const Tensor out = at::empty(result.sizes(), result.options().dtype(kBool));
  and_stub(self.device().type(), out, self.to(kBool),
           make_dim_mask(dim, self.dim(), /*allow_empty_dims=*/true));
  result.copy_(out);
}

TORCH_IMPL_FUNC(any_dims_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, const Tensor& result) {
  const Tensor out = at::empty(result.sizes(), result.options().dtype(kBool));
  or_stub(self.device().type(), out, self.to(kBool),
          make_dim_mask(dim, self.dim(), /*allow_empty_dims=*/true));
  result.copy_(out);
}

// ---- counts

Tensor count_nonzero(const Tensor& self, IntArrayRef dims) {
  return at::ne(self, 0).sum(dims.empty() ? OptionalIntArrayRef() : OptionalIntArrayRef(dims));
}

Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim) {
  if (dim.has_value()) return at::count_nonzero(self, IntArrayRef(&*dim, 1));
  return at::count_nonzero(self, IntArrayRef());
}

// ---- variances with their means

std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim,
                                    const std::optional<Scalar>& correction, bool keepdim) {
  return {at::var(self, dim, correction, keepdim), at::mean(self, dim, keepdim)};
}

std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim,
                                    const std::optional<Scalar>& correction, bool keepdim) {
  return {at::std(self, dim, correction, keepdim), at::mean(self, dim, keepdim)};
}

#define PAIR_WITH_MEAN(name)                                                                  \
  std::tuple<Tensor, Tensor> name(const Tensor& self, bool unbiased) {                        \
    return at::name(self, OptionalIntArrayRef(), Scalar(unbiased ? 1 : 0), false);            \
  }                                                                                           \
  std::tuple<Tensor, Tensor> name(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, \
                                  bool keepdim) {                                             \
    return at::name(self, dim, Scalar(unbiased ? 1 : 0), keepdim);                            \
  }

PAIR_WITH_MEAN(var_mean)
PAIR_WITH_MEAN(std_mean)

Tensor& var_out(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim,
                Tensor& out) {
  return at::var_out(out, self, dim, Scalar(unbiased ? 1 : 0), keepdim);
}

Tensor& std_out(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim,
                Tensor& out) {
  return at::std_out(out, self, dim, Scalar(unbiased ? 1 : 0), keepdim);
}

// ---- sums that pass over NaN

Tensor nansum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
              std::optional<ScalarType> dtype) {
  TORCH_CHECK(!self.is_complex(), "nansum does not support complex inputs");
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    return at::sum(self, dim, keepdim, dtype);
  }
  return at::sum(at::nan_to_num(self, 0.0, std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()),
                 dim, keepdim, dtype);
}

namespace {

void check_nansum_out(const Tensor& self, const Tensor& result) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_floating_point() || result.is_floating_point(),
                              "\"nansum_cpu\" not implemented for '", result.scalar_type(), "'");
}

}  // namespace

Tensor& nansum_out(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype, Tensor& result) {
  TORCH_CHECK(!self.is_complex(), "nansum does not support complex inputs");
  check_nansum_out(self, result);
  return write_to_out(at::nansum(self, dim, keepdim, dtype), result);
}

Tensor nanmean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
               std::optional<ScalarType> dtype) {
  TORCH_CHECK(self.is_floating_point() || self.is_complex(),
              "nanmean(): expected input to have floating point or complex dtype but got ",
              self.scalar_type());
  const Tensor count = at::isnan(self.detach()).logical_not().sum(dim, keepdim);
  return at::nansum(self, dim, keepdim, dtype).div(count);
}

Tensor& nanmean_out(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                    std::optional<ScalarType> dtype, Tensor& result) {
  check_nansum_out(self, result);
  return write_to_out(at::nanmean(self, dim, keepdim, dtype), result);
}

// ---- out= of reductions over everything

Tensor& max_unary_out(const Tensor& self, Tensor& out) { return write_to_out(at::max(self), out); }

Tensor& min_unary_out(const Tensor& self, Tensor& out) { return write_to_out(at::min(self), out); }

Tensor& mean_dtype_out(const Tensor& self, std::optional<ScalarType> dtype, Tensor& out) {
  return write_to_out(at::mean(self, dtype), out);
}

Tensor& logsumexp_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& result) {
  return write_to_out(at::logsumexp(self, dim, keepdim), result);
}

Tensor& norm_out(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                 Tensor& out) {
  return write_to_out(at::norm(self, p, dim, keepdim), out);
}

Tensor& norm_out(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                 ScalarType dtype, Tensor& out) {
  return write_to_out(at::norm(self, p, dim, keepdim, dtype), out);
}

// ---- norms

Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p) {
  return at::norm(self - other, p);
}

TORCH_IMPL_FUNC(renorm_out)
(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, const Tensor& out) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  std::vector<int64_t> others;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) others.push_back(d);
  }
  const Tensor norms = at::linalg_vector_norm(self, p, others, /*keepdim=*/true);
  // As PyTorch: a little less than the largest norm, which rounding does not exceed.
  const Tensor factor =
      at::where(norms.gt(maxnorm), norms.add(1e-7).reciprocal().mul(maxnorm), at::ones_like(norms));
  out.copy_(self.mul(factor));
}

// ---- sorting by another name

Tensor msort(const Tensor& self) { return std::get<0>(self.sort(0, /*descending=*/false)); }

Tensor& msort_out(const Tensor& self, Tensor& values) { return write_out(values, at::msort(self)); }

Tensor argsort(const Tensor& self, bool stable, int64_t dim, bool descending) {
  return std::get<1>(at::sort(self, std::make_optional(stable), dim, descending));
}

Tensor& argsort_out(const Tensor& self, bool stable, int64_t dim, bool descending, Tensor& out) {
  return write_to_out(at::argsort(self, stable, dim, descending), out);
}

// ---- differences

namespace {

void check_diff_part(const char* name, const Tensor& self, const std::optional<Tensor>& part,
                     int64_t dim) {
  if (!part.has_value() || !part->defined()) return;
  TORCH_CHECK(part->dim() == self.dim(),
              "diff expects prepend or append to be the same dimension as input");
  for (int64_t d = 0; d < self.dim(); ++d) {
    TORCH_CHECK(d == dim || part->size(d) == self.size(d),
                "diff expects the shape of tensor to prepend or append to match that of input "
                "except along the differencing dimension; input.size(",
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
  TORCH_CHECK(y.scalar_type() != kBool && x.scalar_type() != kBool,
              "cumulative_trapezoid: received a bool input for `x` or `y`, but bool is not "
              "supported");
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
Tensor gradient_along(const Tensor& self, int64_t dim, const Tensor& coordinates, double step,
                      int64_t edge_order) {
  const int64_t n = self.size(dim);
  const auto part = [&](int64_t begin, int64_t end) { return self.slice(dim, begin, end); };
  Tensor inside, first, last;
  if (!coordinates.defined()) {
    inside = (part(2, n) - part(0, n - 2)) / (2 * step);
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
                "torch.gradient expected each dimension size to be "
                "at least edge_order+1");
  }
}

std::vector<Tensor> gradients(const Tensor& self, const std::vector<int64_t>& dims,
                              const std::vector<double>& steps, TensorList coordinates,
                              int64_t edge_order) {
  check_gradient(self, dims, edge_order);
  TORCH_CHECK(coordinates.empty() || coordinates.size() == dims.size(),
              "torch.gradient expected spacing to be unspecified, a scalar, or a list of length "
              "equal to 'self.dim() - ",
              self.dim() - static_cast<int64_t>(dims.size()),
              "', since dim argument "
              "was given, but got a list of length ",
              coordinates.size(), ".");
  TORCH_CHECK(!coordinates.empty() || steps.size() == dims.size(),
              "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim "
              "arguments to have the same length, but got a spacing argument of length ",
              steps.size(), " and a dim argument of length ", dims.size(), ".");
  std::vector<Tensor> result;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!coordinates.empty()) {
      TORCH_CHECK(
          coordinates[i].dim() == 1,
          "torch.gradient expected each element of spacing to have one dimension, but got an "
          "element with ",
          coordinates[i].dim(), " dimensions!");
      TORCH_CHECK(coordinates[i].device() == self.device(),
                  "torch.gradient expected each tensor to be on the same device, but got devices ",
                  self.device(), " and ", coordinates[i].device(), "!");
      TORCH_CHECK(coordinates[i].size(0) == self.size(dims[i]),
                  "torch.gradient expected each element of spacing to match the size of its "
                  "dimension");
    }
    result.push_back(gradient_along(self, dims[i], coordinates.empty() ? Tensor() : coordinates[i],
                                    coordinates.empty() ? steps[i] : 1.0, edge_order));
  }
  return result;
}

std::vector<double> to_doubles(ArrayRef<Scalar> values) {
  std::vector<double> result;
  for (const Scalar& value : values) result.push_back(value.toDouble());
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
  return gradients(self, gradient_dims(self, dim), to_doubles(spacing), {}, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim,
                             int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), to_doubles(spacing), {}, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArrayRef dim,
                             int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim),
                   std::vector<double>(dim.size(), spacing.toDouble()), {}, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing,
                             std::optional<int64_t> dim, int64_t edge_order) {
  const std::vector<int64_t> dims = gradient_dims(self, dim);
  const double step = spacing.has_value() ? spacing->toDouble() : 1.0;
  return gradients(self, dims, std::vector<double>(dims.size(), step), {}, edge_order);
}

std::vector<Tensor> gradient(const Tensor& self, IntArrayRef dim, int64_t edge_order) {
  return gradients(self, gradient_dims(self, dim), std::vector<double>(dim.size(), 1.0), {},
                   edge_order);
}

// ---- covariance and correlation of variables, one a row

Tensor cov(const Tensor& self, int64_t correction, const std::optional<Tensor>& fweights,
           const std::optional<Tensor>& aweights) {
  constexpr int64_t kObservations = 1;
  TORCH_CHECK(self.dim() <= 2,
              "cov(): expected input to have two or fewer dimensions but got an input with ",
              self.dim(), " dimensions");
  TORCH_CHECK(self.scalar_type() != kBool, "cov(): bool dtype is not supported for input");
  const Tensor in = self.dim() < 2 ? self.view({1, -1}) : self;
  const int64_t n = in.size(kObservations);
  const auto defined = [](const std::optional<Tensor>& t) { return t.has_value() && t->defined(); };
  Tensor w;
  if (defined(fweights)) {
    w = *fweights;
    TORCH_CHECK(w.dim() <= 1,
                "cov(): expected fweights to have one or fewer dimensions but got fweights with ",
                w.dim(), " dimensions");
    TORCH_CHECK(c10::isIntegralType(w.scalar_type(), /*includeBool=*/false),
                "cov(): expected fweights to have integral dtype but got fweights with ",
                w.scalar_type(), " dtype");
    TORCH_CHECK(w.numel() == n,
                "cov(): expected fweights to have the same numel as there are observations in the "
                "input but got ",
                w.numel(), " != ", n);
    TORCH_CHECK(n == 0 || w.min().item().toLong() >= 0, "cov(): fweights cannot be negative");
  }
  if (defined(aweights)) {
    const Tensor& aw = *aweights;
    TORCH_CHECK(aw.dim() <= 1,
                "cov(): expected aweights to have one or fewer dimensions but got aweights with ",
                aw.dim(), " dimensions");
    TORCH_CHECK(c10::isFloatingType(aw.scalar_type()),
                "cov(): expected aweights to have floating point dtype but got aweights with ",
                aw.scalar_type(), " dtype");
    TORCH_CHECK(aw.numel() == n,
                "cov(): expected aweights to have the same numel as there are observations in the "
                "input but got ",
                aw.numel(), " != ", n);
    TORCH_CHECK(n == 0 || aw.min().item().toDouble() >= 0, "cov(): aweights cannot be negative");
    w = w.defined() ? w * aw : aw;
  }
  const Tensor w_sum = w.defined() ? w.sum() : at::scalar_tensor(n, in.options().dtype(kLong));
  TORCH_CHECK(!w.defined() || w_sum.item().toDouble() != 0,
              "cov(): weights sum to zero, can't be normalized");
  const Tensor mean = (w.defined() ? in * w : in).sum({kObservations}) / w_sum;
  Tensor norm_factor;
  if (w.defined() && defined(aweights) && correction != 0) {
    norm_factor = w_sum - (w * *aweights).sum() * correction / w_sum;
  } else {
    norm_factor = w_sum - correction;
  }
  if (norm_factor.item().toDouble() <= 0) {
    TORCH_WARN(
        "cov(): degrees of freedom is <= 0. Correction should be strictly less than the "
        "number of observations.");
    norm_factor = at::zeros_like(norm_factor);
  }
  const Tensor centred = in - mean.unsqueeze(1);
  const Tensor weighted = (w.defined() ? centred * w : centred).t().conj();
  return (at::mm(centred, weighted.to(centred.scalar_type())) / norm_factor).squeeze();
}

Tensor corrcoef(const Tensor& self) {
  TORCH_CHECK(self.dim() <= 2,
              "corrcoef(): expected input to have two or fewer dimensions but got an input with ",
              self.dim(), " dimensions");
  Tensor c = at::cov(self);
  if (c.dim() == 0) return c / c;
  Tensor d = c.diag();
  const Tensor deviations = at::sqrt(d.is_complex() ? at::real(d) : d);
  c = c / deviations.view({-1, 1});
  c = c / deviations.view({1, -1});
  if (c.is_complex()) {
    return at::complex(at::real(c).clip(-1, 1), at::imag(c).clip(-1, 1));
  }
  return c.clip(-1, 1);
}

}  // namespace at::native
