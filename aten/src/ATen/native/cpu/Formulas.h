#pragma once

// The overloads of Formula.h for vectors. They are in the namespace of Vectorized, where
// argument-dependent lookup finds them.

#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Formula.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at::vec {
inline namespace CPU_CAPABILITY {

template <typename T>
Vectorized<T> select(const Vectorized<T>& condition, const Vectorized<T>& then,
                     const Vectorized<T>& otherwise) {
  return Vectorized<T>::blendv(otherwise, then, condition);
}

// select(a < b, then, otherwise), without the mask as a vector.
template <typename T>
Vectorized<T> select_less(const Vectorized<T>& a, const Vectorized<T>& b, const Vectorized<T>& then,
                          const Vectorized<T>& otherwise) {
#if AT_VEC_ON_HIGHWAY
  return hw::IfThenElse(hw::Lt(a.values, b.values), then.values, otherwise.values);
#else
  return select(Vectorized<T>(a < b), then, otherwise);
#endif
}

#define AT_FORMULA_FUNCTION(name)                   \
  template <typename T>                             \
  Vectorized<T> name##_of(const Vectorized<T>& x) { \
    return x.name();                                \
  }
AT_FORMULA_FUNCTION(log)
AT_FORMULA_FUNCTION(log1p)
#undef AT_FORMULA_FUNCTION

#if AT_VEC_ON_HIGHWAY
// exp(x) = power (1 + r + r^2 p) where 2^n of the nearest n to x / log 2 is a normal number:
// x = n log 2 + r and power = 2^n. p is a polynomial made at Chebyshev's points, the highest power
// first, with an error of 8e-9 in float and 1e-17 in double.
template <typename T>
struct SplitExp {
  using Values = decltype(Vectorized<T>::values);
  using D = typename Vectorized<T>::D;
  static constexpr bool kFloat = std::is_same_v<T, float>;
  // The range of x.
  static constexpr T kLow = kFloat ? T(-87) : T(-708);
  static constexpr T kHigh = kFloat ? T(88) : T(709);
  static constexpr float kFloats[] = {0.00139262508f, 0.00836323288f, 0.0416665542f, 0.166665767f,
                                      0.5f};
  static constexpr double kDoubles[] = {2.5100472505694996e-8,  2.76202015910315488e-7,
                                        2.75572682769056962e-6, 2.48015210578682052e-5,
                                        1.9841269863171556e-4,  1.38888889173670806e-3,
                                        8.3333333333300382e-3,  4.16666666666238205e-2,
                                        1.66666666666666675e-1, 0.500000000000000103};
  Values r, p, power;

  explicit SplitExp(Values x) {
    namespace hw = at::vec::hw;
    using Integer = hw::RebindToSigned<D>;
    constexpr int kDigits = std::numeric_limits<T>::digits - 1;
    const D d;
    // Rounding leaves n in the last bits of a sum.
    const auto round = hw::Set(d, static_cast<T>(kFloat ? 12582912.0 : 6755399441055744.0));
    const auto sum = hw::MulAdd(x, hw::Set(d, static_cast<T>(std::numbers::log2e)), round);
    const auto n = hw::Sub(sum, round);
    // log 2 has two parts.
    constexpr T kLog2 = static_cast<T>(std::numbers::ln2);
    constexpr T kRest =
        static_cast<T>(kFloat ? -1.90465429995776804525e-9 : 2.3190468138462996e-17);
    r = hw::NegMulAdd(n, hw::Set(d, kRest), hw::NegMulAdd(n, hw::Set(d, kLog2), x));
    constexpr auto kTerms = [] {
      if constexpr (kFloat) {
        return std::to_array(kFloats);
      } else {
        return std::to_array(kDoubles);
      }
    }();
    p = hw::Set(d, kTerms[0]);
#pragma GCC unroll 16
    for (size_t i = 1; i < kTerms.size(); ++i) p = hw::MulAdd(p, r, hw::Set(d, kTerms[i]));
    const auto one = hw::BitCast(Integer(), hw::Set(d, T(1)));
    power = hw::BitCast(d, hw::Add(hw::ShiftLeft<kDigits>(hw::BitCast(Integer(), sum)), one));
  }

  Values value() const {
    const auto one = hw::Set(D(), T(1));
    return hw::Mul(hw::MulAdd(hw::MulAdd(p, r, one), r, one), power);
  }
};

