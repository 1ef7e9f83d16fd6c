#pragma once

#include <c10/util/complex_type.h>

#include <complex>

// Mathematical functions of c10::complex, by way of std::complex. Argument-dependent lookup finds
// them: `using std::exp; exp(z)` works for real and complex numbers.

namespace c10 {
namespace detail {
template <typename T>
std::complex<T> to_std(const complex<T>& z) {
  return {z.real(), z.imag()};
}
}  // namespace detail

#define C10_COMPLEX_FUNCTION(name)                   \
  template <typename T>                              \
  complex<T> name(const complex<T>& z) {             \
    return complex<T>(std::name(detail::to_std(z))); \
  }
C10_COMPLEX_FUNCTION(exp)
C10_COMPLEX_FUNCTION(log)
C10_COMPLEX_FUNCTION(log10)
C10_COMPLEX_FUNCTION(sqrt)
C10_COMPLEX_FUNCTION(sin)
C10_COMPLEX_FUNCTION(cos)
C10_COMPLEX_FUNCTION(tan)
C10_COMPLEX_FUNCTION(asin)
C10_COMPLEX_FUNCTION(acos)
C10_COMPLEX_FUNCTION(atan)
C10_COMPLEX_FUNCTION(sinh)
C10_COMPLEX_FUNCTION(cosh)
C10_COMPLEX_FUNCTION(tanh)
C10_COMPLEX_FUNCTION(asinh)
C10_COMPLEX_FUNCTION(acosh)
C10_COMPLEX_FUNCTION(atanh)
#undef C10_COMPLEX_FUNCTION

template <typename T>
complex<T> log2(const complex<T>& z) {
  const std::complex<T> natural = std::log(detail::to_std(z));
  return complex<T>(natural / std::log(T(2)));
}
template <typename T>
complex<T> pow(const complex<T>& base, const complex<T>& exponent) {
  return complex<T>(std::pow(detail::to_std(base), detail::to_std(exponent)));
}
template <typename T>
complex<T> pow(const complex<T>& base, const T& exponent) {
  return complex<T>(std::pow(detail::to_std(base), exponent));
}
template <typename T>
complex<T> pow(const T& base, const complex<T>& exponent) {
  return complex<T>(std::pow(base, detail::to_std(exponent)));
}
template <typename T>
T abs(const complex<T>& z) {
  return std::hypot(z.real(), z.imag());
}
template <typename T>
T arg(const complex<T>& z) {
  return std::atan2(z.imag(), z.real());
}
/// exp(z) - 1, precise for small z.
template <typename T>
complex<T> expm1(const complex<T>& z) {
  const T half_sine = std::sin(z.imag() / 2);
  const T part = std::expm1(z.real());
  // cos(y) is 1 - 2 sin(y / 2)^2.
  return complex<T>(part * std::cos(z.imag()) - 2 * half_sine * half_sine,
                    std::exp(z.real()) * std::sin(z.imag()));
}
/// log(1 + z), precise for small z.
template <typename T>
complex<T> log1p(const complex<T>& z) {
  const T x = z.real();
  const T y = z.imag();
  const T angle = std::atan2(y, 1 + x);
  // |1 + z|^2 is 1 + x (2 + x) + y^2; far from 1, and where squares overflow, hypot is as good.
  const T beyond = x * (2 + x) + y * y;
  if (!(std::abs(beyond) < T(0.5))) return complex<T>(std::log(std::hypot(1 + x, y)), angle);
  return complex<T>(std::log1p(beyond) / 2, angle);
}
template <typename T>
constexpr T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <typename T>
constexpr complex<T> conj(const complex<T>& z) {
  return complex<T>(z.real(), -z.imag());
}
template <typename T>
complex<T> polar(const T& magnitude, const T& angle = T()) {
  return complex<T>(std::polar(magnitude, angle));
}

}  // namespace c10

/// The same functions under the name that PyTorch gives their namespace.
namespace c10_complex_math {
using c10::abs;
using c10::acos;
using c10::acosh;
using c10::arg;
using c10::asin;
using c10::asinh;
using c10::atan;
using c10::atanh;
using c10::conj;
using c10::cos;
using c10::cosh;
using c10::exp;
using c10::expm1;
using c10::log;
using c10::log10;
using c10::log1p;
using c10::log2;
using c10::norm;
using c10::polar;
using c10::pow;
using c10::sin;
using c10::sinh;
using c10::sqrt;
using c10::tan;
using c10::tanh;
}  // namespace c10_complex_math

// `std::abs(z)`, as generic code calls them.
namespace std {
using c10_complex_math::abs;
using c10_complex_math::acos;
using c10_complex_math::acosh;
using c10_complex_math::arg;
using c10_complex_math::asin;
using c10_complex_math::asinh;
using c10_complex_math::atan;
using c10_complex_math::atanh;
using c10_complex_math::conj;
using c10_complex_math::cos;
using c10_complex_math::cosh;
using c10_complex_math::exp;
using c10_complex_math::expm1;
using c10_complex_math::log;
using c10_complex_math::log10;
using c10_complex_math::log1p;
using c10_complex_math::log2;
using c10_complex_math::norm;
using c10_complex_math::pow;
using c10_complex_math::sin;
using c10_complex_math::sinh;
using c10_complex_math::sqrt;
using c10_complex_math::tan;
using c10_complex_math::tanh;

template <typename T>
constexpr T real(const c10::complex<T>& z) {
  return z.real();
}
template <typename T>
constexpr T imag(const c10::complex<T>& z) {
  return z.imag();
}
}  // namespace std
