// Loops of the arithmetic operators of two arguments.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BinaryOps.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

void add_kernel(TensorIteratorBase& iter, const Scalar& alpha_scalar) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kBool) {
    const bool alpha = alpha_scalar.to<bool>();
    cpu_kernel(iter, [=](bool a, bool b) -> bool { return a || (alpha && b); });
  } else if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "add_cpu", [&] {
      const scalar_t alpha = alpha_scalar.to<scalar_t>();
      cpu_kernel(iter, [=](scalar_t a, scalar_t b) -> scalar_t { return a + alpha * b; });
    });
  } else if (c10::isFloatingType(dtype)) {
    const double alpha = alpha_scalar.to<double>();
    binary_float_kernel(
        iter, "add_cpu", [=](auto a, auto b) { return a + static_cast<decltype(a)>(alpha) * b; },
        [=](auto a, auto b) {
          return vec::fmadd(b, decltype(a)(static_cast<typename decltype(a)::value_type>(alpha)),
                            a);
        });
  } else {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "add_cpu", [&] {
      const scalar_t alpha = alpha_scalar.to<scalar_t>();
      cpu_kernel(iter, [=](scalar_t a, scalar_t b) -> scalar_t {
        return wrapping_add(a, wrapping_mul(alpha, b));
      });
    });
  }
}

void mul_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kBool) {
    cpu_kernel(iter, [](bool a, bool b) -> bool { return a && b; });
  } else if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "mul_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return a * b; });
    });
  } else if (c10::isFloatingType(dtype)) {
    binary_float_kernel(
        iter, "mul_cpu", [](auto a, auto b) { return a * b; },
        [](auto a, auto b) { return a * b; });
  } else {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "mul_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return wrapping_mul(a, b); });
    });
  }
}

void div_true_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "div_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return a / b; });
    });
    return;
  }
  binary_float_kernel(
      iter, "div_cpu", [](auto a, auto b) { return a / b; }, [](auto a, auto b) { return a / b; });
}

template <typename scalar_t>
scalar_t check_nonzero(scalar_t divisor) {
  TORCH_CHECK(divisor != 0, "ZeroDivisionError");
  return divisor;
}

// Whether a / b overflows, and traps, for the smallest a: the quotient is -a, which wraps around.
template <typename scalar_t>
bool is_minus_one(scalar_t divisor) {
  if constexpr (std::is_signed_v<scalar_t>) return divisor == scalar_t(-1);
  return false;
}

void div_trunc_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isIntegralType(dtype, /*includeBool=*/false)) {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "div_trunc_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        return is_minus_one(b) ? wrapping_neg(a) : a / check_nonzero(b);
      });
    });
    return;
  }
  binary_float_kernel(
      iter, "div_trunc_cpu", [](auto a, auto b) { return std::trunc(a / b); },
      [](auto a, auto b) { return (a / b).trunc(); });
}

// C's remainder, which has the sign of the dividend.
template <typename T>
T fmod_of(T a, T b) {
  return std::fmod(a, b);
}

// What is left of a quotient that has few digits is exact with one rounding, where the quotient may
// have been rounded up. Other numbers are left to the standard library.
template <typename T>
Vectorized<T> fmod_of(const Vectorized<T>& a, const Vectorized<T>& b) {
  using Vec = Vectorized<T>;
#if AT_VEC_CONVERTS_BY_HIGHWAY
  namespace hw = hwy::HWY_NAMESPACE;
  const typename Vec::D d;
  const auto quotient = hw::Trunc(hw::Div(a.values, b.values));
  const auto few = hw::Set(d, T(uint64_t{1} << (std::numeric_limits<T>::digits - 2)));
  const auto infinity = hw::Set(d, std::numeric_limits<T>::infinity());
  if (hw::AllTrue(d,
                  hw::And(hw::Lt(hw::Abs(quotient), few), hw::Lt(hw::Abs(b.values), infinity)))) {
    const auto rest = hw::NegMulAdd(quotient, b.values, a.values);
    const auto zero = hw::Zero(d);
    const auto wrong = hw::Lt(hw::Mul(hw::CopySign(hw::Set(d, T(1)), a.values), rest), zero);
    const auto right = hw::IfThenElse(wrong, hw::Add(rest, hw::CopySign(b.values, a.values)), rest);
    return hw::CopySign(right, a.values);
  }
#endif
  T x[Vec::size()];
  T y[Vec::size()];
  a.store(x);
  b.store(y);
  for (int i = 0; i < Vec::size(); ++i) x[i] = std::fmod(x[i], y[i]);
  return Vec::loadu(x);
}

void fmod_kernel(TensorIteratorBase& iter) {
  if (c10::isIntegralType(iter.common_dtype(), /*includeBool=*/false)) {
    AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "fmod_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        if (is_minus_one(b)) return 0;  // The quotient may overflow.
        return static_cast<scalar_t>(a % check_nonzero(b));
      });
    });
    return;
  }
  const auto op = [](auto a, auto b) { return fmod_of(a, b); };
  binary_float_kernel(iter, "fmod_cpu", op, op);
}

