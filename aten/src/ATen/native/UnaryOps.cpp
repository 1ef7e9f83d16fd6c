// Elementwise operators of one argument: checks, result types, and the call of the kernel.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/UnaryOps.h>

#include <ATen/Dispatch.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_conj_physical.h>
#include <ATen/ops/_conj_physical_native.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/abs_native.h>
#include <ATen/ops/absolute_native.h>
#include <ATen/ops/acos.h>
#include <ATen/ops/acos_native.h>
#include <ATen/ops/acosh.h>
#include <ATen/ops/acosh_native.h>
#include <ATen/ops/angle_native.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/arccos_native.h>
#include <ATen/ops/arccosh_native.h>
#include <ATen/ops/arcsin_native.h>
#include <ATen/ops/arcsinh_native.h>
#include <ATen/ops/arctan_native.h>
#include <ATen/ops/arctanh_native.h>
#include <ATen/ops/asin.h>
#include <ATen/ops/asin_native.h>
#include <ATen/ops/asinh.h>
#include <ATen/ops/asinh_native.h>
#include <ATen/ops/atan.h>
#include <ATen/ops/atan_native.h>
#include <ATen/ops/atanh.h>
#include <ATen/ops/atanh_native.h>
#include <ATen/ops/bitwise_not_native.h>
#include <ATen/ops/ceil_native.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/conj_physical_native.h>
#include <ATen/ops/cos_native.h>
#include <ATen/ops/cosh_native.h>
#include <ATen/ops/deg2rad_native.h>
#include <ATen/ops/digamma.h>
#include <ATen/ops/digamma_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/erf_native.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/erfc_native.h>
#include <ATen/ops/erfinv.h>
#include <ATen/ops/erfinv_native.h>
#include <ATen/ops/exp2.h>
#include <ATen/ops/exp2_native.h>
#include <ATen/ops/exp_native.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/expm1_native.h>
#include <ATen/ops/fix_native.h>
#include <ATen/ops/floor_native.h>
#include <ATen/ops/frac_native.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/frexp_native.h>
#include <ATen/ops/i0.h>
#include <ATen/ops/i0_native.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/isneginf_native.h>
#include <ATen/ops/isposinf_native.h>
#include <ATen/ops/isreal_native.h>
#include <ATen/ops/lgamma.h>
#include <ATen/ops/lgamma_native.h>
#include <ATen/ops/log10_native.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log1p_native.h>
#include <ATen/ops/log2_native.h>
#include <ATen/ops/log_native.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/logical_not_native.h>
#include <ATen/ops/logit.h>
#include <ATen/ops/logit_backward_native.h>
#include <ATen/ops/logit_native.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mvlgamma.h>
#include <ATen/ops/mvlgamma_native.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/nan_to_num_native.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/neg_native.h>
#include <ATen/ops/negative_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/polygamma.h>
#include <ATen/ops/polygamma_native.h>
#include <ATen/ops/positive_native.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rad2deg_native.h>
#include <ATen/ops/real.h>
#include <ATen/ops/reciprocal_native.h>
#include <ATen/ops/round.h>
#include <ATen/ops/round_native.h>
#include <ATen/ops/rsqrt_native.h>
#include <ATen/ops/sgn_native.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sigmoid_native.h>
#include <ATen/ops/sign_native.h>
#include <ATen/ops/signbit_native.h>
#include <ATen/ops/sin_native.h>
#include <ATen/ops/sinc.h>
#include <ATen/ops/sinc_native.h>
#include <ATen/ops/sinh_native.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/special_digamma_native.h>
#include <ATen/ops/special_entr_native.h>
#include <ATen/ops/special_erf_native.h>
#include <ATen/ops/special_erfc_native.h>
#include <ATen/ops/special_erfcx_native.h>
#include <ATen/ops/special_erfinv_native.h>
#include <ATen/ops/special_exp2_native.h>
#include <ATen/ops/special_expit_native.h>
#include <ATen/ops/special_expm1_native.h>
#include <ATen/ops/special_gammaln_native.h>
#include <ATen/ops/special_i0_native.h>
#include <ATen/ops/special_i0e_native.h>
#include <ATen/ops/special_i1_native.h>
#include <ATen/ops/special_i1e_native.h>
#include <ATen/ops/special_log1p_native.h>
#include <ATen/ops/special_log_ndtr_native.h>
#include <ATen/ops/special_log_softmax_native.h>
#include <ATen/ops/special_logit_native.h>
#include <ATen/ops/special_logsumexp_native.h>
#include <ATen/ops/special_multigammaln_native.h>
#include <ATen/ops/special_ndtr.h>
#include <ATen/ops/special_ndtr_native.h>
#include <ATen/ops/special_ndtri_native.h>
#include <ATen/ops/special_polygamma_native.h>
#include <ATen/ops/special_psi_native.h>
#include <ATen/ops/special_round_native.h>
#include <ATen/ops/special_sinc_native.h>
#include <ATen/ops/special_softmax_native.h>
#include <ATen/ops/sqrt_native.h>
#include <ATen/ops/square_native.h>
#include <ATen/ops/tan_native.h>
#include <ATen/ops/tanh_native.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/trunc_native.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace at::meta {

