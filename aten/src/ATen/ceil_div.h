#pragma once

// Divisions of integers that round up.

#include <c10/macros/Macros.h>

#include <type_traits>

namespace at {

/// a / b, rounded up; both positive.
template <typename T, typename Res = T>
  requires std::is_integral_v<T>
C10_HOST_DEVICE constexpr Res ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

/// The least multiple of `b` that is not below `a`.
template <typename T>
C10_HOST_DEVICE constexpr T round_up(T a, T b) {
  return ceil_div(a, b) * b;
}

}  // namespace at
