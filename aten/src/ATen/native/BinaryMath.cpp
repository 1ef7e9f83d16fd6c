// Functions of two numbers beyond arithmetic: checks, result types, and the call of the kernel.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/BinaryOps.h>

#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/TypeProperties.h>
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
#include <ATen/ops/float_power_native.h>
#include <ATen/ops/fmax_native.h>
#include <ATen/ops/fmin_native.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/fmod_native.h>
#include <ATen/ops/gcd_native.h>
#include <ATen/ops/heaviside_native.h>
#include <ATen/ops/hypot_native.h>
#include <ATen/ops/igamma_native.h>
#include <ATen/ops/igammac_native.h>
#include <ATen/ops/lcm_native.h>
#include <ATen/ops/ldexp.h>
#include <ATen/ops/ldexp_native.h>
#include <ATen/ops/logaddexp2_native.h>
#include <ATen/ops/logaddexp_native.h>
#include <ATen/ops/nextafter_native.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/remainder_native.h>
#include <ATen/ops/result_type_native.h>
#include <ATen/ops/special_xlog1py.h>
#include <ATen/ops/special_xlog1py_native.h>
#include <ATen/ops/special_zeta.h>
#include <ATen/ops/special_zeta_native.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/xlogy_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::meta {

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
BINARY_MATH_IMPL_FUNC(gcd)
BINARY_MATH_IMPL_FUNC(heaviside)
BINARY_MATH_IMPL_FUNC(hypot)
BINARY_MATH_IMPL_FUNC(igamma)
BINARY_MATH_IMPL_FUNC(igammac)
BINARY_MATH_IMPL_FUNC(lcm)
BINARY_MATH_IMPL_FUNC(logaddexp)
BINARY_MATH_IMPL_FUNC(logaddexp2)
BINARY_MATH_IMPL_FUNC(nextafter)
BINARY_MATH_IMPL_FUNC(special_xlog1py)
BINARY_MATH_IMPL_FUNC(special_zeta)
BINARY_MATH_IMPL_FUNC(xlogy)

// Scalars take part as wrapped numbers: they do not widen the type within its category.

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

Tensor ldexp(const Tensor& self, const Tensor& other) {
  const ScalarType type = native::result_type(self, other);
  return self.mul(at::pow(wrapped_scalar_tensor(2.0), other)
                      .to(c10::isFloatingType(type) || c10::isComplexType(type)
                              ? type
                              : c10::get_default_dtype_as_scalartype()));
}

Tensor& ldexp_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return write_to_out(at::ldexp(self, other), out);
}

Tensor& ldexp_(Tensor& self, const Tensor& other) { return at::ldexp_out(self, self, other); }

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

}  // namespace at::native
