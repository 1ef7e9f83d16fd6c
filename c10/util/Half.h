#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/floating_point_utils.h>
#include <c10/util/reduced_floating_point.h>

#include <cstdint>
#include <iosfwd>
#include <limits>

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

C10_REDUCED_FLOATING_POINT_ARITHMETIC(Half)

}  // namespace c10

template <>
class std::numeric_limits<c10::Half> : public c10::detail::reduced_floating_point_limits {
  using Bits = c10::Half;
  static constexpr Bits bits(uint16_t value) { return Bits(value, Bits::from_bits()); }

 public:
  static constexpr bool is_iec559 = true;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
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
