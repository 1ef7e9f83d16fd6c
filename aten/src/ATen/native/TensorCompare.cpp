// Clamping, where, classification of numbers, closeness, extreme values along a dimension.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/TensorCompare.h>

#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/allclose_native.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_max_native.h>
#include <ATen/ops/clamp_min_native.h>
#include <ATen/ops/clamp_native.h>
#include <ATen/ops/clip_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/equal_native.h>
#include <ATen/ops/full.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/isclose.h>
#include <ATen/ops/isclose_native.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isfinite_native.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isinf_native.h>
#include <ATen/ops/isnan_native.h>
#include <ATen/ops/max_native.h>
#include <ATen/ops/min_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/real.h>
#include <ATen/ops/result_type_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/where_native.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace at::meta {

namespace {

// The type of clamping `self` by numbers of that category.
ScalarType clamp_result_type(const Tensor& self, const std::optional<Scalar>& min,
                             const std::optional<Scalar>& max) {
  ScalarType result = self.scalar_type();
  if (min.has_value()) result = native::result_type(self, *min);
  if (max.has_value()) result = c10::promoteTypes(result, native::result_type(self, *max));
  return result;
}

void check_inplace_type(ScalarType result, ScalarType self) {
  TORCH_CHECK(result == self, "result type ", result, " can't be cast to the desired output type ",
              self);
}

}  // namespace

TORCH_META_FUNC(clamp)
(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  TORCH_CHECK(min.has_value() || max.has_value(),
              "torch.clamp: At least one of 'min' or 'max' must not be None");
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(self.scalar_type()),
                              "clamp is not supported for complex types");
  const ScalarType result_type = clamp_result_type(self, min, max);
  const Tensor& out = maybe_get_output();
  if (out.defined() && out.is_same(self)) check_inplace_type(result_type, self.scalar_type());
  build_unary_op(out, self.to(result_type));
}

TORCH_META_FUNC(clamp_max)(const Tensor& self, const Scalar& max) {
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(self.scalar_type()),
                              "clamp is not supported for complex types");
  const ScalarType result_type = clamp_result_type(self, std::nullopt, max);
  const Tensor& out = maybe_get_output();
  if (out.defined() && out.is_same(self)) check_inplace_type(result_type, self.scalar_type());
  build_unary_op(out, self.to(result_type));
}

TORCH_META_FUNC(clamp_min)(const Tensor& self, const Scalar& min) {
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(self.scalar_type()),
                              "clamp is not supported for complex types");
  const ScalarType result_type = clamp_result_type(self, min, std::nullopt);
  const Tensor& out = maybe_get_output();
  if (out.defined() && out.is_same(self)) check_inplace_type(result_type, self.scalar_type());
  build_unary_op(out, self.to(result_type));
}

TORCH_META_FUNC2(clamp, Tensor)
(const Tensor& self, const OptionalTensorRef min, const OptionalTensorRef max) {
  TORCH_CHECK(min.has_value() || max.has_value(),
              "torch.clamp: At least one of 'min' or 'max' must not be None");
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(self.scalar_type()),
                              "clamp is not supported for complex types");
  TensorIteratorConfig config;
  config.allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true)
      .add_output(maybe_get_output())
      .add_const_input(self);
  if (min.has_value()) config.add_const_input(*min);
  if (max.has_value()) config.add_const_input(*max);
  build(config);
}

TORCH_META_FUNC2(clamp_max, Tensor)(const Tensor& self, const Tensor& max) {
  build_borrowing_binary_op(maybe_get_output(), self, max);
}

TORCH_META_FUNC2(clamp_min, Tensor)(const Tensor& self, const Tensor& min) {
  build_borrowing_binary_op(maybe_get_output(), self, min);
}

namespace {

std::vector<int64_t> minmax_output_sizes(const char* name, const Tensor& self, int64_t dim,
                                         bool keepdim) {
  TORCH_CHECK(!self.is_complex(), name, "(): does not support complex input");
  std::vector<int64_t> sizes = self.sizes().vec();
  if (self.dim() > 0) {
    TORCH_CHECK_INDEX(self.size(dim) != 0, name, "(): Expected reduction dim ", dim,
                      " to have non-zero size.");
    if (keepdim) {
      sizes[dim] = 1;
    } else {
      sizes.erase(sizes.begin() + dim);
    }
  }
  return sizes;
}

}  // namespace

TORCH_META_FUNC2(max, dim)(const Tensor& self, int64_t dim, bool keepdim) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  const auto sizes = minmax_output_sizes("max", self, dim, keepdim);
  set_output_raw_strided(0, sizes, {}, self.options());
  set_output_raw_strided(1, sizes, {}, self.options().dtype(kLong));
}

TORCH_META_FUNC2(min, dim)(const Tensor& self, int64_t dim, bool keepdim) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  const auto sizes = minmax_output_sizes("min", self, dim, keepdim);
  set_output_raw_strided(0, sizes, {}, self.options());
  set_output_raw_strided(1, sizes, {}, self.options().dtype(kLong));
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(clamp_scalar_stub);
DEFINE_DISPATCH(clamp_min_scalar_stub);
DEFINE_DISPATCH(clamp_max_scalar_stub);
DEFINE_DISPATCH(where_kernel);
DEFINE_DISPATCH(max_stub);
DEFINE_DISPATCH(min_stub);

