// Reductions made of others: counts, means beside variances, sums that pass over NaN, norms.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorMeta.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/ops/all_native.h>
#include <ATen/ops/aminmax_native.h>
#include <ATen/ops/any_native.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/argsort_native.h>
#include <ATen/ops/count_nonzero.h>
#include <ATen/ops/count_nonzero_native.h>
#include <ATen/ops/dist_native.h>
#include <ATen/ops/empty.h>
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
#include <ATen/ops/renorm_native.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/std.h>
#include <ATen/ops/std_mean.h>
#include <ATen/ops/std_mean_native.h>
#include <ATen/ops/std_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/var.h>
#include <ATen/ops/var_mean.h>
#include <ATen/ops/var_mean_native.h>
#include <ATen/ops/var_native.h>
#include <ATen/ops/where.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

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

}  // namespace at::native
