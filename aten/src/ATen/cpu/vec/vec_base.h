#pragma once

// Vectorized<T> for any element type: an array whose loops the compiler may vectorise. The types
// that Highway covers have specialisations in vec_highway.h.

#include <ATen/native/Wrapping.h>
#include <c10/macros/Macros.h>
#include <c10/util/complex_type.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Kernel files are compiled with CPU_CAPABILITY defined; everything below lives in a namespace of
// that name, so that code of different capabilities never shares a symbol.
#ifndef CPU_CAPABILITY
#define CPU_CAPABILITY DEFAULT
#endif

#if defined(CPU_CAPABILITY_AVX512)
#define VECTOR_WIDTH 64
#elif defined(CPU_CAPABILITY_AVX2)
#define VECTOR_WIDTH 32
#else
#define VECTOR_WIDTH 16
#endif

namespace at::vec {
inline namespace CPU_CAPABILITY {

template <typename T>
inline bool is_nan(T x) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return x != x;
  }
}

// What reduced-precision and small elements compute in.
template <typename T>
struct Vectorized {
  using value_type = T;
  using size_type = int;
  static constexpr int kSize =
      sizeof(T) <= VECTOR_WIDTH ? static_cast<int>(VECTOR_WIDTH / sizeof(T)) : 1;
  static constexpr int size() { return kSize; }

  Vectorized() : Vectorized(T(0)) {}
  /*implicit*/ Vectorized(T v) {
    for (int i = 0; i < kSize; ++i) values[i] = v;
  }

  // The first `count` elements at `ptr`, which need not be aligned; the others are zero.
  static Vectorized loadu(const void* ptr) {
    Vectorized v(NoInit{});
    std::memcpy(static_cast<void*>(v.values), ptr, sizeof(values));
    return v;
  }
  static Vectorized loadu(const void* ptr, int64_t count) {
    Vectorized v;
    std::memcpy(static_cast<void*>(v.values), ptr, static_cast<size_t>(count) * sizeof(T));
    return v;
  }
  void store(void* ptr, int count = kSize) const {
    std::memcpy(ptr, static_cast<const void*>(values), static_cast<size_t>(count) * sizeof(T));
  }

  static Vectorized arange(T base = T(0), T step = T(1)) {
    Vectorized v;
    for (int i = 0; i < kSize; ++i) v.values[i] = static_cast<T>(base + T(i) * step);
    return v;
  }
  // `b` where `mask` is true, else `a`. Masks are all ones or all zeros in each element.
  static Vectorized blendv(const Vectorized& a, const Vectorized& b, const Vectorized& mask) {
    Vectorized v(NoInit{});
    for (int i = 0; i < kSize; ++i) v.values[i] = mask.is_true(i) ? b.values[i] : a.values[i];
    return v;
  }
  // The first `count` elements of `b`, the others of `a`.
  static Vectorized set(const Vectorized& a, const Vectorized& b, int64_t count = kSize) {
    Vectorized v = a;
    for (int64_t i = 0; i < count && i < kSize; ++i) v.values[i] = b.values[i];
    return v;
  }

  T operator[](int i) const { return values[i]; }

  // `f` applied to each element.
  template <typename F>
  Vectorized map(F f) const {
    Vectorized v(NoInit{});
    for (int i = 0; i < kSize; ++i) v.values[i] = static_cast<T>(f(values[i]));
    return v;
  }
  template <typename F>
  static Vectorized map2(const Vectorized& a, const Vectorized& b, F f) {
    Vectorized v(NoInit{});
    for (int i = 0; i < kSize; ++i) v.values[i] = static_cast<T>(f(a.values[i], b.values[i]));
    return v;
  }

