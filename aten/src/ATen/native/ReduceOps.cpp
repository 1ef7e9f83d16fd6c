// Reductions and running reductions: checks, result types and shapes.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorCompare.h>
#include <ATen/ops/all_native.h>
#include <ATen/ops/amax_native.h>
#include <ATen/ops/amin_native.h>
#include <ATen/ops/aminmax_native.h>
#include <ATen/ops/any_native.h>
#include <ATen/ops/argmax_native.h>
#include <ATen/ops/argmin_native.h>
#include <ATen/ops/count_nonzero.h>
#include <ATen/ops/count_nonzero_native.h>
#include <ATen/ops/cummax_native.h>
#include <ATen/ops/cummaxmin_backward_native.h>
#include <ATen/ops/cummin_native.h>
#include <ATen/ops/cumprod_native.h>
#include <ATen/ops/cumsum_native.h>
#include <ATen/ops/dist_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/linalg_vector_norm_native.h>
#include <ATen/ops/logcumsumexp_native.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/logsumexp_native.h>
#include <ATen/ops/max.h>
#include <ATen/ops/max_native.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mean_native.h>
#include <ATen/ops/min.h>
#include <ATen/ops/min_native.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/nanmean.h>
#include <ATen/ops/nanmean_native.h>
#include <ATen/ops/nansum.h>
#include <ATen/ops/nansum_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/norm_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/prod_native.h>
#include <ATen/ops/real.h>
#include <ATen/ops/renorm_native.h>
#include <ATen/ops/std.h>
#include <ATen/ops/std_mean.h>
#include <ATen/ops/std_mean_native.h>
#include <ATen/ops/std_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/value_selecting_reduction_backward_native.h>
#include <ATen/ops/var.h>
#include <ATen/ops/var_mean.h>
#include <ATen/ops/var_mean_native.h>
#include <ATen/ops/var_native.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_math.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace at::native {
namespace {

// Sums and products of integers and booleans are int64.
ScalarType sum_dtype(const Tensor& self, const Tensor& result, std::optional<ScalarType> dtype) {
  if (dtype.has_value()) return *dtype;
  if (result.defined()) return result.scalar_type();
  const ScalarType type = self.scalar_type();
  return c10::isIntegralType(type, /*includeBool=*/true) ? kLong : type;
}

// Runs `reduce` into a contiguous tensor of type `dtype`: `result` itself where that is one.
template <typename F>
void reduce_into(const Tensor& result, ScalarType dtype, F&& reduce) {
  if (result.is_contiguous() && result.scalar_type() == dtype) {
    reduce(result);
    return;
  }
  const Tensor out = at::empty(result.sizes(), result.options().dtype(dtype));
  reduce(out);
  result.copy_(out);
}

}  // namespace
}  // namespace at::native

namespace at::meta {

using native::make_dim_mask;
using native::shape_from_dim_mask;

TORCH_META_FUNC2(sum, dim_IntList)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  const ScalarType type = native::sum_dtype(self, maybe_get_output(), dtype);
  const auto shape = shape_from_dim_mask(self, make_dim_mask(dim, self.dim()), keepdim);
  set_output_raw_strided(0, shape, {}, self.options().dtype(type));
}

TORCH_META_FUNC2(prod, dim_int)
(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  const ScalarType type = native::sum_dtype(self, maybe_get_output(), dtype);
  const auto shape =
      shape_from_dim_mask(self, make_dim_mask(IntArrayRef(&dim, 1), self.dim()), keepdim);
  set_output_raw_strided(0, shape, {}, self.options().dtype(type));
}

TORCH_META_FUNC2(mean, dim)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  const ScalarType in_dtype = dtype.value_or(self.scalar_type());
  TORCH_CHECK(c10::isFloatingType(in_dtype) || c10::isComplexType(in_dtype),
              "mean(): could not infer output dtype. ", dtype.has_value() ? "Optional" : "Input",
              " dtype must be either a floating point or complex dtype. Got: ", in_dtype);
  const Tensor& out = maybe_get_output();
  const ScalarType type = !dtype.has_value() && out.defined() ? out.scalar_type() : in_dtype;
  TORCH_CHECK(!c10::isIntegralType(type, /*includeBool=*/true), "result type ", in_dtype,
              " can't be cast to the desired output type ", type);
  const auto shape = shape_from_dim_mask(self, make_dim_mask(dim, self.dim()), keepdim);
  set_output_raw_strided(0, shape, {}, self.options().dtype(type));
}

