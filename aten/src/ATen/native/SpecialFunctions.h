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
  if (x > 1 && q == kInfinity<T>) return 0;
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

// The quantile of the normal distribution, of a probability p.
template <typename T>
T ndtri(T p) {
  if (p < 0 || p > 1) return kNaN<T>;
  return static_cast<T>(Eigen::numext::ndtri(static_cast<double>(p)));
}

// c[0] + c[1] x + ... + c[7] x^7.
inline double polynomial7(const double (&c)[8], double x) {
  double value = c[7];
  for (int k = 6; k >= 0; --k) value = value * x + c[k];
  return value;
}

// The inverse of erf: Wichura's rational functions for the normal distribution's quantile (AS 241,
// Applied Statistics 37, 1988), which is sqrt(2) erfinv(2 p - 1). Each has 16 digits.
template <typename T>
T erfinv(T y_in) {
  constexpr double kCentral[][8] = {
      {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
       1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
       3.3430575583588128105e+4, 2.5090809287301226727e+3},
      {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
       2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
       5.2264952788528545610e+3}};
  constexpr double kNear[][8] = {
      {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
       3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
       2.27238449892691845833e-2, 7.74545014278341407640e-4},
      {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
       1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
       1.05075007164441684324e-9}};
  constexpr double kFar[][8] = {
      {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
       2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
       2.71155556874348757815e-5, 2.01033439929228813265e-7},
      {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
       7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
       2.04426310338993978564e-15}};
  const auto y = static_cast<double>(y_in);
  const double size = std::abs(y);
  if (!(size <= 1)) return kNaN<T>;
  if (size == 1) return std::copysign(kInfinity<T>, y_in);
  const auto ratio = [](const double (&c)[2][8], double x) {
    return polynomial7(c[0], x) / polynomial7(c[1], x) / std::numbers::sqrt2;
  };
  if (size <= 0.85) {
    const double q = y / 2;
    return static_cast<T>(q * ratio(kCentral, 0.180625 - q * q));
  }
  const double tail = std::sqrt(-std::log((1 - size) / 2));
  const double x = tail <= 5 ? ratio(kNear, tail - 1.6) : ratio(kFar, tail - 5);
  return static_cast<T>(std::copysign(x, y));
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
