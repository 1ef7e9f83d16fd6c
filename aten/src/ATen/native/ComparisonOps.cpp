// Comparisons, logical and bitwise operators of two arguments.
//
// Comparisons yield bool. An `out=` or in-place argument of another type receives zeros and ones.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/ops/and_native.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_and_native.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/bitwise_or_native.h>
#include <ATen/ops/bitwise_xor.h>
#include <ATen/ops/bitwise_xor_native.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/eq_native.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/ge_native.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/gt_native.h>
#include <ATen/ops/le.h>
#include <ATen/ops/le_native.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_and_native.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/logical_or_native.h>
#include <ATen/ops/logical_xor.h>
#include <ATen/ops/logical_xor_native.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/lt_native.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/ne_native.h>
#include <ATen/ops/or_native.h>
#include <ATen/ops/xor_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <ATen/native/ScalarConversion.h>

namespace at::meta {

#define CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(func)                                            \
  TORCH_META_FUNC2(func, Tensor)(const Tensor& self, const Tensor& other) {                        \
    build_borrowing_comparison_op(maybe_get_output(), self, other);                                \
  }                                                                                                \
  TORCH_META_FUNC2(func, Scalar)(const Tensor& self, const Scalar& other) {                        \
    build_borrowing_comparison_op(maybe_get_output(), self, native::wrapped_scalar_tensor(other)); \
  }

CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(eq)
CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(ne)
CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(lt)
CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(le)
CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(gt)
CREATE_COMPARISON_SCALAR_TENSOR_META_FUNC(ge)

#define CREATE_LOGICAL_META_FUNC(func)                              \
  TORCH_META_FUNC(func)(const Tensor& self, const Tensor& other) {  \
    build_borrowing_comparison_op(maybe_get_output(), self, other); \
  }

CREATE_LOGICAL_META_FUNC(logical_and)
CREATE_LOGICAL_META_FUNC(logical_or)
CREATE_LOGICAL_META_FUNC(logical_xor)

#define CREATE_BITWISE_META_FUNC(func)                                      \
  TORCH_META_FUNC2(func, Tensor)(const Tensor& self, const Tensor& other) { \
    build_borrowing_binary_op(maybe_get_output(), self, other);             \
  }

CREATE_BITWISE_META_FUNC(bitwise_and)
CREATE_BITWISE_META_FUNC(bitwise_or)
CREATE_BITWISE_META_FUNC(bitwise_xor)

}  // namespace at::meta

namespace at::native {

// The kernels write bool; a result of another type is converted from a temporary.
#define CREATE_COMPARISON_IMPL_FUNC(func, impl, other_type)                           \
  TORCH_IMPL_FUNC(impl)(const Tensor& self, other_type other, const Tensor& result) { \
    if (result.scalar_type() == kBool) {                                              \
      func##_stub(device_type(), *this);                                              \
    } else {                                                                          \
      result.copy_(at::func(self, other));                                            \
    }                                                                                 \
  }

#define CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(func)               \
  DEFINE_DISPATCH(func##_stub);                                       \
  CREATE_COMPARISON_IMPL_FUNC(func, func##_Tensor_out, const Tensor&) \
  CREATE_COMPARISON_IMPL_FUNC(func, func##_Scalar_out, const Scalar&)

CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(eq)
CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(ne)
CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(lt)
CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(le)
CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(gt)
CREATE_COMPARISON_SCALAR_TENSOR_IMPL_FUNC(ge)

DEFINE_DISPATCH(logical_and_stub);
DEFINE_DISPATCH(logical_or_stub);
DEFINE_DISPATCH(logical_xor_stub);
CREATE_COMPARISON_IMPL_FUNC(logical_and, logical_and_out, const Tensor&)
CREATE_COMPARISON_IMPL_FUNC(logical_or, logical_or_out, const Tensor&)
CREATE_COMPARISON_IMPL_FUNC(logical_xor, logical_xor_out, const Tensor&)

#define CREATE_BITWISE_FUNCS(func, operator_name)                                                 \
  DEFINE_DISPATCH(func##_stub);                                                                   \
  TORCH_IMPL_FUNC(func##_out)                                                                     \
  (const Tensor& self, const Tensor& other, const Tensor& result) {                               \
    func##_stub(device_type(), *this);                                                            \
  }                                                                                               \
  Tensor func(const Tensor& self, const Scalar& other) {                                          \
    return at::func(self, wrapped_scalar_tensor(other));                                          \
  }                                                                                               \
  Tensor& func##_(Tensor& self, const Scalar& other) {                                            \
    return self.func##_(wrapped_scalar_tensor(other));                                            \
  }                                                                                               \
  Tensor operator_name(const Tensor& self, const Tensor& other) { return at::func(self, other); } \
  Tensor operator_name(const Tensor& self, const Scalar& other) { return at::func(self, other); }

CREATE_BITWISE_FUNCS(bitwise_and, __and__)
CREATE_BITWISE_FUNCS(bitwise_or, __or__)
CREATE_BITWISE_FUNCS(bitwise_xor, __xor__)

}  // namespace at::native