#define CREATE_EXTREME_META_FUNC(name)                                                         \
  TORCH_META_FUNC(name)(const Tensor& self, IntArrayRef dim, bool keepdim) {                   \
    const Tensor& out = maybe_get_output();                                                    \
    TORCH_CHECK(!out.defined() || out.scalar_type() == self.scalar_type(),                     \
                "Expected the dtype for input and out to match, but got ", self.scalar_type(), \
                " for input's dtype and ", out.scalar_type(), " for out's dtype.");            \
    native::zero_numel_check_dims(self, dim, #name "()");                                      \
    const auto shape = shape_from_dim_mask(self, make_dim_mask(dim, self.dim()), keepdim);     \
    set_output_raw_strided(0, shape, {}, self.options());                                      \
  }

CREATE_EXTREME_META_FUNC(amax)
CREATE_EXTREME_META_FUNC(amin)

#define CREATE_ARG_EXTREME_META_FUNC(name)                                                     \
  TORCH_META_FUNC(name)(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {        \
    TORCH_CHECK(!self.is_complex(), #name "(): does not support complex input");               \
    TORCH_CHECK(self.scalar_type() != kBool, #name "(): does not support bool input");         \
    if (dim.has_value()) {                                                                     \
      const int64_t wrapped = at::maybe_wrap_dim(*dim, self.dim());                            \
      native::zero_numel_check_dims(self, IntArrayRef(&wrapped, 1), #name "()");               \
    } else {                                                                                   \
      TORCH_CHECK_INDEX(self.numel() != 0, #name                                               \
                        "(): Expected reduction dim to be specified for input.numel() == 0."); \
    }                                                                                          \
    const auto mask = dim.has_value() ? make_dim_mask(IntArrayRef(&*dim, 1), self.dim())       \
                                      : make_dim_mask(std::nullopt, self.dim());               \
    set_output_raw_strided(0, shape_from_dim_mask(self, mask, keepdim), {},                    \
                           self.options().dtype(kLong));                                       \
  }

CREATE_ARG_EXTREME_META_FUNC(argmax)
CREATE_ARG_EXTREME_META_FUNC(argmin)

// bool, except that uint8 stays uint8.
#define CREATE_ANY_ALL_META_FUNC(name)                                         \
  TORCH_META_FUNC2(name, dim)(const Tensor& self, int64_t dim, bool keepdim) { \
    const ScalarType type = self.scalar_type() == kByte ? kByte : kBool;       \
    const auto mask = make_dim_mask(IntArrayRef(&dim, 1), self.dim());         \
    set_output_raw_strided(0, shape_from_dim_mask(self, mask, keepdim), {},    \
                           self.options().dtype(type));                        \
  }                                                                            \
  TORCH_META_FUNC(name)(const Tensor& self) {                                  \
    const ScalarType type = self.scalar_type() == kByte ? kByte : kBool;       \
    set_output_raw_strided(0, {}, {}, self.options().dtype(type));             \
  }

CREATE_ANY_ALL_META_FUNC(any)
CREATE_ANY_ALL_META_FUNC(all)

TORCH_META_FUNC(linalg_vector_norm)
(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
 std::optional<ScalarType> dtype) {
  TORCH_CHECK(c10::isFloatingType(self.scalar_type()) || self.is_complex(),
              "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ",
              self.scalar_type());
  TORCH_CHECK(!ord.isComplex(),
              "linalg.vector_norm: Expected a non-complex scalar as the order of norm.");
  if (dtype.has_value()) {
    TORCH_CHECK(c10::isFloatingType(*dtype) || c10::isComplexType(*dtype),
                "linalg.vector_norm: dtype should be floating point or complex. Got ", *dtype);
    TORCH_CHECK(c10::isComplexType(*dtype) == self.is_complex(),
                "linalg.vector_norm: dtype should be ", self.is_complex() ? "complex" : "real for ",
                self.is_complex() ? "complex" : "real inputs, but got ", *dtype);
  }
  const double p = ord.to<double>();
  if (self.numel() == 0 && (p < 0 || std::isinf(p))) {
    TORCH_CHECK(dim.has_value() && !dim->empty(), "linalg.vector_norm cannot compute the ", p,
                " norm on an empty tensor because the operation does not have an identity");
    for (const int64_t d : *dim) {
      TORCH_CHECK(self.size(d) != 0, "linalg.vector_norm cannot compute the ", p,
                  " norm on the dimension ", d,
                  "because this dimension is empty and the operation does not have an identity");
    }
  }
  const auto shape = shape_from_dim_mask(self, make_dim_mask(dim, self.dim()), keepdim);
  // A norm is real.
  set_output_raw_strided(
      0, shape, {}, self.options().dtype(c10::toRealValueType(dtype.value_or(self.scalar_type()))));
}

TORCH_META_FUNC(cumsum)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  at::maybe_wrap_dim(dim, self.dim());
  const Tensor& out = maybe_get_output();
  const bool in_place = out.defined() && out.is_same(self);
  const ScalarType type = native::sum_dtype(self, out, dtype);
  TORCH_CHECK_NOT_IMPLEMENTED(type != kBool, "\"cumsum_out_cpu\" not implemented for 'Bool'");
  TORCH_CHECK(!in_place || type == self.scalar_type(), "Bad in-place call: input tensor dtype ",
              self.scalar_type(), " and output tensor dtype ", type, " should match");
  set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(type));
}

TORCH_META_FUNC(cumprod)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  at::maybe_wrap_dim(dim, self.dim());
  const Tensor& out = maybe_get_output();
  const bool in_place = out.defined() && out.is_same(self);
  const ScalarType own = self.scalar_type();
  // The dtype of a given result decides what is computed in.
  const ScalarType usual = out.defined()                                    ? out.scalar_type()
                           : c10::isIntegralType(own, /*includeBool=*/true) ? kLong
                                                                            : own;
  const ScalarType type = dtype.value_or(usual);
  TORCH_CHECK_NOT_IMPLEMENTED(type != kBool, "\"cumprod_out_cpu\" not implemented for 'Bool'");
  TORCH_CHECK(!in_place || type == own, "Bad in-place call: input tensor dtype ", own,
              " and output tensor dtype ", type, " should match");
  set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(type));
}

TORCH_META_FUNC(aminmax)(const Tensor& self, std::optional<int64_t> dim_opt, bool keepdim) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "aminmax() does not support complex input");
  std::vector<int64_t> shape;
  if (dim_opt.has_value()) {
    const int64_t dim = at::maybe_wrap_dim(*dim_opt, self.dim());
    native::zero_numel_check_dims(self, IntArrayRef(&dim, 1), "aminmax");
    shape = native::shape_from_dim_mask(
        self, native::make_dim_mask(IntArrayRef(&dim, 1), self.dim()), keepdim);
  } else {
    TORCH_CHECK(
        self.numel() > 0,
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
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

DEFINE_DISPATCH(sum_stub);
DEFINE_DISPATCH(prod_stub);
DEFINE_DISPATCH(max_values_stub);
DEFINE_DISPATCH(min_values_stub);
DEFINE_DISPATCH(and_stub);
DEFINE_DISPATCH(or_stub);
DEFINE_DISPATCH(norm_stub);
DEFINE_DISPATCH(std_var_stub);
DEFINE_DISPATCH(cumsum_stub);

// ---- sum, mean, prod

namespace {

// The terms of a sum or a product that goes into `result`. For a boolean result the elements become
// booleans first, because 0.5 is true, and are then added as integers.
Tensor as_terms(const Tensor& self, const Tensor& result) {
  return result.scalar_type() == kBool ? self.to(kBool).to(kLong) : self.to(result.scalar_type());
}

void sum_into(const Tensor& self, OptionalIntArrayRef dim, double factor, const Tensor& result) {
  DimMask mask = make_dim_mask(dim, self.dim());
  const Tensor input = as_terms(self, result);
  const ScalarType dtype = input.scalar_type();
  // The sum of complex numbers is that of their parts, which lie in a dimension of their own.
  const bool parts = input.is_complex() && input.is_cpu();
  if (parts) mask.reset(static_cast<size_t>(input.dim()));
  const Tensor terms = parts ? at::view_as_real(input) : input;
  reduce_into(result, dtype, [&](const Tensor& out) {
    sum_stub(self.device().type(), parts ? at::view_as_real(out) : out, terms, mask, factor);
  });
}

}  // namespace

TORCH_IMPL_FUNC(sum_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
 const Tensor& result) {
  sum_into(self, dim, 1.0, result);
}

Tensor sum(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::sum(self, IntArrayRef{}, /*keepdim=*/false, dtype);
}

TORCH_IMPL_FUNC(mean_out)
(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
 const Tensor& result) {
  const int64_t n = reduced_numel(self, make_dim_mask(dim, self.dim()));
  if (n == 0) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    result.fill_(result.is_complex() ? Scalar(c10::complex<double>(kNan, kNan)) : Scalar(kNan));
    return;
  }
  sum_into(self, dim, 1.0 / static_cast<double>(n), result);
}

Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::mean(self, IntArrayRef{}, /*keepdim=*/false, dtype);
}