// Integers and booleans become the default floating point type.
#define CREATE_UNARY_FLOAT_META_FUNC(name)                    \
  TORCH_META_FUNC(name)(const Tensor& self) {                 \
    build_borrowing_unary_float_op(maybe_get_output(), self); \
  }

CREATE_UNARY_FLOAT_META_FUNC(acos)
CREATE_UNARY_FLOAT_META_FUNC(acosh)
CREATE_UNARY_FLOAT_META_FUNC(asin)
CREATE_UNARY_FLOAT_META_FUNC(asinh)
CREATE_UNARY_FLOAT_META_FUNC(atan)
CREATE_UNARY_FLOAT_META_FUNC(atanh)
CREATE_UNARY_FLOAT_META_FUNC(cos)
CREATE_UNARY_FLOAT_META_FUNC(cosh)
CREATE_UNARY_FLOAT_META_FUNC(digamma)
CREATE_UNARY_FLOAT_META_FUNC(erf)
CREATE_UNARY_FLOAT_META_FUNC(erfc)
CREATE_UNARY_FLOAT_META_FUNC(erfinv)
CREATE_UNARY_FLOAT_META_FUNC(exp)
CREATE_UNARY_FLOAT_META_FUNC(exp2)
CREATE_UNARY_FLOAT_META_FUNC(expm1)
CREATE_UNARY_FLOAT_META_FUNC(i0)
CREATE_UNARY_FLOAT_META_FUNC(lgamma)
CREATE_UNARY_FLOAT_META_FUNC(log)
CREATE_UNARY_FLOAT_META_FUNC(log10)
CREATE_UNARY_FLOAT_META_FUNC(log1p)
CREATE_UNARY_FLOAT_META_FUNC(log2)
CREATE_UNARY_FLOAT_META_FUNC(reciprocal)
CREATE_UNARY_FLOAT_META_FUNC(rsqrt)
CREATE_UNARY_FLOAT_META_FUNC(sigmoid)
CREATE_UNARY_FLOAT_META_FUNC(sin)
CREATE_UNARY_FLOAT_META_FUNC(sinc)
CREATE_UNARY_FLOAT_META_FUNC(sinh)
CREATE_UNARY_FLOAT_META_FUNC(special_entr)
CREATE_UNARY_FLOAT_META_FUNC(special_erfcx)
CREATE_UNARY_FLOAT_META_FUNC(special_i0e)
CREATE_UNARY_FLOAT_META_FUNC(special_i1)
CREATE_UNARY_FLOAT_META_FUNC(special_i1e)
CREATE_UNARY_FLOAT_META_FUNC(special_log_ndtr)
CREATE_UNARY_FLOAT_META_FUNC(special_ndtri)
CREATE_UNARY_FLOAT_META_FUNC(sqrt)
CREATE_UNARY_FLOAT_META_FUNC(tan)
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
  TORCH_CHECK(
      self.scalar_type() != kBool,
      "Negation, the `-` operator, on a bool tensor is not supported. "
      "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
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
  TORCH_CHECK_NOT_IMPLEMENTED(
      !self.is_complex(),
      "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.");
  build_borrowing_unary_op(maybe_get_output(), self);
}