  static T negated(T x) {
    if constexpr (std::is_integral_v<T>) {
      return native::wrapping_neg(x);
    } else {
      return static_cast<T>(-x);
    }
  }
  Vectorized neg() const {
    return map([](T x) { return negated(x); });
  }
  Vectorized abs() const {
    return map([](T x) {
      if constexpr (std::is_unsigned_v<T>) {
        return x;
      } else {
        // The sum makes 0 of -0.
        return x < T(0) ? negated(x) : static_cast<T>(x + T(0));
      }
    });
  }
  Vectorized reciprocal() const {
    return map([](T x) { return T(1) / x; });
  }

#define AT_VEC_MAP_STD(name, function)                   \
  Vectorized name() const {                              \
    return map([](T x) { return T(std::function(x)); }); \
  }
  AT_VEC_MAP_STD(exp, exp)
  AT_VEC_MAP_STD(exp2, exp2)
  AT_VEC_MAP_STD(expm1, expm1)
  AT_VEC_MAP_STD(log, log)
  AT_VEC_MAP_STD(log2, log2)
  AT_VEC_MAP_STD(log10, log10)
  AT_VEC_MAP_STD(log1p, log1p)
  AT_VEC_MAP_STD(sin, sin)
  AT_VEC_MAP_STD(cos, cos)
  AT_VEC_MAP_STD(tan, tan)
  AT_VEC_MAP_STD(acos, acos)
  AT_VEC_MAP_STD(acosh, acosh)
  AT_VEC_MAP_STD(asin, asin)
  AT_VEC_MAP_STD(asinh, asinh)
  AT_VEC_MAP_STD(atan, atan)
  AT_VEC_MAP_STD(atanh, atanh)
  AT_VEC_MAP_STD(sinh, sinh)
  AT_VEC_MAP_STD(cosh, cosh)
  AT_VEC_MAP_STD(tanh, tanh)
  AT_VEC_MAP_STD(sqrt, sqrt)
  AT_VEC_MAP_STD(erf, erf)
  AT_VEC_MAP_STD(erfc, erfc)
  AT_VEC_MAP_STD(ceil, ceil)
  AT_VEC_MAP_STD(floor, floor)
  AT_VEC_MAP_STD(round, nearbyint)
  AT_VEC_MAP_STD(trunc, trunc)
#undef AT_VEC_MAP_STD
  Vectorized rsqrt() const {
    return map([](T x) { return T(1) / T(std::sqrt(x)); });
  }
  Vectorized pow(const Vectorized& exponent) const {
    return map2(*this, exponent, [](T a, T b) { return T(std::pow(a, b)); });
  }

// Integers wrap around, which C++ leaves open for signed types.
#define AT_VEC_BINARY(op, Computed)                                                         \
  friend Vectorized operator op(const Vectorized& a, const Vectorized& b) {                 \
    return map2(a, b, [](T x, T y) { return static_cast<T>(Computed(x) op Computed(y)); }); \
  }                                                                                         \
  friend Vectorized& operator op## = (Vectorized & a, const Vectorized& b) { return a = a op b; }
  AT_VEC_BINARY(+, native::wrapping_type<T>)
  AT_VEC_BINARY(-, native::wrapping_type<T>)
  AT_VEC_BINARY(*, native::wrapping_type<T>)
  AT_VEC_BINARY(/, T)
#undef AT_VEC_BINARY
  Vectorized operator-() const { return neg(); }

#define AT_VEC_BITWISE(op)                                                  \
  friend Vectorized operator op(const Vectorized& a, const Vectorized& b) { \
    Vectorized v(NoInit{});                                                 \
    unsigned char x[sizeof(values)], y[sizeof(values)];                     \
    std::memcpy(x, static_cast<const void*>(a.values), sizeof(values));     \
    std::memcpy(y, static_cast<const void*>(b.values), sizeof(values));     \
    for (size_t i = 0; i < sizeof(values); ++i) x[i] = x[i] op y[i];        \
    std::memcpy(static_cast<void*>(v.values), x, sizeof(values));           \
    return v;                                                               \
  }
  AT_VEC_BITWISE(&)
  AT_VEC_BITWISE(|)
  AT_VEC_BITWISE(^)
#undef AT_VEC_BITWISE

  // Comparisons give masks; eq and its kind give ones and zeros.
#define AT_VEC_COMPARE(op, name)                                            \
  friend Vectorized operator op(const Vectorized& a, const Vectorized& b) { \
    Vectorized v;                                                           \
    for (int i = 0; i < kSize; ++i) {                                       \
      if (a.values[i] op b.values[i]) {                                     \
        std::memset(static_cast<void*>(v.values + i), 0xff, sizeof(T));     \
      }                                                                     \
    }                                                                       \
    return v;                                                               \
  }                                                                         \
  Vectorized name(const Vectorized& other) const {                          \
    return map2(*this, other, [](T x, T y) { return T(x op y); });          \
  }
  AT_VEC_COMPARE(==, eq)
  AT_VEC_COMPARE(!=, ne)
  AT_VEC_COMPARE(<, lt)
  AT_VEC_COMPARE(<=, le)
  AT_VEC_COMPARE(>, gt)
  AT_VEC_COMPARE(>=, ge)
#undef AT_VEC_COMPARE
  Vectorized isnan() const { return *this != *this; }

 private:
  struct NoInit {};
  explicit Vectorized(NoInit) {}
  bool is_true(int i) const {
    T zero(0);
    return std::memcmp(static_cast<const void*>(values + i), &zero, sizeof(T)) != 0;
  }

  alignas(VECTOR_WIDTH) T values[kSize];
};

template <typename T>
Vectorized<T> fmadd(const Vectorized<T>& a, const Vectorized<T>& b, const Vectorized<T>& c) {
  return a * b + c;
}
template <typename T>
Vectorized<T> fmsub(const Vectorized<T>& a, const Vectorized<T>& b, const Vectorized<T>& c) {
  return a * b - c;
}
// The larger, or NaN when either is.
template <typename T>
Vectorized<T> maximum(const Vectorized<T>& a, const Vectorized<T>& b) {
  return Vectorized<T>::map2(a, b, [](T x, T y) {
    return is_nan(x) ? x : (is_nan(y) || x < y) ? y : x;
  });
}
// The smaller, or NaN when either is.
template <typename T>
Vectorized<T> minimum(const Vectorized<T>& a, const Vectorized<T>& b) {
  return Vectorized<T>::map2(a, b, [](T x, T y) {
    return is_nan(x) ? x : (is_nan(y) || y < x) ? y : x;
  });
}
// NaN elements of `a` stay NaN.
template <typename T>
Vectorized<T> clamp_min(const Vectorized<T>& a, const Vectorized<T>& low) {
  return Vectorized<T>::map2(a, low, [](T x, T y) { return x < y ? y : x; });
}
template <typename T>
Vectorized<T> clamp_max(const Vectorized<T>& a, const Vectorized<T>& high) {
  return Vectorized<T>::map2(a, high, [](T x, T y) { return y < x ? y : x; });
}
template <typename T>
Vectorized<T> clamp(const Vectorized<T>& a, const Vectorized<T>& low, const Vectorized<T>& high) {
  return clamp_max(clamp_min(a, low), high);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
