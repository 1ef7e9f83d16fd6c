// Loops of the elementwise operators of one argument.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchUnsigned.h>
#include <ATen/native/UnaryFormulas.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/cpu/PartialVectors.h>
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
#include <utility>

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

#define UNARY_FLOAT_KERNEL(op, cost, scalar_expression, vec_expression) \
  void op##_kernel(TensorIteratorBase& iter) {                          \
    unary_float_kernel<Cost::cost>(                                     \
        iter, #op "_cpu", [](auto a) { return scalar_expression; },     \
        [](auto a) { return vec_expression; });                         \
  }
#define UNARY_FLOAT_COMPLEX_KERNEL(op, scalar_expression, vec_expression) \
  void op##_kernel(TensorIteratorBase& iter) {                            \
    unary_float_complex_kernel<Cost::kHigh>(                              \
        iter, #op "_cpu", [](auto a) { return scalar_expression; },       \
        [](auto a) { return vec_expression; });                           \
  }

// f(x) of an odd function f, with -0 where x is -0: some of Highway's polynomials give 0 there.
template <typename Vec>
Vec keep_zero(const Vec& x, const Vec& result) {
  return Vec::blendv(result, x, x == Vec(0));
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
UNARY_FLOAT_COMPLEX_KERNEL(expm1, expm1_of(a), keep_zero(a, a.expm1()))
UNARY_FLOAT_COMPLEX_KERNEL(log, log(a), a.log())
UNARY_FLOAT_COMPLEX_KERNEL(log1p, log1p_of(a), a.log1p())
UNARY_FLOAT_COMPLEX_KERNEL(reciprocal, decltype(a)(1) / a, a.reciprocal())
UNARY_FLOAT_COMPLEX_KERNEL(rsqrt, decltype(a)(1) / sqrt(a), a.rsqrt())
UNARY_FLOAT_COMPLEX_KERNEL(sin, sin(a), keep_zero(a, a.sin()))
UNARY_FLOAT_COMPLEX_KERNEL(sqrt, sqrt(a), a.sqrt())
UNARY_FLOAT_COMPLEX_KERNEL(tanh, tanh(a), tanh_of(a))
UNARY_FLOAT_COMPLEX_KERNEL(sigmoid, unary::Sigmoid()(a), sigmoid_of(a))
UNARY_FLOAT_KERNEL(ceil, kLow, std::ceil(a), a.ceil())
UNARY_FLOAT_KERNEL(floor, kLow, std::floor(a), a.floor())
UNARY_FLOAT_KERNEL(round, kLow, std::nearbyint(a), a.round())
UNARY_FLOAT_KERNEL(trunc, kLow, std::trunc(a), a.trunc())

// The sign of 16-bit numbers, which is all that some functions change.
constexpr uint16_t kSignOfReduced = 0x8000;

// A real number of each complex one: of vectors of its real and imaginary parts.
template <typename VecOp>
void kernel_of_parts(TensorIteratorBase& iter, const char* name, const VecOp& vec_op) {
  AT_DISPATCH_COMPLEX_TYPES(iter.dtype(1), name, [&] {
    using real_t = typename scalar_t::value_type;
    loops::for_each_element(iter, [&](char** data, const int64_t* strides, int64_t n) {
      char* parts[] = {data[0], data[1], data[1] + sizeof(real_t)};
      const int64_t steps[] = {strides[0], strides[1], strides[1]};
      gathered_loop<real_t>(parts, steps, 0, n, std::make_index_sequence<2>(), vec_op);
    });
  });
  iter.cast_outputs();
}

void abs_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.dtype(1);
  if (c10::isComplexType(dtype)) {
    kernel_of_parts(iter, "abs_cpu", [](auto real, auto imag) { return hypot_of(real, imag); });
    return;
  }
  if (dtype == kHalf || dtype == kBFloat16) {
    cpu_kernel(iter,
               [](uint16_t a) -> uint16_t { return static_cast<uint16_t>(a & ~kSignOfReduced); });
    return;
  }
  if (c10::isFloatingType(dtype)) {
    unary_float_kernel(iter, "abs_cpu", unary::Magnitude(), unary::Magnitude());
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "abs_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return unary::Magnitude()(a); });
  });
}