#define CREATE_UNARY_ROUNDING_META_FUNC(name)                                                      \
  TORCH_META_FUNC(name)(const Tensor& self) {                                                      \
    TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), #name " is not supported for complex inputs"); \
    build_borrowing_unary_op(maybe_get_output(), self);                                            \
  }

CREATE_UNARY_ROUNDING_META_FUNC(ceil)
CREATE_UNARY_ROUNDING_META_FUNC(floor)
CREATE_UNARY_ROUNDING_META_FUNC(round)
CREATE_UNARY_ROUNDING_META_FUNC(trunc)

TORCH_META_FUNC(polygamma)(int64_t n, const Tensor& self) {
  TORCH_CHECK(n >= 0, "polygamma(n, x) does not support negative n.");
  build_borrowing_unary_float_op(maybe_get_output(), self);
}

TORCH_META_FUNC(frac)(const Tensor& self) { build_borrowing_unary_op(maybe_get_output(), self); }

TORCH_META_FUNC(sgn)(const Tensor& self) { build_borrowing_unary_op(maybe_get_output(), self); }

TORCH_META_FUNC(signbit)(const Tensor& self) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(),
                              "signbit is not implemented for complex tensors.");
  const Tensor& out = maybe_get_output();
  TORCH_CHECK(!out.defined() || out.scalar_type() == kBool,
              "signbit does not support non-boolean outputs.");
  build_borrowing_unary_force_boolean_op(out, self);
}

