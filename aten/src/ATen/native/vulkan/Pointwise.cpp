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
#include <ATen/native/vulkan/Launch.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <initializer_list>

namespace at::native {
namespace {

using namespace vulkan::operations;
using vulkan::run_pointwise;

constexpr std::initializer_list<ScalarType> kFloats = {kFloat, kHalf};
constexpr std::initializer_list<ScalarType> kNumbers = {kFloat, kHalf, kInt, kLong, kByte};
constexpr std::initializer_list<ScalarType> kIntegers = {kInt, kLong, kByte, kBool};
constexpr std::initializer_list<ScalarType> kAll = {kFloat, kHalf, kInt, kLong, kByte, kBool};

void run(TensorIteratorBase& iter, const char* family, int op, const char* name,
         std::initializer_list<ScalarType> types, c10::ArrayRef<Scalar> numbers = {}) {
  const ScalarType dtype = iter.common_dtype();
  vulkan::check_type(dtype, types, name, at::vulkan::device_state(iter.device(0).index()));
  run_pointwise(iter, family, dtype, op, name, numbers);
}

#define VULKAN_UNARY(stub, op, types)                                                            \
  void stub##_vulkan(TensorIteratorBase& iter) { run(iter, "unary", UNARY_##op, #stub, types); } \
  REGISTER_VULKAN_DISPATCH(stub, &stub##_vulkan)

VULKAN_UNARY(abs_stub, ABS, kNumbers)
VULKAN_UNARY(neg_stub, NEG, kNumbers)
VULKAN_UNARY(ceil_stub, CEIL, kNumbers)
VULKAN_UNARY(floor_stub, FLOOR, kNumbers)
VULKAN_UNARY(round_stub, ROUND, kNumbers)
VULKAN_UNARY(trunc_stub, TRUNC, kNumbers)
VULKAN_UNARY(sign_stub, SIGN, kAll)
VULKAN_UNARY(exp_stub, EXP, kFloats)
VULKAN_UNARY(expm1_stub, EXPM1, kFloats)
VULKAN_UNARY(log_stub, LOG, kFloats)
VULKAN_UNARY(log1p_stub, LOG1P, kFloats)
VULKAN_UNARY(sqrt_stub, SQRT, kFloats)
VULKAN_UNARY(rsqrt_stub, RSQRT, kFloats)
VULKAN_UNARY(reciprocal_stub, RECIPROCAL, kFloats)
VULKAN_UNARY(sin_stub, SIN, kFloats)
VULKAN_UNARY(cos_stub, COS, kFloats)
VULKAN_UNARY(tanh_stub, TANH, kFloats)
VULKAN_UNARY(sigmoid_stub, SIGMOID, kFloats)
VULKAN_UNARY(erf_stub, ERF, kFloats)
VULKAN_UNARY(erfc_stub, ERFC, kFloats)
VULKAN_UNARY(bitwise_not_stub, BITWISE_NOT, kIntegers)
VULKAN_UNARY(silu_stub, SILU, kFloats)
VULKAN_UNARY(mish_stub, MISH, kFloats)
VULKAN_UNARY(hardswish_stub, HARDSWISH, kFloats)
VULKAN_UNARY(hardsigmoid_stub, HARDSIGMOID, kFloats)

#define VULKAN_BINARY(stub, op, types)                                                             \
  void stub##_vulkan(TensorIteratorBase& iter) { run(iter, "binary", BINARY_##op, #stub, types); } \
  REGISTER_VULKAN_DISPATCH(stub, &stub##_vulkan)

VULKAN_BINARY(mul_stub, MUL, kAll)
VULKAN_BINARY(div_true_stub, DIV, kFloats)
VULKAN_BINARY(div_trunc_stub, DIV_TRUNC, kNumbers)
VULKAN_BINARY(div_floor_stub, DIV_FLOOR, kNumbers)
VULKAN_BINARY(remainder_stub, REMAINDER, kNumbers)
VULKAN_BINARY(fmod_stub, FMOD, kNumbers)
VULKAN_BINARY(maximum_stub, MAXIMUM, kAll)
VULKAN_BINARY(minimum_stub, MINIMUM, kAll)
VULKAN_BINARY(bitwise_and_stub, BITWISE_AND, kIntegers)
VULKAN_BINARY(bitwise_or_stub, BITWISE_OR, kIntegers)
VULKAN_BINARY(bitwise_xor_stub, BITWISE_XOR, kIntegers)
VULKAN_BINARY(pow_tensor_tensor_stub, POW, kFloats)
VULKAN_BINARY(mse_stub, MSE, kFloats)
VULKAN_BINARY(sigmoid_backward_stub, SIGMOID_BACKWARD, kFloats)
VULKAN_BINARY(tanh_backward_stub, TANH_BACKWARD, kFloats)
VULKAN_BINARY(silu_backward_stub, SILU_BACKWARD, kFloats)
VULKAN_BINARY(hardswish_backward_stub, HARDSWISH_BACKWARD, kFloats)
VULKAN_BINARY(hardsigmoid_backward_stub, HARDSIGMOID_BACKWARD, kFloats)

// Both arguments have the common type; the result is a truth.
void compare(TensorIteratorBase& iter, int op, const char* name) {
  const ScalarType dtype = iter.input_dtype(0);
  if (iter.dtype(0) != kBool) {
    TORCH_CHECK_NOT_IMPLEMENTED(false, name, " on vulkan writes to bool and not to ",
                                c10::toString(iter.dtype(0)));
  }
  run_pointwise(iter, "compare", dtype, op, name);
}

#define VULKAN_COMPARE(stub, op)                                                       \
  void stub##_vulkan(TensorIteratorBase& iter) { compare(iter, COMPARE_##op, #stub); } \
  REGISTER_VULKAN_DISPATCH(stub, &stub##_vulkan)

VULKAN_COMPARE(eq_stub, EQ)
VULKAN_COMPARE(ne_stub, NE)
VULKAN_COMPARE(lt_stub, LT)
VULKAN_COMPARE(le_stub, LE)
VULKAN_COMPARE(gt_stub, GT)
VULKAN_COMPARE(ge_stub, GE)
VULKAN_COMPARE(logical_and_stub, AND)
VULKAN_COMPARE(logical_or_stub, OR)
VULKAN_COMPARE(logical_xor_stub, XOR)

void add_vulkan(TensorIteratorBase& iter, const Scalar& alpha) {
  run(iter, "binary", BINARY_ADD, "add", kAll, {alpha});
}
void threshold_vulkan(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  run(iter, "binary", BINARY_THRESHOLD, "threshold", kNumbers, {threshold, value});
}
void gelu_vulkan(TensorIteratorBase& iter, GeluType approximate) {
  run(iter, "unary", approximate == GeluType::Tanh ? UNARY_GELU_TANH : UNARY_GELU, "gelu", kFloats);
}
void gelu_backward_vulkan(TensorIteratorBase& iter, GeluType approximate) {
  run(iter, "binary",
      approximate == GeluType::Tanh ? BINARY_GELU_TANH_BACKWARD : BINARY_GELU_BACKWARD,
      "gelu_backward", kFloats);
}
void leaky_relu_vulkan(TensorIteratorBase& iter, const Scalar& slope) {
  run(iter, "unary", UNARY_LEAKY_RELU, "leaky_relu", kFloats, {slope});
}
void softplus_vulkan(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  run(iter, "unary", UNARY_SOFTPLUS, "softplus", kFloats, {beta, threshold});
}
void elu_vulkan(TensorIteratorBase& iter, double alpha, double scale, double input_scale) {
  run(iter, "unary", UNARY_ELU, "elu", kFloats, {alpha, scale, input_scale});
}
void hardtanh_backward_vulkan(TensorIteratorBase& iter, double least, double most) {
  run(iter, "binary", BINARY_HARDTANH_BACKWARD, "hardtanh_backward", kFloats, {least, most});
}
void clamp_scalar_vulkan(TensorIteratorBase& iter, const Scalar& least, const Scalar& most) {
  run(iter, "unary", UNARY_CLAMP, "clamp", kNumbers, {least, most});
}
void clamp_min_vulkan(TensorIteratorBase& iter, const Scalar& least) {
  run(iter, "unary", UNARY_CLAMP_MIN, "clamp_min", kNumbers, {least});
}
void clamp_max_vulkan(TensorIteratorBase& iter, const Scalar& most) {
  run(iter, "unary", UNARY_CLAMP_MAX, "clamp_max", kNumbers, {most});
}
void pow_scalar_vulkan(TensorIteratorBase& iter, const Scalar& exponent) {
  run(iter, "unary", UNARY_POW, "pow", kNumbers, {exponent});
}
void clamp_vulkan(TensorIteratorBase& iter) {
  run(iter, "ternary", TERNARY_CLAMP, "clamp", {kFloat, kHalf, kInt, kLong});
}
void addcmul_vulkan(TensorIteratorBase& iter, const Scalar& value) {
  run(iter, "ternary", TERNARY_ADDCMUL, "addcmul", {kFloat, kHalf, kInt, kLong}, {value});
}
void addcdiv_vulkan(TensorIteratorBase& iter, const Scalar& value) {
  run(iter, "ternary", TERNARY_ADDCDIV, "addcdiv", kFloats, {value});
}
void mse_backward_vulkan(TensorIteratorBase& iter, const Scalar& value) {
  run(iter, "ternary", TERNARY_MSE_BACKWARD, "mse_loss_backward", kFloats, {value});
}
void lerp_tensor_vulkan(TensorIteratorBase& iter) {
  run(iter, "ternary", TERNARY_LERP, "lerp", kFloats);
}

void where_vulkan(TensorIterator& iter) {
  run_pointwise(iter, "select", iter.dtype(0), 0, "where");
}
// A number where the mask is true, and what was there where it is not.
void masked_fill_vulkan(TensorIterator& iter, const Scalar& value) {
  run_pointwise(iter, "masked_fill", iter.dtype(0), 0, "masked_fill_", {value});
}

// What is false for a truth and zero for a number is true.
void logical_not_vulkan(TensorIteratorBase& iter) {
  TORCH_CHECK_NOT_IMPLEMENTED(iter.dtype(0) == kBool,
                              "logical_not on vulkan writes to bool and not to ",
                              c10::toString(iter.dtype(0)));
  run_pointwise(iter, "is_zero", iter.input_dtype(0), 0, "logical_not");
}

}  // namespace

REGISTER_VULKAN_DISPATCH(add_stub, &add_vulkan)
REGISTER_VULKAN_DISPATCH(threshold_stub, &threshold_vulkan)
REGISTER_VULKAN_DISPATCH(GeluKernel, &gelu_vulkan)
REGISTER_VULKAN_DISPATCH(GeluBackwardKernel, &gelu_backward_vulkan)
REGISTER_VULKAN_DISPATCH(leaky_relu_stub, &leaky_relu_vulkan)
REGISTER_VULKAN_DISPATCH(softplus_stub, &softplus_vulkan)
REGISTER_VULKAN_DISPATCH(elu_stub, &elu_vulkan)
REGISTER_VULKAN_DISPATCH(hardtanh_backward_stub, &hardtanh_backward_vulkan)
REGISTER_VULKAN_DISPATCH(clamp_scalar_stub, &clamp_scalar_vulkan)
REGISTER_VULKAN_DISPATCH(clamp_min_scalar_stub, &clamp_min_vulkan)
REGISTER_VULKAN_DISPATCH(clamp_max_scalar_stub, &clamp_max_vulkan)
REGISTER_VULKAN_DISPATCH(clamp_stub, &clamp_vulkan)
REGISTER_VULKAN_DISPATCH(pow_tensor_scalar_stub, &pow_scalar_vulkan)
REGISTER_VULKAN_DISPATCH(addcmul_stub, &addcmul_vulkan)
REGISTER_VULKAN_DISPATCH(addcdiv_stub, &addcdiv_vulkan)
REGISTER_VULKAN_DISPATCH(mse_backward_stub, &mse_backward_vulkan)
REGISTER_VULKAN_DISPATCH(lerp_kernel_tensor_weight, &lerp_tensor_vulkan)
REGISTER_VULKAN_DISPATCH(where_kernel, &where_vulkan)
REGISTER_VULKAN_DISPATCH(masked_fill_stub, &masked_fill_vulkan)
REGISTER_VULKAN_DISPATCH(logical_not_stub, &logical_not_vulkan)

}  // namespace at::native
