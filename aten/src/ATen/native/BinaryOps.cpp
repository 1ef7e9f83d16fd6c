// Operators of two arguments: checks, result types, and the call of the kernel.
// ComparisonOps.cpp has those with boolean results and those on bits.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/BinaryOps.h>

#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/add_native.h>
#include <ATen/ops/and_native.h>
#include <ATen/ops/arctan2_native.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/atan2_native.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_and_native.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_left_shift_native.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/bitwise_or_native.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/bitwise_right_shift_native.h>
#include <ATen/ops/bitwise_xor.h>
#include <ATen/ops/bitwise_xor_native.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/copysign_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/div_native.h>
#include <ATen/ops/divide_native.h>
#include <ATen/ops/float_power_native.h>
#include <ATen/ops/floor_divide_native.h>
#include <ATen/ops/fmax_native.h>
#include <ATen/ops/fmin_native.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/fmod_native.h>
#include <ATen/ops/gcd_native.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/greater_equal_native.h>
#include <ATen/ops/greater_native.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/heaviside_native.h>
#include <ATen/ops/hypot_native.h>
#include <ATen/ops/igamma.h>
#include <ATen/ops/igamma_native.h>
#include <ATen/ops/igammac.h>
#include <ATen/ops/igammac_native.h>
#include <ATen/ops/lcm_native.h>
#include <ATen/ops/ldexp.h>
#include <ATen/ops/ldexp_native.h>
#include <ATen/ops/le.h>
#include <ATen/ops/less_equal_native.h>
#include <ATen/ops/less_native.h>
#include <ATen/ops/logaddexp2_native.h>
#include <ATen/ops/logaddexp_native.h>
#include <ATen/ops/lshift_native.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/max_native.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/maximum_native.h>
#include <ATen/ops/min_native.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/minimum_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mul_native.h>
#include <ATen/ops/multiply_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/nextafter_native.h>
#include <ATen/ops/not_equal_native.h>
#include <ATen/ops/or_native.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/remainder_native.h>
#include <ATen/ops/result_type_native.h>
#include <ATen/ops/rshift_native.h>
#include <ATen/ops/rsub_native.h>
#include <ATen/ops/sigmoid_backward_native.h>
#include <ATen/ops/special_gammainc_native.h>
#include <ATen/ops/special_gammaincc_native.h>
#include <ATen/ops/special_xlog1py.h>
#include <ATen/ops/special_xlog1py_native.h>
#include <ATen/ops/special_xlogy_native.h>
#include <ATen/ops/special_zeta.h>
#include <ATen/ops/special_zeta_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sub_native.h>
#include <ATen/ops/subtract_native.h>
#include <ATen/ops/tanh_backward_native.h>
#include <ATen/ops/true_divide_native.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/xlogy_native.h>
#include <ATen/ops/xor_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <optional>
#include <string_view>

