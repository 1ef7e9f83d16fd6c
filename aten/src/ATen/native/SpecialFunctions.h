#pragma once

// Special functions of one number, in float or double. Those that Eigen has come from there; the
// header is for the sources that call them, not for other headers.

#include <unsupported/Eigen/SpecialFunctions>

#include <cmath>
#include <limits>

namespace at::native::special {

template <typename T>
inline constexpr T kInfinity = std::numeric_limits<T>::infinity();
template <typename T>
inline constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();

// Hurwitz: the sum of (q + k)^-x over k.
template <typename T>
T zeta(T x, T q) {
  if (x > 1 && q <= 0 && q == std::floor(q)) return kInfinity<T>;
  if (x > 1 && q == kInfinity<T>) return 0;
  return static_cast<T>(Eigen::numext::zeta(static_cast<double>(x), static_cast<double>(q)));
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
