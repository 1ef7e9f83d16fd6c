#pragma once

// The functions that formulas are written with. A formula is a template that serves scalars on the
// CPU and on CUDA, and SIMD vectors on the CPU. cpu/Formulas.h has the overloads for vectors, in
// the namespace of Vectorized, where argument-dependent lookup finds them.

#include <c10/macros/Macros.h>

#include <cmath>
#include <type_traits>

// CPU kernels are compiled once for each capability. Each capability has its own namespace, or the
// linker would keep one copy of these functions for all of them.
#ifdef CPU_CAPABILITY
#define AT_FORMULA_NAMESPACE CPU_CAPABILITY
#else
#define AT_FORMULA_NAMESPACE any_processor
#endif

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {

// The constant c as a scalar, or as a vector that repeats it.
template <typename V, typename N>
C10_HOST_DEVICE V constant(N c) {
  if constexpr (std::is_arithmetic_v<V>) {
    return static_cast<V>(c);
  } else {
    return V(static_cast<typename V::value_type>(c));
  }
}

template <typename T>
C10_HOST_DEVICE T select(bool condition, T then, T otherwise) {
  return condition ? then : otherwise;
}

#define AT_FORMULA_FUNCTION(name)                                          \
  C10_HOST_DEVICE inline float name##_of(float x) { return std::name(x); } \
  C10_HOST_DEVICE inline double name##_of(double x) { return std::name(x); }
AT_FORMULA_FUNCTION(exp)
AT_FORMULA_FUNCTION(expm1)
AT_FORMULA_FUNCTION(log)
AT_FORMULA_FUNCTION(log1p)
AT_FORMULA_FUNCTION(tanh)
#undef AT_FORMULA_FUNCTION

// log(1 + x) for x from 0 to 1.
C10_HOST_DEVICE inline float log1p_of_fraction(float x) { return std::log1p(x); }
C10_HOST_DEVICE inline double log1p_of_fraction(double x) { return std::log1p(x); }

// exp of x clamped to [-87, 88] in float, for formulas that saturate there anyway. NaN gives NaN.
C10_HOST_DEVICE inline float saturating_exp(float x) {
  return std::exp(x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x);
}
C10_HOST_DEVICE inline double saturating_exp(double x) { return std::exp(x); }

// The tail of the standard normal distribution above |x|: erfc(|x| / sqrt(2)) / 2.
C10_HOST_DEVICE inline float normal_tail(float x) {
  return 0.5f * std::erfc(std::fabs(x) * 0.70710678f);
}
C10_HOST_DEVICE inline double normal_tail(double x) {
  return 0.5 * std::erfc(std::fabs(x) * 0.70710678118654752440);
}

// Whether no element is negative or NaN. A vector may answer false where finding out takes long.
C10_HOST_DEVICE inline bool none_negative(float x) { return x >= 0; }
C10_HOST_DEVICE inline bool none_negative(double x) { return x >= 0; }

// Clamps x to [low, high]. NaN gives NaN.
template <typename V>
C10_HOST_DEVICE V clamped(V x, V low, V high) {
  const V raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}

}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
