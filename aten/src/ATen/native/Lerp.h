#pragma once

// Linear interpolation: the stubs, and the formula shared by the CPU and CUDA kernels.

#include <ATen/native/DispatchStub.h>
#include <ATen/native/Formula.h>
#include <c10/macros/Macros.h>
#include <c10/util/complex_type.h>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIteratorBase;

namespace native {

using lerp_fn_scalar = void (*)(TensorIteratorBase& iter, const c10::Scalar& weight);
using lerp_fn_tensor = void (*)(TensorIteratorBase& iter);

DECLARE_DISPATCH(lerp_fn_scalar, lerp_kernel_scalar_weight)
DECLARE_DISPATCH(lerp_fn_tensor, lerp_kernel_tensor_weight)

inline namespace AT_FORMULA_NAMESPACE {

template <typename V>
C10_HOST_DEVICE auto is_lerp_weight_small(V weight) {
  if constexpr (c10::is_complex<V>::value) {
    return weight.real() * weight.real() + weight.imag() * weight.imag() < 0.25;
  } else {
    return (weight < constant<V>(0.5)) & (weight > constant<V>(-0.5));
  }
}

// Starts at the nearer end, so that weights 0 and 1 give exactly self and end.
template <typename V>
C10_HOST_DEVICE V lerp(V self, V end, V weight) {
  const V difference = end - self;
  const V near = self + weight * difference;
  const V far = end - difference * (constant<V>(1) - weight);
  return select(is_lerp_weight_small(weight), near, far);
}

}  // namespace AT_FORMULA_NAMESPACE
}  // namespace native
}  // namespace at
