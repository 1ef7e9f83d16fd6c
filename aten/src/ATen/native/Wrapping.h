#pragma once

// Sums and products of elements. Those of integers wrap around, which C++ leaves open for signed
// types, so that they are computed in unsigned ones.

#include <c10/macros/Macros.h>

#include <type_traits>

namespace at::native {

// What T is computed in: for integers the unsigned type of what C++ promotes them to.
template <typename T, bool = std::is_integral_v<T>>
struct Wrapping {
  using type = T;
};
template <typename T>
struct Wrapping<T, true> {
  using type = std::make_unsigned_t<decltype(T() * T())>;
};
template <typename T>
using wrapping_type = typename Wrapping<T>::type;

template <typename T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T wrapping_add(T a, T b) {
  return static_cast<T>(wrapping_type<T>(a) + wrapping_type<T>(b));
}
template <typename T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T wrapping_mul(T a, T b) {
  return static_cast<T>(wrapping_type<T>(a) * wrapping_type<T>(b));
}
template <typename T>
C10_HOST_DEVICE C10_ALWAYS_INLINE T wrapping_neg(T a) {
  return static_cast<T>(wrapping_type<T>(0) - wrapping_type<T>(a));
}

}  // namespace at::native
