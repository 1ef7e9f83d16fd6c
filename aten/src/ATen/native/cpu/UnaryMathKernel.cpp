// Loops of the trigonometric and hyperbolic functions, their inverses, and other functions of the
// C library.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_math.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// Names are looked up in std for real numbers and in c10 for complex ones.
using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
using std::atanh;
using std::cosh;
using std::exp2;
using std::log10;
using std::log2;
using std::sinh;
using std::tan;

#define UNARY_MATH_COMPLEX_KERNEL(op)                                                   \
  void op##_kernel(TensorIteratorBase& iter) {                                          \
    unary_float_complex_kernel(                                                         \
        iter, #op "_cpu", [](auto a) { return op(a); }, [](auto a) { return a.op(); }); \
  }
#define UNARY_MATH_KERNEL(op, scalar_expression, vec_expression)    \
  void op##_kernel(TensorIteratorBase& iter) {                      \
    unary_float_kernel(                                             \
        iter, #op "_cpu", [](auto a) { return scalar_expression; }, \
        [](auto a) { return vec_expression; });                     \
  }

// 2^z, for which c10 has no overload.
template <typename T>
c10::complex<T> exp2(const c10::complex<T>& z) {
  return exp(z * T(0.693147180559945309417));
}

UNARY_MATH_COMPLEX_KERNEL(acos)
UNARY_MATH_COMPLEX_KERNEL(acosh)
UNARY_MATH_COMPLEX_KERNEL(asin)
UNARY_MATH_COMPLEX_KERNEL(asinh)
UNARY_MATH_COMPLEX_KERNEL(atan)
UNARY_MATH_COMPLEX_KERNEL(atanh)
UNARY_MATH_COMPLEX_KERNEL(cosh)
UNARY_MATH_COMPLEX_KERNEL(exp2)
UNARY_MATH_COMPLEX_KERNEL(log10)
UNARY_MATH_COMPLEX_KERNEL(log2)
UNARY_MATH_COMPLEX_KERNEL(sinh)
UNARY_MATH_COMPLEX_KERNEL(tan)
// erf in single precision, within 3 units in the last place: up to 1 as x times a polynomial in
// x^2, beyond it as 1 - exp(-x^2) times a polynomial in 1 / (1 + x / 2), both fitted at Chebyshev's
// nodes; from 4 on the result is 1.
template <size_t n>
Vectorized<float> polynomial(const float (&c)[n], const Vectorized<float>& x) {
  Vectorized<float> sum(c[n - 1]);
  for (size_t i = n - 1; i-- > 0;) sum = vec::fmadd(sum, x, Vectorized<float>(c[i]));
  return sum;
}

template <typename T>
Vectorized<T> erf_of(const Vectorized<T>& x) {
  return x.erf();
}
template <>
Vectorized<float> erf_of(const Vectorized<float>& x) {
  constexpr float kSmall[] = {1.12837917F,    -0.376126385F,    0.112837826F,   -0.0268654383F,
                              0.00522105341F, -0.000848439657F, 0.00011268254F, -9.67359113e-06F};
  constexpr float kLarge[] = {-0.000120402529F, 0.284325781F,   0.264107678F,
                              0.328946291F,     -0.0537935185F, 0.47981628F,
                              -0.384646024F,    0.0685304128F,  0.0129329239F};
  const Vectorized<float> one(1.0F);
  const Vectorized<float> a = vec::clamp_max(x.abs(), Vectorized<float>(4.0F));
  const Vectorized<float> square = a * a;
  const Vectorized<float> small = x * polynomial(kSmall, square);
  const Vectorized<float> s = one / vec::fmadd(a, Vectorized<float>(0.5F), one);
  const Vectorized<float> large = one - square.neg().exp() * polynomial(kLarge, s);
  const Vectorized<float> sign = x & Vectorized<float>(-0.0F);
  // A NaN is neither small nor large: it comes through the small branch.
  return Vectorized<float>::blendv(small, large | sign, a > one);
}

UNARY_MATH_KERNEL(erf, std::erf(a), erf_of(a))
UNARY_MATH_KERNEL(erfc, std::erfc(a), a.erfc())
UNARY_MATH_KERNEL(frac, a - std::trunc(a), a - a.trunc())

// The direction of a complex number.
void sgn_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "sgn_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t {
      const auto magnitude = std::hypot(a.real(), a.imag());
      return magnitude == 0 ? scalar_t(0) : a / magnitude;
    });
  });
}

// The highest bit, as GCC 12 ends with an internal error where it makes vectors of std::signbit.
template <typename scalar_t>
bool has_sign(scalar_t a) {
  using Bits = std::conditional_t<sizeof(scalar_t) == 8, int64_t,
                                  std::conditional_t<sizeof(scalar_t) == 4, int32_t, int16_t>>;
  return std::bit_cast<Bits>(a) < 0;
}

