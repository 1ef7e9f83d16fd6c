#pragma once

// Floor division and its remainder, as of Python: of one pair of numbers, on the host or a device.

#include <c10/macros/Macros.h>
#include <c10/util/TypeSafeSignMath.h>
#include <c10/util/copysign.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace c10 {

/// The largest whole number that is at most a / b. For b = 0 it is a / b: an infinity or NaN.
template <typename scalar_t>
inline C10_HOST_DEVICE scalar_t div_floor_floating(scalar_t a, scalar_t b) {
  if (C10_UNLIKELY(b == 0)) return a / b;
  const scalar_t mod = std::fmod(a, b);
  scalar_t quotient = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) quotient -= scalar_t(1);
  if (quotient == 0) return c10::copysign(scalar_t(0), a / b);
  // It is whole but for rounding.
  const scalar_t whole = std::floor(quotient);
  return quotient - whole > scalar_t(0.5) ? whole + scalar_t(1) : whole;
}

/// The same of integers. 0 for b = 0; the smallest number divided by -1 is itself.
template <typename scalar_t>
inline C10_HOST_DEVICE scalar_t div_floor_integer(scalar_t a, scalar_t b) {
  if (C10_UNLIKELY(b == 0)) return scalar_t(0);
  if constexpr (std::is_signed_v<scalar_t>) {
    if (C10_UNLIKELY(a == std::numeric_limits<scalar_t>::min() && b == scalar_t(-1))) return a;
  }
  const scalar_t quotient = a / b;
  return c10::signs_differ(a, b) && a % b != 0 ? quotient - 1 : quotient;
}

/// a - b * floor(a / b), with the sign of b. NaN for b = 0.
template <typename scalar_t>
  requires std::is_floating_point_v<scalar_t>
inline C10_HOST_DEVICE scalar_t div_mod(scalar_t a, scalar_t b) {
  const scalar_t mod = std::fmod(a, b);
  if (C10_UNLIKELY(b == 0)) return mod;
  if (mod == 0) return c10::copysign(scalar_t(0), b);
  return (b < 0) != (mod < 0) ? mod + b : mod;
}
/// The same of integers; b is not 0.
template <typename scalar_t>
  requires std::is_integral_v<scalar_t>
inline C10_HOST_DEVICE scalar_t div_mod(scalar_t a, scalar_t b) {
  const scalar_t mod = a % b;
  return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
}

}  // namespace c10
