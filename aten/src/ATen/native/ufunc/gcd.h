#pragma once

#include <c10/macros/Macros.h>

#include <type_traits>

namespace at::native::ufunc {

// |a|, also of the smallest number, whose magnitude T has not.
template <typename T>
C10_HOST_DEVICE std::make_unsigned_t<T> magnitude(T a) {
  using Word = std::make_unsigned_t<T>;
  if constexpr (std::is_signed_v<T>) {
    if (a < 0) return static_cast<Word>(Word(0) - static_cast<Word>(a));
  }
  return static_cast<Word>(a);
}

// Euclid's algorithm. nvcc compiles std::gcd too, but without its loop: the results are wrong.
template <typename Word>
C10_HOST_DEVICE Word gcd_of_magnitudes(Word a, Word b) {
  while (b != 0) {
    const auto rest = static_cast<Word>(a % b);
    a = b;
    b = rest;
  }
  return a;
}

template <typename T>
C10_HOST_DEVICE T gcd(T self, T other) {
  return static_cast<T>(gcd_of_magnitudes(magnitude(self), magnitude(other)));
}

}  // namespace at::native::ufunc
