#pragma once

// Bits of numbers, and divisions that round up, under the names of PyTorch's headers.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace c10::llvm {

/// The zero bits below the lowest one, and above the highest; all bits of T for 0.
template <typename T>
std::size_t countTrailingZeros(T value) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<std::make_unsigned_t<T>>(value)));
}
template <typename T>
std::size_t countLeadingZeros(T value) {
  return static_cast<std::size_t>(std::countl_zero(static_cast<std::make_unsigned_t<T>>(value)));
}
/// The number of one bits.
template <typename T>
unsigned countPopulation(T value) {
  return static_cast<unsigned>(std::popcount(static_cast<std::make_unsigned_t<T>>(value)));
}
constexpr bool isPowerOf2_32(uint32_t value) { return std::has_single_bit(value); }
constexpr bool isPowerOf2_64(uint64_t value) { return std::has_single_bit(value); }
/// The logarithm to base 2, rounded down; ~0 for 0.
inline unsigned Log2_32(uint32_t value) {
  return static_cast<unsigned>(31 - static_cast<int>(std::countl_zero(value)));
}
inline unsigned Log2_64(uint64_t value) {
  return static_cast<unsigned>(63 - static_cast<int>(std::countl_zero(value)));
}
/// The logarithm to base 2, rounded up; the number of bits of the type for 0.
inline unsigned Log2_32_Ceil(uint32_t value) {
  return static_cast<unsigned>(32 - std::countl_zero(value - 1));
}
inline unsigned Log2_64_Ceil(uint64_t value) {
  return static_cast<unsigned>(64 - std::countl_zero(value - 1));
}
/// The next power of two above `a`; 0 if there is none.
inline uint64_t NextPowerOf2(uint64_t a) {
  for (unsigned shift = 1; shift < 64; shift *= 2) a |= a >> shift;
  return a + 1;
}
/// The least power of two that is at least `a`, and the largest that is at most `a`; 0 for 0.
inline uint64_t PowerOf2Ceil(uint64_t a) { return a == 0 ? 0 : NextPowerOf2(a - 1); }
inline uint64_t PowerOf2Floor(uint64_t a) { return std::bit_floor(a); }
/// The least multiple of `align` that is at least `value`. `align` is not 0, and the sum of both
/// fits 64 bits.
inline uint64_t alignTo(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}
/// The quotient, rounded up, under the same conditions.
inline uint64_t divideCeil(uint64_t numerator, uint64_t denominator) {
  return (numerator + denominator - 1) / denominator;
}

}  // namespace c10::llvm
