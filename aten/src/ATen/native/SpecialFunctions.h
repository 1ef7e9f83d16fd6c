#pragma once

// Special functions of one number, in float or double. Those that Eigen has come from there; the
// header is for the sources that call them, not for other headers.

#include <unsupported/Eigen/SpecialFunctions>

#include <cmath>
#include <limits>
#include <numbers>

namespace at::native::special {

template <typename T>
inline constexpr T kInfinity = std::numeric_limits<T>::infinity();
template <typename T>
inline constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();

// The derivative of lgamma. At the poles 0 and -0 it is infinite, at the others not a number.
template <typename T>
T digamma(T x) {
  if (x == 0) return std::copysign(kInfinity<T>, -x);
  if (x < 0) {
    if (x == std::trunc(x)) return kNaN<T>;
    // Reflection: psi(1 - x) - psi(x) = pi / tan(pi x); the angle is reduced first.
    const double r = std::fmod(static_cast<double>(x), 1.0);
    const double pi = std::numbers::pi;
    return static_cast<T>(Eigen::numext::digamma(1 - static_cast<double>(x)) -
                          pi / std::tan(pi * r));
  }
  return static_cast<T>(Eigen::numext::digamma(static_cast<double>(x)));
}

// Hurwitz: the sum of (q + k)^-x over k.
template <typename T>
T zeta(T x, T q) {
  if (x > 1 && q <= 0 && q == std::floor(q)) return kInfinity<T>;
  return static_cast<T>(Eigen::numext::zeta(static_cast<double>(x), static_cast<double>(q)));
}

// The n-th derivative of digamma, n at least 1: (-1)^(n+1) n! zeta(n + 1, x).
template <typename T>
T polygamma(int64_t n, T x) {
  const double order = static_cast<double>(n);
  const double sign = n % 2 != 0 ? 1.0 : -1.0;
  return static_cast<T>(sign * std::exp(std::lgamma(order + 1)) *
                        zeta<double>(order + 1, static_cast<double>(x)));
}

// The quantile of the normal distribution.
template <typename T>
T ndtri(T p) {
  return static_cast<T>(Eigen::numext::ndtri(static_cast<double>(p)));
}

// The inverse of erf. Winitzki's approximation (2008), then Halley's method, which triples the
// digits at every step.
template <typename T>
T erfinv(T y_in) {
  const double y = static_cast<double>(y_in);
  if (!(std::abs(y) <= 1)) return kNaN<T>;
  if (std::abs(y) == 1) return std::copysign(kInfinity<T>, y_in);
  const double a = 0.147;
  const double log_term = std::log1p(-y * y);
  const double b = 2 / (std::numbers::pi * a) + log_term / 2;
  double x = std::copysign(std::sqrt(std::sqrt(b * b - log_term / a) - b), y);
  for (int step = 0; step < 3; ++step) {
    // Near 1 the complement keeps the digits.
    const double error = std::abs(y) > 0.5
                             ? (y < 0 ? -1 : 1) * ((1 - std::abs(y)) - std::erfc(std::abs(x)))
                             : std::erf(x) - y;
    const double u = error / (std::numbers::inv_sqrtpi * 2 * std::exp(-x * x));
    x -= u / (1 + x * u);
  }
  return static_cast<T>(x);
}

// exp(x^2) erfc(x) without overflow: for large x by the continued fraction of erfc.
template <typename T>
T erfcx(T x_in) {
  const double x = static_cast<double>(x_in);
  if (x < 10) {
    // exp(x^2) with the rounding error of the square put back.
    const double square = x * x;
    return static_cast<T>(std::exp(square) * std::erfc(x) * (1 + std::fma(x, x, -square)));
  }
  if (x > 1e8) return static_cast<T>(std::numbers::inv_sqrtpi / x);
  double fraction = x;
  for (int k = 40; k >= 1; --k) fraction = x + (k / 2.0) / fraction;
  return static_cast<T>(std::numbers::inv_sqrtpi / fraction);
}

// log of the normal distribution's function.
template <typename T>
T log_ndtr(T x_in) {
  const double x = static_cast<double>(x_in);
  const double t = x * std::numbers::sqrt2 / 2;
  if (x < -1) return static_cast<T>(std::log(erfcx(-t) / 2) - t * t);
  return static_cast<T>(std::log1p(-std::erfc(t) / 2));
}

template <typename T>
T entr(T x) {
  if (x != x) return x;
  if (x > 0) return -x * std::log(x);
  return x == 0 ? T(0) : -kInfinity<T>;
}

// sin(pi x) / (pi x).
template <typename T>
T sinc(T x) {
  if (x == 0) return T(1);
  const T product = std::numbers::pi_v<T> * x;
  return std::sin(product) / product;
}

// The regularised incomplete gamma functions, lower and upper.
template <typename T>
T igamma(T a, T x) {
  if (!(a >= 0) || !(x >= 0)) return kNaN<T>;
  if (a == 0) return x > 0 ? T(1) : kNaN<T>;
  if (x == 0) return T(0);
  if (std::isinf(a)) return std::isinf(x) ? kNaN<T> : T(0);
  if (std::isinf(x)) return T(1);
  return static_cast<T>(Eigen::numext::igamma(static_cast<double>(a), static_cast<double>(x)));
}

template <typename T>
T igammac(T a, T x) {
  if (!(a >= 0) || !(x >= 0)) return kNaN<T>;
  if (a == 0) return x > 0 ? T(0) : kNaN<T>;
  if (x == 0) return T(1);
  if (std::isinf(a)) return std::isinf(x) ? kNaN<T> : T(1);
  if (std::isinf(x)) return T(0);
  return static_cast<T>(Eigen::numext::igammac(static_cast<double>(a), static_cast<double>(x)));
}

}  // namespace at::native::special