void neg_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    cpu_kernel(iter,
               [](uint16_t a) -> uint16_t { return static_cast<uint16_t>(a ^ kSignOfReduced); });
    return;
  }
  if (c10::isFloatingType(dtype)) {
    unary_float_kernel(iter, "neg_cpu", unary::Negative(), unary::Negative());
    return;
  }
  if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "neg_cpu",
                              [&] { cpu_kernel(iter, [](scalar_t a) -> scalar_t { return -a; }); });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "neg_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return unary::Negative()(a); });
  });
}

void sign_kernel(TensorIteratorBase& iter) {
  if (c10::isFloatingType(iter.common_dtype())) {
    unary_float_kernel(iter, "sign_cpu", unary::Sign(), unary::Sign());
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND(kBool, iter.common_dtype(), "sign_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return unary::Sign()(a); });
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
  const ScalarType dtype = iter.dtype(1);
  if (dtype == kHalf || dtype == kBFloat16) {
    cpu_kernel(iter, [](uint16_t a) -> bool { return (a & ~kSignOfReduced) == 0; });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(kBool, dtype, "logical_not_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> bool { return a == scalar_t(0); });
  });
}

// ---- trigonometric and hyperbolic functions, their inverses, and other functions of the C library

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

// 2^z, for which c10 has no overload.
template <typename T>
c10::complex<T> exp2(const c10::complex<T>& z) {
  return exp(z * T(0.693147180559945309417));
}

UNARY_FLOAT_COMPLEX_KERNEL(acos, acos(a), a.acos())
UNARY_FLOAT_COMPLEX_KERNEL(acosh, acosh(a), a.acosh())
UNARY_FLOAT_COMPLEX_KERNEL(asin, asin(a), a.asin())
UNARY_FLOAT_COMPLEX_KERNEL(asinh, asinh(a), a.asinh())
UNARY_FLOAT_COMPLEX_KERNEL(atan, atan(a), a.atan())
UNARY_FLOAT_COMPLEX_KERNEL(atanh, atanh(a), a.atanh())
UNARY_FLOAT_COMPLEX_KERNEL(cosh, cosh(a), a.cosh())
UNARY_FLOAT_COMPLEX_KERNEL(exp2, exp2(a), a.exp2())
UNARY_FLOAT_COMPLEX_KERNEL(log10, log10(a), a.log10())
UNARY_FLOAT_COMPLEX_KERNEL(log2, log2(a), a.log2())
UNARY_FLOAT_COMPLEX_KERNEL(sinh, sinh(a), a.sinh())
UNARY_FLOAT_COMPLEX_KERNEL(tan, tan(a), keep_zero(a, a.tan()))
UNARY_FLOAT_KERNEL(erf, kHigh, std::erf(a), error_function<false>(a))
UNARY_FLOAT_KERNEL(erfc, kHigh, std::erfc(a), error_function<true>(a))
UNARY_FLOAT_KERNEL(frac, kLow, unary::Fraction()(a), unary::Fraction()(a))

// The direction of a complex number; of vectors whose lanes are parts.
template <typename T>
Vectorized<T> direction(const Vectorized<T>& parts) {
  const auto others = vec::swap_lanes<1>(vec::to_register(parts));
  const Vectorized<T> length = hypot_of(parts, std::bit_cast<Vectorized<T>>(others));
  const Vectorized<T> zero(T(0));
  return Vectorized<T>::blendv(parts / length, zero, length == zero);
}

void sgn_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "sgn_cpu", [&] {
    using Vec = Vectorized<typename scalar_t::value_type>;
    constexpr int64_t kStep = Vec::size() / 2;
    constexpr auto kElement = static_cast<int64_t>(sizeof(scalar_t));
    loops::for_each_element(iter, [&](char** data, const int64_t* strides, int64_t n) {
      const bool dense = strides[0] == kElement && strides[1] == kElement;
      for (int64_t i = 0; i < n; i += kStep) {
        const int64_t count = std::min(kStep, n - i);
        const char* in = data[1] + i * strides[1];
        char* out = data[0] + i * strides[0];
        if (dense && count == kStep) {
          direction(Vec::loadu(in)).store(out);
          continue;
        }
        scalar_t numbers[kStep] = {};
        for (int64_t k = 0; k < count; ++k) {
          numbers[k] = *reinterpret_cast<const scalar_t*>(in + k * strides[1]);
        }
        direction(Vec::loadu(numbers)).store(numbers);
        for (int64_t k = 0; k < count; ++k) {
          *reinterpret_cast<scalar_t*>(out + k * strides[0]) = numbers[k];
        }
      }
    });
  });
  iter.cast_outputs();
}

