#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/floating_point_utils.h>

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <type_traits>

namespace c10 {

/// IEEE 754 half precision: 1 sign, 5 exponent and 10 mantissa bits.
/// Arithmetic is done in float and rounded once.
struct alignas(2) Half {
  uint16_t x;

  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return from_bits_t(); }

  Half() = default;
  constexpr C10_HOST_DEVICE Half(uint16_t bits, from_bits_t) : x(bits) {}
  constexpr C10_HOST_DEVICE Half(float value) : x(detail::fp16_ieee_from_fp32_value(value)) {}
  constexpr C10_HOST_DEVICE operator float() const { return detail::fp16_ieee_to_fp32_value(x); }
};

/// Prints as a float does.
C10_API std::ostream& operator<<(std::ostream& out, const Half& value);

#define C10_HALF_ARITHMETIC(op)                                                                    \
  constexpr C10_HOST_DEVICE Half operator op(const Half& a, const Half& b) {                       \
    return static_cast<float>(a) op static_cast<float>(b);                                         \
  }                                                                                                \
  constexpr C10_HOST_DEVICE Half& operator op## = (Half & a, const Half& b) { return a = a op b; } \
  constexpr C10_HOST_DEVICE float operator op(Half a, float b) {                                   \
    return static_cast<float>(a) op b;                                                             \
  }                                                                                                \
  constexpr C10_HOST_DEVICE float operator op(float a, Half b) {                                   \
    return a op static_cast<float>(b);                                                             \
  }                                                                                                \
  constexpr C10_HOST_DEVICE float& operator op## = (float& a, const Half& b) {                     \
    return a = a op static_cast<float>(b);                                                         \
  }                                                                                                \
  constexpr C10_HOST_DEVICE double operator op(Half a, double b) {                                 \
    return static_cast<double>(a) op b;                                                            \
  }                                                                                                \
  constexpr C10_HOST_DEVICE double operator op(double a, Half b) {                                 \
    return a op static_cast<double>(b);                                                            \
  }                                                                                                \
  template <class I>                                                                               \
    requires std::is_integral_v<I>                                                                 \
  constexpr C10_HOST_DEVICE Half operator op(Half a, I b) {                                        \
    return a op Half(static_cast<float>(b));                                                       \
  }                                                                                                \
  template <class I>                                                                               \
    requires std::is_integral_v<I>                                                                 \
  constexpr C10_HOST_DEVICE Half operator op(I a, Half b) {                                        \
    return Half(static_cast<float>(a)) op b;                                                       \
  }
C10_HALF_ARITHMETIC(+)
C10_HALF_ARITHMETIC(-)
C10_HALF_ARITHMETIC(*)
C10_HALF_ARITHMETIC(/)
#undef C10_HALF_ARITHMETIC

constexpr C10_HOST_DEVICE Half operator-(const Half& a) {
  return Half(static_cast<uint16_t>(a.x ^ 0x8000u), Half::from_bits());
}
// Comparisons use the built-in ones of float, through the conversion.

}  // namespace c10

template <>
class std::numeric_limits<c10::Half> {
  using Bits = c10::Half;
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
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int radix = 2;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
  static constexpr auto traps = numeric_limits<float>::traps;
  static constexpr auto tinyness_before = numeric_limits<float>::tinyness_before;
  static constexpr Bits min() { return bits(0x0400); }
  static constexpr Bits lowest() { return bits(0xFBFF); }
  static constexpr Bits max() { return bits(0x7BFF); }
  static constexpr Bits epsilon() { return bits(0x1400); }
  static constexpr Bits round_error() { return bits(0x3800); }
  static constexpr Bits infinity() { return bits(0x7C00); }
  static constexpr Bits quiet_NaN() { return bits(0x7E00); }
  static constexpr Bits signaling_NaN() { return bits(0x7D00); }
  static constexpr Bits denorm_min() { return bits(0x0001); }
};
