#pragma once

// Arithmetic that says whether it overflowed.

#include <cstdint>

namespace c10 {

/// Whether `a + b` or `a * b` does not fit; `*out` is the result modulo 2^64.
template <typename T>
bool add_overflows(T a, T b, T* out) {
  return __builtin_add_overflow(a, b, out);
}
template <typename T>
bool mul_overflows(T a, T b, T* out) {
  return __builtin_mul_overflow(a, b, out);
}

/// The product of a range, or of a container.
template <typename It>
bool safe_multiplies_u64(It first, It last, uint64_t* out) {
  uint64_t product = 1;
  bool overflows = false;
  for (; first != last; ++first) {
    overflows = mul_overflows(product, static_cast<uint64_t>(*first), &product) || overflows;
  }
  *out = product;
  return overflows;
}
template <typename Container>
bool safe_multiplies_u64(const Container& c, uint64_t* out) {
  return safe_multiplies_u64(c.begin(), c.end(), out);
}

}  // namespace c10
