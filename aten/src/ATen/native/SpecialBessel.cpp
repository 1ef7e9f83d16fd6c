// Bessel functions and Airy's function Ai. The formulas are from the Digital Library of
// Mathematical Functions (dlmf.nist.gov), chapters 9 and 10; Bessel functions of integer order come
// from Eigen.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/SpecialFunctions.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/ops/special_airy_ai_native.h>
#include <ATen/ops/special_bessel_j0_native.h>
#include <ATen/ops/special_bessel_j1_native.h>
#include <ATen/ops/special_bessel_y0_native.h>
#include <ATen/ops/special_bessel_y1_native.h>
#include <ATen/ops/special_modified_bessel_i0_native.h>
#include <ATen/ops/special_modified_bessel_i1_native.h>
#include <ATen/ops/special_modified_bessel_k0_native.h>
#include <ATen/ops/special_modified_bessel_k1_native.h>
#include <ATen/ops/special_scaled_modified_bessel_k0_native.h>
#include <ATen/ops/special_scaled_modified_bessel_k1_native.h>
#include <ATen/ops/special_spherical_bessel_j0_native.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

namespace at::native {
namespace {

// Each element costs much: few of them are worth a thread.
constexpr int64_t kGrainSize = 2048;

// Ai by its Maclaurin series (9.4.1), for |x| of 1.5 at most.
double airy_by_series(double x) {
  double f = 1;
  double g = x;
  double f_sum = f;
  double g_sum = g;
  for (int k = 1; k < 20; ++k) {
    f *= x * x * x / ((3 * k - 1) * (3 * k));
    g *= x * x * x / ((3 * k) * (3 * k + 1));
    f_sum += f;
    g_sum += g;
  }
  return 0.355028053887817239260 * f_sum - 0.258819403792806798405 * g_sum;
}

// e^z K_{1/3}(z) by the trapezoidal rule on 10.32.9, the integral of
// exp(z - z cosh t) cosh(t / 3) over t > 0. The path leaves the real axis by `tilt` tanh t, so that
// the integrand falls where z is imaginary too; the rule converges exponentially.
std::complex<double> scaled_bessel_k_third(std::complex<double> z, double tilt) {
  const double step = std::min(1.0 / 32, 0.25 / std::sqrt(std::abs(z)));
  std::complex<double> sum = 0;
  for (int i = 0; i < 400; ++i) {
    const double t = i * step;
    const double bend = std::tanh(t);
    const std::complex<double> path(t, tilt * bend);
    const std::complex<double> slope(1, tilt * (1 - bend * bend));
    const std::complex<double> exponent = z - z * std::cosh(path);
    if (exponent.real() < -45) break;
    sum += std::exp(exponent) * std::cosh(path / 3.0) * slope * (i == 0 ? 0.5 : 1.0);
  }
  return sum * step;
}

double airy_ai(double x) {
  if (!std::isfinite(x)) return special::kNaN<double>;
  if (std::abs(x) <= 1.5) return airy_by_series(x);
  const double size = std::abs(x);
  const double zeta = 2.0 / 3 * size * std::sqrt(size);
  // 9.6.2: Ai(x) = sqrt(x / 3) / pi K_{1/3}(zeta).
  const double factor = std::sqrt(size / 3) / std::numbers::pi;
  if (x > 0) return factor * std::exp(-zeta) * scaled_bessel_k_third(zeta, 0).real();
  // 9.2.14 at the rotated arguments: Ai(-x) = 2 Re(e^{i pi / 3} Ai(x e^{i pi / 3})), whose zeta is
  // imaginary.
  const std::complex<double> turn = std::polar(1.0, std::numbers::pi / 2 - zeta);
  const std::complex<double> k = scaled_bessel_k_third({0, zeta}, -std::numbers::pi / 4);
  return 2 * factor * (turn * k).real();
}

double finite_only(double x, double value) { return std::isinf(x) ? special::kNaN<double> : value; }
double bessel_j0(double x) { return finite_only(x, Eigen::numext::bessel_j0(std::abs(x))); }
double bessel_j1(double x) {
  return finite_only(x, std::copysign(1.0, x) * Eigen::numext::bessel_j1(std::abs(x)));
}
double bessel_y0(double x) {
  return x < 0 ? special::kNaN<double> : finite_only(x, Eigen::numext::bessel_y0(x));
}
double bessel_y1(double x) {
  return x < 0 ? special::kNaN<double> : finite_only(x, Eigen::numext::bessel_y1(x));
}
double modified_bessel_i0(double x) { return finite_only(x, Eigen::numext::bessel_i0(x)); }
double modified_bessel_i1(double x) { return finite_only(x, Eigen::numext::bessel_i1(x)); }

// K: infinite at 0, not a number below, 0 at infinity.
template <typename F>
double bessel_k(double x, const F& f) {
  if (x < 0 || std::isnan(x)) return special::kNaN<double>;
  if (x == 0) return special::kInfinity<double>;
  return std::isinf(x) ? 0.0 : f(x);
}
double modified_bessel_k0(double x) {
  return bessel_k(x, [](double v) { return Eigen::numext::bessel_k0(v); });
}
double modified_bessel_k1(double x) {
  return bessel_k(x, [](double v) { return Eigen::numext::bessel_k1(v); });
}
double scaled_modified_bessel_k0(double x) {
  return bessel_k(x, [](double v) { return Eigen::numext::bessel_k0e(v); });
}
double scaled_modified_bessel_k1(double x) {
  return bessel_k(x, [](double v) { return Eigen::numext::bessel_k1e(v); });
}
double spherical_bessel_j0(double x) {
  if (std::isinf(x)) return 0;
  return x == 0 ? 1 : std::sin(x) / x;
}

}  // namespace

#define FOR_EACH_FUNCTION(F)   \
  F(airy_ai)                   \
  F(bessel_j0)                 \
  F(bessel_j1)                 \
  F(bessel_y0)                 \
  F(bessel_y1)                 \
  F(modified_bessel_i0)        \
  F(modified_bessel_i1)        \
  F(modified_bessel_k0)        \
  F(modified_bessel_k1)        \
  F(scaled_modified_bessel_k0) \
  F(scaled_modified_bessel_k1) \
  F(spherical_bessel_j0)

#define IMPLEMENT(name)                                                                          \
  TORCH_IMPL_FUNC(special_##name##_out)(const Tensor& /*self*/, const Tensor& /*result*/) {      \
    AT_DISPATCH_FLOATING_TYPES(common_dtype(), #name "_cpu", [&] {                               \
      cpu_kernel(                                                                                \
          *this, [](scalar_t x) { return static_cast<scalar_t>(name(static_cast<double>(x))); }, \
          kGrainSize);                                                                           \
    });                                                                                          \
  }

FOR_EACH_FUNCTION(IMPLEMENT)

}  // namespace at::native

namespace at::meta {

#define DECIDE_SHAPE(name)                                    \
  TORCH_META_FUNC(special_##name)(const Tensor& self) {       \
    build_borrowing_unary_float_op(maybe_get_output(), self); \
  }

FOR_EACH_FUNCTION(DECIDE_SHAPE)

}  // namespace at::meta
