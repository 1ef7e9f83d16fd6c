// Reductions and running sums: checks, result types and shapes.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOps.h>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorCompare.h>
#include <ATen/ops/all_native.h>
#include <ATen/ops/amax_native.h>
#include <ATen/ops/amin_native.h>
#include <ATen/ops/any_native.h>
#include <ATen/ops/argmax_native.h>
#include <ATen/ops/argmin_native.h>
#include <ATen/ops/cumsum_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/linalg_vector_norm_native.h>
#include <ATen/ops/logsumexp_native.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mean_native.h>
#include <ATen/ops/norm_native.h>
#include <ATen/ops/prod_native.h>
#include <ATen/ops/real.h>
#include <ATen/ops/std.h>
#include <ATen/ops/std_native.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/value_selecting_reduction_backward_native.h>
#include <ATen/ops/var.h>
#include <ATen/ops/var_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <limits>
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
    TORCH_CHECK_NOT_IMPLEMENTED(self.scalar_type() != kBool,                                   \
                                "\"" #name "_cpu\" not implemented for 'Bool'");               \
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
  if (dtype.has_value()) {
    TORCH_CHECK(c10::isFloatingType(*dtype) || c10::isComplexType(*dtype),
                "linalg.vector_norm: dtype should be floating point or complex. Got ", *dtype);
    TORCH_CHECK(c10::isComplexType(*dtype) == self.is_complex(),
                "linalg.vector_norm: dtype should be ", self.is_complex() ? "complex" : "real",
                " for ", self.is_complex() ? "complex" : "real", " inputs, but got ", *dtype);
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
  TORCH_CHECK(!in_place || type == self.scalar_type(), "Bad in-place call: input tensor dtype ",
              self.scalar_type(), " and output tensor dtype ", type, " should match");
  set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(type));
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

void sum_into(const Tensor& self, OptionalIntArrayRef dim, double factor, const Tensor& result) {
  // A sum of booleans counts: into a boolean it asks whether there is one.
  const ScalarType dtype = result.scalar_type() == kBool ? kLong : result.scalar_type();
  const DimMask mask = make_dim_mask(dim, self.dim());
  const Tensor input = self.to(dtype);
  reduce_into(result, dtype,
              [&](const Tensor& out) { sum_stub(self.device().type(), out, input, mask, factor); });
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
    result.fill_(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  sum_into(self, dim, 1.0 / static_cast<double>(n), result);
}

Tensor mean(const Tensor& self, std::optional<ScalarType> dtype) {
  return at::mean(self, IntArrayRef{}, /*keepdim=*/false, dtype);
}

namespace {

void prod_into(const Tensor& self, DimMask mask, const Tensor& result) {
  const ScalarType dtype = result.scalar_type() == kBool ? kLong : result.scalar_type();
  const Tensor input = self.to(dtype);
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
    TORCH_WARN(name,
               "(): degrees of freedom is <= 0. Correction should be strictly less than the "
               "reduction factor (input numel divided by output numel).");
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
  const Tensor input = real.to(type);
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

// ---- the rest

TORCH_IMPL_FUNC(cumsum_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
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
  const Tensor result = at::zeros(sizes, grad.options());
  if (keepdim || sizes.empty()) return result.scatter(dim, indices, grad);
  return result.scatter(dim, indices.unsqueeze(dim), grad.unsqueeze(dim));
}

}  // namespace at::native
