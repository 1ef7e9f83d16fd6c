// Loops of the functions of two numbers beyond arithmetic.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <typename T>
using Vec = Vectorized<T>;

template <typename T>
Vec<T> sign_bits(const Vec<T>& a) {
  return a & Vec<T>(T(-0.0));
}
template <typename T>
bool all_finite(const Vec<T>& a) {
  constexpr T kMax = std::numeric_limits<T>::max();
  for (int i = 0; i < Vec<T>::size(); ++i) {
    if (!(std::abs(a[i]) <= kMax)) return false;
  }
  return true;
}

// The angle of (b, a) from the arc tangent of the smaller over the larger, which octant by octant
// is moved to its place.
template <typename T>
Vec<T> atan2_of(const Vec<T>& a, const Vec<T>& b) {
  const Vec<T> zero(T(0));
  const Vec<T> x = b.abs();
  const Vec<T> y = a.abs();
  const Vec<T> high = vec::maximum(x, y);
  const Vec<T> low = vec::minimum(x, y);
  // Infinite and NaN elements: the sum is neither.
  if (!all_finite(high)) return Vec<T>::map2(a, b, [](T p, T q) { return std::atan2(p, q); });
  const Vec<T> ratio = Vec<T>::blendv(low / high, zero, high == zero);
  Vec<T> angle = ratio.atan();
  angle = Vec<T>::blendv(angle, Vec<T>(std::numbers::pi_v<T> / 2) - angle, y > x);
  const Vec<T> negative = sign_bits(b) | Vec<T>(T(1));
  angle = Vec<T>::blendv(angle, Vec<T>(std::numbers::pi_v<T>) - angle, negative < zero);
  return angle | sign_bits(a);
}

void atan2_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(
      iter, "atan2_cpu", [](auto a, auto b) { return std::atan2(a, b); },
      [](auto a, auto b) { return atan2_of(a, b); });
}

template <typename T>
Vec<T> hypot_of(const Vec<T>& a, const Vec<T>& b) {
  const Vec<T> zero(T(0));
  const Vec<T> x = a.abs();
  const Vec<T> y = b.abs();
  const Vec<T> high = vec::maximum(x, y);
  if (!all_finite(high)) return Vec<T>::map2(a, b, [](T p, T q) { return std::hypot(p, q); });
  const Vec<T> ratio = Vec<T>::blendv(vec::minimum(x, y) / high, zero, high == zero);
  return high * vec::fmadd(ratio, ratio, Vec<T>(T(1))).sqrt();
}

void hypot_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(
      iter, "hypot_cpu", [](auto a, auto b) { return std::hypot(a, b); },
      [](auto a, auto b) { return hypot_of(a, b); });
}

void copysign_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(
      iter, "copysign_cpu", [](auto a, auto b) { return std::copysign(a, b); },
      [](auto a, auto b) { return a.abs() | sign_bits(b); });
}

// max + log(1 + exp(min - max)); equal infinities are their own sum.
template <typename T, bool kBase2>
T logaddexp_of(T a, T b) {
  if (std::isinf(a) && a == b) return a;
  const T high = a < b || b != b ? b : a;
  const T difference = -std::abs(a - b);
  return kBase2 ? high + std::log1p(std::exp2(difference)) * std::numbers::log2e_v<T>
                : high + std::log1p(std::exp(difference));
}
template <bool kBase2, typename T>
Vec<T> logaddexp_of(const Vec<T>& a, const Vec<T>& b) {
  const Vec<T> high = vec::maximum(a, b);
  if (!all_finite(a) || !all_finite(b)) {
    return Vec<T>::map2(a, b, [](T p, T q) { return logaddexp_of<T, kBase2>(p, q); });
  }
  const Vec<T> difference = (a - b).abs().neg();
  if constexpr (kBase2) {
    return high + difference.exp2().log1p() * Vec<T>(std::numbers::log2e_v<T>);
  } else {
    return high + difference.exp().log1p();
  }
}

// Ordered by the real parts.
template <typename T>
c10::complex<T> logaddexp_of(c10::complex<T> a, c10::complex<T> b) {
  if (std::isnan(a.real()) || std::isnan(a.imag())) return a;
  if (std::isnan(b.real()) || std::isnan(b.imag())) return b;
  const bool less = a.real() < b.real();
  const c10::complex<T> high = less ? b : a;
  const c10::complex<T> low = less ? a : b;
  if (!std::isfinite(low.real()) && low.real() == high.real()) {
    if (low.real() < 0) return low;
    return log(exp(low) + exp(high));
  }
  return high + log(c10::complex<T>(1) + exp(low - high));
}

void logaddexp_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "logaddexp_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return logaddexp_of(a, b); });
    });
    return;
  }
  binary_float_kernel(
      iter, "logaddexp_cpu", [](auto a, auto b) { return logaddexp_of<decltype(a), false>(a, b); },
      [](auto a, auto b) { return logaddexp_of<false>(a, b); });
}