namespace {

void prod_into(const Tensor& self, DimMask mask, const Tensor& result) {
  const Tensor input = as_terms(self, result);
  const ScalarType dtype = input.scalar_type();
  reduce_into(result, dtype,
              [&](const Tensor& out) { prod_stub(self.device().type(), out, input, mask); });
}

}  // namespace

TORCH_IMPL_FUNC(prod_out)
(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype,
 const Tensor& result) {
  prod_into(self, make_dim_mask(IntArrayRef(&dim, 1), self.dim()), result);
}

Tensor prod(const Tensor& self, std::optional<ScalarType> dtype) {
  Tensor result = at::empty({}, self.options().dtype(sum_dtype(self, Tensor(), dtype)));
  if (!result.is_meta()) prod_into(self, make_dim_mask(std::nullopt, self.dim()), result);
  return result;
}

// ---- extreme values

TORCH_IMPL_FUNC(amax_out)
(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& result) {
  reduce_into(result, self.scalar_type(), [&](const Tensor& out) {
    max_values_stub(self.device().type(), out, self, make_dim_mask(dim, self.dim()));
  });
}

TORCH_IMPL_FUNC(amin_out)
(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& result) {
  reduce_into(result, self.scalar_type(), [&](const Tensor& out) {
    min_values_stub(self.device().type(), out, self, make_dim_mask(dim, self.dim()));
  });
}

