// Elementwise operators of one argument: checks, result types, and the call of the kernel.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/OutVariant.h>
#include <ATen/native/UnaryOps.h>

#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/abs_native.h>
#include <ATen/ops/bitwise_not_native.h>
#include <ATen/ops/ceil_native.h>
#include <ATen/ops/cos_native.h>
#include <ATen/ops/exp_native.h>
#include <ATen/ops/expm1_native.h>
#include <ATen/ops/floor_native.h>
#include <ATen/ops/log1p_native.h>
#include <ATen/ops/log_native.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/logical_not_native.h>
#include <ATen/ops/neg_native.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/reciprocal_native.h>
#include <ATen/ops/round_native.h>
#include <ATen/ops/rsqrt_native.h>
#include <ATen/ops/sigmoid_native.h>
#include <ATen/ops/sign_native.h>
#include <ATen/ops/sin_native.h>
#include <ATen/ops/sqrt_native.h>
#include <ATen/ops/square_native.h>
#include <ATen/ops/tanh_native.h>
#include <ATen/ops/trunc_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::meta {

// Integers and booleans become the default floating point type.
#define CREATE_UNARY_FLOAT_META_FUNC(name)                    \
  TORCH_META_FUNC(name)(const Tensor& self) {                 \
    build_borrowing_unary_float_op(maybe_get_output(), self); \
  }

CREATE_UNARY_FLOAT_META_FUNC(cos)
CREATE_UNARY_FLOAT_META_FUNC(exp)
CREATE_UNARY_FLOAT_META_FUNC(expm1)
CREATE_UNARY_FLOAT_META_FUNC(log)
CREATE_UNARY_FLOAT_META_FUNC(log1p)
CREATE_UNARY_FLOAT_META_FUNC(reciprocal)
CREATE_UNARY_FLOAT_META_FUNC(rsqrt)
CREATE_UNARY_FLOAT_META_FUNC(sigmoid)
CREATE_UNARY_FLOAT_META_FUNC(sin)
CREATE_UNARY_FLOAT_META_FUNC(sqrt)
CREATE_UNARY_FLOAT_META_FUNC(tanh)

TORCH_META_FUNC(abs)(const Tensor& self) {
  const Tensor& out = maybe_get_output();
  if (!self.is_complex()) {
    build_borrowing_unary_op(out, self);
    return;
  }
  TORCH_CHECK(!out.defined() || !out.is_same(self),
              "In-place abs is not supported for complex tensors.");
  const ScalarType real = c10::toRealValueType(self.scalar_type());
  TORCH_CHECK(!out.defined() || out.scalar_type() == real, "result type ", real,
              " can't be cast to the desired output type ",
              out.defined() ? out.scalar_type() : real);
  TensorIteratorConfig config;
  config.check_all_same_dtype(false).declare_static_dtype(real);
  config.add_output(out).add_input(self);
  build(config);
}

TORCH_META_FUNC(neg)(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool,
              "Negation, the `-` operator, on a bool tensor is not supported. "
              "If you are trying to invert a mask, use the `~` or `logical_not()` operator "
              "instead.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(bitwise_not)(const Tensor& self) {
  build_borrowing_unary_op(maybe_get_output(), self);
}

// bool, unless `out` says otherwise.
TORCH_META_FUNC(logical_not)(const Tensor& self) {
  const Tensor& out = maybe_get_output();
  TensorIteratorConfig config;
  config.check_all_same_dtype(false);
  if (!out.defined()) config.declare_static_dtype(kBool);
  config.add_output(out).add_input(self);
  build(config);
}

TORCH_META_FUNC(sign)(const Tensor& self) {
  TORCH_CHECK(!self.is_complex(),
              "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use "
              "torch.sgn instead.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

#define CREATE_UNARY_ROUNDING_META_FUNC(name)                                      \
  TORCH_META_FUNC(name)(const Tensor& self) {                                      \
    TORCH_CHECK(!self.is_complex(), #name " is not supported for complex inputs"); \
    build_borrowing_unary_op(maybe_get_output(), self);                            \
  }

CREATE_UNARY_ROUNDING_META_FUNC(ceil)
CREATE_UNARY_ROUNDING_META_FUNC(floor)
CREATE_UNARY_ROUNDING_META_FUNC(round)
CREATE_UNARY_ROUNDING_META_FUNC(trunc)

}  // namespace at::meta

namespace at::native {

#define CREATE_UNARY_IMPL_FUNC(func_out, func_stub)                     \
  DEFINE_DISPATCH(func_stub);                                           \
  TORCH_IMPL_FUNC(func_out)(const Tensor& self, const Tensor& result) { \
    func_stub(device_type(), *this);                                    \
  }

CREATE_UNARY_IMPL_FUNC(abs_out, abs_stub)
CREATE_UNARY_IMPL_FUNC(bitwise_not_out, bitwise_not_stub)
CREATE_UNARY_IMPL_FUNC(cos_out, cos_stub)
CREATE_UNARY_IMPL_FUNC(exp_out, exp_stub)
CREATE_UNARY_IMPL_FUNC(expm1_out, expm1_stub)
CREATE_UNARY_IMPL_FUNC(log1p_out, log1p_stub)
CREATE_UNARY_IMPL_FUNC(log_out, log_stub)
CREATE_UNARY_IMPL_FUNC(neg_out, neg_stub)
CREATE_UNARY_IMPL_FUNC(reciprocal_out, reciprocal_stub)
CREATE_UNARY_IMPL_FUNC(rsqrt_out, rsqrt_stub)
CREATE_UNARY_IMPL_FUNC(sigmoid_out, sigmoid_stub)
CREATE_UNARY_IMPL_FUNC(sign_out, sign_stub)
CREATE_UNARY_IMPL_FUNC(sin_out, sin_stub)
CREATE_UNARY_IMPL_FUNC(sqrt_out, sqrt_stub)
CREATE_UNARY_IMPL_FUNC(tanh_out, tanh_stub)

DEFINE_DISPATCH(logical_not_stub);
TORCH_IMPL_FUNC(logical_not_out)(const Tensor& self, const Tensor& result) {
  if (result.scalar_type() == kBool) {
    logical_not_stub(device_type(), *this);
  } else {
    result.copy_(at::logical_not(self));
  }
}

// Rounding an integer is a copy.
#define CREATE_UNARY_ROUNDING_IMPL_FUNC(func_out, func_stub)              \
  DEFINE_DISPATCH(func_stub);                                             \
  TORCH_IMPL_FUNC(func_out)(const Tensor& self, const Tensor& result) {   \
    if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/false)) { \
      result.copy_(self);                                                 \
    } else {                                                              \
      func_stub(device_type(), *this);                                    \
    }                                                                     \
  }

CREATE_UNARY_ROUNDING_IMPL_FUNC(ceil_out, ceil_stub)
CREATE_UNARY_ROUNDING_IMPL_FUNC(floor_out, floor_stub)
CREATE_UNARY_ROUNDING_IMPL_FUNC(round_out, round_stub)
CREATE_UNARY_ROUNDING_IMPL_FUNC(trunc_out, trunc_stub)

Tensor square(const Tensor& self) { return at::pow(self, 2); }
Tensor& square_(Tensor& self) { return self.pow_(2); }
Tensor& square_out(const Tensor& self, Tensor& out) { return write_to_out(at::pow(self, 2), out); }

}  // namespace at::native
