// Orthogonal polynomials of degree n at x, by their recurrences (Digital Library of Mathematical
// Functions, dlmf.nist.gov, table 18.9.1), and between -1 and 1 those of Chebyshev by their
// definition with angles (18.5.1 to 18.5.4). Of a degree the whole part counts; a negative one
// gives 0.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/OrthogonalPolynomials.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// ---- one element

template <typename T>
int64_t degree(T n) {
  // What is no number, and what no loop would end with, has no polynomial.
  return n > -1 && n < T(9e18) ? static_cast<int64_t>(n) : -1;
}

// p_n of p_0, p_1 and p_{k+1} = next(k, p_k, p_{k-1}).
template <typename T, typename Next>
T recurrence(int64_t n, T before, T now, const Next& next) {
  if (n < 0) return 0;
  if (n == 0) return before;
  for (int64_t k = 1; k < n; ++k) {
    const T after = next(static_cast<T>(k), now, before);
    before = now;
    now = after;
    if (std::isnan(now)) break;
  }
  return now;
}

template <typename T>
T chebyshev(int64_t n, T x, T first) {
  return recurrence(n, T(1), first, [x](T, T now, T before) { return (x + x) * now - before; });
}

// At x = 1 or -1 degrees may be great: `one` is the value at 1, `minus_one` that at -1 without
// sign.
template <typename T>
T at_the_end(int64_t n, T x, T one, T minus_one) {
  if (n < 0) return 0;
  if (x > 0) return one;
  return n % 2 == 0 ? minus_one : -minus_one;
}

template <typename T>
T chebyshev_polynomial_t(T x, T degrees) {
  const int64_t n = degree(degrees);
  if (std::abs(x) == 1) return at_the_end(n, x, T(1), T(1));
  if (n > 6 && std::abs(x) < 1) return std::cos(static_cast<T>(n) * std::acos(x));
  return chebyshev(n, x, x);
}

template <typename T>
T chebyshev_polynomial_u(T x, T degrees) {
  const int64_t n = degree(degrees);
  const T m = static_cast<T>(n + 1);
  if (std::abs(x) == 1) return at_the_end(n, x, m, m);
  if (n > 8 && std::abs(x) < 1) return std::sin(m * std::acos(x)) / std::sin(std::acos(x));
  return chebyshev(n, x, x + x);
}

template <typename T>
T chebyshev_polynomial_v(T x, T degrees) {
  const int64_t n = degree(degrees);
  const T half = static_cast<T>(n) + T(0.5);
  if (std::abs(x) == 1) return at_the_end(n, x, T(1), half + half);
  if (n > 8 && std::abs(x) < 1) return std::cos(half * std::acos(x)) / std::cos(std::acos(x) / 2);
  return chebyshev(n, x, x + x - 1);
}

template <typename T>
T chebyshev_polynomial_w(T x, T degrees) {
  const int64_t n = degree(degrees);
  const T half = static_cast<T>(n) + T(0.5);
  if (std::abs(x) == 1) return at_the_end(n, x, half + half, T(1));
  if (n > 8 && std::abs(x) < 1) return std::sin(half * std::acos(x)) / std::sin(std::acos(x) / 2);
  return chebyshev(n, x, x + x + 1);
}

#define SHIFTED_CHEBYSHEV(kind)                       \
  template <typename T>                               \
  T shifted_chebyshev_polynomial_##kind(T x, T n) {   \
    return chebyshev_polynomial_##kind(x + x - 1, n); \
  }
SHIFTED_CHEBYSHEV(t)
SHIFTED_CHEBYSHEV(u)
SHIFTED_CHEBYSHEV(v)
SHIFTED_CHEBYSHEV(w)

// Degrees whose values do not fit any more.
template <typename T>
constexpr int64_t kMostHermite = std::is_same_v<T, float> ? 128 : 512;

template <typename T>
T hermite_polynomial_h(T x, T degrees) {
  const int64_t n = degree(degrees);
  if (n > kMostHermite<T>) return std::numeric_limits<T>::quiet_NaN();
  return recurrence(n, T(1), x + x,
                    [x](T k, T now, T before) { return (x + x) * now - (k + k) * before; });
}

template <typename T>
T hermite_polynomial_he(T x, T degrees) {
  const int64_t n = degree(degrees);
  if (n > kMostHermite<T>) return std::numeric_limits<T>::quiet_NaN();
  return recurrence(n, T(1), x, [x](T k, T now, T before) { return x * now - k * before; });
}

