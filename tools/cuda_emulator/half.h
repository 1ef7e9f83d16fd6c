#pragma once

#include <bit>
#include <cstdint>

// The two formats of 16 bits; arithmetic is done in float32 or float64 and rounded once.
namespace emulator {

inline float half_value(std::uint16_t bits) {
  return static_cast<float>(std::bit_cast<_Float16>(bits));
}
inline std::uint16_t half_bits(float value) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
}
inline std::uint16_t half_bits(double value) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
}

inline float bfloat_value(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline std::uint16_t bfloat_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

// Rounds once: to float32 towards the odd neighbour, which no tie of bfloat16 is.
inline std::uint16_t bfloat_bits(double value) {
  const float nearest = static_cast<float>(value);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (static_cast<double>(nearest) != value && nearest == nearest && nearest != 0 && !(bits & 1)) {
    const bool away = (value > nearest) == (nearest >= 0);
    bits = away ? bits + 1 : bits - 1;
  }
  return bfloat_bits(std::bit_cast<float>(bits));
}

}  // namespace emulator