namespace {

template <typename Stub>
void arg_extreme(Stub& stub, const Tensor& self, std::optional<int64_t> dim, const Tensor& result) {
  if (result.numel() == 0) return;
  const Tensor input = !dim.has_value() || self.dim() == 0 ? self.reshape({self.numel()}) : self;
  const int64_t d = !dim.has_value() || self.dim() == 0 ? 0 : at::maybe_wrap_dim(*dim, self.dim());
  std::vector<int64_t> sizes = input.sizes().vec();
  sizes[d] = 1;
  const Tensor values = at::empty(sizes, input.options());
  const Tensor indices = at::empty(sizes, input.options().dtype(kLong));
  stub(self.device().type(), values, indices, input, d);
  result.copy_(indices.view(result.sizes()));
}

}  // namespace

TORCH_IMPL_FUNC(argmax_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& result) {
  arg_extreme(max_stub, self, dim, result);
}

TORCH_IMPL_FUNC(argmin_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& result) {
  arg_extreme(min_stub, self, dim, result);
}

// ---- any, all

namespace {

template <typename Stub>
void truth_into(Stub& stub, const Tensor& self, DimMask mask, const Tensor& result) {
  const Tensor input = self.to(kBool);
  reduce_into(result, kBool,
              [&](const Tensor& out) { stub(self.device().type(), out, input, mask); });
}

}  // namespace

