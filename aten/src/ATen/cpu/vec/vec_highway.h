#pragma once

// Vectorized<T> on Highway's static dispatch, for the types whose arithmetic is worth it. The
// instruction set is the one this file is compiled for.

#include <ATen/cpu/vec/vec_base.h>

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <type_traits>

// Where this is 0 the generic class serves. Vectors without a size known to the compiler cannot be
// members. Before SSE4 an x86 processor cannot round: Highway 1.0 has no vectors there, and 1.3
// computes the floor of -0 as 0.
#if !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 && \
    !(HWY_ARCH_X86 && HWY_TARGET > HWY_SSE4)
#define AT_VEC_ON_HIGHWAY 1
#else
#define AT_VEC_ON_HIGHWAY 0
#endif

#if AT_VEC_ON_HIGHWAY

namespace at::vec {
inline namespace CPU_CAPABILITY {

namespace hw = hwy::HWY_NAMESPACE;

namespace detail {
// The range in which Highway's polynomial is right; outside of it the standard library is called.
template <typename T>
struct MathDomain {
  static constexpr bool kFloat = std::is_same_v<T, float>;
  static constexpr T kMax = std::numeric_limits<T>::max();
  static constexpr T kTiny = std::numeric_limits<T>::min();
  static constexpr T kExpLow = kFloat ? T(-87) : T(-708);
  static constexpr T kExpHigh = kFloat ? T(88) : T(709);
  static constexpr T kTrigonometric = T(39000);
};
}  // namespace detail

// Highway compares integers by < and == alone; NaN keeps floating-point comparisons apart.
template <typename V>
auto less_equal(V a, V b) {
  if constexpr (std::is_floating_point_v<hw::TFromV<V>>) {
    return hw::Le(a, b);
  } else {
    return hw::Not(hw::Lt(b, a));
  }
}
// NaN differs from everything; Highway's own Ne says on AVX2 and AVX-512 that it does not.
template <typename V>
auto not_equal(V a, V b) {
  return hw::Not(hw::Eq(a, b));
}
template <typename V>
auto greater_equal(V a, V b) {
  return less_equal(b, a);
}

template <typename T>
struct HighwayVectorized {
  using value_type = T;
  using size_type = int;
  using D = hw::ScalableTag<T>;
  using V = hw::Vec<D>;
  using Self = Vectorized<T>;
  static constexpr bool kIsFloat = std::is_floating_point_v<T>;
  static constexpr int kSize = static_cast<int>(HWY_LANES(T));
  static constexpr int size() { return kSize; }

  V values;

  HighwayVectorized() : values(hw::Zero(D())) {}
  /*implicit*/ HighwayVectorized(V v) : values(v) {}
  /*implicit*/ HighwayVectorized(T v) : values(hw::Set(D(), v)) {}

  static Self loadu(const void* ptr) { return hw::LoadU(D(), static_cast<const T*>(ptr)); }
  static Self loadu(const void* ptr, int64_t count) {
    if (count >= kSize) return loadu(ptr);
    HWY_ALIGN T buffer[kSize] = {};
    std::memcpy(buffer, ptr, static_cast<size_t>(count) * sizeof(T));
    return hw::Load(D(), buffer);
  }
  void store(void* ptr, int count = kSize) const {
    if (count >= kSize) {
      hw::StoreU(values, D(), static_cast<T*>(ptr));
      return;
    }
    HWY_ALIGN T buffer[kSize];
    hw::Store(values, D(), buffer);
    std::memcpy(ptr, buffer, static_cast<size_t>(count) * sizeof(T));
  }
  static Self arange(T base = T(0), T step = T(1)) {
    HWY_ALIGN T buffer[kSize];
    for (int i = 0; i < kSize; ++i) buffer[i] = static_cast<T>(base + T(i) * step);
    return hw::Load(D(), buffer);
  }
  static Self blendv(const Self& a, const Self& b, const Self& mask) {
    return hw::IfThenElse(hw::MaskFromVec(mask.values), b.values, a.values);
  }
  static Self set(const Self& a, const Self& b, int64_t count = kSize) {
    return hw::IfThenElse(hw::FirstN(D(), static_cast<size_t>(count)), b.values, a.values);
  }
  T operator[](int i) const {
    HWY_ALIGN T buffer[kSize];
    hw::Store(values, D(), buffer);
    return buffer[i];
  }

  template <typename F>
  Self map(F f) const {
    HWY_ALIGN T buffer[kSize];
    hw::Store(values, D(), buffer);
    for (int i = 0; i < kSize; ++i) buffer[i] = static_cast<T>(f(buffer[i]));
    return hw::Load(D(), buffer);
  }
  template <typename F>
  static Self map2(const Self& a, const Self& b, F f) {
    HWY_ALIGN T x[kSize];
    HWY_ALIGN T y[kSize];
    hw::Store(a.values, D(), x);
    hw::Store(b.values, D(), y);
    for (int i = 0; i < kSize; ++i) x[i] = static_cast<T>(f(x[i], y[i]));
    return hw::Load(D(), x);
  }

  Self neg() const { return hw::Neg(values); }
  Self operator-() const { return neg(); }
  Self abs() const { return hw::Abs(values); }
  Self reciprocal() const { return Self(T(1)) / self(); }
  Self rsqrt() const { return Self(T(1)) / sqrt(); }
  Self sqrt() const { return hw::Sqrt(values); }
  Self ceil() const { return hw::Ceil(values); }
  Self floor() const { return hw::Floor(values); }
  Self round() const { return hw::Round(values); }
  Self trunc() const { return hw::Trunc(values); }
  Self isnan() const { return hw::VecFromMask(D(), hw::IsNaN(values)); }

  Self exp() const {
    using M = detail::MathDomain<T>;
    return by_range(
        M::kExpLow, M::kExpHigh, [](const V& x) { return hw::Exp(D(), x); },
        [](T x) { return std::exp(x); });
  }
  Self expm1() const {
    using M = detail::MathDomain<T>;
    return by_range(
        M::kExpLow, M::kExpHigh, [](const V& x) { return hw::Expm1(D(), x); },
        [](T x) { return std::expm1(x); });
  }
  Self log() const {
    using M = detail::MathDomain<T>;
    return by_range(
        M::kTiny, M::kMax, [](const V& x) { return hw::Log(D(), x); },
        [](T x) { return std::log(x); }, T(0));
  }
  Self log1p() const {
    using M = detail::MathDomain<T>;
    return by_range(
        T(-0.99), M::kMax, [](const V& x) { return hw::Log1p(D(), x); },
        [](T x) { return std::log1p(x); }, T(-1));
  }
  Self log2() const {
    using M = detail::MathDomain<T>;
    return by_range(
        M::kTiny, M::kMax, [](const V& x) { return hw::Log2(D(), x); },
        [](T x) { return std::log2(x); }, T(0));
  }
  Self log10() const {
    using M = detail::MathDomain<T>;
    return by_range(
        M::kTiny, M::kMax, [](const V& x) { return hw::Log10(D(), x); },
        [](T x) { return std::log10(x); }, T(0));
  }
  Self sin() const {
    using M = detail::MathDomain<T>;
    return by_range(
        -M::kTrigonometric, M::kTrigonometric, [](const V& x) { return hw::Sin(D(), x); },
        [](T x) { return std::sin(x); });
  }
  Self cos() const {
    using M = detail::MathDomain<T>;
    return by_range(
        -M::kTrigonometric, M::kTrigonometric, [](const V& x) { return hw::Cos(D(), x); },
        [](T x) { return std::cos(x); });
  }
  Self tan() const {
    using M = detail::MathDomain<T>;
    return by_range(
        -M::kTrigonometric, M::kTrigonometric,
        [](const V& x) { return hw::Div(hw::Sin(D(), x), hw::Cos(D(), x)); },
        [](T x) { return std::tan(x); });
  }
  Self acos() const {
    return by_range(
        T(-1), T(1), [](const V& x) { return hw::Acos(D(), x); }, [](T x) { return std::acos(x); },
        T(-1), T(1));
  }
  Self asin() const {
    return by_range(
        T(-1), T(1), [](const V& x) { return hw::Asin(D(), x); }, [](T x) { return std::asin(x); },
        T(-1), T(1));
  }
  Self atan() const {
    using M = detail::MathDomain<T>;
    return by_range(
        -M::kMax, M::kMax, [](const V& x) { return hw::Atan(D(), x); },
        [](T x) { return std::atan(x); });
  }
  // Near 1, near 0 and beyond 1e4 Highway's formulas lose digits.
  Self acosh() const {
    return by_range(
        T(1.5), T(1e4), [](const V& x) { return hw::Acosh(D(), x); },
        [](T x) { return std::acosh(x); }, T(1));
  }
  Self asinh() const {
    return by_range(
        T(-1e4), T(1e4), [](const V& x) { return hw::Asinh(D(), x); },
        [](T x) { return std::asinh(x); });
  }
  Self atanh() const {
    return by_range(
        T(-0.999), T(0.999), [](const V& x) { return hw::Atanh(D(), x); },
        // The C library takes long to report a pole.
        [](T x) {
          return std::abs(x) == T(1) ? std::copysign(std::numeric_limits<T>::infinity(), x)
                                     : std::atanh(x);
        },
        T(-1), T(1));
  }
  Self sinh() const {
    using M = detail::MathDomain<T>;
    return by_range(
        M::kExpLow, M::kExpHigh, [](const V& x) { return hw::Sinh(D(), x); },
        [](T x) { return std::sinh(x); });
  }
  Self cosh() const {
    using M = detail::MathDomain<T>;
    return by_range(
        M::kExpLow, -M::kExpLow,
        [](const V& x) {
          const Self e = hw::Exp(D(), hw::Abs(x));
          return ((e + Self(T(1)) / e) * Self(T(0.5))).values;
        },
        [](T x) { return std::cosh(x); });
  }
  Self tanh() const {
    using M = detail::MathDomain<T>;
    return by_range(
        -M::kMax, M::kMax, [](const V& x) { return hw::Tanh(D(), x); },
        [](T x) { return std::tanh(x); });
  }
  // 2^x = 2^n exp(f log 2) with n the nearest integer.
  Self exp2() const {
    constexpr int kBias = std::numeric_limits<T>::max_exponent - 1;
    return by_range(
        T(1 - kBias), T(kBias),
        [](const V& x) {
          const V n = hw::Round(x);
          return exp_of(n, hw::Mul(hw::Sub(x, n), hw::Set(D(), T(0.693147180559945309417))));
        },
        [](T x) { return std::exp2(x); });
  }
  Self erf() const {
    return map([](T x) { return std::erf(x); });
  }
  Self erfc() const {
    return map([](T x) { return std::erfc(x); });
  }
  Self pow(const Self& exponent) const {
    return map2(self(), exponent, [](T a, T b) { return std::pow(a, b); });
  }

  friend Self operator+(const Self& a, const Self& b) { return hw::Add(a.values, b.values); }
  friend Self operator-(const Self& a, const Self& b) { return hw::Sub(a.values, b.values); }
  friend Self operator*(const Self& a, const Self& b) {
    if constexpr (sizeof(T) == 8 && !kIsFloat) {
      return map2(a, b, [](T x, T y) {
        return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
      });
    } else {
      return hw::Mul(a.values, b.values);
    }
  }
  friend Self operator/(const Self& a, const Self& b) {
    if constexpr (kIsFloat) {
      return hw::Div(a.values, b.values);
    } else {
      return map2(a, b, [](T x, T y) { return static_cast<T>(x / y); });
    }
  }
  friend Self& operator+=(Self& a, const Self& b) { return a = a + b; }
  friend Self& operator-=(Self& a, const Self& b) { return a = a - b; }
  friend Self& operator*=(Self& a, const Self& b) { return a = a * b; }
  friend Self& operator/=(Self& a, const Self& b) { return a = a / b; }
  friend Self operator&(const Self& a, const Self& b) { return hw::And(a.values, b.values); }
  friend Self operator|(const Self& a, const Self& b) { return hw::Or(a.values, b.values); }
  friend Self operator^(const Self& a, const Self& b) { return hw::Xor(a.values, b.values); }

#define AT_VEC_COMPARE(op, name, function)                                         \
  friend Self operator op(const Self& a, const Self& b) {                          \
    return hw::VecFromMask(D(), function(a.values, b.values));                     \
  }                                                                                \
  Self name(const Self& other) const {                                             \
    return hw::IfThenElseZero(function(values, other.values), hw::Set(D(), T(1))); \
  }
  AT_VEC_COMPARE(==, eq, hw::Eq)
  AT_VEC_COMPARE(!=, ne, not_equal)
  AT_VEC_COMPARE(<, lt, hw::Lt)
  AT_VEC_COMPARE(<=, le, less_equal)
  AT_VEC_COMPARE(>, gt, hw::Gt)
  AT_VEC_COMPARE(>=, ge, greater_equal)
#undef AT_VEC_COMPARE

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
  // 2^n e^r of an integer n and |r| up to log(2) / 2, where 2^n is a normal number: Taylor's
  // series, and n in the bits of the exponent.
  static V exp_of(const V& n, const V& r) {
    using Integer = hw::RebindToSigned<D>;
    constexpr int kDigits = std::numeric_limits<T>::digits - 1;
    constexpr int kBias = std::numeric_limits<T>::max_exponent - 1;
    constexpr int kTerms = std::is_same_v<T, float> ? 7 : 13;  // as many as change the last digit
    constexpr double kInverse[] = {1.0 / 2,        1.0 / 6,         1.0 / 24,
                                   1.0 / 120,      1.0 / 720,       1.0 / 5040,
                                   1.0 / 40320,    1.0 / 362880,    1.0 / 3628800,
                                   1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    const D d;
    V sum = hw::Set(d, static_cast<T>(kInverse[kTerms - 2]));
#pragma GCC unroll 16
    for (int k = kTerms - 3; k >= 0; --k) {
      sum = hw::MulAdd(sum, r, hw::Set(d, static_cast<T>(kInverse[k])));
    }
    // What is small is added first: 1 + (r + r^2 ...).
    const V e = hw::Add(hw::MulAdd(hw::Mul(r, r), sum, r), hw::Set(d, T(1)));
    const auto exponent = hw::Add(hw::ConvertTo(Integer(), n), hw::Set(Integer(), kBias));
    return hw::Mul(e, hw::BitCast(d, hw::ShiftLeft<kDigits>(exponent)));
  }
  // A function of each element: by `vector` of those from `low` to `high`, where its formula holds,
  // by `scalar` of the others. It is not a number below `least` and above `greatest`.
  template <typename VectorOp, typename ScalarOp>
  Self by_range(T low, T high, const VectorOp& vector, const ScalarOp& scalar,
                T least = -std::numeric_limits<T>::infinity(),
                T greatest = std::numeric_limits<T>::infinity()) const {
    const D d;
    const auto inside = hw::And(hw::Ge(values, hw::Set(d, low)), hw::Le(values, hw::Set(d, high)));
    if (hw::AllTrue(d, inside)) return vector(values);
    const V result =
        hw::IfThenElse(inside, vector(hw::IfThenElse(inside, values, hw::Set(d, low))), hw::NaN(d));
    const auto defined =
        hw::And(hw::Ge(values, hw::Set(d, least)), hw::Le(values, hw::Set(d, greatest)));
    const auto rest = hw::AndNot(inside, defined);
    if (hw::AllFalse(d, rest)) return result;
    HWY_ALIGN T elements[kSize];
    HWY_ALIGN T results[kSize];
    HWY_ALIGN T alone[kSize];
    hw::Store(values, d, elements);
    hw::Store(result, d, results);
    hw::Store(hw::IfThenElseZero(rest, hw::Set(d, T(1))), d, alone);
    for (int i = 0; i < kSize; ++i) {
      if (alone[i] != 0) results[i] = scalar(elements[i]);
    }
    return hw::Load(d, results);
  }
};

#define AT_VEC_HIGHWAY(T)                                                             \
  template <>                                                                         \
  struct Vectorized<T> : HighwayVectorized<T> {                                       \
    using HighwayVectorized<T>::HighwayVectorized;                                    \
    Vectorized() = default;                                                           \
  };                                                                                  \
  template <>                                                                         \
  inline Vectorized<T> fmadd(const Vectorized<T>& a, const Vectorized<T>& b,          \
                             const Vectorized<T>& c) {                                \
    return highway_fmadd(a, b, c);                                                    \
  }                                                                                   \
  template <>                                                                         \
  inline Vectorized<T> maximum(const Vectorized<T>& a, const Vectorized<T>& b) {      \
    return highway_maximum(a, b);                                                     \
  }                                                                                   \
  template <>                                                                         \
  inline Vectorized<T> minimum(const Vectorized<T>& a, const Vectorized<T>& b) {      \
    return highway_minimum(a, b);                                                     \
  }                                                                                   \
  template <>                                                                         \
  inline Vectorized<T> clamp_min(const Vectorized<T>& a, const Vectorized<T>& low) {  \
    return hw::IfThenElse(hw::Lt(a.values, low.values), low.values, a.values);        \
  }                                                                                   \
  template <>                                                                         \
  inline Vectorized<T> clamp_max(const Vectorized<T>& a, const Vectorized<T>& high) { \
    return hw::IfThenElse(hw::Lt(high.values, a.values), high.values, a.values);      \
  }

template <typename T>
Vectorized<T> highway_fmadd(const Vectorized<T>& a, const Vectorized<T>& b,
                            const Vectorized<T>& c) {
  if constexpr (std::is_floating_point_v<T>) {
    return hw::MulAdd(a.values, b.values, c.values);
  } else {
    return a * b + c;
  }
}
template <typename T>
Vectorized<T> highway_maximum(const Vectorized<T>& a, const Vectorized<T>& b) {
  auto larger = hw::IfThenElse(hw::Lt(a.values, b.values), b.values, a.values);
  if constexpr (std::is_floating_point_v<T>) {
    larger = hw::IfThenElse(hw::IsNaN(b.values), b.values, larger);
  }
  return larger;
}
template <typename T>
Vectorized<T> highway_minimum(const Vectorized<T>& a, const Vectorized<T>& b) {
  auto smaller = hw::IfThenElse(hw::Lt(b.values, a.values), b.values, a.values);
  if constexpr (std::is_floating_point_v<T>) {
    smaller = hw::IfThenElse(hw::IsNaN(b.values), b.values, smaller);
  }
  return smaller;
}

AT_VEC_HIGHWAY(float)
AT_VEC_HIGHWAY(double)
AT_VEC_HIGHWAY(int32_t)
AT_VEC_HIGHWAY(int64_t)
#undef AT_VEC_HIGHWAY

}  // namespace CPU_CAPABILITY
}  // namespace at::vec

#endif  // AT_VEC_ON_HIGHWAY