template <typename T>
T laguerre_polynomial_l(T x, T degrees) {
  const int64_t n = degree(degrees);
  if (x == 0) return n < 0 ? T(0) : T(1);
  return recurrence(n, T(1), 1 - x, [x](T k, T now, T before) {
    return ((k + k + (1 - x)) * now - k * before) / (k + 1);
  });
}

template <typename T>
T legendre_polynomial_p(T x, T degrees) {
  const int64_t n = degree(degrees);
  if (std::abs(x) == 1) return at_the_end(n, x, T(1), T(1));
  return recurrence(n, T(1), x, [x](T k, T now, T before) {
    return ((k + k + 1) * x * now - k * before) / (k + 1);
  });
}

// ---- vectors, each of whose elements has a degree of its own

// Elements of a higher degree are computed alone.
constexpr int kMostTogether = 128;

template <typename T>
T largest(const Vectorized<T>& v) {
  T lanes[Vectorized<T>::size()];
  v.store(lanes);
  return *std::max_element(lanes, lanes + Vectorized<T>::size());
}

// What `degree` makes of numbers.
template <typename T>
Vectorized<T> degrees_of(const Vectorized<T>& n) {
  using V = Vectorized<T>;
  const V valid = (n > V(T(-1))) & (n < V(T(9e18)));
  return select(valid, n.trunc(), V(T(-1)));
}

// p_n of p_0, p_1 and p_{k+1} = next(k, p_k, p_{k-1}), for whole degrees n of at least -1.
template <typename T, typename Next>
Vectorized<T> recurrence(const Vectorized<T>& n, const Vectorized<T>& zeroth,
                         const Vectorized<T>& first, const Next& next) {
  using V = Vectorized<T>;
  const T most = largest(n);
  V before = zeroth;
  V now = first;
  for (T k = 1; k < most; k += 1) {
    const V order(k);
    const V after = next(order, now, before);
    const V goes_on = order < n;
    before = select(goes_on, now, before);
    now = select(goes_on, after, now);
  }
  return select(n < V(T(1)), select(n < V(T(0)), V(T(0)), zeroth), now);
}

// `one(x, n)` for each element if a degree is so high that the others would wait for it, and
// `together()` otherwise.
template <typename T, typename One, typename Together>
Vectorized<T> one_by_one_if_high(const Vectorized<T>& x, const Vectorized<T>& n, const One& one,
                                 const Together& together) {
  using V = Vectorized<T>;
  if (largest(n) <= T(kMostTogether)) return together();
  T xs[V::size()];
  T ns[V::size()];
  x.store(xs);
  n.store(ns);
  for (int k = 0; k < V::size(); ++k) xs[k] = one(xs[k], ns[k]);
  return V::loadu(xs);
}

// One of Chebyshev's polynomials: by angles where the degree is above `few` and x is between -1 and
// 1, elsewhere by the recurrence from `first` on.
template <typename T, typename One, typename Angles>
Vectorized<T> chebyshev(const Vectorized<T>& x, const Vectorized<T>& n, int few,
                        const Vectorized<T>& first, const One& one, const Angles& angles) {
  using V = Vectorized<T>;
  const V by_angles = (n > V(static_cast<T>(few))) & (x.abs() < V(T(1)));
  const V rest = select(by_angles, V(T(0)), n);
  const V plain = one_by_one_if_high(x, rest, one, [&]() -> V {
    const V twice = x + x;
    return recurrence(rest, V(T(1)), first, [&twice](const V&, const V& now, const V& before) {
      return V(twice * now - before);
    });
  });
  if (largest(n) <= static_cast<T>(few)) return plain;
  return select(by_angles, angles(select(by_angles, x, V(T(0))).acos()), plain);
}

// Calls of one type, which lambdas make of overloads.
#define ONE(name) [](T a, T b) { return name(a, b); }

template <typename T>
Vectorized<T> chebyshev_polynomial_t(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return chebyshev(x, n, 6, x, ONE(chebyshev_polynomial_t),
                   [&n](const V& angle) { return V((n * angle).cos()); });
}

template <typename T>
Vectorized<T> chebyshev_polynomial_u(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return chebyshev(x, n, 8, V(x + x), ONE(chebyshev_polynomial_u),
                   [&n](const V& angle) { return V(((n + V(T(1))) * angle).sin() / angle.sin()); });
}

template <typename T>
Vectorized<T> chebyshev_polynomial_v(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return chebyshev(x, n, 8, V(x + x - V(T(1))), ONE(chebyshev_polynomial_v), [&n](const V& angle) {
    return V(((n + V(T(0.5))) * angle).cos() / (angle * V(T(0.5))).cos());
  });
}

