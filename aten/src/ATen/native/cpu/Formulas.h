#pragma once

// The overloads of Formula.h for vectors. They are in the namespace of Vectorized, where
// argument-dependent lookup finds them.

#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Formula.h>

#include <cstddef>
#include <type_traits>

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
AT_FORMULA_FUNCTION(log)
AT_FORMULA_FUNCTION(log1p)
AT_FORMULA_FUNCTION(tanh)
#undef AT_FORMULA_FUNCTION

#if AT_VEC_ON_HIGHWAY
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

#if AT_VEC_ON_HIGHWAY
// exp(x) = power (1 + r + r^2 p) for x in [-87, 88], where x = n log 2 + r and power = 2^n. In
// float exp(x) is off by at most two units in the last place (Cephes, "expf").
struct SplitExp {
  using Values = decltype(Vectorized<float>::values);
  Values r, p, power;

  explicit SplitExp(Values x) {
    namespace hw = at::vec::hw;
    using D = Vectorized<float>::D;
    using Integer = hw::RebindToSigned<D>;
    const D d;
    const auto n = hw::Round(hw::Mul(x, hw::Set(d, 1.44269504088896341f)));
    // log 2 has two parts, the first with few digits.
    r = hw::NegMulAdd(n, hw::Set(d, 0.693359375f), x);
    r = hw::NegMulAdd(n, hw::Set(d, -2.12194440e-4f), r);
    p = hw::Set(d, 1.9875691500e-4f);
    p = hw::MulAdd(p, r, hw::Set(d, 1.3981999507e-3f));
    p = hw::MulAdd(p, r, hw::Set(d, 8.3334519073e-3f));
    p = hw::MulAdd(p, r, hw::Set(d, 4.1665795894e-2f));
    p = hw::MulAdd(p, r, hw::Set(d, 1.6666665459e-1f));
    p = hw::MulAdd(p, r, hw::Set(d, 5.0000001201e-1f));
    const auto exponent = hw::Add(hw::ConvertTo(Integer(), n), hw::Set(Integer(), 127));
    power = hw::BitCast(d, hw::ShiftLeft<23>(exponent));
  }
};
#endif

inline Vectorized<double> saturating_exp(const Vectorized<double>& x) { return exp_of(x); }
#if AT_VEC_ON_HIGHWAY
inline Vectorized<float> saturating_exp(const Vectorized<float>& x) {
  namespace hw = at::vec::hw;
  const Vectorized<float>::D d;
  const auto low = hw::Set(d, -87.0f);
  const auto high = hw::Set(d, 88.0f);
  // NaN is neither below nor above.
  const auto raised = hw::IfThenElse(hw::Lt(x.values, low), low, x.values);
  const SplitExp e(hw::IfThenElse(hw::Gt(raised, high), high, raised));
  return hw::Mul(hw::MulAdd(hw::Mul(e.r, e.r), e.p, hw::Add(e.r, hw::Set(d, 1.0f))), e.power);
}
#else
inline Vectorized<float> saturating_exp(const Vectorized<float>& x) {
  return clamp(x, Vectorized<float>(-87.0f), Vectorized<float>(88.0f)).exp();
}
#endif

// exp(x) - 1 without cancellation near 0. The standard library computes vectors that hold a NaN or
// a number near the overflow.
#if AT_VEC_ON_HIGHWAY
inline Vectorized<double> expm1_of(const Vectorized<double>& x) {
  namespace hw = at::vec::hw;
  const Vectorized<double>::D d;
  if (!hw::AllTrue(d, hw::Le(x.values, hw::Set(d, 709.0)))) return x.expm1();
  // Below the range of Highway's formula the result is -1.
  return hw::Expm1(d, hw::Max(x.values, hw::Set(d, -50.0)));
}
inline Vectorized<float> expm1_of(const Vectorized<float>& x) {
  namespace hw = at::vec::hw;
  const Vectorized<float>::D d;
  if (!hw::AllTrue(d, hw::Le(x.values, hw::Set(d, 88.0f)))) return x.expm1();
  const SplitExp e(hw::Max(x.values, hw::Set(d, -87.0f)));
  // power (exp(r) - 1) + (power - 1)
  return hw::MulAdd(e.power, hw::MulAdd(hw::Mul(e.r, e.r), e.p, e.r),
                    hw::Sub(e.power, hw::Set(d, 1.0f)));
}
#else
template <typename T>
Vectorized<T> expm1_of(const Vectorized<T>& x) {
  return x.expm1();
}
#endif

