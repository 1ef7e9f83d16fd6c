// Orthogonal polynomials of degree n at x, by their recurrences (Digital Library of Mathematical
// Functions, dlmf.nist.gov, table 18.9.1), and between -1 and 1 those of Chebyshev by their
// definition with angles (18.5.1 to 18.5.4). A negative degree gives 0.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/ops/special_chebyshev_polynomial_t.h>
#include <ATen/ops/special_chebyshev_polynomial_t_native.h>
#include <ATen/ops/special_chebyshev_polynomial_u.h>
#include <ATen/ops/special_chebyshev_polynomial_u_native.h>
#include <ATen/ops/special_chebyshev_polynomial_v.h>
#include <ATen/ops/special_chebyshev_polynomial_v_native.h>
#include <ATen/ops/special_chebyshev_polynomial_w.h>
#include <ATen/ops/special_chebyshev_polynomial_w_native.h>
#include <ATen/ops/special_hermite_polynomial_h.h>
#include <ATen/ops/special_hermite_polynomial_h_native.h>
#include <ATen/ops/special_hermite_polynomial_he.h>
#include <ATen/ops/special_hermite_polynomial_he_native.h>
#include <ATen/ops/special_laguerre_polynomial_l.h>
#include <ATen/ops/special_laguerre_polynomial_l_native.h>
#include <ATen/ops/special_legendre_polynomial_p.h>
#include <ATen/ops/special_legendre_polynomial_p_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_t.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_t_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_u.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_u_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_v.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_v_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_w.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_w_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
namespace {

// Each element costs much: few of them are worth a thread.
constexpr int64_t kGrainSize = 2048;

template <typename T>
int64_t degree(T n) {
  // What is no number, and what no loop would end with, has no polynomial.
  return n >= 0 && n < T(9e18) ? static_cast<int64_t>(n) : -1;
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

}  // namespace

#define FOR_EACH_FUNCTION(F)        \
  F(chebyshev_polynomial_t)         \
  F(chebyshev_polynomial_u)         \
  F(chebyshev_polynomial_v)         \
  F(chebyshev_polynomial_w)         \
  F(hermite_polynomial_h)           \
  F(hermite_polynomial_he)          \
  F(laguerre_polynomial_l)          \
  F(legendre_polynomial_p)          \
  F(shifted_chebyshev_polynomial_t) \
  F(shifted_chebyshev_polynomial_u) \
  F(shifted_chebyshev_polynomial_v) \
  F(shifted_chebyshev_polynomial_w)

#define IMPLEMENT(name)                                                                      \
  TORCH_IMPL_FUNC(special_##name##_out)                                                      \
  (const Tensor& /*x*/, const Tensor& /*n*/, const Tensor& /*result*/) {                     \
    AT_DISPATCH_FLOATING_TYPES(common_dtype(), #name "_cpu", [&] {                           \
      cpu_kernel(                                                                            \
          *this, [](scalar_t x, scalar_t n) -> scalar_t { return name(x, n); }, kGrainSize); \
    });                                                                                      \
  }                                                                                          \
  Tensor special_##name(const Scalar& x, const Tensor& n) {                                  \
    return at::special_##name(wrapped_scalar_tensor(x), n);                                  \
  }                                                                                          \
  Tensor special_##name(const Tensor& x, const Scalar& n) {                                  \
    return at::special_##name(x, wrapped_scalar_tensor(n));                                  \
  }                                                                                          \
  Tensor& special_##name##_out(const Scalar& x, const Tensor& n, Tensor& out) {              \
    return at::special_##name##_out(out, wrapped_scalar_tensor(x), n);                       \
  }                                                                                          \
  Tensor& special_##name##_out(const Tensor& x, const Scalar& n, Tensor& out) {              \
    return at::special_##name##_out(out, x, wrapped_scalar_tensor(n));                       \
  }

FOR_EACH_FUNCTION(IMPLEMENT)

}  // namespace at::native

namespace at::meta {

#define DECIDE_SHAPE(name)                                            \
  TORCH_META_FUNC(special_##name)(const Tensor& x, const Tensor& n) { \
    build_borrowing_binary_float_op(maybe_get_output(), x, n);        \
  }

FOR_EACH_FUNCTION(DECIDE_SHAPE)

}  // namespace at::meta