template <typename T>
Vectorized<T> exp_of(const Vectorized<T>& x) {
  using S = SplitExp<T>;
  const typename Vectorized<T>::D d;
  const auto inside =
      hw::And(hw::Ge(x.values, hw::Set(d, S::kLow)), hw::Le(x.values, hw::Set(d, S::kHigh)));
  if (hw::AllTrue(d, inside)) return S(x.values).value();
  // Vectorized's exp calls the standard library where an element is infinite, and masks are made of
  // infinities. Highway's formula is right below its range and overflows only far above it.
  const auto high = hw::Set(d, S::kFloat ? T(100) : T(750));
  return hw::IfThenElse(hw::IsNaN(x.values), x.values, hw::Exp(d, hw::Min(x.values, high)));
}
#else
template <typename T>
Vectorized<T> exp_of(const Vectorized<T>& x) {
  return x.exp();
}
#endif

inline Vectorized<double> saturating_exp(const Vectorized<double>& x) { return exp_of(x); }
#if AT_VEC_ON_HIGHWAY
inline Vectorized<float> saturating_exp(const Vectorized<float>& x) {
  using S = SplitExp<float>;
  const Vectorized<float>::D d;
  const auto low = hw::Set(d, S::kLow);
  const auto high = hw::Set(d, S::kHigh);
  // NaN is neither below nor above.
  const auto raised = hw::IfThenElse(hw::Lt(x.values, low), low, x.values);
  return S(hw::IfThenElse(hw::Gt(raised, high), high, raised)).value();
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
  using S = SplitExp<float>;
  const Vectorized<float>::D d;
  if (!hw::AllTrue(d, hw::Le(x.values, hw::Set(d, S::kHigh)))) return x.expm1();
  const S e(hw::Max(x.values, hw::Set(d, S::kLow)));
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

template <typename T>
bool all_finite(const Vectorized<T>& x) {
  return none_negative(Vectorized<T>(Vectorized<T>(std::numeric_limits<T>::max()) - x.abs()));
}

template <typename T>
Vectorized<T> sign_bits(const Vectorized<T>& x) {
  return x & Vectorized<T>(T(-0.0));
}

// The angle of (x, y) from the arc tangent of the smaller over the larger, which octant by octant
// is moved to its place.
template <typename T>
Vectorized<T> atan2_of(const Vectorized<T>& y, const Vectorized<T>& x) {
  using V = Vectorized<T>;
  const V zero(T(0));
  const V width = x.abs();
  const V height = y.abs();
  const V high = maximum(width, height);
  if (!all_finite(high)) return V::map2(y, x, [](T p, T q) { return std::atan2(p, q); });
  const V ratio = V::blendv(minimum(width, height) / high, zero, high == zero);
  V angle = ratio.atan();
  angle = V::blendv(angle, V(std::numbers::pi_v<T> / 2) - angle, height > width);
  const V negative = sign_bits(x) | V(T(1));
  angle = V::blendv(angle, V(std::numbers::pi_v<T>) - angle, negative < zero);
  return angle | sign_bits(y);
}

// sqrt(x^2 + y^2); the larger part is taken out of the root where a square may be too large, or too
// small.
template <typename T>
Vectorized<T> hypot_of(const Vectorized<T>& x, const Vectorized<T>& y) {
  using V = Vectorized<T>;
  constexpr T kHigh = std::is_same_v<T, float> ? T(0x1p60) : T(0x1p500);
  const V zero(T(0));
  const V one(T(1));
  const V width = x.abs();
  const V height = y.abs();
  const V high = maximum(width, height);
  const V size = select(V(high == zero), one, high);
  if (none_negative(V(V(kHigh) - size)) && none_negative(V(size - V(1 / kHigh)))) {
    return fmadd(x, x, V(y * y)).sqrt();
  }
  if (!all_finite(high)) return V::map2(x, y, [](T p, T q) { return std::hypot(p, q); });
  const V ratio = minimum(width, height) / size;
  return high * fmadd(ratio, ratio, one).sqrt();
}

// exp(x) for x of at most 0, with 0 for results below the least normal number.
template <typename T>
Vectorized<T> exp_or_zero(const Vectorized<T>& x) {
  if constexpr (std::is_same_v<T, float>) {
    return select_less(x, Vectorized<T>(-87.0f), Vectorized<T>(0.0f), saturating_exp(x));
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

template <typename T, size_t n>
Vectorized<T> horner(const double (&c)[n], const Vectorized<T>& x) {
  Vectorized<T> sum(static_cast<T>(c[0]));
#pragma GCC unroll 32
  for (size_t i = 1; i < n; ++i) sum = fmadd(sum, x, Vectorized<T>(static_cast<T>(c[i])));
  return sum;
}

// 1 / x of numbers between 1e-30 and 1e30. Wide vectors are slow to divide: Newton's steps refine
// an approximation of at least 11 bits.
template <typename T>
Vectorized<T> reciprocal_of(const Vectorized<T>& x) {
#if AT_VEC_ON_HIGHWAY
  using D = typename Vectorized<T>::D;
  if constexpr (sizeof(x.values) == 64) {
    const auto one = hw::Set(D(), T(1));
    if constexpr (std::is_same_v<T, float>) {
      const auto y = hw::ApproximateReciprocal(x.values);  // 14 bits
      return hw::MulAdd(y, hw::NegMulAdd(x.values, y, one), y);
    } else {
      const hw::Rebind<float, D> narrow;
      auto y = hw::PromoteTo(D(), hw::ApproximateReciprocal(hw::DemoteTo(narrow, x.values)));
      // y (1 + e + e^2) has three times the bits of y, y (1 + e) twice as many.
      auto e = hw::NegMulAdd(x.values, y, one);
      y = hw::MulAdd(y, hw::MulAdd(e, e, e), y);
      e = hw::NegMulAdd(x.values, y, one);
      return hw::MulAdd(y, e, y);
    }
  }
#endif
  return Vectorized<T>(T(1)) / x;
}

inline Vectorized<double> tanh_of(const Vectorized<double>& x) { return x.tanh(); }
// 1 - 2 / (exp(2 |x|) + 1), and near 0 x + x^3 times a polynomial of x^2 made at Chebyshev's
// points, the highest power first, with an error of 1e-8.
inline Vectorized<float> tanh_of(const Vectorized<float>& x) {
  using Vec = Vectorized<float>;
  constexpr double kNear[] = {-6.26911972e-3, 0.021110959, -0.0538739488, 0.133329154,
                              -0.333333303};
  const Vec a = x.abs();
  const Vec square = x * x;
  const Vec near = fmadd(x * square, horner(kNear, square), x);
  const Vec one(1.0f);
  // Beyond this the result is 1.
  const Vec end(10.0f);
  const Vec twice = select_less(end, a, end, a) * Vec(2.0f);
  const Vec far = fmadd(Vec(-2.0f), reciprocal_of(saturating_exp(twice) + one), one);
  return select_less(a, Vec(0.6f), near, far) | (x & Vec(-0.0f));
}

// Polynomials made at Chebyshev's points, the highest powers first: of erf(x) / x in x^2 up to 1,
// of exp(x^2) erfc(x) (x + middle) in (x - middle) / (x + middle) up to the end, and of
// log(erfc(x)) from 1 to 4. Relative errors are below 5e-9 in float and 2e-17 in double.
template <typename T>
struct ErrorFunctionSeries;
template <>
struct ErrorFunctionSeries<float> {
  static constexpr double kMiddle = 3;
  static constexpr double kEnd = 10;
  static constexpr double kNear[] = {7.87587506e-5, -8.01686429e-4, 5.18908742e-3, -0.026854212,
                                     0.112835947,   -0.376126267,   1.12837917};
  static constexpr double kTail[] = {-3.33150355e-4, -4.97142238e-4, 3.07963215e-3, -1.21720932e-3,
                                     -0.0268374257,  0.119527078,    -0.310466518,  0.590228447,
                                     -0.883394464,   1.07400691};
  static constexpr double kLogarithm[] = {1.63863732e-6,  -4.60874473e-5, 5.97052946e-4,
                                          -4.76074771e-3, 0.0264243709,   -0.11008568,
                                          -0.631820247,   -1.13023672,    3.20914383e-4};
};
template <>
struct ErrorFunctionSeries<double> {
  static constexpr double kMiddle = 3.5;
  static constexpr double kEnd = 28;
  static constexpr double kNear[] = {
      -7.79589882700214224e-10, 1.37200645467776856e-8,  -1.62084838018717059e-7,
      1.64474247033173624e-6,   -1.49247369074196603e-5, 1.20552949048397079e-4,
      -8.54832597538969208e-4,  5.22397760711642273e-3,  -0.0268661706432377704,
      0.112837916709450063,     -0.376126389031835404,   1.12837916709551257};
  static constexpr double kTail[] = {
      3.28959552342507533e-9,  9.0153005757034723e-9,   -2.17847326609144217e-8,
      -8.34624766020766537e-8, 1.16258581393649397e-7,  5.50507850991912344e-7,
      -7.96533772850365603e-7, -3.39204032087876523e-6, 7.24425425220682783e-6,
      1.86472074239054830e-5,  -7.47771164802730476e-5, -4.20621718284589572e-5,
      7.14531689287205673e-4,  -1.30535469033823921e-3, -3.17705034279369173e-3,
      0.0265186198815011813,   -0.0923187066385006449,  0.225738621647419889,
      -0.435256026716887487,   0.694113646634644219,    -0.93779972456711204,
      1.08705558926226008};
};

// exp(x^2) erfc(x) for x from 0 to the end of the series.
template <typename T>
Vectorized<T> scaled_tail(const Vectorized<T>& x) {
  using V = Vectorized<T>;
  using S = ErrorFunctionSeries<T>;
  const V middle(static_cast<T>(S::kMiddle));
  const V r = reciprocal_of(V(x + middle));
  return horner(S::kTail, V((x - middle) * r)) * r;
}

// erf(x), or 1 - erf(x), which keeps its digits where it is small.
template <bool kComplement, typename T>
Vectorized<T> error_function(const Vectorized<T>& x) {
  using V = Vectorized<T>;
  using S = ErrorFunctionSeries<T>;
  constexpr bool kFloat = std::is_same_v<T, float>;
  if constexpr (kComplement) {
    // Beyond this the tail is subnormal, which exp_or_zero has no numbers for.
    if (!none_negative(V(V(kFloat ? T(9) : T(26)) - x))) return x.erfc();
  }
  const V one(T(1));
  const V a = x.abs();
  const auto near = [&] { return x * horner(S::kNear, V(a * a)); };
  if constexpr (!kComplement) {
    if (none_negative(V(one - a))) return near();
  }
  const V sign = x & V(T(-0.0));
  if constexpr (!kComplement && kFloat) {
    // Few digits of the tail count. A NaN is not beyond the end.
    const V end(T(4));
    const V tail = saturating_exp(horner(S::kLogarithm, select_less(end, a, end, a)));
    return select_less(a, one, near(), V((one - tail) | sign));
  }
  // Beyond this the tail is 0.
  const V end(static_cast<T>(S::kEnd));
  const V y = select_less(end, a, end, a);
  // exp(-y^2) with what rounding takes from y^2.
  const V high = y * y;
  const V low = fmadd(y, y, -high);
  const V tail = scaled_tail(y) * exp_or_zero(V(-high)) * (one - low);
  if constexpr (kComplement) {
    const V away = select_less(x, V(T(0)), V(V(T(2)) - tail), tail);
    return select_less(a, V(T(0.5)), V(one - near()), away);
  } else {
    return select_less(a, one, near(), V((one - tail) | sign));
  }
}

// log(1 + x) for x from 0 to 1: x times a polynomial made at Chebyshev's points, the highest power
// first, with an error of 6e-9 in float and 2e-17 in double.
template <typename T>
Vectorized<T> log1p_of_fraction(const Vectorized<T>& x) {
  constexpr double kFloats[] = {-3.17605702e-3, 0.0195425273, -0.0563736128, 0.105436238,
                                -0.152696671,   0.196632743,  -0.249516163,  0.333297105,
                                -0.499998926,   0.999999995};
  constexpr double kDoubles[] = {
      2.44379739485809471e-5,  -2.82742113937410716e-4, 1.55352440343343336e-3,
      -5.42173399100160966e-3, 0.0135987780906172537,   -0.0263987794807432172,
      0.0419257098539041573,   -0.0571897853419390586,  0.0701529623652647141,
      -0.0807095457843020583,  0.0900909581519863245,   -0.0997976809658656833,
      0.111072115852995379,    -0.124994270635143811,   0.142856519752759262,
      -0.166666618482485386,   0.199999997498565228,    -0.249999999920095234,
      0.333333333331975252,    -0.49999999999999079,    1};
  if constexpr (std::is_same_v<T, float>) {
    return x * horner(kFloats, x);
  } else {
    return x * horner(kDoubles, x);
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