// ---- clamp: a bound that is NaN makes everything NaN

namespace {

// PyTorch refuses finite bounds that the floating point type of the elements does not hold.
void check_bound(ScalarType dtype, const Scalar& bound) {
  if (!c10::isFloatingType(dtype)) return;  // Kernels convert the bounds of integers.
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "clamp",
                                  [&] { static_cast<void>(bound.to<scalar_t>()); });
}

}  // namespace

TORCH_IMPL_FUNC(clamp_out)
(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
 const Tensor& result) {
  if (min.has_value()) check_bound(common_dtype(), *min);
  if (max.has_value()) check_bound(common_dtype(), *max);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto is_nan = [](const std::optional<Scalar>& bound) {
    return bound.has_value() && bound->isFloatingPoint() && std::isnan(bound->to<double>());
  };
  if (is_nan(min) || is_nan(max)) {
    result.fill_(nan);
  } else if (min.has_value() && max.has_value()) {
    clamp_scalar_stub(device_type(), *this, *min, *max);
  } else if (max.has_value()) {
    clamp_max_scalar_stub(device_type(), *this, *max);
  } else {
    clamp_min_scalar_stub(device_type(), *this, *min);
  }
}

TORCH_IMPL_FUNC(clamp_max_out)(const Tensor& self, const Scalar& max, const Tensor& result) {
  check_bound(common_dtype(), max);
  if (max.isFloatingPoint() && std::isnan(max.to<double>())) {
    result.fill_(max);
  } else {
    clamp_max_scalar_stub(device_type(), *this, max);
  }
}

TORCH_IMPL_FUNC(clamp_min_out)(const Tensor& self, const Scalar& min, const Tensor& result) {
  check_bound(common_dtype(), min);
  if (min.isFloatingPoint() && std::isnan(min.to<double>())) {
    result.fill_(min);
  } else {
    clamp_min_scalar_stub(device_type(), *this, min);
  }
}

DEFINE_DISPATCH(clamp_stub);

TORCH_IMPL_FUNC(clamp_Tensor_out)
(const Tensor& self, const OptionalTensorRef min, const OptionalTensorRef max,
 const Tensor& result) {
  if (min.has_value() && max.has_value()) {
    clamp_stub(device_type(), *this);
  } else if (min.has_value()) {
    maximum_stub(device_type(), *this);
  } else {
    minimum_stub(device_type(), *this);
  }
}

TORCH_IMPL_FUNC(clamp_max_Tensor_out)
(const Tensor& self, const Tensor& max, const Tensor& result) {
  minimum_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(clamp_min_Tensor_out)
(const Tensor& self, const Tensor& min, const Tensor& result) {
  maximum_stub(device_type(), *this);
}

Tensor clip(const Tensor& self, const std::optional<Scalar>& min,
            const std::optional<Scalar>& max) {
  return at::clamp(self, min, max);
}

Tensor& clip_(Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return self.clamp_(min, max);
}

Tensor& clip_out(const Tensor& self, const std::optional<Scalar>& min,
                 const std::optional<Scalar>& max, Tensor& result) {
  return at::clamp_out(result, self, min, max);
}

Tensor clip(const Tensor& self, const std::optional<Tensor>& min,
            const std::optional<Tensor>& max) {
  return at::clamp(self, min, max);
}

Tensor& clip_(Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  return self.clamp_(min, max);
}

Tensor& clip_out(const Tensor& self, const std::optional<Tensor>& min,
                 const std::optional<Tensor>& max, Tensor& result) {
  return at::clamp_out(result, self, min, max);
}

// ---- where

Tensor& where_self_out(const Tensor& condition, const Tensor& self, const Tensor& other,
                       Tensor& out) {
  const ScalarType result_type = native::result_type(self, other);
  TORCH_CHECK(out.scalar_type() == result_type, "Expected out type to be ", result_type,
              " but got ", out.scalar_type());
  TORCH_CHECK(condition.scalar_type() == kBool || condition.scalar_type() == kByte,
              "where expected condition to be a boolean tensor, but got a tensor with dtype ",
              condition.scalar_type());
  const Tensor condition_bool = condition.to(kBool);
  // Numbers go where the others are.
  const auto choice = [&](const Tensor& t) {
    return t.dim() == 0 ? t.to(out.device(), result_type) : t.to(result_type);
  };
  auto iter = TensorIteratorConfig()
                  .check_all_same_dtype(false)
                  .add_output(out)
                  .add_const_input(condition_bool)
                  .add_const_input(choice(self))
                  .add_const_input(choice(other))
                  .build();
  if (!out.is_meta()) where_kernel(iter.device_type(), iter);
  return out;
}

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  Tensor result = at::empty({0}, condition.options().dtype(native::result_type(self, other)));
  native::where_self_out(condition, self, other, result);
  return result;
}

