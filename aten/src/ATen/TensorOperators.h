#pragma once

// Operators between tensors and numbers. They are methods of Tensor in effect, and in a header of
// their own so that Tensor.h does not include the operators they call.

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

namespace at {

#define AT_BINARY_OPERATOR(op)                                    \
  TORCH_API Tensor operator op(const Tensor& x, const Tensor& y); \
  TORCH_API Tensor operator op(const Tensor& x, const Scalar& y); \
  TORCH_API Tensor operator op(const Scalar& x, const Tensor& y);
AT_BINARY_OPERATOR(+)
AT_BINARY_OPERATOR(-)
AT_BINARY_OPERATOR(*)
AT_BINARY_OPERATOR(/)
AT_BINARY_OPERATOR(%)
AT_BINARY_OPERATOR(&)
AT_BINARY_OPERATOR(|)
AT_BINARY_OPERATOR(^)
AT_BINARY_OPERATOR(<)
AT_BINARY_OPERATOR(<=)
AT_BINARY_OPERATOR(>)
AT_BINARY_OPERATOR(>=)
AT_BINARY_OPERATOR(==)
AT_BINARY_OPERATOR(!=)
#undef AT_BINARY_OPERATOR

}  // namespace at
