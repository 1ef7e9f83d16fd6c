#pragma once

// What a formula needs to be written once, as a template of float, double and vectors of them.

#include <ATen/cpu/vec/vec.h>

#include <cmath>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

template <typename V>
V constant(double c) {
  if constexpr (std::is_floating_point_v<V>) {
    return static_cast<V>(c);
  } else {
    return V(static_cast<typename V::value_type>(c));
  }
}

template <typename T>
T select(bool condition, T then, T otherwise) {
  return condition ? then : otherwise;
}
template <typename T>
Vectorized<T> select(const Vectorized<T>& condition, const Vectorized<T>& then,
                     const Vectorized<T>& otherwise) {
  return Vectorized<T>::blendv(otherwise, then, condition);
}

#define AT_FORMULA_FUNCTION(name)                            \
  inline float name##_of(float x) { return std::name(x); }   \
  inline double name##_of(double x) { return std::name(x); } \
  template <typename T>                                      \
  Vectorized<T> name##_of(const Vectorized<T>& x) {          \
    return x.name();                                         \
  }
AT_FORMULA_FUNCTION(exp)
AT_FORMULA_FUNCTION(expm1)
AT_FORMULA_FUNCTION(log1p)
AT_FORMULA_FUNCTION(tanh)
#undef AT_FORMULA_FUNCTION

// The error function with an error below 1.5e-7 (Abramowitz and Stegun, "Handbook of Mathematical
// Functions", 7.1.26), which is what floats beside 1 can tell; doubles ask the standard library.
inline Vectorized<float> erf_of(const Vectorized<float>& x) {
  using Vec = Vectorized<float>;
  const Vec a = x.abs();
  const Vec t = Vec(1.0f) / (Vec(1.0f) + Vec(0.3275911f) * a);
  Vec p = Vec(1.061405429f) * t - Vec(1.453152027f);
  p = p * t + Vec(1.421413741f);
  p = p * t - Vec(0.284496736f);
  p = p * t + Vec(0.254829592f);
  // Beyond 9 the power is 0 in float; -81 keeps exp within its domain, and NaN stays NaN.
  const Vec power = vec::clamp_min(-(a * a), Vec(-81.0f)).exp();
  const Vec result = Vec(1.0f) - p * t * power;
  return Vec::blendv(result, -result, x < Vec(0.0f));
}
inline Vectorized<double> erf_of(const Vectorized<double>& x) { return x.erf(); }
inline float erf_of(float x) { return std::erf(x); }
inline double erf_of(double x) { return std::erf(x); }

}  // namespace CPU_CAPABILITY
}  // namespace at::native
