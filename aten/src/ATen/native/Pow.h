#pragma once

// Powers: the stubs, and the formula for integers shared by the CPU and CUDA kernels.

#include <ATen/native/DispatchStub.h>
#include <ATen/native/Formula.h>
#include <ATen/native/Wrapping.h>
#include <c10/macros/Macros.h>

#include <type_traits>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIteratorBase;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIteratorBase&), pow_tensor_tensor_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar&), pow_tensor_scalar_stub)

inline namespace AT_FORMULA_NAMESPACE {

// The power of integers by repeated squaring; it wraps around on overflow. A negative exponent
// gives 0, except for the bases 1 and -1.
template <typename T>
C10_HOST_DEVICE T powi(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b < 0) {
      if (a == 1) return 1;
      if (a == T(-1)) return (b % 2 == 0) ? 1 : -1;
      return 0;
    }
  }
  using U = wrapping_type<T>;
  T result = 1;
  for (; b != 0; b /= 2) {
    if (b & 1) result = static_cast<T>(U(result) * U(a));
    a = static_cast<T>(U(a) * U(a));
  }
  return result;
}

}  // namespace AT_FORMULA_NAMESPACE
}  // namespace native
}  // namespace at
