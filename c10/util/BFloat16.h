#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/floating_point_utils.h>

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <type_traits>

namespace c10 {

/// The upper half of a float: 1 sign, 8 exponent and 7 mantissa bits.
/// Arithmetic is done in float and rounded once.
struct alignas(2) BFloat16 {
  uint16_t x;

  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return from_bits_t(); }

  BFloat16() = default;
  constexpr C10_HOST_DEVICE BFloat16(uint16_t bits, from_bits_t) : x(bits) {}
  constexpr C10_HOST_DEVICE BFloat16(float value) : x(detail::round_to_nearest_even(value)) {}
  constexpr C10_HOST_DEVICE operator float() const { return detail::f32_from_bits(x); }
};

/// Prints as a float does.
C10_API std::ostream& operator<<(std::ostream& out, const BFloat16& value);

#define C10_BFLOAT16_ARITHMETIC(op)                                                       \
  constexpr C10_HOST_DEVICE BFloat16 operator op(const BFloat16& a, const BFloat16& b) {  \
    return static_cast<float>(a) op static_cast<float>(b);                                \
  }                                                                                       \
  constexpr C10_HOST_DEVICE BFloat16& operator op## = (BFloat16 & a, const BFloat16& b) { \
    return a = a op b;                                                                    \
  }                                                                                       \
  constexpr C10_HOST_DEVICE float operator op(BFloat16 a, float b) {                      \
    return static_cast<float>(a) op b;                                                    \
  }                                                                                       \
  constexpr C10_HOST_DEVICE float operator op(float a, BFloat16 b) {                      \
    return a op static_cast<float>(b);                                                    \
  }                                                                                       \
  constexpr C10_HOST_DEVICE float& operator op## = (float& a, const BFloat16& b) {        \
    return a = a op static_cast<float>(b);                                                \
  }                                                                                       \
  constexpr C10_HOST_DEVICE double operator op(BFloat16 a, double b) {                    \
    return static_cast<double>(a) op b;                                                   \
  }                                                                                       \
  constexpr C10_HOST_DEVICE double operator op(double a, BFloat16 b) {                    \
    return a op static_cast<double>(b);                                                   \
  }                                                                                       \
  template <class I>                                                                      \
    requires std::is_integral_v<I>                                                        \
  constexpr C10_HOST_DEVICE BFloat16 operator op(BFloat16 a, I b) {                       \
    return a op BFloat16(static_cast<float>(b));                                          \
  }                                                                                       \
  template <class I>                                                                      \
    requires std::is_integral_v<I>                                                        \
  constexpr C10_HOST_DEVICE BFloat16 operator op(I a, BFloat16 b) {                       \
    return BFloat16(static_cast<float>(a)) op b;                                          \
  }
C10_BFLOAT16_ARITHMETIC(+)
C10_BFLOAT16_ARITHMETIC(-)
C10_BFLOAT16_ARITHMETIC(*)
C10_BFLOAT16_ARITHMETIC(/)
#undef C10_BFLOAT16_ARITHMETIC

constexpr C10_HOST_DEVICE BFloat16 operator-(const BFloat16& a) {
  return BFloat16(static_cast<uint16_t>(a.x ^ 0x8000u), BFloat16::from_bits());
}
// Comparisons use the built-in ones of float, through the conversion.

}  // namespace c10

template <>
class std::numeric_limits<c10::BFloat16> {
  using Bits = c10::BFloat16;
  static constexpr Bits bits(uint16_t value) { return Bits(value, Bits::from_bits()); }

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr auto has_denorm = numeric_limits<float>::has_denorm;
  static constexpr auto has_denorm_loss = numeric_limits<float>::has_denorm_loss;
  static constexpr auto round_style = std::round_to_nearest;
  static constexpr bool is_iec559 = false;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr int radix = 2;
  static constexpr int min_exponent = -125;
  static constexpr int min_exponent10 = -37;
  static constexpr int max_exponent = 128;
  static constexpr int max_exponent10 = 38;
  static constexpr auto traps = numeric_limits<float>::traps;
  static constexpr auto tinyness_before = numeric_limits<float>::tinyness_before;
  static constexpr Bits min() { return bits(0x0080); }
  static constexpr Bits lowest() { return bits(0xFF7F); }
  static constexpr Bits max() { return bits(0x7F7F); }
  static constexpr Bits epsilon() { return bits(0x3C00); }
  static constexpr Bits round_error() { return bits(0x3F00); }
  static constexpr Bits infinity() { return bits(0x7F80); }
  static constexpr Bits quiet_NaN() { return bits(0x7FC0); }
  static constexpr Bits signaling_NaN() { return bits(0x7FA0); }
  static constexpr Bits denorm_min() { return bits(0x0001); }
};