template <typename T>
Vectorized<T> chebyshev_polynomial_w(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return chebyshev(x, n, 8, V(x + x + V(T(1))), ONE(chebyshev_polynomial_w), [&n](const V& angle) {
    return V(((n + V(T(0.5))) * angle).sin() / (angle * V(T(0.5))).sin());
  });
}

#define SHIFTED_CHEBYSHEV_VECTORS(kind)                                                \
  template <typename T>                                                                \
  Vectorized<T> shifted_chebyshev_polynomial_##kind(const Vectorized<T>& x,            \
                                                    const Vectorized<T>& n) {          \
    return chebyshev_polynomial_##kind(Vectorized<T>(x + x - Vectorized<T>(T(1))), n); \
  }
SHIFTED_CHEBYSHEV_VECTORS(t)
SHIFTED_CHEBYSHEV_VECTORS(u)
SHIFTED_CHEBYSHEV_VECTORS(v)
SHIFTED_CHEBYSHEV_VECTORS(w)

template <typename T>
Vectorized<T> hermite_polynomial_h(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return one_by_one_if_high(x, n, ONE(hermite_polynomial_h), [&]() -> V {
    const V twice = x + x;
    return recurrence(n, V(T(1)), twice, [&twice](const V& k, const V& now, const V& before) {
      return V(twice * now - (k + k) * before);
    });
  });
}

template <typename T>
Vectorized<T> hermite_polynomial_he(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return one_by_one_if_high(x, n, ONE(hermite_polynomial_he), [&]() -> V {
    return recurrence(n, V(T(1)), x, [&x](const V& k, const V& now, const V& before) {
      return V(x * now - k * before);
    });
  });
}

template <typename T>
Vectorized<T> laguerre_polynomial_l(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return one_by_one_if_high(x, n, ONE(laguerre_polynomial_l), [&]() -> V {
    const V rest = V(T(1)) - x;
    return recurrence(n, V(T(1)), rest, [&rest](const V& k, const V& now, const V& before) {
      return V(((k + k + rest) * now - k * before) / (k + V(T(1))));
    });
  });
}

template <typename T>
Vectorized<T> legendre_polynomial_p(const Vectorized<T>& x, const Vectorized<T>& degrees) {
  using V = Vectorized<T>;
  const V n = degrees_of(degrees);
  return one_by_one_if_high(x, n, ONE(legendre_polynomial_p), [&]() -> V {
    return recurrence(n, V(T(1)), x, [&x](const V& k, const V& now, const V& before) {
      return V(((k + k + V(T(1))) * x * now - k * before) / (k + V(T(1))));
    });
  });
}
#undef ONE

#define POLYNOMIAL_KERNEL(name)                                          \
  void name##_kernel(TensorIteratorBase& iter) {                         \
    AT_DISPATCH_FLOATING_TYPES(iter.common_dtype(), #name "_cpu", [&] {  \
      using V = Vectorized<scalar_t>;                                    \
      wide_float_kernel<Cost::kHigh, scalar_t>(                          \
          iter, std::make_index_sequence<2>(),                           \
          [](scalar_t x, scalar_t n) -> scalar_t { return name(x, n); }, \
          [](V x, V n) -> V { return name(x, n); });                     \
    });                                                                  \
  }                                                                      \
  REGISTER_DISPATCH(name##_stub, &name##_kernel)

POLYNOMIAL_KERNEL(chebyshev_polynomial_t)
POLYNOMIAL_KERNEL(chebyshev_polynomial_u)
POLYNOMIAL_KERNEL(chebyshev_polynomial_v)
POLYNOMIAL_KERNEL(chebyshev_polynomial_w)
POLYNOMIAL_KERNEL(hermite_polynomial_h)
POLYNOMIAL_KERNEL(hermite_polynomial_he)
POLYNOMIAL_KERNEL(laguerre_polynomial_l)
POLYNOMIAL_KERNEL(legendre_polynomial_p)
POLYNOMIAL_KERNEL(shifted_chebyshev_polynomial_t)
POLYNOMIAL_KERNEL(shifted_chebyshev_polynomial_u)
POLYNOMIAL_KERNEL(shifted_chebyshev_polynomial_v)
POLYNOMIAL_KERNEL(shifted_chebyshev_polynomial_w)

}  // namespace
}  // namespace CPU_CAPABILITY
}  // namespace at::native
