#pragma once

// The functions of <cmath> for Half and BFloat16: computed in float, and rounded.
//
//   std::exp(c10::BFloat16(1.0f))

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace std {

template <typename T>
concept c10_reduced_floating_point = same_as<T, c10::Half> || same_as<T, c10::BFloat16>;

#define C10_REDUCED_FUNCTION(name)           \
  template <c10_reduced_floating_point T>    \
  inline T name(T a) {                       \
    return std::name(static_cast<float>(a)); \
  }
C10_REDUCED_FUNCTION(acos)
C10_REDUCED_FUNCTION(asin)
C10_REDUCED_FUNCTION(atan)
C10_REDUCED_FUNCTION(atanh)
C10_REDUCED_FUNCTION(erf)
C10_REDUCED_FUNCTION(erfc)
C10_REDUCED_FUNCTION(exp)
C10_REDUCED_FUNCTION(expm1)
C10_REDUCED_FUNCTION(log)
C10_REDUCED_FUNCTION(log10)
C10_REDUCED_FUNCTION(log1p)
C10_REDUCED_FUNCTION(log2)
C10_REDUCED_FUNCTION(ceil)
C10_REDUCED_FUNCTION(cos)
C10_REDUCED_FUNCTION(floor)
C10_REDUCED_FUNCTION(nearbyint)
C10_REDUCED_FUNCTION(sin)
C10_REDUCED_FUNCTION(tan)
C10_REDUCED_FUNCTION(sinh)
C10_REDUCED_FUNCTION(cosh)
C10_REDUCED_FUNCTION(tanh)
C10_REDUCED_FUNCTION(trunc)
C10_REDUCED_FUNCTION(lgamma)
C10_REDUCED_FUNCTION(sqrt)
#undef C10_REDUCED_FUNCTION

template <c10_reduced_floating_point T>
inline bool isfinite(T a) {
  return std::isfinite(static_cast<float>(a));
}
template <c10_reduced_floating_point T>
inline T abs(T a) {
  return std::fabs(static_cast<float>(a));
}
template <c10_reduced_floating_point T>
inline T rsqrt(T a) {
  return 1.0f / std::sqrt(static_cast<float>(a));
}
template <c10_reduced_floating_point T>
inline T pow(T a, double b) {
  return static_cast<T>(std::pow(static_cast<double>(static_cast<float>(a)), b));
}
template <c10_reduced_floating_point T>
inline T pow(T a, T b) {
  return std::pow(static_cast<float>(a), static_cast<float>(b));
}
template <c10_reduced_floating_point T>
inline T fmod(T a, T b) {
  return std::fmod(static_cast<float>(a), static_cast<float>(b));
}

/// The number beside `from` on the way to `to`; NaN if one of them is.
template <c10_reduced_floating_point T>
C10_HOST_DEVICE inline T nextafter(T from, T to) {
  const float start = static_cast<float>(from);
  const float end = static_cast<float>(to);
  if (start != start || end != end) return from + to;
  if (start == end) return to;
  // The bits of numbers of one sign are in the numbers' order.
  if (start == 0) return T(end > 0 ? uint16_t(1) : uint16_t(0x8001), T::from_bits());
  const bool away = (end > start) == (start > 0);
  return T(static_cast<uint16_t>(away ? from.x + 1 : from.x - 1), T::from_bits());
}

}  // namespace std