#define INFINITY_META_FUNC(name)                                                \
  TORCH_META_FUNC(name)(const Tensor& self) {                                   \
    TORCH_CHECK(!self.is_complex(), #name " does not support complex inputs."); \
    const Tensor& out = maybe_get_output();                                     \
    TORCH_CHECK(!out.defined() || out.scalar_type() == kBool,                   \
                #name " does not support non-boolean outputs.");                \
    build_borrowing_unary_force_boolean_op(out, self);                          \
  }

INFINITY_META_FUNC(isposinf)
INFINITY_META_FUNC(isneginf)

TORCH_META_FUNC2(round, decimals)(const Tensor& self, int64_t decimals) {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "round is not supported for complex inputs");
  build_borrowing_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(logit_backward)
(const Tensor& grad_output, const Tensor& self, std::optional<double> eps) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

}  // namespace at::meta

namespace at::native {

#define CREATE_UNARY_IMPL_FUNC(func_out, func_stub)                     \
  DEFINE_DISPATCH(func_stub);                                           \
  TORCH_IMPL_FUNC(func_out)(const Tensor& self, const Tensor& result) { \
    func_stub(device_type(), *this);                                    \
  }

CREATE_UNARY_IMPL_FUNC(abs_out, abs_stub)
CREATE_UNARY_IMPL_FUNC(acos_out, acos_stub)
CREATE_UNARY_IMPL_FUNC(acosh_out, acosh_stub)
CREATE_UNARY_IMPL_FUNC(asin_out, asin_stub)
CREATE_UNARY_IMPL_FUNC(asinh_out, asinh_stub)
CREATE_UNARY_IMPL_FUNC(atan_out, atan_stub)
CREATE_UNARY_IMPL_FUNC(atanh_out, atanh_stub)
CREATE_UNARY_IMPL_FUNC(bitwise_not_out, bitwise_not_stub)
CREATE_UNARY_IMPL_FUNC(cos_out, cos_stub)
CREATE_UNARY_IMPL_FUNC(cosh_out, cosh_stub)
CREATE_UNARY_IMPL_FUNC(digamma_out, digamma_stub)
CREATE_UNARY_IMPL_FUNC(erf_out, erf_stub)
CREATE_UNARY_IMPL_FUNC(erfc_out, erfc_stub)
CREATE_UNARY_IMPL_FUNC(erfinv_out, erfinv_stub)
CREATE_UNARY_IMPL_FUNC(exp2_out, exp2_stub)
CREATE_UNARY_IMPL_FUNC(exp_out, exp_stub)
CREATE_UNARY_IMPL_FUNC(expm1_out, expm1_stub)
CREATE_UNARY_IMPL_FUNC(frac_out, frac_stub)
CREATE_UNARY_IMPL_FUNC(i0_out, i0_stub)
CREATE_UNARY_IMPL_FUNC(lgamma_out, lgamma_stub)
CREATE_UNARY_IMPL_FUNC(log10_out, log10_stub)
CREATE_UNARY_IMPL_FUNC(log1p_out, log1p_stub)
CREATE_UNARY_IMPL_FUNC(log2_out, log2_stub)
CREATE_UNARY_IMPL_FUNC(log_out, log_stub)
CREATE_UNARY_IMPL_FUNC(neg_out, neg_stub)
CREATE_UNARY_IMPL_FUNC(reciprocal_out, reciprocal_stub)
CREATE_UNARY_IMPL_FUNC(rsqrt_out, rsqrt_stub)
CREATE_UNARY_IMPL_FUNC(sigmoid_out, sigmoid_stub)
CREATE_UNARY_IMPL_FUNC(sign_out, sign_stub)
CREATE_UNARY_IMPL_FUNC(signbit_out, signbit_stub)
CREATE_UNARY_IMPL_FUNC(sin_out, sin_stub)
CREATE_UNARY_IMPL_FUNC(sinc_out, sinc_stub)
CREATE_UNARY_IMPL_FUNC(sinh_out, sinh_stub)
CREATE_UNARY_IMPL_FUNC(special_entr_out, special_entr_stub)
CREATE_UNARY_IMPL_FUNC(special_erfcx_out, special_erfcx_stub)
CREATE_UNARY_IMPL_FUNC(special_i0e_out, special_i0e_stub)
CREATE_UNARY_IMPL_FUNC(special_i1_out, special_i1_stub)
CREATE_UNARY_IMPL_FUNC(special_i1e_out, special_i1e_stub)
CREATE_UNARY_IMPL_FUNC(special_log_ndtr_out, special_log_ndtr_stub)
CREATE_UNARY_IMPL_FUNC(special_ndtri_out, special_ndtri_stub)
CREATE_UNARY_IMPL_FUNC(sqrt_out, sqrt_stub)
CREATE_UNARY_IMPL_FUNC(tan_out, tan_stub)
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

DEFINE_DISPATCH(sgn_stub);
TORCH_IMPL_FUNC(sgn_out)(const Tensor& self, const Tensor& result) {
  if (self.is_complex()) {
    sgn_stub(device_type(), *this);
  } else {
    sign_stub(device_type(), *this);
  }
}

DEFINE_DISPATCH(polygamma_stub);
TORCH_IMPL_FUNC(polygamma_out)(int64_t n, const Tensor& self, const Tensor& result) {
  polygamma_stub(device_type(), *this, n);
}

Tensor& polygamma_(Tensor& self, int64_t n) { return at::polygamma_out(self, n, self); }

DEFINE_DISPATCH(isposinf_stub);
TORCH_IMPL_FUNC(isposinf_out)(const Tensor& self, const Tensor& result) {
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    result.fill_(false);
  } else if (self.is_cpu()) {
    isposinf_stub(device_type(), *this);
  } else {
    result.copy_(self.eq(std::numeric_limits<double>::infinity()));
  }
}

DEFINE_DISPATCH(isneginf_stub);
TORCH_IMPL_FUNC(isneginf_out)(const Tensor& self, const Tensor& result) {
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    result.fill_(false);
  } else if (self.is_cpu()) {
    isneginf_stub(device_type(), *this);
  } else {
    result.copy_(self.eq(-std::numeric_limits<double>::infinity()));
  }
}

DEFINE_DISPATCH(round_decimals_stub);
TORCH_IMPL_FUNC(round_decimals_out)
(const Tensor& self, int64_t decimals, const Tensor& result) {
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/false)) {
    TORCH_CHECK_NOT_IMPLEMENTED(decimals == 0, "\"round_cpu\" not implemented for '",
                                self.scalar_type(), "'");
    result.copy_(self);
  } else if (decimals == 0) {
    round_stub(device_type(), *this);
  } else {
    round_decimals_stub(device_type(), *this, decimals);
  }
}