void signbit_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, iter.dtype(1), "signbit_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> bool {
      if constexpr (std::is_integral_v<scalar_t>) {
        return a < scalar_t(0);
      } else {
        return has_sign(a);
      }
    });
  });
}

void conj_physical_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "conj_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return {a.real(), -a.imag()}; });
  });
}

void angle_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.dtype(1))) {
    AT_DISPATCH_COMPLEX_TYPES(iter.dtype(1), "angle_cpu", [&] {
      using real_t = typename scalar_t::value_type;
      cpu_kernel(iter, [](scalar_t a) -> real_t { return std::atan2(a.imag(), a.real()); });
    });
    return;
  }
  // 0 or pi; NaN stays.
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.dtype(0), "angle_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t {
      if (a != a) return a;
      return a < scalar_t(0) ? scalar_t(3.14159265358979323846) : scalar_t(0);
    });
  });
}

void nan_to_num_kernel(TensorIteratorBase& iter, double nan, std::optional<double> posinf,
                       std::optional<double> neginf) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "nan_to_num", [&] {
    using limits = std::numeric_limits<scalar_t>;
    const auto low = static_cast<scalar_t>(neginf.value_or(static_cast<double>(limits::lowest())));
    const auto high = static_cast<scalar_t>(posinf.value_or(static_cast<double>(limits::max())));
    const auto instead = static_cast<scalar_t>(nan);
    const scalar_t infinity = limits::infinity();
    cpu_kernel(iter, [=](scalar_t a) -> scalar_t {
      if (a != a) return instead;
      if (a == infinity) return high;
      return a == -infinity ? low : a;
    });
  });
}

void logit_kernel(TensorIteratorBase& iter, double eps) {
  const double low = eps < 0 ? 0 : eps;
  const bool clamped = eps >= 0;
  unary_float_kernel(
      iter, "logit_cpu",
      [=](auto a) {
        using T = decltype(a);
        const T x = !clamped ? a : std::max(T(low), std::min(a, T(1 - low)));
        return std::log(x / (T(1) - x));
      },
      [=](auto a) {
        using T = typename decltype(a)::value_type;
        const decltype(a) x =
            clamped ? vec::clamp(a, decltype(a)(T(low)), decltype(a)(T(1 - low))) : a;
        return (x / (decltype(a)(T(1)) - x)).log();
      });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(acos_stub, &CPU_CAPABILITY::acos_kernel)
REGISTER_DISPATCH(acosh_stub, &CPU_CAPABILITY::acosh_kernel)
REGISTER_DISPATCH(angle_stub, &CPU_CAPABILITY::angle_kernel)
REGISTER_DISPATCH(asin_stub, &CPU_CAPABILITY::asin_kernel)
REGISTER_DISPATCH(asinh_stub, &CPU_CAPABILITY::asinh_kernel)
REGISTER_DISPATCH(atan_stub, &CPU_CAPABILITY::atan_kernel)
REGISTER_DISPATCH(atanh_stub, &CPU_CAPABILITY::atanh_kernel)
REGISTER_DISPATCH(conj_physical_stub, &CPU_CAPABILITY::conj_physical_kernel)
REGISTER_DISPATCH(cosh_stub, &CPU_CAPABILITY::cosh_kernel)
REGISTER_DISPATCH(erf_stub, &CPU_CAPABILITY::erf_kernel)
REGISTER_DISPATCH(erfc_stub, &CPU_CAPABILITY::erfc_kernel)
REGISTER_DISPATCH(exp2_stub, &CPU_CAPABILITY::exp2_kernel)
REGISTER_DISPATCH(frac_stub, &CPU_CAPABILITY::frac_kernel)
REGISTER_DISPATCH(log10_stub, &CPU_CAPABILITY::log10_kernel)
REGISTER_DISPATCH(log2_stub, &CPU_CAPABILITY::log2_kernel)
REGISTER_DISPATCH(logit_stub, &CPU_CAPABILITY::logit_kernel)
REGISTER_DISPATCH(nan_to_num_stub, &CPU_CAPABILITY::nan_to_num_kernel)
REGISTER_DISPATCH(sgn_stub, &CPU_CAPABILITY::sgn_kernel)
REGISTER_DISPATCH(signbit_stub, &CPU_CAPABILITY::signbit_kernel)
REGISTER_DISPATCH(sinh_stub, &CPU_CAPABILITY::sinh_kernel)
REGISTER_DISPATCH(tan_stub, &CPU_CAPABILITY::tan_kernel)

}  // namespace at::native
