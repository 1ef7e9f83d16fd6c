#pragma once

// Linear interpolation: the stubs, and the formula shared by the CPU and CUDA kernels.

#include <ATen/native/DispatchStub.h>
#include <ATen/native/Formula.h>
#include <c10/macros/Macros.h>

#include <type_traits>

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

template <typename T>
C10_HOST_DEVICE bool is_lerp_weight_small(T weight) {
  if constexpr (std::is_floating_point_v<T>) {
    return weight < T(0.5) && weight > T(-0.5);
  } else {
    return weight.real() * weight.real() + weight.imag() * weight.imag() < 0.25;
  }
}

// Starts at the nearer end, so that weights 0 and 1 give exactly self and end.
template <typename T>
C10_HOST_DEVICE T lerp(T self, T end, T weight) {
  return is_lerp_weight_small(weight) ? self + weight * (end - self)
                                      : end - (end - self) * (T(1) - weight);
}

}  // namespace AT_FORMULA_NAMESPACE
}  // namespace native
}  // namespace at