// Whether elements have the bits of one infinity.
template <bool kNegative>
void is_infinity_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.dtype(1), "isinf_cpu", [&] {
    using Bits = std::conditional_t<sizeof(scalar_t) == 8, uint64_t,
                                    std::conditional_t<sizeof(scalar_t) == 4, uint32_t, uint16_t>>;
    constexpr auto kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(scalar_t) - 1));
    constexpr auto kInfinity = static_cast<Bits>(
        std::bit_cast<Bits>(std::numeric_limits<scalar_t>::infinity()) | (kNegative ? kSign : 0));
    cpu_kernel(iter, [](Bits a) -> bool { return a == kInfinity; });
  });
}
void isneginf_kernel(TensorIteratorBase& iter) { is_infinity_kernel<true>(iter); }
void isposinf_kernel(TensorIteratorBase& iter) { is_infinity_kernel<false>(iter); }

void signbit_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ORDERED_TYPES(iter.dtype(1), "signbit_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> bool { return unary::SignBit()(a); });
  });
}

void conj_physical_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "conj_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t { return {a.real(), -a.imag()}; });
  });
}

void angle_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.dtype(1))) {
    kernel_of_parts(iter, "angle_cpu", [](auto real, auto imag) { return atan2_of(imag, real); });
    return;
  }
  // 0 or pi; NaN stays.
  const ScalarType dtype = iter.dtype(0);
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "angle_cpu", [&] {
      const auto pi = std::bit_cast<uint16_t>(scalar_t(3.14159265358979323846f));
      const auto infinity = std::bit_cast<uint16_t>(std::numeric_limits<scalar_t>::infinity());
      cpu_kernel(iter, [=](uint16_t a) -> uint16_t {
        const auto size = static_cast<uint16_t>(a & ~kSignOfReduced);
        const bool negative = size != a && size != 0;
        return size > infinity ? a : negative ? pi : uint16_t{0};
      });
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(dtype, "angle_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a) -> scalar_t {
      if (a != a) return a;
      return a < scalar_t(0) ? scalar_t(3.14159265358979323846) : scalar_t(0);
    });
  });
}

void nan_to_num_kernel(TensorIteratorBase& iter, double nan, std::optional<double> posinf,
                       std::optional<double> neginf) {
  double low = 0;
  double high = 0;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "nan_to_num", [&] {
    using limits = std::numeric_limits<scalar_t>;
    low = neginf.value_or(static_cast<double>(limits::lowest()));
    high = posinf.value_or(static_cast<double>(limits::max()));
  });
  const unary::NanToNum<double> op{nan, low, high};
  unary_float_kernel(iter, "nan_to_num", op, op);
}

