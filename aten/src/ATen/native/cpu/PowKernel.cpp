// Loops of powers.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Pow.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_math.h>

#include <cmath>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

// By squaring; a negative exponent gives 0 except for the bases 1 and -1.
template <typename T>
T powi(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b < 0) {
      if (a == 1) return 1;
      if (a == -1) return (b % 2 == 0) ? 1 : -1;
      return 0;
    }
  }
  T result = 1;
  while (b != 0) {
    if (b & 1) result = wrapping_mul(result, a);
    b /= 2;
    a = wrapping_mul(a, a);
  }
  return result;
}

// 0^0 is 1, and other powers of 0 with a positive real part are 0.
template <typename T>
c10::complex<T> complex_power(c10::complex<T> a, c10::complex<T> b) {
  if (b == c10::complex<T>(2)) return a * a;
  if (a == c10::complex<T>(0) && b.imag() == 0 && b.real() >= 0) {
    return b.real() == 0 ? T(1) : T(0);
  }
  return pow(a, b);
}

void pow_tensor_tensor_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "pow", [&] {
      using opmath_t = at::opmath_type<scalar_t>;
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        return std::pow(static_cast<opmath_t>(a), static_cast<opmath_t>(b));
      });
    });
  } else if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "pow", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return complex_power(a, b); });
    });
  } else {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "pow", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return powi<scalar_t>(a, b); });
    });
  }
}

// The exponents that are a product, a root or a reciprocal run vectorised.
template <typename scalar_t, typename Op>
void simple_power(TensorIteratorBase& iter, Op op) {
  cpu_kernel_vec(
      iter, [=](scalar_t a) -> scalar_t { return op(a); },
      [=](Vectorized<scalar_t> a) { return op(a); });
}

template <typename T>
T root(T a) {
  return std::sqrt(a);
}
template <typename T>
Vectorized<T> root(Vectorized<T> a) {
  return a.sqrt();
}

template <typename scalar_t>
void pow_float_scalar(TensorIteratorBase& iter, scalar_t exp) {
  if (exp == scalar_t(2)) {
    simple_power<scalar_t>(iter, [](auto a) { return a * a; });
  } else if (exp == scalar_t(3)) {
    simple_power<scalar_t>(iter, [](auto a) { return a * a * a; });
  } else if (exp == scalar_t(0.5)) {
    simple_power<scalar_t>(iter, [](auto a) { return root(a); });
  } else if (exp == scalar_t(-1)) {
    simple_power<scalar_t>(iter, [](auto a) { return decltype(a)(1) / a; });
  } else {
    cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return std::pow(a, exp); });
  }
}

void pow_tensor_scalar_kernel(TensorIteratorBase& iter, const Scalar& exp_scalar) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "pow", [&] {
      const float exp = exp_scalar.to<float>();
      cpu_kernel(iter, [=](scalar_t a) -> scalar_t {
        const float base = static_cast<float>(a);
        return exp == 2.0f ? base * base : std::pow(base, exp);
      });
    });
  } else if (c10::isFloatingType(dtype)) {
    AT_DISPATCH_FLOATING_TYPES(
        dtype, "pow", [&] { pow_float_scalar<scalar_t>(iter, exp_scalar.to<scalar_t>()); });
  } else if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "pow", [&] {
      const auto exp = exp_scalar.to<scalar_t>();
      cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return complex_power(a, exp); });
    });
  } else {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "pow", [&] {
      const scalar_t exp = exp_scalar.to<scalar_t>();
      cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return powi<scalar_t>(a, exp); });
    });
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(pow_tensor_tensor_stub, &CPU_CAPABILITY::pow_tensor_tensor_kernel)
REGISTER_DISPATCH(pow_tensor_scalar_stub, &CPU_CAPABILITY::pow_tensor_scalar_kernel)

}  // namespace at::native