TORCH_IMPL_FUNC(any_out)(const Tensor& self, int64_t dim, bool keepdim, const Tensor& result) {
  truth_into(or_stub, self, make_dim_mask(IntArrayRef(&dim, 1), self.dim()), result);
}

TORCH_IMPL_FUNC(any_all_out)(const Tensor& self, const Tensor& result) {
  truth_into(or_stub, self, make_dim_mask(std::nullopt, self.dim()), result);
}

TORCH_IMPL_FUNC(all_out)(const Tensor& self, int64_t dim, bool keepdim, const Tensor& result) {
  truth_into(and_stub, self, make_dim_mask(IntArrayRef(&dim, 1), self.dim()), result);
}

TORCH_IMPL_FUNC(all_all_out)(const Tensor& self, const Tensor& result) {
  truth_into(and_stub, self, make_dim_mask(std::nullopt, self.dim()), result);
}

// ---- variance and standard deviation

namespace {

Tensor& std_var_out(const char* name, Tensor& result, const Tensor& self, OptionalIntArrayRef dim,
                    const std::optional<Scalar>& correction_opt, bool keepdim, bool take_sqrt) {
  if (self.is_complex()) {
    // The parts' variances add up.
    const Tensor sum = at::var(at::real(self), dim, correction_opt, keepdim)
                           .add(at::var(at::imag(self), dim, correction_opt, keepdim));
    return write_to_out(take_sqrt ? sum.sqrt() : sum, result);
  }
  TORCH_CHECK(c10::isFloatingType(self.scalar_type()),
              "std and var only support floating point and complex dtypes");
  TORCH_CHECK(c10::isFloatingType(result.scalar_type()), name,
              "(): support only floating point and complex dtypes");
  const double correction = correction_opt.value_or(1).to<double>();
  const DimMask mask = make_dim_mask(dim, self.dim());
  resize_output(result, shape_from_dim_mask(self, mask, keepdim));
  if (result.is_meta()) return result;
  if (self.numel() == 0) return result.fill_(std::numeric_limits<double>::quiet_NaN());
  if (static_cast<double>(reduced_numel(self, mask)) - correction <= 0) {
    TORCH_WARN(
        name,
        "(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel).");
  }
  // Half precision is accumulated from, and rounded back to, float.
  const ScalarType dtype = self.scalar_type() == kDouble ? kDouble : kFloat;
  const Tensor input = self.to(dtype);
  reduce_into(result, dtype, [&](const Tensor& out) {
    std_var_stub(self.device().type(), out, input, mask, correction, take_sqrt);
  });
  return result;
}

}  // namespace

Tensor var(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
           bool keepdim) {
  Tensor result = at::empty({0}, self.options().dtype(c10::toRealValueType(self.scalar_type())));
  return std_var_out("var", result, self, dim, correction, keepdim, /*take_sqrt=*/false);
}

Tensor& var_out(const Tensor& self, OptionalIntArrayRef dim,
                const std::optional<Scalar>& correction, bool keepdim, Tensor& result) {
  return std_var_out("var", result, self, dim, correction, keepdim, /*take_sqrt=*/false);
}

Tensor std(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
           bool keepdim) {
  Tensor result = at::empty({0}, self.options().dtype(c10::toRealValueType(self.scalar_type())));
  return std_var_out("std", result, self, dim, correction, keepdim, /*take_sqrt=*/true);
}

Tensor& std_out(const Tensor& self, OptionalIntArrayRef dim,
                const std::optional<Scalar>& correction, bool keepdim, Tensor& result) {
  return std_var_out("std", result, self, dim, correction, keepdim, /*take_sqrt=*/true);
}

Tensor var(const Tensor& self, bool unbiased) {
  return at::var(self, /*dim=*/std::nullopt, /*correction=*/Scalar(unbiased ? 1 : 0),
                 /*keepdim=*/false);
}

Tensor var(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return at::var(self, dim, /*correction=*/Scalar(unbiased ? 1 : 0), keepdim);
}

Tensor std(const Tensor& self, bool unbiased) {
  return at::std(self, /*dim=*/std::nullopt, /*correction=*/Scalar(unbiased ? 1 : 0),
                 /*keepdim=*/false);
}