void logit_kernel(TensorIteratorBase& iter, double eps) {
  const unary::Logit<double> op{eps, eps >= 0};
  unary_float_kernel<Cost::kHigh>(iter, "logit_cpu", op, op);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(abs_stub, &CPU_CAPABILITY::abs_kernel)
REGISTER_DISPATCH(acos_stub, &CPU_CAPABILITY::acos_kernel)
REGISTER_DISPATCH(acosh_stub, &CPU_CAPABILITY::acosh_kernel)
REGISTER_DISPATCH(angle_stub, &CPU_CAPABILITY::angle_kernel)
REGISTER_DISPATCH(asin_stub, &CPU_CAPABILITY::asin_kernel)
REGISTER_DISPATCH(asinh_stub, &CPU_CAPABILITY::asinh_kernel)
REGISTER_DISPATCH(atan_stub, &CPU_CAPABILITY::atan_kernel)
REGISTER_DISPATCH(atanh_stub, &CPU_CAPABILITY::atanh_kernel)
REGISTER_DISPATCH(bitwise_not_stub, &CPU_CAPABILITY::bitwise_not_kernel)
REGISTER_DISPATCH(ceil_stub, &CPU_CAPABILITY::ceil_kernel)
REGISTER_DISPATCH(conj_physical_stub, &CPU_CAPABILITY::conj_physical_kernel)
REGISTER_DISPATCH(cos_stub, &CPU_CAPABILITY::cos_kernel)
REGISTER_DISPATCH(cosh_stub, &CPU_CAPABILITY::cosh_kernel)
REGISTER_DISPATCH(erf_stub, &CPU_CAPABILITY::erf_kernel)
REGISTER_DISPATCH(erfc_stub, &CPU_CAPABILITY::erfc_kernel)
REGISTER_DISPATCH(exp2_stub, &CPU_CAPABILITY::exp2_kernel)
REGISTER_DISPATCH(exp_stub, &CPU_CAPABILITY::exp_kernel)
REGISTER_DISPATCH(expm1_stub, &CPU_CAPABILITY::expm1_kernel)
REGISTER_DISPATCH(floor_stub, &CPU_CAPABILITY::floor_kernel)
REGISTER_DISPATCH(frac_stub, &CPU_CAPABILITY::frac_kernel)
REGISTER_DISPATCH(isneginf_stub, &CPU_CAPABILITY::isneginf_kernel)
REGISTER_DISPATCH(isposinf_stub, &CPU_CAPABILITY::isposinf_kernel)
REGISTER_DISPATCH(log10_stub, &CPU_CAPABILITY::log10_kernel)
REGISTER_DISPATCH(log1p_stub, &CPU_CAPABILITY::log1p_kernel)
REGISTER_DISPATCH(log2_stub, &CPU_CAPABILITY::log2_kernel)
REGISTER_DISPATCH(log_stub, &CPU_CAPABILITY::log_kernel)
REGISTER_DISPATCH(logical_not_stub, &CPU_CAPABILITY::logical_not_kernel)
REGISTER_DISPATCH(logit_stub, &CPU_CAPABILITY::logit_kernel)
REGISTER_DISPATCH(nan_to_num_stub, &CPU_CAPABILITY::nan_to_num_kernel)
REGISTER_DISPATCH(neg_stub, &CPU_CAPABILITY::neg_kernel)
REGISTER_DISPATCH(reciprocal_stub, &CPU_CAPABILITY::reciprocal_kernel)
REGISTER_DISPATCH(round_stub, &CPU_CAPABILITY::round_kernel)
REGISTER_DISPATCH(rsqrt_stub, &CPU_CAPABILITY::rsqrt_kernel)
REGISTER_DISPATCH(sgn_stub, &CPU_CAPABILITY::sgn_kernel)
REGISTER_DISPATCH(sigmoid_stub, &CPU_CAPABILITY::sigmoid_kernel)
REGISTER_DISPATCH(sign_stub, &CPU_CAPABILITY::sign_kernel)
REGISTER_DISPATCH(signbit_stub, &CPU_CAPABILITY::signbit_kernel)
REGISTER_DISPATCH(sin_stub, &CPU_CAPABILITY::sin_kernel)
REGISTER_DISPATCH(sinh_stub, &CPU_CAPABILITY::sinh_kernel)
REGISTER_DISPATCH(sqrt_stub, &CPU_CAPABILITY::sqrt_kernel)
REGISTER_DISPATCH(tan_stub, &CPU_CAPABILITY::tan_kernel)
REGISTER_DISPATCH(tanh_stub, &CPU_CAPABILITY::tanh_kernel)
REGISTER_DISPATCH(trunc_stub, &CPU_CAPABILITY::trunc_kernel)

}  // namespace at::native