// ---- complex numbers and angles

DEFINE_DISPATCH(conj_physical_stub);

Tensor& conj_physical_out(const Tensor& self, Tensor& result) {
  if (!self.is_complex()) return write_out(result, self);
  auto iter = TensorIterator::unary_op(result, self);
  if (!result.is_meta()) conj_physical_stub(iter.device_type(), iter);
  return result;
}

Tensor _conj_physical(const Tensor& self) {
  if (!self.is_complex()) return self.clone();
  Tensor result;
  auto iter = TensorIterator::unary_op(result, self);
  Tensor out = static_cast<const Tensor&>(iter.output());
  if (!out.is_meta()) conj_physical_stub(iter.device_type(), iter);
  return out;
}

Tensor conj_physical(const Tensor& self) {
  return self.is_complex() ? at::_conj_physical(self) : self;
}

Tensor& conj_physical_(Tensor& self) {
  return self.is_complex() ? at::conj_physical_out(self, self) : self;
}

DEFINE_DISPATCH(angle_stub);

Tensor& angle_out(const Tensor& self, Tensor& result) {
  const ScalarType type = self.is_complex() ? c10::toRealValueType(self.scalar_type())
                          : c10::isFloatingType(self.scalar_type())
                              ? self.scalar_type()
                              : c10::get_default_dtype_as_scalartype();
  TORCH_CHECK(c10::canCast(type, result.scalar_type()), "result type ", type,
              " can't be cast to the desired output type ", result.scalar_type());
  const Tensor input = self.is_complex() ? self : self.to(type);
  Tensor values =
      result.scalar_type() == type ? result : at::empty({0}, result.options().dtype(type));
  auto iter = TensorIteratorConfig()
                  .check_all_same_dtype(false)
                  .add_output(values)
                  .add_const_input(input)
                  .build();
  if (!result.is_meta()) angle_stub(iter.device_type(), iter);
  return values.is_same(result) ? result : write_to_out(values, result);
}

Tensor angle(const Tensor& self) {
  const ScalarType type = self.is_complex() ? c10::toRealValueType(self.scalar_type())
                          : c10::isFloatingType(self.scalar_type())
                              ? self.scalar_type()
                              : c10::get_default_dtype_as_scalartype();
  Tensor result = at::empty({0}, self.options().dtype(type));
  return native::angle_out(self, result);
}

Tensor positive(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

Tensor isreal(const Tensor& self) {
  return self.is_complex() ? at::imag(self).eq(0)
                           : at::ones_like(self, self.options().dtype(kBool));
}

// ---- degrees and radians

#define ANGLE_UNIT(name, factor)                                                     \
  Tensor& name##_out(const Tensor& self, Tensor& result) {                           \
    TORCH_CHECK(!self.is_complex(), #name " is not supported for complex tensors."); \
    return at::mul_out(result, self, wrapped_scalar_tensor(Scalar(factor)));         \
  }                                                                                  \
  Tensor name(const Tensor& self) {                                                  \
    TORCH_CHECK(!self.is_complex(), #name " is not supported for complex tensors."); \
    return self.mul(wrapped_scalar_tensor(Scalar(factor)));                          \
  }                                                                                  \
  Tensor& name##_(Tensor& self) {                                                    \
    TORCH_CHECK(!self.is_complex(), #name " is not supported for complex tensors."); \
    return self.mul_(wrapped_scalar_tensor(Scalar(factor)));                         \
  }

ANGLE_UNIT(rad2deg, 180 / std::numbers::pi)
ANGLE_UNIT(deg2rad, std::numbers::pi / 180)

// ---- numbers that are not finite

Tensor& nan_to_num_out(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                       std::optional<double> neginf, Tensor& result) {
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "nan_to_num: dtype of out: ", result.scalar_type(),
              " should be same as input: ", self.scalar_type());
  if (c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)) {
    return write_to_out(self, result);
  }
  if (self.is_complex()) {
    return write_to_out(at::complex(at::real(self).nan_to_num(nan, posinf, neginf),
                                    at::imag(self).nan_to_num(nan, posinf, neginf)),
                        result);
  }
  auto iter = TensorIterator::unary_op(result, self);
  if (!result.is_meta()) {
    nan_to_num_stub(iter.device_type(), iter, nan.value_or(0), posinf, neginf);
  }
  return result;
}

Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  Tensor result = at::empty_like(self);
  return at::nan_to_num_out(result, self, nan, posinf, neginf);
}

