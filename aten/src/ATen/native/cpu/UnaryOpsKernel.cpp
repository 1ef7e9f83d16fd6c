// Loops of the elementwise operators of one argument.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_math.h>

#include <cmath>
#include <cstdlib>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

// Names are looked up in std for real numbers and in c10 for complex ones.
using std::cos;
using std::exp;
using std::log;
using std::sin;
using std::sqrt;
using std::tanh;

#define UNARY_FLOAT_KERNEL(op, scalar_expression, vec_expression)   \
  void op##_kernel(TensorIteratorBase& iter) {                      \
    unary_float_kernel(                                             \
        iter, #op "_cpu", [](auto a) { return scalar_expression; }, \
        [](auto a) { return vec_expression; });                     \
  }
#define UNARY_FLOAT_COMPLEX_KERNEL(op, scalar_expression, vec_expression) \
  void op##_kernel(TensorIteratorBase& iter) {                            \
    unary_float_complex_kernel(                                           \
        iter, #op "_cpu", [](auto a) { return scalar_expression; },       \
        [](auto a) { return vec_expression; });                           \
  }

// exp(a) - 1 and log(1 + a) without cancellation, for complex numbers as well.
template <typename T>
T expm1_of(T a) {
  return std::expm1(a);
}
template <typename T>
c10::complex<T> expm1_of(c10::complex<T> a) {
  const T half = std::sin(a.imag() / 2);
  const T e = std::expm1(a.real());
  const T scale = std::exp(a.real());
  return {e * std::cos(a.imag()) - 2 * half * half, scale * std::sin(a.imag())};
}
template <typename T>
T log1p_of(T a) {
  return std::log1p(a);
}
template <typename T>
c10::complex<T> log1p_of(c10::complex<T> a) {
  const c10::complex<T> u = a + T(1);
  const T magnitude = std::hypot(u.real(), u.imag());
  // Near 0 the square of |1 + a| is 1 + a small number that is exact.
  const T real = magnitude > T(0.5) && magnitude < T(2)
                     ? std::log1p(a.real() * (a.real() + 2) + a.imag() * a.imag()) / 2
                     : std::log(magnitude);
  return {real, std::atan2(u.imag(), u.real())};
}

UNARY_FLOAT_COMPLEX_KERNEL(cos, cos(a), a.cos())
UNARY_FLOAT_COMPLEX_KERNEL(exp, exp(a), exp_of(a))
UNARY_FLOAT_COMPLEX_KERNEL(expm1, expm1_of(a), a.expm1())
UNARY_FLOAT_COMPLEX_KERNEL(log, log(a), a.log())
UNARY_FLOAT_COMPLEX_KERNEL(log1p, log1p_of(a), a.log1p())
UNARY_FLOAT_COMPLEX_KERNEL(reciprocal, decltype(a)(1) / a, a.reciprocal())
UNARY_FLOAT_COMPLEX_KERNEL(rsqrt, decltype(a)(1) / sqrt(a), a.rsqrt())
UNARY_FLOAT_COMPLEX_KERNEL(sin, sin(a), a.sin())
UNARY_FLOAT_COMPLEX_KERNEL(sqrt, sqrt(a), a.sqrt())
UNARY_FLOAT_COMPLEX_KERNEL(tanh, tanh(a), a.tanh())
UNARY_FLOAT_COMPLEX_KERNEL(sigmoid, decltype(a)(1) / (decltype(a)(1) + exp(-a)), sigmoid_of(a))
UNARY_FLOAT_KERNEL(ceil, std::ceil(a), a.ceil())
UNARY_FLOAT_KERNEL(floor, std::floor(a), a.floor())
UNARY_FLOAT_KERNEL(round, std::nearbyint(a), a.round())
UNARY_FLOAT_KERNEL(trunc, std::trunc(a), a.trunc())

void abs_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.dtype(1);
  if (c10::isComplexType(dtype)) {
    // The magnitude is real.
    AT_DISPATCH_COMPLEX_TYPES(dtype, "abs_cpu", [&] {
      using real_t = typename scalar_t::value_type;
      cpu_kernel(iter, [](scalar_t a) -> real_t { return std::hypot(a.real(), a.imag()); });
    });
    return;
  }
  if (c10::isFloatingType(dtype)) {
    unary_float_kernel(
        iter, "abs_cpu", [](auto a) { return std::abs(a); }, [](auto a) { return a.abs(); });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "abs_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return a < 0 ? wrapping_neg(a) : a; });
  });
}

void neg_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    unary_float_kernel(iter, "neg_cpu", [](auto a) { return -a; }, [](auto a) { return a.neg(); });
    return;
  }
  if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "neg_cpu",
                              [&] { cpu_kernel(iter, [](scalar_t a) -> scalar_t { return -a; }); });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "neg_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return wrapping_neg(a); });
  });
}

void sign_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, iter.common_dtype(), "sign_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t {
      const scalar_t zero(0);
      return static_cast<scalar_t>(static_cast<int>(zero < a) - static_cast<int>(a < zero));
    });
  });
}

void bitwise_not_kernel(TensorIteratorBase& iter) {
  if (iter.common_dtype() == kBool) {
    cpu_kernel(iter, [](bool a) -> bool { return !a; });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "bitwise_not_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return static_cast<scalar_t>(~a); });
  });
}

// The result is bool whatever the argument is.
void logical_not_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      kBool, kHalf, kBFloat16, iter.dtype(1), "logical_not_cpu",
      [&] { cpu_kernel(iter, [](scalar_t a) -> bool { return a == scalar_t(0); }); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(abs_stub, &CPU_CAPABILITY::abs_kernel)
REGISTER_DISPATCH(bitwise_not_stub, &CPU_CAPABILITY::bitwise_not_kernel)
REGISTER_DISPATCH(ceil_stub, &CPU_CAPABILITY::ceil_kernel)
REGISTER_DISPATCH(cos_stub, &CPU_CAPABILITY::cos_kernel)
REGISTER_DISPATCH(exp_stub, &CPU_CAPABILITY::exp_kernel)
REGISTER_DISPATCH(expm1_stub, &CPU_CAPABILITY::expm1_kernel)
REGISTER_DISPATCH(floor_stub, &CPU_CAPABILITY::floor_kernel)
REGISTER_DISPATCH(log_stub, &CPU_CAPABILITY::log_kernel)
REGISTER_DISPATCH(log1p_stub, &CPU_CAPABILITY::log1p_kernel)
REGISTER_DISPATCH(logical_not_stub, &CPU_CAPABILITY::logical_not_kernel)
REGISTER_DISPATCH(neg_stub, &CPU_CAPABILITY::neg_kernel)
REGISTER_DISPATCH(reciprocal_stub, &CPU_CAPABILITY::reciprocal_kernel)
REGISTER_DISPATCH(round_stub, &CPU_CAPABILITY::round_kernel)
REGISTER_DISPATCH(rsqrt_stub, &CPU_CAPABILITY::rsqrt_kernel)
REGISTER_DISPATCH(sigmoid_stub, &CPU_CAPABILITY::sigmoid_kernel)
REGISTER_DISPATCH(sign_stub, &CPU_CAPABILITY::sign_kernel)
REGISTER_DISPATCH(sin_stub, &CPU_CAPABILITY::sin_kernel)
REGISTER_DISPATCH(sqrt_stub, &CPU_CAPABILITY::sqrt_kernel)
REGISTER_DISPATCH(tanh_stub, &CPU_CAPABILITY::tanh_kernel)
REGISTER_DISPATCH(trunc_stub, &CPU_CAPABILITY::trunc_kernel)

}  // namespace at::native
