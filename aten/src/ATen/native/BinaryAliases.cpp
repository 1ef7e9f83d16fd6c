// Other names of functions of two arguments, among them those of Python's operators.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/and_native.h>
#include <ATen/ops/arctan2_native.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/div.h>
#include <ATen/ops/divide_native.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/greater_equal_native.h>
#include <ATen/ops/greater_native.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/igamma.h>
#include <ATen/ops/igammac.h>
#include <ATen/ops/le.h>
#include <ATen/ops/less_equal_native.h>
#include <ATen/ops/less_native.h>
#include <ATen/ops/lshift_native.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/multiply_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/not_equal_native.h>
#include <ATen/ops/or_native.h>
#include <ATen/ops/rshift_native.h>
#include <ATen/ops/special_gammainc_native.h>
#include <ATen/ops/special_gammaincc_native.h>
#include <ATen/ops/special_xlogy_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/subtract_native.h>
#include <ATen/ops/true_divide_native.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/xor_native.h>
#include <c10/core/Scalar.h>

#include <optional>
#include <string_view>

namespace at::native {

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