Tensor std(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return at::std(self, dim, /*correction=*/Scalar(unbiased ? 1 : 0), keepdim);
}

// ---- norms

TORCH_IMPL_FUNC(linalg_vector_norm_out)
(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
 std::optional<ScalarType> dtype, const Tensor& result) {
  const Tensor real = self.is_complex() ? self.abs() : self;
  const ScalarType type =
      result.scalar_type() == kDouble || real.scalar_type() == kDouble ? kDouble : kFloat;
  // The processor's loops make floats of elements of 16 bits as they go.
  const bool widened = real.is_cpu() && type == kFloat;
  const Tensor input = widened ? real : real.to(type);
  reduce_into(result, type, [&](const Tensor& out) {
    norm_stub(self.device().type(), out, input, make_dim_mask(dim, self.dim()), ord.to<double>());
  });
}

Tensor norm(const Tensor& self, const Scalar& p) {
  return at::linalg_vector_norm(self, p, IntArrayRef{}, /*keepdim=*/false, std::nullopt);
}

Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim) {
  return at::linalg_vector_norm(self, p.value_or(2), dim, keepdim, std::nullopt);
}

Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
            ScalarType dtype) {
  return at::linalg_vector_norm(self, p.value_or(2), dim, keepdim, dtype);
}

// ---- logsumexp, and gradients of reductions that pick an element

TORCH_IMPL_FUNC(cumsum_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
  at::assert_no_internal_overlap(result);
  at::assert_no_partial_overlap(result, self);
  if (self.numel() == 0) return;
  const ScalarType type = result.scalar_type() == kBool ? kLong : result.scalar_type();
  if (self.dim() == 0) {
    result.copy_(self);
    return;
  }
  const Tensor input = self.to(type).contiguous();
  reduce_into(result, type, [&](const Tensor& out) {
    cumsum_stub(self.device().type(), out, input, at::maybe_wrap_dim(dim, self.dim()));
  });
}

// log(sum(exp(x))), with the largest element taken out first so that exp does not overflow.
Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim) {
  const Tensor input = c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)
                           ? self.to(c10::get_default_dtype_as_scalartype())
                           : self;
  if (input.numel() == 0) return at::exp(input).sum(dim, keepdim).log();
  Tensor maxes = at::real(input).amax(dim, /*keepdim=*/true);
  maxes = at::where(maxes.abs().eq(std::numeric_limits<double>::infinity()), Scalar(0), maxes);
  Tensor result = input.sub(maxes).exp_().sum(dim, /*keepdim=*/true).log().add(maxes);
  if (keepdim || input.dim() == 0) return result;
  if (dim.empty()) return result.reshape({});
  return result.squeeze(dim);
}

// The gradient of a reduction that picks elements: it goes to where they were.
Tensor value_selecting_reduction_backward(const Tensor& grad, int64_t dim, const Tensor& indices,
                                          IntArrayRef sizes, bool keepdim) {
  Tensor result = grad.new_zeros(sizes);
  if (keepdim || sizes.empty()) return result.scatter_(dim, indices, grad);
  return result.scatter_(dim, indices.unsqueeze(dim), grad.unsqueeze(dim));
}

// ---- running products, extreme values and sums of exponentials

DEFINE_DISPATCH(cumprod_stub);

namespace {

// Calls `scan(in, out, index, n, stride)` for every line along `dim` of contiguous tensors.
template <typename F>
void for_each_line(const TensorBase& self, int64_t dim, F&& f) {
  const int64_t n = self.size(dim);
  int64_t stride = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) stride *= self.size(d);
  const int64_t lines = self.numel() / std::max<int64_t>(n, 1);
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  at::parallel_for(0, lines, grain, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      f(line / stride * stride * n + line % stride, n, stride);
    }
  });
}

}  // namespace

