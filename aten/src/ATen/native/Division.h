#pragma once

// Python's division and remainder, shared by the CPU and CUDA kernels: the quotient rounds towards
// negative infinity, and the remainder has the sign of the divisor.

#include <ATen/native/Formula.h>
#include <c10/macros/Macros.h>

#include <cmath>
#include <type_traits>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {

// Uses the remainder, as CPython's float_divmod does, because a / b may round up to an integer.
template <typename T>
C10_HOST_DEVICE T div_floor_floating(T a, T b) {
  if (b == 0) return a / b;
  const T mod = std::fmod(a, b);
  T div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= T(1);
  if (div == 0) return std::copysign(T(0), a / b);
  T floordiv = std::floor(div);
  if (div - floordiv > T(0.5)) floordiv += T(1);
  return floordiv;
}

// Requires b != 0, and b != -1 if a is the smallest value of T.
template <typename T>
C10_HOST_DEVICE T div_floor_integer(T a, T b) {
  const T quotient = static_cast<T>(a / b);
  if constexpr (std::is_signed_v<T>) {
    if (a % b != 0 && (a < 0) != (b < 0)) return static_cast<T>(quotient - 1);
  }
  return quotient;
}

// The remainder. Integers have the requirements of div_floor_integer.
template <typename T>
C10_HOST_DEVICE T div_mod(T a, T b) {
  T mod;
  if constexpr (std::is_floating_point_v<T>) {
    mod = std::fmod(a, b);
  } else {
    mod = static_cast<T>(a % b);
  }
  if constexpr (std::is_signed_v<T>) {
    if (mod != 0 && (b < 0) != (mod < 0)) mod += b;
  }
  return mod;
}

}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
