#pragma once

// Limits of element types, in kernels too: at::numeric_limits<c10::Half>::lowest(). The bounds are
// infinite where a type has infinity.

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cstdint>
#include <limits>

namespace at {

template <typename T>
struct numeric_limits {
  static C10_HOST_DEVICE constexpr T lowest() { return std::numeric_limits<T>::lowest(); }
  static C10_HOST_DEVICE constexpr T max() { return std::numeric_limits<T>::max(); }
  static C10_HOST_DEVICE constexpr T lower_bound() {
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : lowest();
  }
  static C10_HOST_DEVICE constexpr T upper_bound() {
    return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : max();
  }
};

template <>
struct numeric_limits<c10::Half> {
  static C10_HOST_DEVICE c10::Half lowest() { return {0xFBFF, c10::Half::from_bits()}; }
  static C10_HOST_DEVICE c10::Half max() { return {0x7BFF, c10::Half::from_bits()}; }
  static C10_HOST_DEVICE c10::Half lower_bound() { return {0xFC00, c10::Half::from_bits()}; }
  static C10_HOST_DEVICE c10::Half upper_bound() { return {0x7C00, c10::Half::from_bits()}; }
};

template <>
struct numeric_limits<c10::BFloat16> {
  static C10_HOST_DEVICE c10::BFloat16 lowest() { return {0xFF7F, c10::BFloat16::from_bits()}; }
  static C10_HOST_DEVICE c10::BFloat16 max() { return {0x7F7F, c10::BFloat16::from_bits()}; }
  static C10_HOST_DEVICE c10::BFloat16 lower_bound() {
    return {0xFF80, c10::BFloat16::from_bits()};
  }
  static C10_HOST_DEVICE c10::BFloat16 upper_bound() {
    return {0x7F80, c10::BFloat16::from_bits()};
  }
};

}  // namespace at
