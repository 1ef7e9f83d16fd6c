#pragma once

// The overloads of Formula.h for vectors. They are in the namespace of Vectorized, where
// argument-dependent lookup finds them.

#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Formula.h>

namespace at::vec {
inline namespace CPU_CAPABILITY {

template <typename T>
Vectorized<T> select(const Vectorized<T>& condition, const Vectorized<T>& then,
                     const Vectorized<T>& otherwise) {
  return Vectorized<T>::blendv(otherwise, then, condition);
}

#define AT_FORMULA_FUNCTION(name)                   \
  template <typename T>                             \
  Vectorized<T> name##_of(const Vectorized<T>& x) { \
    return x.name();                                \
  }
AT_FORMULA_FUNCTION(expm1)
AT_FORMULA_FUNCTION(log1p)
AT_FORMULA_FUNCTION(tanh)
#undef AT_FORMULA_FUNCTION

#if !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
// Vectorized's exp calls the standard library where an element is infinite, and masks are made of
// infinities. Highway's formula is right below its range and overflows only far above it.
template <typename T>
Vectorized<T> exp_of(const Vectorized<T>& x) {
  namespace hw = at::vec::hw;
  using D = typename Vectorized<T>::D;
  const auto high = hw::Set(D(), std::is_same_v<T, float> ? T(100) : T(750));
  return hw::IfThenElse(hw::IsNaN(x.values), x.values, hw::Exp(D(), hw::Min(x.values, high)));
}
#else
template <typename T>
Vectorized<T> exp_of(const Vectorized<T>& x) {
  return x.exp();
}
#endif

// In float, the error is at most two units in the last place (Cephes, "expf").
inline Vectorized<double> saturating_exp(const Vectorized<double>& x) { return exp_of(x); }
#if !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
inline Vectorized<float> saturating_exp(const Vectorized<float>& x) {
  namespace hw = at::vec::hw;
  using D = Vectorized<float>::D;
  using Integer = hw::RebindToSigned<D>;
  const D d;
  const auto low = hw::Set(d, -87.0f);
  const auto high = hw::Set(d, 88.0f);
  // NaN is neither below nor above.
  auto r = hw::IfThenElse(hw::Lt(x.values, low), low, x.values);
  r = hw::IfThenElse(hw::Gt(r, high), high, r);
  // x = n log 2 + r, where log 2 has two parts, the first with few digits.
  const auto n = hw::Round(hw::Mul(r, hw::Set(d, 1.44269504088896341f)));
  r = hw::NegMulAdd(n, hw::Set(d, 0.693359375f), r);
  r = hw::NegMulAdd(n, hw::Set(d, -2.12194440e-4f), r);
  auto p = hw::Set(d, 1.9875691500e-4f);
  p = hw::MulAdd(p, r, hw::Set(d, 1.3981999507e-3f));
  p = hw::MulAdd(p, r, hw::Set(d, 8.3334519073e-3f));
  p = hw::MulAdd(p, r, hw::Set(d, 4.1665795894e-2f));
  p = hw::MulAdd(p, r, hw::Set(d, 1.6666665459e-1f));
  p = hw::MulAdd(p, r, hw::Set(d, 5.0000001201e-1f));
  p = hw::MulAdd(hw::Mul(r, r), p, hw::Add(r, hw::Set(d, 1.0f)));
  const auto exponent = hw::Add(hw::ConvertTo(Integer(), n), hw::Set(Integer(), 127));
  return hw::Mul(p, hw::BitCast(d, hw::ShiftLeft<23>(exponent)));
}
#else
inline Vectorized<float> saturating_exp(const Vectorized<float>& x) {
  return clamp(x, Vectorized<float>(-87.0f), Vectorized<float>(88.0f)).exp();
}
#endif

// exp(x) for x of at most 0, with 0 for results below the least normal number.
template <typename T>
Vectorized<T> exp_or_zero(const Vectorized<T>& x) {
  if constexpr (std::is_same_v<T, float>) {
    return select(x < Vectorized<T>(-87.0f), Vectorized<T>(0.0f), saturating_exp(x));
  } else {
    return exp_of(x);
  }
}

// 1 / (1 + exp(-x)), with 0 for results below the least normal number.
template <typename T>
Vectorized<T> sigmoid_of(const Vectorized<T>& x) {
  using Vec = Vectorized<T>;
  const Vec y = Vec(T(1)) / (Vec(T(1)) + saturating_exp(-x));
  if constexpr (std::is_same_v<T, float>) {
    return select(x < Vec(-87.0f), Vec(0.0f), y);
  } else {
    return y;
  }
}

constexpr float kExp2[] = {1.0f,         0.6931472f,   0.24022107f,
                           0.055503570f, 0.009676032f, 0.0013390863f};

// 2^x for x from -126 to 0, below as at -126, with an error of 2e-7: a polynomial made at
// Chebyshev's points for the fraction, and the whole part, which rounding leaves in the last bits
// of a sum.
#if !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
inline Vectorized<float> exp2_below_zero(const Vectorized<float>& x) {
  namespace hw = at::vec::hw;
  const Vectorized<float>::D d;
  const hw::RebindToSigned<Vectorized<float>::D> integer;
  const auto round = hw::Set(d, 12582912.0f);  // 1.5 * 2^23
  const auto y =
      hw::IfThenElse(hw::Lt(x.values, hw::Set(d, -126.0f)), hw::Set(d, -126.0f), x.values);
  const auto sum = hw::Add(y, round);
  const auto f = hw::Sub(y, hw::Sub(sum, round));
  auto p = hw::Set(d, kExp2[5]);
  for (int k = 4; k >= 0; --k) p = hw::MulAdd(p, f, hw::Set(d, kExp2[k]));
  return hw::BitCast(
      d, hw::Add(hw::BitCast(integer, p), hw::ShiftLeft<23>(hw::BitCast(integer, sum))));
}
#else
inline Vectorized<float> exp2_below_zero(const Vectorized<float>& x) {
  return clamp_min(x, Vectorized<float>(-126.0f)).exp2();
}
#endif

// In float, the error is below 3e-7 (Abramowitz and Stegun, "Handbook of Mathematical Functions",
// 7.1.26). In double, this is erfc.
inline Vectorized<float> normal_tail(const Vectorized<float>& x) {
  using Vec = Vectorized<float>;
  const Vec t = Vec(1.0f) / fmadd(Vec(0.23164189f), x.abs(), Vec(1.0f));
  Vec p = fmadd(Vec(0.5307027145f), t, Vec(-0.7265760135f));
  p = fmadd(p, t, Vec(0.7107068705f));
  p = fmadd(p, t, Vec(-0.142248368f));
  p = fmadd(p, t, Vec(0.127414796f));
  return p * t * exp2_below_zero(x * x * Vec(-0.72134752f));  // exp(-x^2 / 2)
}
inline Vectorized<double> normal_tail(const Vectorized<double>& x) {
  return (x.abs() * Vectorized<double>(0.70710678118654752440)).erfc() * Vectorized<double>(0.5);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