void logaddexp2_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(
      iter, "logaddexp2_cpu", [](auto a, auto b) { return logaddexp_of<decltype(a), true>(a, b); },
      [](auto a, auto b) { return logaddexp_of<true>(a, b); });
}

// x log(y), 0 where x is, NaN where y is.
void xlogy_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(
      iter, "xlogy_cpu",
      [](auto x, auto y) -> decltype(x) {
        if (y != y) return y;
        return x == 0 ? decltype(x)(0) : x * std::log(y);
      },
      [](auto x, auto y) {
        const decltype(x) zero(0);
        const auto product = decltype(x)::blendv(x * y.log(), zero, x == zero);
        return decltype(x)::blendv(product, y, y.isnan());
      });
}

void xlog1py_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(
      iter, "xlog1py_cpu",
      [](auto x, auto y) -> decltype(x) {
        if (y != y) return y;
        return x == 0 ? decltype(x)(0) : x * std::log1p(y);
      },
      [](auto x, auto y) {
        const decltype(x) zero(0);
        const auto product = decltype(x)::blendv(x * y.log1p(), zero, x == zero);
        return decltype(x)::blendv(product, y, y.isnan());
      });
}

// The number that is not NaN, when one is.
void fmax_kernel(TensorIteratorBase& iter) {
  if (!c10::isFloatingType(iter.common_dtype())) {
    maximum_stub(iter.device_type(), iter);
    return;
  }
  binary_float_kernel(
      iter, "fmax_cpu", [](auto a, auto b) { return std::fmax(a, b); },
      [](auto a, auto b) {
        const auto larger = decltype(a)::blendv(a, b, a < b);
        return decltype(a)::blendv(larger, b, a.isnan());
      });
}

void fmin_kernel(TensorIteratorBase& iter) {
  if (!c10::isFloatingType(iter.common_dtype())) {
    minimum_stub(iter.device_type(), iter);
    return;
  }
  binary_float_kernel(
      iter, "fmin_cpu", [](auto a, auto b) { return std::fmin(a, b); },
      [](auto a, auto b) {
        const auto smaller = decltype(a)::blendv(a, b, b < a);
        return decltype(a)::blendv(smaller, b, a.isnan());
      });
}

void logit_backward_kernel(TensorIteratorBase& iter, double eps) {
  const bool clamped = eps >= 0;
  binary_float_kernel(
      iter, "logit_backward_cpu",
      [=](auto grad, auto x) -> decltype(grad) {
        using T = decltype(grad);
        const T low = clamped ? static_cast<T>(eps) : T(0);
        if (x < low || x > 1 - low) return clamped ? T(0) : std::numeric_limits<T>::quiet_NaN();
        return x == 0 || x == 1 ? grad * std::numeric_limits<T>::infinity() : grad / (x * (1 - x));
      },
      [=](auto grad, auto x) {
        using V = decltype(grad);
        using T = typename V::value_type;
        const V low(clamped ? static_cast<T>(eps) : T(0));
        const V outside(clamped ? T(0) : std::numeric_limits<T>::quiet_NaN());
        const V one(T(1));
        const V result = grad / (x * (one - x));
        return V::blendv(result, outside, (x < low) | (x > (one - low)));
      });
}

void round_decimals_kernel(TensorIteratorBase& iter, int64_t decimals) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "round_cpu", [&] {
    using opmath_t = opmath_type<scalar_t>;
    const bool before_point = decimals < 0;
    const auto scale = static_cast<opmath_t>(
        std::pow(10.0, static_cast<double>(before_point ? -decimals : decimals)));
    cpu_kernel(iter, [=](scalar_t x) -> scalar_t {
      const auto a = static_cast<opmath_t>(x);
      return static_cast<scalar_t>(before_point ? std::nearbyint(a / scale) * scale
                                                : std::nearbyint(a * scale) / scale);
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(atan2_stub, &CPU_CAPABILITY::atan2_kernel)
REGISTER_DISPATCH(copysign_stub, &CPU_CAPABILITY::copysign_kernel)
REGISTER_DISPATCH(fmax_stub, &CPU_CAPABILITY::fmax_kernel)
REGISTER_DISPATCH(fmin_stub, &CPU_CAPABILITY::fmin_kernel)
REGISTER_DISPATCH(hypot_stub, &CPU_CAPABILITY::hypot_kernel)
REGISTER_DISPATCH(logaddexp_stub, &CPU_CAPABILITY::logaddexp_kernel)
REGISTER_DISPATCH(logaddexp2_stub, &CPU_CAPABILITY::logaddexp2_kernel)
REGISTER_DISPATCH(logit_backward_stub, &CPU_CAPABILITY::logit_backward_kernel)
REGISTER_DISPATCH(round_decimals_stub, &CPU_CAPABILITY::round_decimals_kernel)
REGISTER_DISPATCH(special_xlog1py_stub, &CPU_CAPABILITY::xlog1py_kernel)
REGISTER_DISPATCH(xlogy_stub, &CPU_CAPABILITY::xlogy_kernel)

}  // namespace at::native