// Python's a // b: the quotient rounds towards negative infinity.
template <typename T>
T div_floor_floating(T a, T b) {
  if (b == 0) return a / b;
  const T mod = std::fmod(a, b);
  T div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= T(1);
  if (div == 0) return std::copysign(T(0), a / b);
  T floordiv = std::floor(div);
  if (div - floordiv > T(0.5)) floordiv += T(1);
  return floordiv;
}
template <typename T>
Vectorized<T> div_floor_floating(const Vectorized<T>& a, const Vectorized<T>& b) {
  using Vec = Vectorized<T>;
  const Vec zero(T(0));
  const Vec one(T(1));
  const Vec plain = a / b;
  const Vec mod = fmod_of(a, b);
  const Vec differs = ((mod < zero) ^ (b < zero)) & (mod != zero);
  const Vec exact = (a - mod) / b;
  const Vec div = Vec::blendv(exact, exact - one, differs);
  const Vec floor = div.floor();
  const Vec rounded = floor + (div - floor).gt(Vec(T(0.5)));
  const Vec zeros = plain * zero;
  const Vec found = Vec::blendv(rounded, zeros, div == zero);
  return Vec::blendv(found, plain, b == zero);
}

// Python's a % b, which has the sign of the divisor.
template <typename T>
T remainder_floating(T a, T b) {
  T mod = std::fmod(a, b);
  if (mod != 0 && (b < 0) != (mod < 0)) mod += b;
  return mod;
}
template <typename T>
Vectorized<T> remainder_floating(const Vectorized<T>& a, const Vectorized<T>& b) {
  using Vec = Vectorized<T>;
  const Vec zero(T(0));
  const Vec mod = fmod_of(a, b);
  const Vec differs = (mod < zero) ^ (b < zero);
  return Vec::blendv(Vec::blendv(mod, mod + b, differs), mod, mod == zero);
}

void div_floor_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isIntegralType(dtype, /*includeBool=*/false)) {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "div_floor_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        if (is_minus_one(b)) return wrapping_neg(a);
        const scalar_t quotient = a / check_nonzero(b);
        if constexpr (std::is_signed_v<scalar_t>) {
          return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
        } else {
          return quotient;
        }
      });
    });
    return;
  }
  const auto op = [](auto a, auto b) { return div_floor_floating(a, b); };
  binary_float_kernel(iter, "div_floor_cpu", op, op);
}

void remainder_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isIntegralType(dtype, /*includeBool=*/false)) {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "remainder_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        if (is_minus_one(b)) return 0;
        scalar_t mod = a % check_nonzero(b);
        if constexpr (std::is_signed_v<scalar_t>) {
          if (mod != 0 && (b < 0) != (mod < 0)) mod += b;
        }
        return mod;
      });
    });
    return;
  }
  const auto op = [](auto a, auto b) { return remainder_floating(a, b); };
  binary_float_kernel(iter, "remainder_cpu", op, op);
}

// A NaN in either argument is the result.
template <typename T>
T maximum_of(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return a;
    if (b != b) return b;
  }
  return a < b ? b : a;
}

template <typename T>
T minimum_of(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return a;
    if (b != b) return b;
  }
  return b < a ? b : a;
}

void maximum_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    binary_float_kernel(
        iter, "maximum_cpu", [](auto a, auto b) { return maximum_of(a, b); },
        [](auto a, auto b) { return vec::maximum(a, b); });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES_AND(kBool, dtype, "maximum_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return maximum_of(a, b); });
  });
}

void minimum_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    binary_float_kernel(
        iter, "minimum_cpu", [](auto a, auto b) { return minimum_of(a, b); },
        [](auto a, auto b) { return vec::minimum(a, b); });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES_AND(kBool, dtype, "minimum_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return minimum_of(a, b); });
  });
}

void mse_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(
      iter, "mse_cpu", [](auto a, auto b) { return (a - b) * (a - b); },
      [](auto a, auto b) { return (a - b) * (a - b); });
}

void sigmoid_backward_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "sigmoid_backward_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        const scalar_t slope = (scalar_t(1) - b) * b;
        return a * scalar_t(slope.real(), -slope.imag());
      });
    });
    return;
  }
  binary_float_kernel(
      iter, "sigmoid_backward_cpu", [](auto a, auto b) { return a * (decltype(a)(1) - b) * b; },
      [](auto a, auto b) { return a * (decltype(a)(1) - b) * b; });
}

void tanh_backward_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "tanh_backward_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        const scalar_t slope = scalar_t(1) - b * b;
        return a * scalar_t(slope.real(), -slope.imag());
      });
    });
    return;
  }
  binary_float_kernel(
      iter, "tanh_backward_cpu", [](auto a, auto b) { return a * (decltype(a)(1) - b * b); },
      [](auto a, auto b) { return a * (decltype(a)(1) - b * b); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(add_stub, &CPU_CAPABILITY::add_kernel)
REGISTER_DISPATCH(mul_stub, &CPU_CAPABILITY::mul_kernel)
REGISTER_DISPATCH(div_true_stub, &CPU_CAPABILITY::div_true_kernel)
REGISTER_DISPATCH(div_trunc_stub, &CPU_CAPABILITY::div_trunc_kernel)
REGISTER_DISPATCH(div_floor_stub, &CPU_CAPABILITY::div_floor_kernel)
REGISTER_DISPATCH(fmod_stub, &CPU_CAPABILITY::fmod_kernel)
REGISTER_DISPATCH(remainder_stub, &CPU_CAPABILITY::remainder_kernel)
REGISTER_DISPATCH(maximum_stub, &CPU_CAPABILITY::maximum_kernel)
REGISTER_DISPATCH(minimum_stub, &CPU_CAPABILITY::minimum_kernel)
REGISTER_DISPATCH(mse_stub, &CPU_CAPABILITY::mse_kernel)
REGISTER_DISPATCH(sigmoid_backward_stub, &CPU_CAPABILITY::sigmoid_backward_kernel)
REGISTER_DISPATCH(tanh_backward_stub, &CPU_CAPABILITY::tanh_backward_kernel)

}  // namespace at::native