Tensor& nan_to_num_(Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                    std::optional<double> neginf) {
  return at::nan_to_num_out(self, self, nan, posinf, neginf);
}

DEFINE_DISPATCH(nan_to_num_stub);

// ---- logit: log(x / (1 - x)), with x held in [eps, 1 - eps]

Tensor& logit_out(const Tensor& self, std::optional<double> eps, Tensor& result) {
  auto iter = TensorIterator::unary_float_op(result, self);
  if (!result.is_meta()) logit_stub(iter.device_type(), iter, eps.value_or(-1));
  return result;
}

Tensor logit(const Tensor& self, std::optional<double> eps) {
  Tensor result;
  auto iter = TensorIterator::unary_float_op(result, self);
  Tensor out = static_cast<const Tensor&>(iter.output());
  if (!out.is_meta()) logit_stub(iter.device_type(), iter, eps.value_or(-1));
  return out;
}

Tensor& logit_(Tensor& self, std::optional<double> eps) { return at::logit_out(self, self, eps); }

DEFINE_DISPATCH(logit_stub);
DEFINE_DISPATCH(logit_backward_stub);

TORCH_IMPL_FUNC(logit_backward_out)
(const Tensor& grad_output, const Tensor& self, std::optional<double> eps, const Tensor& result) {
  logit_backward_stub(device_type(), *this, eps.value_or(-1));
}

// ---- the multivariate log-gamma function: the sum of lgamma(x - i / 2), and a constant

namespace {

void mvlgamma_check(const Tensor& self, int64_t p) {
  TORCH_CHECK(self.scalar_type() != kBool, "The input tensor may not be a boolean tensor.");
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(),
                              "mvlgamma is not implemented for complex tensors.");
  TORCH_CHECK(p >= 1, "p has to be greater than or equal to 1");
}

}  // namespace

Tensor mvlgamma(const Tensor& self, int64_t p) {
  mvlgamma_check(self, p);
  const ScalarType type = c10::isFloatingType(self.scalar_type())
                              ? self.scalar_type()
                              : c10::get_default_dtype_as_scalartype();
  if (p == 1) return self.to(type).lgamma();
  const double order = static_cast<double>(p);
  const Tensor steps = at::arange(0, p, self.options().dtype(type)).mul(-0.5);
  return self.to(type).unsqueeze(-1).add(steps).lgamma().sum(-1).add(
      order * (order - 1) * std::log(std::numbers::pi) / 4);
}

Tensor& mvlgamma_out(const Tensor& self, int64_t p, Tensor& result) {
  return write_to_out(at::mvlgamma(self, p), result);
}

Tensor& mvlgamma_(Tensor& self, int64_t p) {
  const Tensor result = at::mvlgamma(self, p);
  TORCH_CHECK(c10::canCast(result.scalar_type(), self.scalar_type()), "result type ",
              result.scalar_type(), " can't be cast to the desired output type ",
              self.scalar_type());
  return self.copy_(result);
}

// The normal distribution's function.
Tensor special_ndtr(const Tensor& self) {
  // The complement keeps the digits of results near 0.
  return at::erfc(self.mul(-std::numbers::sqrt2 / 2)).mul(0.5);
}

Tensor& special_ndtr_out(const Tensor& self, Tensor& result) {
  return write_to_out(at::special_ndtr(self), result);
}

// ---- other names

#define ALIAS(name, function) \
  Tensor name(const Tensor& self) { return at::function(self); }
#define ALIAS_OUT(name, function) \
  ALIAS(name, function)           \
  Tensor& name##_out(const Tensor& self, Tensor& out) { return at::function##_out(out, self); }
