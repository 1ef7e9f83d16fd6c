#pragma once

// Tests of numbers for kernels, for every element type, on GPUs too: at::_isnan(x).

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <cmath>
#include <type_traits>

namespace at {

template <typename T>
C10_HOST_DEVICE inline bool _isnan(T value) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return value != value;
  }
}
template <typename T>
C10_HOST_DEVICE inline bool _isnan(c10::complex<T> value) {
  return _isnan(value.real()) || _isnan(value.imag());
}

template <typename T>
C10_HOST_DEVICE inline bool _isinf(T value) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const auto number = static_cast<Number>(value);
    return number - number != 0 && number == number;  // inf - inf is nan
  }
}
template <typename T>
C10_HOST_DEVICE inline bool _isinf(c10::complex<T> value) {
  return _isinf(value.real()) || _isinf(value.imag());
}

template <typename T>
C10_HOST_DEVICE inline T exp(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return ::exp(x);
  } else {
    return static_cast<T>(::expf(static_cast<float>(x)));
  }
}
template <typename T>
C10_HOST_DEVICE inline T log(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return ::log(x);
  } else {
    return static_cast<T>(::logf(static_cast<float>(x)));
  }
}
template <typename T>
C10_HOST_DEVICE inline T log1p(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return ::log1p(x);
  } else {
    return static_cast<T>(::log1pf(static_cast<float>(x)));
  }
}
template <typename T>
C10_HOST_DEVICE inline T tan(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return ::tan(x);
  } else {
    return static_cast<T>(::tanf(static_cast<float>(x)));
  }
}

}  // namespace at
