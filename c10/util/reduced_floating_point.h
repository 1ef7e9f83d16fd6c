#pragma once

// What Half and BFloat16 share: arithmetic through float, and the limits that do not depend on
// how the bits are divided.

#include <c10/macros/Macros.h>

#include <cstdint>
#include <limits>
#include <type_traits>

/// One arithmetic operator of a 16-bit type T. Two T, or a T and an integer, give a T, rounded once
/// from float; a T and a float or double give the float or double.
#define C10_REDUCED_FLOATING_POINT_OPERATOR(T, op)                                                 \
  constexpr C10_HOST_DEVICE T operator op(const T& a, const T& b) {                                \
    return static_cast<float>(a) op static_cast<float>(b);                                         \
  }                                                                                                \
  constexpr C10_HOST_DEVICE T& operator op## = (T & a, const T& b) { return a = a op b; }          \
  constexpr C10_HOST_DEVICE float operator op(T a, float b) { return static_cast<float>(a) op b; } \
  constexpr C10_HOST_DEVICE float operator op(float a, T b) { return a op static_cast<float>(b); } \
  constexpr C10_HOST_DEVICE float& operator op## = (float& a, const T& b) {                        \
    return a = a op static_cast<float>(b);                                                         \
  }                                                                                                \
  constexpr C10_HOST_DEVICE double operator op(T a, double b) {                                    \
    return static_cast<double>(a) op b;                                                            \
  }                                                                                                \
  constexpr C10_HOST_DEVICE double operator op(double a, T b) {                                    \
    return a op static_cast<double>(b);                                                            \
  }                                                                                                \
  template <class I>                                                                               \
    requires std::is_integral_v<I>                                                                 \
  constexpr C10_HOST_DEVICE T operator op(T a, I b) {                                              \
    return a op T(static_cast<float>(b));                                                          \
  }                                                                                                \
  template <class I>                                                                               \
    requires std::is_integral_v<I>                                                                 \
  constexpr C10_HOST_DEVICE T operator op(I a, T b) {                                              \
    return T(static_cast<float>(a)) op b;                                                          \
  }

/// The arithmetic of T. Comparisons are float's own, through the conversion.
#define C10_REDUCED_FLOATING_POINT_ARITHMETIC(T)                    \
  C10_REDUCED_FLOATING_POINT_OPERATOR(T, +)                         \
  C10_REDUCED_FLOATING_POINT_OPERATOR(T, -)                         \
  C10_REDUCED_FLOATING_POINT_OPERATOR(T, *)                         \
  C10_REDUCED_FLOATING_POINT_OPERATOR(T, /)                         \
  constexpr C10_HOST_DEVICE T operator-(const T& a) {               \
    return T(static_cast<uint16_t>(a.x ^ 0x8000u), T::from_bits()); \
  }

namespace c10::detail {

struct reduced_floating_point_limits {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr auto has_denorm = std::numeric_limits<float>::has_denorm;
  static constexpr auto has_denorm_loss = std::numeric_limits<float>::has_denorm_loss;
  static constexpr auto round_style = std::round_to_nearest;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int radix = 2;
  static constexpr auto traps = std::numeric_limits<float>::traps;
  static constexpr auto tinyness_before = std::numeric_limits<float>::tinyness_before;
};

}  // namespace c10::detail
