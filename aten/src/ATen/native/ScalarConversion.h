#pragma once

// Scalars that meet a tensor of a narrower type.

#include <ATen/core/TensorBase.h>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
class Tensor;

namespace native {

// Throws "value cannot be converted to type ... without overflow" if `scalar` does not fit `dtype`.
void check_convert(const c10::Scalar& scalar, ScalarType dtype);

// The wrapped number of `scalar`, which must be representable in the type of `tensor`.
Tensor wrapped_scalar_tensor_and_check_convert(const c10::Scalar& scalar, const Tensor& tensor);

}  // namespace native
}  // namespace at