#define ALIAS_INPLACE(name, function) \
  ALIAS_OUT(name, function)           \
  Tensor& name##_(Tensor& self) { return self.function##_(); }

ALIAS_INPLACE(absolute, abs)
ALIAS_INPLACE(arccos, acos)
ALIAS_INPLACE(arccosh, acosh)
ALIAS_INPLACE(arcsin, asin)
ALIAS_INPLACE(arcsinh, asinh)
ALIAS_INPLACE(arctan, atan)
ALIAS_INPLACE(arctanh, atanh)
ALIAS_INPLACE(fix, trunc)
ALIAS_INPLACE(negative, neg)
ALIAS_OUT(special_digamma, digamma)
ALIAS_OUT(special_erf, erf)
ALIAS_OUT(special_erfc, erfc)
ALIAS_OUT(special_erfinv, erfinv)
ALIAS_OUT(special_exp2, exp2)
ALIAS_OUT(special_expit, sigmoid)
ALIAS_OUT(special_expm1, expm1)
ALIAS_OUT(special_gammaln, lgamma)
ALIAS_OUT(special_i0, i0)
ALIAS_OUT(special_log1p, log1p)
ALIAS_OUT(special_psi, digamma)
ALIAS_OUT(special_sinc, sinc)

Tensor special_logit(const Tensor& self, std::optional<double> eps) { return at::logit(self, eps); }

Tensor& special_logit_out(const Tensor& self, std::optional<double> eps, Tensor& out) {
  return at::logit_out(out, self, eps);
}

Tensor special_round(const Tensor& self, int64_t decimals) { return at::round(self, decimals); }

Tensor& special_round_out(const Tensor& self, int64_t decimals, Tensor& out) {
  return at::round_out(out, self, decimals);
}

Tensor special_polygamma(int64_t n, const Tensor& self) { return at::polygamma(n, self); }

Tensor& special_polygamma_out(int64_t n, const Tensor& self, Tensor& out) {
  return at::polygamma_out(out, n, self);
}

Tensor special_multigammaln(const Tensor& self, int64_t p) { return at::mvlgamma(self, p); }

Tensor& special_multigammaln_out(const Tensor& self, int64_t p, Tensor& out) {
  return at::mvlgamma_out(out, self, p);
}

Tensor special_logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return at::logsumexp(self, dim, keepdim);
}

Tensor& special_logsumexp_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& out) {
  return write_to_out(at::logsumexp(self, dim, keepdim), out);
}

Tensor special_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return at::softmax(self, dim, dtype);
}

Tensor special_log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return at::log_softmax(self, dim, dtype);
}

// self = mantissa * 2^exponent with 0.5 <= |mantissa| < 1; of 0, inf and nan the exponent is 0.
std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  TORCH_CHECK(self.is_floating_point(), "torch.frexp() only supports floating-point dtypes");
  // The results have the strides of `values`, so that all three are walked in memory's order.
  const Tensor values = self.is_non_overlapping_and_dense() ? self : self.clone();
  Tensor mantissa = at::empty_like(values);
  Tensor exponent = at::empty_like(values, values.options().dtype(kInt));
  auto* exponents = exponent.mutable_data_ptr<int32_t>();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "frexp", [&] {
    const scalar_t* value = values.const_data_ptr<scalar_t>();
    scalar_t* mantissas = mantissa.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < values.numel(); ++i) {
      const auto x = static_cast<double>(value[i]);
      int power = 0;
      const double part = std::frexp(x, &power);
      exponents[i] = std::isfinite(x) ? power : 0;
      mantissas[i] = static_cast<scalar_t>(part);
    }
  });
  return {mantissa, exponent};
}

std::tuple<Tensor&, Tensor&> frexp_out(const Tensor& self, Tensor& mantissa, Tensor& exponent) {
  const auto [m, e] = at::frexp(self);
  TORCH_CHECK(exponent.scalar_type() == kInt,
              "torch.frexp() expects exponent to have int dtype but got ", exponent.scalar_type());
  return {write_to_out(m, mantissa), write_to_out(e, exponent)};
}

}  // namespace at::native
