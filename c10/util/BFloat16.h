#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/floating_point_utils.h>
#include <c10/util/reduced_floating_point.h>

#include <cstdint>
#include <iosfwd>
#include <limits>

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

C10_REDUCED_FLOATING_POINT_ARITHMETIC(BFloat16)

}  // namespace c10

template <>
class std::numeric_limits<c10::BFloat16> : public c10::detail::reduced_floating_point_limits {
  using Bits = c10::BFloat16;
  static constexpr Bits bits(uint16_t value) { return Bits(value, Bits::from_bits()); }

 public:
  static constexpr bool is_iec559 = false;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr int min_exponent = -125;
  static constexpr int min_exponent10 = -37;
  static constexpr int max_exponent = 128;
  static constexpr int max_exponent10 = 38;
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