namespace at::native {

void alpha_check(const ScalarType dtype, const Scalar& alpha) {
  TORCH_CHECK(!alpha.isBoolean() || dtype == ScalarType::Bool,
              "Boolean alpha only supported for Boolean results.");
  TORCH_CHECK(isFloatingType(dtype) || isComplexType(dtype) || alpha.isIntegral(true),
              "For integral input tensors, argument alpha must not be a floating point number.");
  TORCH_CHECK(isComplexType(dtype) || !alpha.isComplex(),
              "For non-complex input tensors, argument alpha must not be a complex number.");
}

namespace {

void sub_check(const TensorBase& self, const TensorBase& other) {
  TORCH_CHECK(self.scalar_type() != kBool || other.scalar_type() != kBool,
              "Subtraction, the `-` operator, with two bool tensors is not supported. "
              "Use the `^` or `logical_xor()` operator instead.");
  TORCH_CHECK(
      self.scalar_type() != kBool && other.scalar_type() != kBool,
      "Subtraction, the `-` operator, with a bool tensor is not supported. "
      "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
}

void sub_check(const TensorBase& self, const Scalar& scalar) {
  TORCH_CHECK(self.scalar_type() != kBool || !scalar.isBoolean(),
              "Subtraction, the `-` operator, with two bool tensors is not supported. "
              "Use the `^` or `logical_xor()` operator instead.");
  TORCH_CHECK(
      self.scalar_type() != kBool && !scalar.isBoolean(),
      "Subtraction, the `-` operator, with a bool tensor is not supported. "
      "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
}

}  // namespace
}  // namespace at::native

namespace at::meta {

TORCH_META_FUNC2(add, Tensor)
(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
  native::alpha_check(dtype(), alpha);
}

TORCH_META_FUNC2(sub, Tensor)
(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  native::sub_check(self, other);
  build_borrowing_binary_op(maybe_get_output(), self, other);
  native::alpha_check(dtype(), alpha);
}

TORCH_META_FUNC2(mul, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC2(div, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC2(div, Tensor_mode)
(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode) {
  if (!rounding_mode.has_value()) {
    build_borrowing_binary_float_op(maybe_get_output(), self, other);
  } else if (*rounding_mode == "trunc" || *rounding_mode == "floor") {
    build_borrowing_binary_op(maybe_get_output(), self, other);
  } else {
    TORCH_CHECK(false,
                "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '",
                *rounding_mode, "'");
  }
}

TORCH_META_FUNC2(remainder, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(maximum)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(!self.is_complex() && !other.is_complex(),
              "maximum not implemented for complex tensors.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(minimum)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(!self.is_complex() && !other.is_complex(),
              "minimum not implemented for complex tensors.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(sigmoid_backward)(const Tensor& grad_output, const Tensor& output) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, output);
}

TORCH_META_FUNC(tanh_backward)(const Tensor& grad_output, const Tensor& output) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, output);
}

// Integers and booleans become the default floating point type.
#define BINARY_FLOAT_META_FUNC(name)                                  \
  TORCH_META_FUNC(name)(const Tensor& self, const Tensor& other) {    \
    build_borrowing_binary_float_op(maybe_get_output(), self, other); \
  }
#define BINARY_META_FUNC(name)                                     \
  TORCH_META_FUNC(name)(const Tensor& self, const Tensor& other) { \
    build_borrowing_binary_op(maybe_get_output(), self, other);    \
  }

BINARY_FLOAT_META_FUNC(atan2)
BINARY_FLOAT_META_FUNC(special_zeta)
BINARY_FLOAT_META_FUNC(special_xlog1py)
BINARY_META_FUNC(hypot)
BINARY_META_FUNC(igamma)
BINARY_META_FUNC(igammac)
BINARY_META_FUNC(logaddexp)
BINARY_META_FUNC(logaddexp2)
BINARY_META_FUNC(nextafter)
BINARY_META_FUNC(gcd)
BINARY_META_FUNC(lcm)

TORCH_META_FUNC2(xlogy, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(copysign, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_float_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(fmod, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(bitwise_left_shift, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}
TORCH_META_FUNC2(bitwise_right_shift, Tensor)(const Tensor& self, const Tensor& other) {
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(fmax)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(!self.is_complex() && !other.is_complex(),
              "fmax not implemented for complex tensors.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(fmin)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(!self.is_complex() && !other.is_complex(),
              "fmin not implemented for complex tensors.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

TORCH_META_FUNC(heaviside)(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(!self.is_complex() && !other.is_complex() &&
                  (!maybe_get_output().defined() || !maybe_get_output().is_complex()),
              "heaviside is not yet implemented for complex tensors.");
  TORCH_CHECK(self.dtype() == other.dtype() &&
                  (!maybe_get_output().defined() || maybe_get_output().dtype() == self.dtype()),
              "heaviside is not yet implemented for tensors with different dtypes.");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(add_stub);
DEFINE_DISPATCH(mul_stub);
DEFINE_DISPATCH(div_true_stub);
DEFINE_DISPATCH(div_floor_stub);
DEFINE_DISPATCH(div_trunc_stub);
DEFINE_DISPATCH(remainder_stub);
DEFINE_DISPATCH(maximum_stub);
DEFINE_DISPATCH(minimum_stub);
DEFINE_DISPATCH(sigmoid_backward_stub);
DEFINE_DISPATCH(tanh_backward_stub);

TORCH_IMPL_FUNC(add_out)
(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& result) {
  add_stub(device_type(), *this, alpha);
}

TORCH_IMPL_FUNC(sub_out)
(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& result) {
  add_stub(device_type(), *this, -alpha);
}

TORCH_IMPL_FUNC(mul_out)(const Tensor& self, const Tensor& other, const Tensor& result) {
  mul_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(div_out)(const Tensor& self, const Tensor& other, const Tensor& result) {
  div_true_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(div_out_mode)
(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode,
 const Tensor& result) {
  if (!rounding_mode.has_value()) {
    div_true_stub(device_type(), *this);
  } else if (*rounding_mode == "trunc") {
    div_trunc_stub(device_type(), *this);
  } else {
    div_floor_stub(device_type(), *this);
  }
}

TORCH_IMPL_FUNC(remainder_out)(const Tensor& self, const Tensor& other, const Tensor& result) {
  remainder_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(maximum_out)(const Tensor& self, const Tensor& other, const Tensor& result) {
  maximum_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(minimum_out)(const Tensor& self, const Tensor& other, const Tensor& result) {
  minimum_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(sigmoid_backward_out)
(const Tensor& grad_output, const Tensor& output, const Tensor& result) {
  sigmoid_backward_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(tanh_backward_out)
(const Tensor& grad_output, const Tensor& output, const Tensor& result) {
  tanh_backward_stub(device_type(), *this);
}

// Scalars take part as wrapped numbers: they do not widen the type within its category.

Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.add(wrapped_scalar_tensor(other), alpha);
}

Tensor& add_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.add_(wrapped_scalar_tensor(other), alpha);
}

Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub(wrapped_scalar_tensor(other), alpha);
}

Tensor& sub_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub_(wrapped_scalar_tensor(other), alpha);
}

Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return at::sub(other, self, alpha);
}

Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  sub_check(self, other);
  return at::sub(wrapped_scalar_tensor(other), self, alpha);
}

Tensor mul(const Tensor& self, const Scalar& other) {
  return self.mul(wrapped_scalar_tensor(other));
}

Tensor& mul_(Tensor& self, const Scalar& other) { return self.mul_(wrapped_scalar_tensor(other)); }

Tensor div(const Tensor& self, const Scalar& other) {
  return self.div(wrapped_scalar_tensor(other));
}

Tensor& div_(Tensor& self, const Scalar& other) { return self.div_(wrapped_scalar_tensor(other)); }

Tensor div(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode) {
  return self.div(wrapped_scalar_tensor(other), rounding_mode);
}

Tensor& div_(Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode) {
  return self.div_(wrapped_scalar_tensor(other), rounding_mode);
}

Tensor floor_divide(const Tensor& self, const Tensor& other) { return self.div(other, "floor"); }

Tensor& floor_divide_(Tensor& self, const Tensor& other) { return self.div_(other, "floor"); }

Tensor& floor_divide_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return at::div_out(out, self, other, "floor");
}

Tensor floor_divide(const Tensor& self, const Scalar& other) {
  return self.div(wrapped_scalar_tensor(other), "floor");
}

Tensor& floor_divide_(Tensor& self, const Scalar& other) {
  return self.div_(wrapped_scalar_tensor(other), "floor");
}

Tensor remainder(const Tensor& self, const Scalar& other) {
  return self.remainder(wrapped_scalar_tensor(other));
}

Tensor& remainder_(Tensor& self, const Scalar& other) {
  return self.remainder_(wrapped_scalar_tensor(other));
}

Tensor remainder(const Scalar& self, const Tensor& other) {
  return at::remainder(wrapped_scalar_tensor(self), other);
}

Tensor max(const Tensor& self, const Tensor& other) { return at::maximum(self, other); }

Tensor& max_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return at::maximum_out(out, self, other);
}

Tensor min(const Tensor& self, const Tensor& other) { return at::minimum(self, other); }

Tensor& min_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return at::minimum_out(out, self, other);
}

#define BINARY_MATH_IMPL_FUNC(name)                                                            \
  DEFINE_DISPATCH(name##_stub);                                                                \
  TORCH_IMPL_FUNC(name##_out)(const Tensor& self, const Tensor& other, const Tensor& result) { \
    name##_stub(device_type(), *this);                                                         \
  }

BINARY_MATH_IMPL_FUNC(atan2)
BINARY_MATH_IMPL_FUNC(bitwise_left_shift)
BINARY_MATH_IMPL_FUNC(bitwise_right_shift)
BINARY_MATH_IMPL_FUNC(copysign)
BINARY_MATH_IMPL_FUNC(fmax)
BINARY_MATH_IMPL_FUNC(fmin)
BINARY_MATH_IMPL_FUNC(fmod)
BINARY_MATH_IMPL_FUNC(hypot)
BINARY_MATH_IMPL_FUNC(igamma)
BINARY_MATH_IMPL_FUNC(igammac)
BINARY_MATH_IMPL_FUNC(logaddexp)
BINARY_MATH_IMPL_FUNC(logaddexp2)
BINARY_MATH_IMPL_FUNC(nextafter)
BINARY_MATH_IMPL_FUNC(special_xlog1py)
BINARY_MATH_IMPL_FUNC(special_zeta)
BINARY_MATH_IMPL_FUNC(xlogy)

#define BINARY_TENSOR_SCALAR(name)                                           \
  Tensor name(const Tensor& self, const Scalar& other) {                     \
    return at::name(self, wrapped_scalar_tensor(other));                     \
  }                                                                          \
  Tensor& name##_out(const Tensor& self, const Scalar& other, Tensor& out) { \
    return at::name##_out(out, self, wrapped_scalar_tensor(other));          \
  }
#define BINARY_SCALAR_TENSOR(name)                                           \
  Tensor name(const Scalar& self, const Tensor& other) {                     \
    return at::name(wrapped_scalar_tensor(self), other);                     \
  }                                                                          \
  Tensor& name##_out(const Scalar& self, const Tensor& other, Tensor& out) { \
    return at::name##_out(out, wrapped_scalar_tensor(self), other);          \
  }
#define BINARY_INPLACE_SCALAR(name)                    \
  Tensor& name##_(Tensor& self, const Scalar& other) { \
    return self.name##_(wrapped_scalar_tensor(other)); \
  }

BINARY_TENSOR_SCALAR(bitwise_left_shift)
BINARY_INPLACE_SCALAR(bitwise_left_shift)
BINARY_TENSOR_SCALAR(bitwise_right_shift)
BINARY_INPLACE_SCALAR(bitwise_right_shift)
BINARY_TENSOR_SCALAR(copysign)
BINARY_INPLACE_SCALAR(copysign)
BINARY_TENSOR_SCALAR(fmod)
BINARY_INPLACE_SCALAR(fmod)
BINARY_TENSOR_SCALAR(special_xlog1py)
BINARY_SCALAR_TENSOR(special_xlog1py)
BINARY_TENSOR_SCALAR(special_zeta)
BINARY_SCALAR_TENSOR(special_zeta)
BINARY_TENSOR_SCALAR(xlogy)
BINARY_SCALAR_TENSOR(xlogy)
BINARY_INPLACE_SCALAR(xlogy)

#define BINARY_SCALAR_ONLY_TENSOR(name)                  \
  Tensor name(const Scalar& self, const Tensor& other) { \
    return at::name(wrapped_scalar_tensor(self), other); \
  }
#define BINARY_SCALAR_OUT(name)                                              \
  Tensor& name##_out(const Tensor& self, const Scalar& other, Tensor& out) { \
    return at::name##_out(out, self, wrapped_scalar_tensor(other));          \
  }

BINARY_SCALAR_ONLY_TENSOR(bitwise_and)
BINARY_SCALAR_ONLY_TENSOR(bitwise_or)
BINARY_SCALAR_ONLY_TENSOR(bitwise_xor)
BINARY_SCALAR_ONLY_TENSOR(bitwise_left_shift)
BINARY_SCALAR_ONLY_TENSOR(bitwise_right_shift)
BINARY_SCALAR_OUT(bitwise_and)
BINARY_SCALAR_OUT(bitwise_or)
BINARY_SCALAR_OUT(bitwise_xor)
BINARY_SCALAR_OUT(remainder)

// ---- self * 2^other

namespace {

// 2^other, of the type of the product with `self`.
Tensor power_of_two(const Tensor& self, const Tensor& other) {
  const ScalarType type = native::result_type(self, other);
  return at::pow(wrapped_scalar_tensor(2.0), other)
      .to(c10::isFloatingType(type) || c10::isComplexType(type)
              ? type
              : c10::get_default_dtype_as_scalartype());
}

}  // namespace

Tensor ldexp(const Tensor& self, const Tensor& other) {
  return self.mul(power_of_two(self, other));
}

Tensor& ldexp_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return write_to_out(at::ldexp(self, other), out);
}

Tensor& ldexp_(Tensor& self, const Tensor& other) { return self.mul_(power_of_two(self, other)); }

// ---- powers in double, whatever the types are

namespace {

ScalarType float_power_type(bool complex) { return complex ? kComplexDouble : kDouble; }

// A number as double or complex<double>.
Scalar wide(const Scalar& s, ScalarType type) {
  return type == kComplexDouble ? Scalar(s.toComplexDouble()) : Scalar(s.toDouble());
}

void check_float_power_out(const char* name, const Tensor& out, ScalarType type) {
  TORCH_CHECK(out.scalar_type() == type, "the ", name, " given to float_power has dtype ",
              out.scalar_type(), " but the operation's result requires dtype ", type);
}

}  // namespace

Tensor& float_power_out(const Tensor& base, const Tensor& exp, Tensor& result) {
  const ScalarType type = float_power_type(base.is_complex() || exp.is_complex());
  check_float_power_out("output", result, type);
  return at::pow_out(result, base.to(type), exp.to(type));
}

Tensor& float_power_out(const Tensor& base, const Scalar& exp, Tensor& result) {
  const ScalarType type = float_power_type(base.is_complex() || exp.isComplex());
  check_float_power_out("output", result, type);
  return at::pow_out(result, base.to(type), wide(exp, type));
}

Tensor& float_power_out(const Scalar& base, const Tensor& exp, Tensor& result) {
  const ScalarType type = float_power_type(base.isComplex() || exp.is_complex());
  check_float_power_out("output", result, type);
  return at::pow_out(result, wide(base, type), exp.to(type));
}

Tensor float_power(const Tensor& base, const Tensor& exp) {
  const ScalarType type = float_power_type(base.is_complex() || exp.is_complex());
  return at::pow(base.to(type), exp.to(type));
}

Tensor float_power(const Tensor& base, const Scalar& exp) {
  const ScalarType type = float_power_type(base.is_complex() || exp.isComplex());
  return at::pow(base.to(type), wide(exp, type));
}

Tensor float_power(const Scalar& base, const Tensor& exp) {
  const ScalarType type = float_power_type(base.isComplex() || exp.is_complex());
  return at::pow(wide(base, type), exp.to(type));
}

Tensor& float_power_(Tensor& base, const Tensor& exp) {
  check_float_power_out("base", base, float_power_type(base.is_complex() || exp.is_complex()));
  return base.pow_(exp.to(base.scalar_type()));
}

Tensor& float_power_(Tensor& base, const Scalar& exp) {
  check_float_power_out("base", base, float_power_type(base.is_complex() || exp.isComplex()));
  return base.pow_(wide(exp, base.scalar_type()));
}

// ---- other names

#define TENSOR_ALIAS(name, function) \
  Tensor name(const Tensor& self, const Tensor& other) { return at::function(self, other); }
#define TENSOR_OUT_ALIAS(name, function)                                     \
  Tensor& name##_out(const Tensor& self, const Tensor& other, Tensor& out) { \
    return at::function##_out(out, self, other);                             \
  }
#define TENSOR_INPLACE_ALIAS(name, function) \
  Tensor& name##_(Tensor& self, const Tensor& other) { return self.function##_(other); }
#define SCALAR_ALIAS(name, function) \
  Tensor name(const Tensor& self, const Scalar& other) { return at::function(self, other); }
#define SCALAR_OUT_ALIAS(name, function)                                     \
  Tensor& name##_out(const Tensor& self, const Scalar& other, Tensor& out) { \
    return at::function##_out(out, self, other);                             \
  }
#define SCALAR_INPLACE_ALIAS(name, function) \
  Tensor& name##_(Tensor& self, const Scalar& other) { return self.function##_(other); }

#define COMPARISON_ALIAS(name, function) \
  TENSOR_ALIAS(name, function)           \
  TENSOR_OUT_ALIAS(name, function)       \
  TENSOR_INPLACE_ALIAS(name, function)   \
  SCALAR_ALIAS(name, function)           \
  SCALAR_OUT_ALIAS(name, function)       \
  SCALAR_INPLACE_ALIAS(name, function)

COMPARISON_ALIAS(greater, gt)
COMPARISON_ALIAS(greater_equal, ge)
COMPARISON_ALIAS(less, lt)
COMPARISON_ALIAS(less_equal, le)
COMPARISON_ALIAS(not_equal, ne)

TENSOR_ALIAS(multiply, mul)
TENSOR_OUT_ALIAS(multiply, mul)
TENSOR_INPLACE_ALIAS(multiply, mul)
SCALAR_ALIAS(multiply, mul)
SCALAR_INPLACE_ALIAS(multiply, mul)

TENSOR_ALIAS(divide, div)
TENSOR_OUT_ALIAS(divide, div)
TENSOR_INPLACE_ALIAS(divide, div)
SCALAR_ALIAS(divide, div)
SCALAR_INPLACE_ALIAS(divide, div)

TENSOR_ALIAS(true_divide, div)
TENSOR_OUT_ALIAS(true_divide, div)
TENSOR_INPLACE_ALIAS(true_divide, div)
SCALAR_ALIAS(true_divide, div)
SCALAR_INPLACE_ALIAS(true_divide, div)

TENSOR_ALIAS(arctan2, atan2)
TENSOR_OUT_ALIAS(arctan2, atan2)
TENSOR_INPLACE_ALIAS(arctan2, atan2)

TENSOR_ALIAS(special_xlogy, xlogy)
TENSOR_OUT_ALIAS(special_xlogy, xlogy)
SCALAR_ALIAS(special_xlogy, xlogy)
SCALAR_OUT_ALIAS(special_xlogy, xlogy)

TENSOR_ALIAS(special_gammainc, igamma)
TENSOR_OUT_ALIAS(special_gammainc, igamma)
TENSOR_ALIAS(special_gammaincc, igammac)
TENSOR_OUT_ALIAS(special_gammaincc, igammac)

Tensor special_xlogy(const Scalar& self, const Tensor& other) { return at::xlogy(self, other); }

Tensor& special_xlogy_out(const Scalar& self, const Tensor& other, Tensor& out) {
  return at::xlogy_out(out, self, other);
}

Tensor divide(const Tensor& self, const Tensor& other,
              std::optional<std::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}

Tensor& divide_out(const Tensor& self, const Tensor& other,
                   std::optional<std::string_view> rounding_mode, Tensor& out) {
  return at::div_out(out, self, other, rounding_mode);
}

Tensor& divide_(Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode) {
  return self.div_(other, rounding_mode);
}

Tensor divide(const Tensor& self, const Scalar& other,
              std::optional<std::string_view> rounding_mode) {
  return self.div(other, rounding_mode);
}

Tensor& divide_(Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode) {
  return self.div_(other, rounding_mode);
}

Tensor subtract(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return self.sub(other, alpha);
}

Tensor& subtract_out(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return at::sub_out(out, self, other, alpha);
}

Tensor& subtract_(Tensor& self, const Tensor& other, const Scalar& alpha) {
  return self.sub_(other, alpha);
}

Tensor subtract(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub(other, alpha);
}

Tensor& subtract_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  return self.sub_(other, alpha);
}

// ---- Python's operators

#define OPERATOR_ALIAS(name, function)                                                       \
  Tensor name(const Tensor& self, const Tensor& other) { return at::function(self, other); } \
  Tensor name(const Tensor& self, const Scalar& other) {                                     \
    return at::function(self, wrapped_scalar_tensor(other));                                 \
  }
#define INPLACE_OPERATOR_ALIAS(name, function)                                        \
  Tensor& name(Tensor& self, const Tensor& other) { return self.function##_(other); } \
  Tensor& name(Tensor& self, const Scalar& other) {                                   \
    return self.function##_(wrapped_scalar_tensor(other));                            \
  }

OPERATOR_ALIAS(__lshift__, bitwise_left_shift)
OPERATOR_ALIAS(__rshift__, bitwise_right_shift)
INPLACE_OPERATOR_ALIAS(__ilshift__, bitwise_left_shift)
INPLACE_OPERATOR_ALIAS(__irshift__, bitwise_right_shift)
INPLACE_OPERATOR_ALIAS(__iand__, bitwise_and)
INPLACE_OPERATOR_ALIAS(__ior__, bitwise_or)
INPLACE_OPERATOR_ALIAS(__ixor__, bitwise_xor)

}  // namespace at::native