// A number beside a tensor, in the dtype of the result. Integers must hold it, as in PyTorch.
static Tensor converted(const Scalar& number, const Tensor& beside) {
  const Tensor wrapped = wrapped_scalar_tensor(number, beside.device());
  const ScalarType dtype = native::result_type(beside, wrapped);
  return c10::isIntegralType(dtype) ? at::full({}, number, beside.options().dtype(dtype))
                                    : wrapped.to(dtype);
}

Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return at::where(condition, converted(self, other), other);
}

Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return at::where(condition, self, converted(other, self));
}

Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other) {
  return at::where(condition, wrapped_scalar_tensor(self, condition.device()),
                   wrapped_scalar_tensor(other, condition.device()));
}

std::vector<Tensor> where(const Tensor& condition) { return condition.nonzero_numpy(); }

// ---- classification

Tensor isnan(const Tensor& self) { return self.ne(self); }

Tensor isinf(const Tensor& self) {
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    return at::zeros_like(self, self.options().dtype(kBool));
  }
  if (self.is_complex()) return at::isinf(at::real(self)).logical_or(at::isinf(at::imag(self)));
  return self.abs().eq(std::numeric_limits<double>::infinity());
}

Tensor isfinite(const Tensor& self) {
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    return at::ones_like(self, self.options().dtype(kBool));
  }
  if (self.is_complex()) {
    return at::isfinite(at::real(self)).logical_and(at::isfinite(at::imag(self)));
  }
  // A NaN differs from itself; an infinity has an infinite magnitude.
  return self.eq(self).logical_and(self.abs().ne(std::numeric_limits<double>::infinity()));
}

// ---- closeness

Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  TORCH_CHECK(self.scalar_type() == other.scalar_type(), self.scalar_type(), " did not match ",
              other.scalar_type());
  TORCH_CHECK(rtol >= 0, "rtol must be greater than or equal to zero, but got ", rtol);
  TORCH_CHECK(atol >= 0, "atol must be greater than or equal to zero, but got ", atol);
  Tensor close = self.eq(other);
  if (equal_nan && (self.is_floating_point() || self.is_complex())) {
    close = close.logical_or(self.ne(self).logical_and(other.ne(other)));
  }
  if (rtol == 0 && atol == 0) return close;
  Tensor cast_self = self;
  Tensor cast_other = other;
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    cast_self = self.to(kDouble);
    cast_other = other.to(kDouble);
  }
  const Tensor allowed = cast_other.mul(rtol).abs().add(atol);
  const Tensor error = cast_self.sub(cast_other).abs();
  return close.logical_or(error.isfinite().logical_and(error.le(allowed)));
}

bool allclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  return at::isclose(self, other, rtol, atol, equal_nan).all().item().to<bool>();
}

bool equal(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.device() == other.device(),
              "Cannot compare two tensors on different devices. "
              "Got: ",
              self.device(), " and ", other.device());
  if (!self.sizes().equals(other.sizes())) return false;
  if (self.numel() == 0) return true;
  if (!self.is_floating_point() && !self.is_complex() && self.is_alias_of(other) &&
      self.storage_offset() == other.storage_offset() && self.strides().equals(other.strides()) &&
      self.scalar_type() == other.scalar_type() && self.is_neg() == other.is_neg()) {
    return true;  // A NaN is not equal to itself.
  }
  // Most of those that differ do so at the beginning.
  constexpr int64_t kLarge = 4096;
  if (self.is_cpu() && self.numel() >= kLarge && self.size(0) > 1 &&
      !at::equal(self.select(0, 0), other.select(0, 0))) {
    return false;
  }
  return !at::ne(self, other).any().item().to<bool>();
}

// ---- extreme values

namespace {

void minmax_out(reduce_minmax_fn fn, const Tensor& self, int64_t dim, bool keepdim,
                const Tensor& values, const Tensor& indices) {
  if (self.dim() == 0) {
    values.copy_(self);
    indices.fill_(0);
    return;
  }
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (values.numel() == 0) return;
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes[dim] = 1;
  const Tensor v = at::empty(sizes, self.options());
  const Tensor i = at::empty(sizes, self.options().dtype(kLong));
  fn(v, i, self, dim);
  values.copy_(keepdim ? v : v.squeeze(dim));
  indices.copy_(keepdim ? i : i.squeeze(dim));
}

}  // namespace

TORCH_IMPL_FUNC(max_out)
(const Tensor& self, int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  minmax_out([](const TensorBase& v, const TensorBase& i, const TensorBase& s,
                int64_t d) { max_stub(s.device().type(), v, i, s, d); },
             self, dim, keepdim, values, indices);
}

TORCH_IMPL_FUNC(min_out)
(const Tensor& self, int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  minmax_out([](const TensorBase& v, const TensorBase& i, const TensorBase& s,
                int64_t d) { min_stub(s.device().type(), v, i, s, d); },
             self, dim, keepdim, values, indices);
}

}  // namespace at::native
