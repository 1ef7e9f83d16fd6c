// Elementwise operators: each is one function of a family's shader.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/TensorIterator.h>
#include <ATen/native/Activation.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/Lerp.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/native/Pow.h>
#include <ATen/native/TensorAdvancedIndexing.h>
#include <ATen/native/TensorCompare.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/shaders/Launch.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <initializer_list>
#include <string>

namespace at::native {
namespace {

using namespace shaders::operations;
using shaders::run_pointwise;

constexpr std::initializer_list<ScalarType> kFloats = {kFloat, kHalf};
constexpr std::initializer_list<ScalarType> kNumbers = {kFloat, kHalf, kInt, kLong, kByte};
constexpr std::initializer_list<ScalarType> kIntegers = {kInt, kLong, kByte, kBool};
constexpr std::initializer_list<ScalarType> kAll = {kFloat, kHalf, kInt, kLong, kByte, kBool};

void run(TensorIteratorBase& iter, const char* family, int op, const char* name,
         std::initializer_list<ScalarType> types, c10::ArrayRef<Scalar> numbers = {}) {
  const ScalarType dtype = iter.common_dtype();
  shaders::check_type(dtype, types, name, at::shaders::compute_device(iter.device(0).index()));
  run_pointwise(iter, family, dtype, op, name, numbers);
}

#define SHADER_UNARY(stub, op, types)                                                            \
  void stub##_shader(TensorIteratorBase& iter) { run(iter, "unary", UNARY_##op, #stub, types); } \
  REGISTER_SHADER_DISPATCH(stub, &stub##_shader)

SHADER_UNARY(abs_stub, ABS, kNumbers)
SHADER_UNARY(neg_stub, NEG, kNumbers)
SHADER_UNARY(ceil_stub, CEIL, kNumbers)
SHADER_UNARY(floor_stub, FLOOR, kNumbers)
SHADER_UNARY(round_stub, ROUND, kNumbers)
SHADER_UNARY(trunc_stub, TRUNC, kNumbers)
SHADER_UNARY(sign_stub, SIGN, kAll)
SHADER_UNARY(exp_stub, EXP, kFloats)
SHADER_UNARY(expm1_stub, EXPM1, kFloats)
SHADER_UNARY(log_stub, LOG, kFloats)
SHADER_UNARY(log1p_stub, LOG1P, kFloats)
SHADER_UNARY(sqrt_stub, SQRT, kFloats)
SHADER_UNARY(rsqrt_stub, RSQRT, kFloats)
SHADER_UNARY(reciprocal_stub, RECIPROCAL, kFloats)
SHADER_UNARY(sin_stub, SIN, kFloats)
SHADER_UNARY(cos_stub, COS, kFloats)
SHADER_UNARY(tanh_stub, TANH, kFloats)
SHADER_UNARY(sigmoid_stub, SIGMOID, kFloats)
SHADER_UNARY(erf_stub, ERF, kFloats)
SHADER_UNARY(erfc_stub, ERFC, kFloats)
SHADER_UNARY(bitwise_not_stub, BITWISE_NOT, kIntegers)
SHADER_UNARY(silu_stub, SILU, kFloats)
SHADER_UNARY(mish_stub, MISH, kFloats)
SHADER_UNARY(hardswish_stub, HARDSWISH, kFloats)
SHADER_UNARY(hardsigmoid_stub, HARDSIGMOID, kFloats)
SHADER_UNARY(exp2_stub, EXP2, kFloats)
SHADER_UNARY(log2_stub, LOG2, kFloats)
SHADER_UNARY(log10_stub, LOG10, kFloats)
SHADER_UNARY(frac_stub, FRAC, kFloats)
SHADER_UNARY(tan_stub, TAN, kFloats)
SHADER_UNARY(sinh_stub, SINH, kFloats)
SHADER_UNARY(cosh_stub, COSH, kFloats)

#define SHADER_BINARY(stub, op, types)                                                             \
  void stub##_shader(TensorIteratorBase& iter) { run(iter, "binary", BINARY_##op, #stub, types); } \
  REGISTER_SHADER_DISPATCH(stub, &stub##_shader)

SHADER_BINARY(mul_stub, MUL, kAll)
SHADER_BINARY(div_true_stub, DIV, kFloats)
SHADER_BINARY(div_trunc_stub, DIV_TRUNC, kNumbers)
SHADER_BINARY(div_floor_stub, DIV_FLOOR, kNumbers)
SHADER_BINARY(remainder_stub, REMAINDER, kNumbers)
SHADER_BINARY(fmod_stub, FMOD, kNumbers)
SHADER_BINARY(maximum_stub, MAXIMUM, kAll)
SHADER_BINARY(minimum_stub, MINIMUM, kAll)
SHADER_BINARY(bitwise_and_stub, BITWISE_AND, kIntegers)
SHADER_BINARY(bitwise_or_stub, BITWISE_OR, kIntegers)
SHADER_BINARY(bitwise_xor_stub, BITWISE_XOR, kIntegers)
SHADER_BINARY(pow_tensor_tensor_stub, POW, kFloats)
SHADER_BINARY(mse_stub, MSE, kFloats)
SHADER_BINARY(sigmoid_backward_stub, SIGMOID_BACKWARD, kFloats)
SHADER_BINARY(tanh_backward_stub, TANH_BACKWARD, kFloats)
SHADER_BINARY(silu_backward_stub, SILU_BACKWARD, kFloats)
SHADER_BINARY(hardswish_backward_stub, HARDSWISH_BACKWARD, kFloats)
SHADER_BINARY(hardsigmoid_backward_stub, HARDSIGMOID_BACKWARD, kFloats)
SHADER_BINARY(mish_backward_stub, MISH_BACKWARD, kFloats)
SHADER_BINARY(prelu_stub, PRELU, kFloats)
SHADER_BINARY(glu_stub, GLU, kFloats)

// Both arguments have the common type; the result is a truth.
void compare(TensorIteratorBase& iter, int op, const char* name) {
  const ScalarType dtype = iter.input_dtype(0);
  if (iter.dtype(0) != kBool) {
    TORCH_CHECK_NOT_IMPLEMENTED(false, name, " on ", shaders::kDeviceName,
                                " writes to bool and not to ", c10::toString(iter.dtype(0)));
  }
  // A number is one of the elements' type, too: what is equal to float16's 0.1 is 0.1.
  const auto& device = at::shaders::compute_device(iter.device(0).index());
  shaders::run_iteration(iter, "compare_" + shaders::shader_type(dtype, name, device), op, name,
                         dtype);
}

#define SHADER_COMPARE(stub, op)                                                       \
  void stub##_shader(TensorIteratorBase& iter) { compare(iter, COMPARE_##op, #stub); } \
  REGISTER_SHADER_DISPATCH(stub, &stub##_shader)

SHADER_COMPARE(eq_stub, EQ)
SHADER_COMPARE(ne_stub, NE)
SHADER_COMPARE(lt_stub, LT)
SHADER_COMPARE(le_stub, LE)
SHADER_COMPARE(gt_stub, GT)
SHADER_COMPARE(ge_stub, GE)
SHADER_COMPARE(logical_and_stub, AND)
SHADER_COMPARE(logical_or_stub, OR)
SHADER_COMPARE(logical_xor_stub, XOR)

void add_shader(TensorIteratorBase& iter, const Scalar& alpha) {
  run(iter, "binary", BINARY_ADD, "add", kAll, {alpha});
}
void threshold_shader(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  run(iter, "binary", BINARY_THRESHOLD, "threshold", kNumbers, {threshold, value});
}
void gelu_shader(TensorIteratorBase& iter, GeluType approximate) {
  run(iter, "unary", approximate == GeluType::Tanh ? UNARY_GELU_TANH : UNARY_GELU, "gelu", kFloats);
}
void gelu_backward_shader(TensorIteratorBase& iter, GeluType approximate) {
  run(iter, "binary",
      approximate == GeluType::Tanh ? BINARY_GELU_TANH_BACKWARD : BINARY_GELU_BACKWARD,
      "gelu_backward", kFloats);
}
void leaky_relu_shader(TensorIteratorBase& iter, const Scalar& slope) {
  run(iter, "unary", UNARY_LEAKY_RELU, "leaky_relu", kFloats, {slope});
}
void softplus_shader(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  run(iter, "unary", UNARY_SOFTPLUS, "softplus", kFloats, {beta, threshold});
}
void elu_shader(TensorIteratorBase& iter, double alpha, double scale, double input_scale) {
  run(iter, "unary", UNARY_ELU, "elu", kFloats, {alpha, scale, input_scale});
}
void hardtanh_backward_shader(TensorIteratorBase& iter, double least, double most) {
  run(iter, "binary", BINARY_HARDTANH_BACKWARD, "hardtanh_backward", kFloats, {least, most});
}
void leaky_relu_backward_shader(TensorIteratorBase& iter, const Scalar& slope) {
  run(iter, "binary", BINARY_LEAKY_RELU_BACKWARD, "leaky_relu_backward", kFloats, {slope});
}
void softplus_backward_shader(TensorIteratorBase& iter, const Scalar& beta,
                              const Scalar& threshold) {
  run(iter, "binary", BINARY_SOFTPLUS_BACKWARD, "softplus_backward", kFloats, {beta, threshold});
}
void elu_backward_shader(TensorIteratorBase& iter, double alpha, double scale, double input_scale,
                         bool is_result) {
  run(iter, "binary", is_result ? BINARY_ELU_BACKWARD_OF_RESULT : BINARY_ELU_BACKWARD,
      "elu_backward", kFloats, {alpha * scale, scale, input_scale});
}
void lerp_scalar_shader(TensorIteratorBase& iter, const Scalar& weight) {
  run(iter, "binary", BINARY_LERP, "lerp", kFloats, {weight});
}
void clamp_scalar_shader(TensorIteratorBase& iter, const Scalar& least, const Scalar& most) {
  run(iter, "unary", UNARY_CLAMP, "clamp", kNumbers, {least, most});
}
void clamp_min_shader(TensorIteratorBase& iter, const Scalar& least) {
  run(iter, "unary", UNARY_CLAMP_MIN, "clamp_min", kNumbers, {least});
}
void clamp_max_shader(TensorIteratorBase& iter, const Scalar& most) {
  run(iter, "unary", UNARY_CLAMP_MAX, "clamp_max", kNumbers, {most});
}
void pow_scalar_shader(TensorIteratorBase& iter, const Scalar& exponent) {
  run(iter, "unary", UNARY_POW, "pow", kNumbers, {exponent});
}
void clamp_shader(TensorIteratorBase& iter) {
  run(iter, "ternary", TERNARY_CLAMP, "clamp", {kFloat, kHalf, kInt, kLong});
}
void addcmul_shader(TensorIteratorBase& iter, const Scalar& value) {
  run(iter, "ternary", TERNARY_ADDCMUL, "addcmul", {kFloat, kHalf, kInt, kLong}, {value});
}
void addcdiv_shader(TensorIteratorBase& iter, const Scalar& value) {
  run(iter, "ternary", TERNARY_ADDCDIV, "addcdiv", kFloats, {value});
}
void mse_backward_shader(TensorIteratorBase& iter, const Scalar& value) {
  run(iter, "ternary", TERNARY_MSE_BACKWARD, "mse_loss_backward", kFloats, {value});
}
void lerp_tensor_shader(TensorIteratorBase& iter) {
  run(iter, "ternary", TERNARY_LERP, "lerp", kFloats);
}

void where_shader(TensorIterator& iter) {
  run_pointwise(iter, "select", iter.dtype(0), 0, "where");
}
// A number where the mask is true, and what was there where it is not.
void masked_fill_shader(TensorIterator& iter, const Scalar& value) {
  const auto& device = at::shaders::compute_device(iter.device(0).index());
  const std::string type =
      shaders::opaque_type(static_cast<size_t>(iter.element_size(0)), "masked_fill_", device);
  shaders::run_iteration(iter, "masked_fill_" + type, 0, "masked_fill_", kLong,
                         {shaders::element_bits(value, iter.dtype(0))});
}

// What is false for a truth and zero for a number is true.
void logical_not_shader(TensorIteratorBase& iter) {
  TORCH_CHECK_NOT_IMPLEMENTED(iter.dtype(0) == kBool, "logical_not on ", shaders::kDeviceName,
                              " writes to bool and not to ", c10::toString(iter.dtype(0)));
  run_pointwise(iter, "is_zero", iter.input_dtype(0), 0, "logical_not");
}

}  // namespace

REGISTER_SHADER_DISPATCH(add_stub, &add_shader)
REGISTER_SHADER_DISPATCH(threshold_stub, &threshold_shader)
REGISTER_SHADER_DISPATCH(GeluKernel, &gelu_shader)
REGISTER_SHADER_DISPATCH(GeluBackwardKernel, &gelu_backward_shader)
REGISTER_SHADER_DISPATCH(leaky_relu_stub, &leaky_relu_shader)
REGISTER_SHADER_DISPATCH(softplus_stub, &softplus_shader)
REGISTER_SHADER_DISPATCH(elu_stub, &elu_shader)
REGISTER_SHADER_DISPATCH(elu_backward_stub, &elu_backward_shader)
REGISTER_SHADER_DISPATCH(leaky_relu_backward_stub, &leaky_relu_backward_shader)
REGISTER_SHADER_DISPATCH(softplus_backward_stub, &softplus_backward_shader)
REGISTER_SHADER_DISPATCH(lerp_kernel_scalar_weight, &lerp_scalar_shader)
REGISTER_SHADER_DISPATCH(hardtanh_backward_stub, &hardtanh_backward_shader)
REGISTER_SHADER_DISPATCH(clamp_scalar_stub, &clamp_scalar_shader)
REGISTER_SHADER_DISPATCH(clamp_min_scalar_stub, &clamp_min_shader)
REGISTER_SHADER_DISPATCH(clamp_max_scalar_stub, &clamp_max_shader)
REGISTER_SHADER_DISPATCH(clamp_stub, &clamp_shader)
REGISTER_SHADER_DISPATCH(pow_tensor_scalar_stub, &pow_scalar_shader)
REGISTER_SHADER_DISPATCH(addcmul_stub, &addcmul_shader)
REGISTER_SHADER_DISPATCH(addcdiv_stub, &addcdiv_shader)
REGISTER_SHADER_DISPATCH(mse_backward_stub, &mse_backward_shader)
REGISTER_SHADER_DISPATCH(lerp_kernel_tensor_weight, &lerp_tensor_shader)
REGISTER_SHADER_DISPATCH(where_kernel, &where_shader)
REGISTER_SHADER_DISPATCH(masked_fill_stub, &masked_fill_shader)
REGISTER_SHADER_DISPATCH(logical_not_stub, &logical_not_shader)

}  // namespace at::native
