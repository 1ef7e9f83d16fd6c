#pragma once

// copysign of every floating-point type.

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>
#include <cstdint>

namespace c10 {

template <typename T, typename U>
inline auto copysign(const T& a, const U& b) {
  return std::copysign(a, b);
}
inline Half copysign(Half a, Half b) {
  return Half(static_cast<uint16_t>((a.x & 0x7fff) | (b.x & 0x8000)), Half::from_bits());
}
inline BFloat16 copysign(BFloat16 a, BFloat16 b) {
  return BFloat16(static_cast<uint16_t>((a.x & 0x7fff) | (b.x & 0x8000)), BFloat16::from_bits());
}

}  // namespace c10
