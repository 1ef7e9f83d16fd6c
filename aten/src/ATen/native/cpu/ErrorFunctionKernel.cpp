// erfcx, erfinv, log_ndtr and ndtri in vectors. erf and erfc are in UnaryOpsKernel.cpp.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/cpu/BufferedVectors.h>
#include <ATen/native/cpu/Formulas.h>
#include <c10/core/ScalarType.h>

#include <limits>
#include <numbers>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Cody's rational function of 1 / x^2 for exp(x^2) erfc(x) of large x ("Rational Chebyshev
// approximations for the error function", Mathematics of Computation 23, 1969), the highest powers
// first.
constexpr double kLarge[] = {1.63153871373020978e-2, 3.05326634961232344e-1,
                             3.60344899949804439e-1, 1.25781726111229246e-1,
                             1.60837851487422766e-2, 6.58749161529837803e-4};
constexpr double kLargeUnder[] = {1,
                                  2.56852019228982242e0,
                                  1.87295284992346047e0,
                                  5.27905102951428412e-1,
                                  6.05183413124413191e-2,
                                  2.33520497626869185e-3};

// exp(x^2) erfc(x).
template <typename T>
vec::Vectorized<T> erfcx(const vec::Vectorized<T>& x) {
  using V = vec::Vectorized<T>;
  const V y = x.abs();
  const V one(T(1));
  const V square = x * x;
  // exp(x^2) with what rounding takes from x^2.
  const auto growth = [&] { return square.exp() * (one + fmadd(x, x, V(-square))); };
  const V positive = piecewise(
      y, vec::ErrorFunctionSeries<T>::kEnd, [&] { return scaled_tail(y); },
      [&] {
        const V r = one / square;
        return (V(static_cast<T>(std::numbers::inv_sqrtpi)) -
                r * horner(kLarge, r) / horner(kLargeUnder, r)) /
               y;
      });
  if (none_negative(x)) return positive;
  // Where the square overflows its rounding is no number.
  const V twice =
      select(V(x < V(T(-27))), V(std::numeric_limits<T>::infinity()), V(growth() * V(T(2))));
  return select(V(x < V(T(0))), V(twice - positive), positive);
}

// The logarithm of the normal distribution's function.
template <typename T>
vec::Vectorized<T> log_ndtr(const vec::Vectorized<T>& x) {
  using V = vec::Vectorized<T>;
  const V t = x * V(static_cast<T>(std::numbers::sqrt2 / 2));
  return piecewise(
      x, -1, [&] { return (erfcx(V(-t)) * V(T(0.5))).log() - t * t; },
      [&] {
        // Beyond this the tail, which is the result too, is hardly more than the least number.
        const V high(std::is_same_v<T, float> ? T(9) : T(26));
        const V beyond = t > high;
        const V tail = vec::error_function</*kComplement=*/true>(select(beyond, high, t));
        return (select(beyond, V(T(0)), tail) * V(T(-0.5))).log1p();
      });
}

// Wichura's rational functions for the quantile of the normal distribution (AS 241, Applied
// Statistics 37, 1988), the highest powers first. Each has 16 digits.
constexpr double kCentral[] = {2.5090809287301226727e+3, 3.3430575583588128105e+4,
                               6.7265770927008700853e+4, 4.5921953931549871457e+4,
                               1.3731693765509461125e+4, 1.9715909503065514427e+3,
                               1.3314166789178437745e+2, 3.3871328727963666080e0};
constexpr double kCentralUnder[] = {5.2264952788528545610e+3, 2.8729085735721942674e+4,
                                    3.9307895800092710610e+4, 2.1213794301586595867e+4,
                                    5.3941960214247511077e+3, 6.8718700749205790830e+2,
                                    4.2313330701600911252e+1, 1};
constexpr double kNear[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2,
                            2.41780725177450611770e-1, 1.27045825245236838258e0,
                            3.64784832476320460504e0,  5.76949722146069140550e0,
                            4.63033784615654529590e0,  1.42343711074968357734e0};
constexpr double kNearUnder[] = {1.05075007164441684324e-9, 5.47593808499534494600e-4,
                                 1.51986665636164571966e-2, 1.48103976427480074590e-1,
                                 6.89767334985100004550e-1, 1.67638483018380384940e0,
                                 2.05319162663775882187e0,  1};
constexpr double kFar[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                           1.24266094738807843860e-3, 2.65321895265761230930e-2,
                           2.96560571828504891230e-1, 1.78482653991729133580e0,
                           5.46378491116411436990e0,  6.65790464350110377720e0};
constexpr double kFarUnder[] = {2.04426310338993978564e-15, 1.42151175831644588870e-7,
                                1.84631831751005468180e-5,  7.86869131145613259100e-4,
                                1.48753612908506148525e-2,  1.36929880922735805310e-1,
                                5.99832206555887937690e-1,  1};
constexpr double kCentralEnd = 0.425;
constexpr double kNearEnd = 5;

using V = vec::Vectorized<double>;

// The quantile of a probability 1/2 + q, of which `tail` is the smaller of it and its complement.
V quantile(const V& q, const V& tail) {
  return piecewise(
      q.abs(), kCentralEnd,
      [&] {
        const V r = V(kCentralEnd * kCentralEnd) - q * q;
        return q * (horner(kCentral, r) / horner(kCentralUnder, r));
      },
      [&] {
        // Elsewhere the vectors' logarithm is slow.
        const V inside = tail > V(0.0);
        const V r = (-select(inside, tail, V(0.5)).log()).sqrt();
        const V size = piecewise(
            r, kNearEnd,
            [&] {
              const V s = r - V(1.6);
              return horner(kNear, s) / horner(kNearUnder, s);
            },
            [&] {
              const V s = r - V(kNearEnd);
              return horner(kFar, s) / horner(kFarUnder, s);
            });
        const V infinity(std::numeric_limits<double>::infinity());
        const V nan(std::numeric_limits<double>::quiet_NaN());
        const V value = select(inside, size, select(V(tail == V(0.0)), infinity, nan));
        return select(V(q < V(0.0)), -value, value);
      });
}

V erfinv(const V& y) {
  const V tail = (V(1.0) - y.abs()) * V(0.5);
  return quantile(V(y * V(0.5)), tail) * V(std::numbers::sqrt2 / 2);
}

V ndtri(const V& p) {
  const V complement = V(1.0) - p;
  return quantile(V(p - V(0.5)), select(V(p < complement), p, complement));
}

// Formulas that need no more digits than their elements have.
#define OWN_VECTORS_KERNEL(name, function)                                                 \
  void name##_kernel(TensorIteratorBase& iter) {                                           \
    DISPATCH_ALL_FLOATING(iter.common_dtype(), #name "_cpu", [&] {                         \
      using wide_t = opmath_type<scalar_t>;                                                \
      using Wide = vec::Vectorized<wide_t>;                                                \
      buffered_vectors<wide_t, scalar_t>(iter, [](const Wide& x) { return function(x); }); \
    });                                                                                    \
  }                                                                                        \
  REGISTER_DISPATCH(name##_stub, &name##_kernel)

OWN_VECTORS_KERNEL(special_erfcx, erfcx)
OWN_VECTORS_KERNEL(special_log_ndtr, log_ndtr)
ALL_FLOATING_DOUBLE_VECTORS_KERNEL(erfinv_stub, "erfinv_cpu", erfinv)
ALL_FLOATING_DOUBLE_VECTORS_KERNEL(special_ndtri_stub, "special_ndtri_cpu", ndtri)

}  // namespace
}  // namespace CPU_CAPABILITY
}  // namespace at::native