TORCH_IMPL_FUNC(cumprod_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
  at::assert_no_internal_overlap(result);
  at::assert_no_partial_overlap(result, self);
  if (self.numel() == 0) return;
  if (self.dim() == 0) {
    result.copy_(self);
    return;
  }
  const ScalarType type = result.scalar_type() == kBool ? kLong : result.scalar_type();
  const Tensor input = self.to(type).contiguous();
  reduce_into(result, type, [&](const Tensor& out) {
    cumprod_stub(self.device().type(), out, input, at::maybe_wrap_dim(dim, self.dim()));
  });
}

// ---- cummax and cummin: with the last place where the value was met

namespace {

// Calls f(first element, number of lines beside each other, length, stride) for lines along `dim`
// of a contiguous tensor, in parallel.
template <typename F>
void for_each_lines(const TensorBase& self, int64_t dim, const F& f) {
  constexpr int64_t kTogether = 256;
  const int64_t n = self.size(dim);
  int64_t stride = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) stride *= self.size(d);
  const int64_t blocks = (stride + kTogether - 1) / kTogether;
  const int64_t outer = self.numel() / (n * stride);
  const int64_t grain =
      std::max<int64_t>(1, at::internal::GRAIN_SIZE / (n * std::min(stride, kTogether)));
  at::parallel_for(0, outer * blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % blocks * kTogether;
      f(i / blocks * n * stride + first, std::min(kTogether, stride - first), n, stride);
    }
  });
}

template <typename Better>
std::tuple<Tensor&, Tensor&> extreme_scan(const char* name, const Tensor& self, int64_t dim_in,
                                          Tensor& values, Tensor& indices, Better better) {
  TORCH_CHECK(values.scalar_type() == self.scalar_type(), name, "(): expected scalar_type ",
              self.scalar_type(), " but found ", values.scalar_type());
  TORCH_CHECK(indices.scalar_type() == kLong, name, "(): expected scalar_type Long but found ",
              indices.scalar_type());
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  resize_output(values, self.sizes());
  resize_output(indices, self.sizes());
  if (self.dim() == 0) {
    values.copy_(self);
    indices.zero_();
    return {values, indices};
  }
  if (self.numel() == 0) return {values, indices};
  const Tensor input = self.contiguous();
  const Tensor v = at::empty(self.sizes(), values.options());
  const Tensor i = at::empty(self.sizes(), indices.options());
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kBFloat16, kHalf, self.scalar_type(), name, [&] {
    const auto* in = input.const_data_ptr<scalar_t>();
    auto* value = v.mutable_data_ptr<scalar_t>();
    auto* index = i.mutable_data_ptr<int64_t>();
    // A NaN, once met, stays.
    const auto replaces = [&](scalar_t x, scalar_t best) {
      return x != x || (best == best && better(x, best));
    };
    for_each_lines(input, dim, [&](int64_t base, int64_t lines, int64_t n, int64_t stride) {
      if (lines == 1) {
        scalar_t best = in[base];
        int64_t place = 0;
        for (int64_t k = 0; k < n; ++k) {
          const int64_t at = base + k * stride;
          if (replaces(in[at], best)) {
            best = in[at];
            place = k;
          }
          value[at] = best;
          index[at] = place;
        }
        return;
      }
      // Lines beside each other, place by place.
      std::copy_n(in + base, lines, value + base);
      std::fill_n(index + base, lines, int64_t{0});
      for (int64_t k = 1; k < n; ++k) {
        const int64_t row = base + k * stride;
        for (int64_t at = row; at < row + lines; ++at) {
          const scalar_t best = value[at - stride];
          const bool changes = replaces(in[at], best);
          value[at] = changes ? in[at] : best;
          index[at] = changes ? k : index[at - stride];
        }
      }
    });
  });
  values.copy_(v);
  indices.copy_(i);
  return {values, indices};
}

}  // namespace

std::tuple<Tensor&, Tensor&> cummax_out(const Tensor& self, int64_t dim, Tensor& values,
                                        Tensor& indices) {
  return extreme_scan("cummax", self, dim, values, indices, [](auto a, auto b) { return a >= b; });
}

std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim) {
  Tensor values = at::empty(self.sizes(), self.options());
  Tensor indices = at::empty(self.sizes(), self.options().dtype(kLong));
  native::cummax_out(self, dim, values, indices);
  return {values, indices};
}