#if AT_VEC_ON_HIGHWAY
template <typename T>
bool none_negative(const Vectorized<T>& x) {
  const typename Vectorized<T>::D d;
  return hw::AllTrue(d, hw::Ge(x.values, hw::Zero(d)));
}
#else
template <typename T>
bool none_negative(const Vectorized<T>&) {
  return false;
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
#if AT_VEC_ON_HIGHWAY
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

// Cody's rational approximations of the error function ("Rational Chebyshev approximations for the
// error function", Mathematics of Computation 23, 1969), the highest powers first: of erf(x) / x in
// x^2 near 0, of exp(x^2) erfc(x) in x up to 4, and beyond in 1 / x^2.
struct ErrorFunction {
  static constexpr double kSmall[] = {1.85777706184603153e-1, 3.16112374387056560e0,
                                      1.13864154151050156e2, 3.77485237685302021e2,
                                      3.20937758913846947e3};
  static constexpr double kSmallUnder[] = {1, 2.36012909523441209e1, 2.44024637934444173e2,
                                           1.28261652607737228e3, 2.84423683343917062e3};
  static constexpr double kMiddle[] = {
      2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
      6.61191906371416295e1,  2.98635138197400131e2,  8.81952221241769090e2,
      1.71204761263407058e3,  2.05107837782607147e3,  1.23033935479799725e3};
  static constexpr double kMiddleUnder[] = {1,
                                            1.57449261107098347e1,
                                            1.17693950891312499e2,
                                            5.37181101862009858e2,
                                            1.62138957456669019e3,
                                            3.29079923573345963e3,
                                            4.36261909014324716e3,
                                            3.43936767414372164e3,
                                            1.23033935480374942e3};
  static constexpr double kLarge[] = {1.63153871373020978e-2, 3.05326634961232344e-1,
                                      3.60344899949804439e-1, 1.25781726111229246e-1,
                                      1.60837851487422766e-2, 6.58749161529837803e-4};
  static constexpr double kLargeUnder[] = {1,
                                           2.56852019228982242e0,
                                           1.87295284992346047e0,
                                           5.27905102951428412e-1,
                                           6.05183413124413191e-2,
                                           2.33520497626869185e-3};
  static constexpr double kNear = 0.46875;
  static constexpr double kFar = 4;
};

template <typename T, size_t n>
Vectorized<T> horner(const double (&c)[n], const Vectorized<T>& x) {
  Vectorized<T> sum(static_cast<T>(c[0]));
  for (size_t i = 1; i < n; ++i) sum = fmadd(sum, x, Vectorized<T>(static_cast<T>(c[i])));
  return sum;
}

// erf(x), or 1 - erf(x), which keeps its digits where it is small.
template <bool kComplement, typename T>
Vectorized<T> error_function(const Vectorized<T>& x) {
  using V = Vectorized<T>;
  using E = ErrorFunction;
  if constexpr (kComplement) {
    // Beyond this the tail is subnormal, which exp_or_zero has no numbers for.
    if (!none_negative(V(V(std::is_same_v<T, float> ? T(9) : T(26)) - x))) return x.erfc();
  }
  const V one(T(1));
  const V a = x.abs();
  const V square = a * a;
  const V small = x * (horner(E::kSmall, square) / horner(E::kSmallUnder, square));
  // Beyond this the tail is 0. A NaN is not beyond.
  const V end(std::is_same_v<T, float> ? T(11) : T(28));
  const V y = select(a > end, end, a);
  V scaled = horner(E::kMiddle, y) / horner(E::kMiddleUnder, y);
  const V far = y > V(static_cast<T>(E::kFar));
  if (!none_negative(V(V(static_cast<T>(E::kFar)) - y))) {
    const V r = one / (y * y);
    const V beyond = (V(static_cast<T>(0.56418958354775628695)) -
                      r * horner(E::kLarge, r) / horner(E::kLargeUnder, r)) /
                     y;
    scaled = select(far, beyond, scaled);
  }
  // exp(-y^2) with what rounding takes from y^2.
  const V high = y * y;
  const V low = fmadd(y, y, -high);
  const V tail = scaled * exp_or_zero(V(-high)) * (one - low);
  const V near = a <= V(static_cast<T>(E::kNear));
  if constexpr (kComplement) {
    return select(near, V(one - small), select(x < V(T(0)), V(V(T(2)) - tail), tail));
  } else {
    return select(near, small, V((one - tail) | (x & V(T(-0.0)))));
  }
}

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
  const Vectorized<double> scaled = x.abs() * Vectorized<double>(0.70710678118654752440);
  return error_function</*kComplement=*/true>(scaled) * Vectorized<double>(0.5);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
