#pragma once

// c10::complex with std::complex and the functions of <cmath>. Sources of the tree that need the
// number alone include c10/util/complex_type.h.

#include <c10/util/complex_math.h>
#include <c10/util/complex_type.h>

#include <complex>
#include <istream>

namespace c10 {
/// Reads what std::complex<T> reads: "(1,2)", "(1)" or "1".
template <typename T>
std::istream& operator>>(std::istream& in, complex<T>& z) {
  std::complex<T> value;
  if (in >> value) z = value;
  return in;
}
}  // namespace c10

// `::exp(z)`, as code for devices calls them.
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
using c10_complex_math::polar;
using c10_complex_math::pow;
using c10_complex_math::sin;
using c10_complex_math::sinh;
using c10_complex_math::sqrt;
using c10_complex_math::tan;
using c10_complex_math::tanh;