std::tuple<Tensor&, Tensor&> cummin_out(const Tensor& self, int64_t dim, Tensor& values,
                                        Tensor& indices) {
  return extreme_scan("cummin", self, dim, values, indices, [](auto a, auto b) { return a <= b; });
}

std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim) {
  Tensor values = at::empty(self.sizes(), self.options());
  Tensor indices = at::empty(self.sizes(), self.options().dtype(kLong));
  native::cummin_out(self, dim, values, indices);
  return {values, indices};
}

Tensor cummaxmin_backward(const Tensor& grad, const Tensor& input, const Tensor& indices,
                          int64_t dim) {
  if (input.numel() == 0) return input;
  return at::zeros(input.sizes(), grad.options()).scatter_add_(dim, indices, grad);
}

// ---- logcumsumexp

namespace {

template <typename T>
T log_add_exp(T a, T b) {
  if (a != a || b != b) return a + b;
  const T high = std::max(a, b);
  const T low = std::min(a, b);
  if (low == high && std::isinf(high)) return high;
  return high + std::log1p(std::exp(low - high));
}

template <typename T>
c10::complex<T> log_add_exp(c10::complex<T> a, c10::complex<T> b) {
  const bool first = a.real() >= b.real();
  const c10::complex<T> high = first ? a : b;
  const c10::complex<T> low = first ? b : a;
  if (std::isinf(low.real()) && low.real() < 0) return high;
  return high + log(exp(low - high) + T(1));
}

}  // namespace

Tensor& logcumsumexp_out(const Tensor& self, int64_t dim_in, Tensor& result) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  const ScalarType type = c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)
                              ? c10::get_default_dtype_as_scalartype()
                              : self.scalar_type();
  TORCH_CHECK(result.scalar_type() == type, "expected scalar_type ", type, " but found ",
              result.scalar_type());
  resize_output(result, self.sizes());
  at::assert_no_internal_overlap(result);
  at::assert_no_partial_overlap(result, self);
  if (self.numel() == 0) return result;
  if (self.dim() == 0) return result.copy_(self);
  const Tensor input = self.to(type).contiguous();
  const Tensor out = at::empty(self.sizes(), result.options());
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, type, "logcumsumexp_out_cpu", [&] {
    using acc_t = opmath_type<scalar_t>;
    const auto* in = input.const_data_ptr<scalar_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    for_each_line(input, dim, [&](int64_t base, int64_t n, int64_t stride) {
      auto acc = static_cast<acc_t>(in[base]);
      to[base] = in[base];
      for (int64_t i = 1; i < n; ++i) {
        acc = log_add_exp(acc, static_cast<acc_t>(in[base + i * stride]));
        to[base + i * stride] = static_cast<scalar_t>(acc);
      }
    });
  });
  return result.copy_(out);
}

Tensor logcumsumexp(const Tensor& self, int64_t dim) {
  const ScalarType type = c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)
                              ? c10::get_default_dtype_as_scalartype()
                              : self.scalar_type();
  Tensor result = at::empty(self.sizes(), self.options().dtype(type));
  return native::logcumsumexp_out(self, dim, result);
}

// ---- reductions made of others

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
  const Tensor counted = self.scalar_type() == kBool ? self : at::ne(self, 0);
  return counted.sum(dims.empty() ? OptionalIntArrayRef() : OptionalIntArrayRef(dims));
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
  if (self.is_cpu() && c10::isFloatingType(dtype.value_or(self.scalar_type()))) {
    // A NaN is in each sum that it is added to. Most tensors have none.
    const Tensor result = at::sum(self, dim, keepdim, dtype);
    if (!at::isnan(result).any().item().to<bool>()) return result;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return at::sum(at::nan_to_num(self, 0.0, kInfinity, -kInfinity), dim, keepdim, dtype);
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
  // As in PyTorch, norms become slightly smaller than the limit: rounding must not exceed it.
  const Tensor factor =
      at::where(norms.gt(maxnorm), norms.add(1e-7).reciprocal().mul(maxnorm), at::ones_like(norms));
  out.copy_(self.mul(factor));
}

}  // namespace at::native
