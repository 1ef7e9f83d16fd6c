#pragma once

#include <ATen/native/ufunc/gcd.h>
#include <c10/macros/Macros.h>

namespace at::native::ufunc {

// The least common multiple, modulo 2 to the number of bits; 0 if an argument is 0.
template <typename T>
C10_HOST_DEVICE T lcm(T self, T other) {
  const auto a = magnitude(self);
  const auto b = magnitude(other);
  const auto divisor = gcd_of_magnitudes(a, b);
  return divisor == 0 ? T(0) : static_cast<T>(a / divisor * b);
}

}  // namespace at::native::ufunc
