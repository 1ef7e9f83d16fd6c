// Loops of the operators of two arguments.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BinaryFormulas.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/DispatchUnsigned.h>

#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Division.h>
#include <ATen/native/UnaryFormulas.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

// Complex numbers: `vec_op` takes vectors of their parts, which alternate. Inputs whose elements
// are apart are copied block by block.
template <typename scalar_t, typename Op, typename VecOp>
void complex_kernel(TensorIteratorBase& iter, const Op& op, const VecOp& vec_op) {
  using Vec = Vectorized<typename scalar_t::value_type>;
  constexpr auto kElement = static_cast<int64_t>(sizeof(scalar_t));
  constexpr int64_t kStep = Vec::size() / 2;
  constexpr int64_t kBlock = 256;
  native::for_each_element(iter, [&](char** data, const int64_t* strides, int64_t n) {
    auto body = op;
    if (kStep == 0 || n < kStep || strides[0] != kElement) {
      loops::basic_loop(data, strides, 0, n, body);
      return;
    }
    scalar_t blocks[2][kBlock];
    const scalar_t* from[2];
    for (int64_t first = 0; first < n; first += kBlock) {
      const int64_t count = std::min(kBlock, n - first);
      for (int arg = 1; arg <= 2; ++arg) {
        const char* in = data[arg] + first * strides[arg];
        scalar_t* block = blocks[arg - 1];
        from[arg - 1] = strides[arg] == kElement ? reinterpret_cast<const scalar_t*>(in) : block;
        if (strides[arg] == kElement || (first > 0 && strides[arg] == 0)) continue;
        for (int64_t k = 0; k < count; ++k) {
          block[k] = *reinterpret_cast<const scalar_t*>(in + k * strides[arg]);
        }
      }
      auto* out = reinterpret_cast<scalar_t*>(data[0]) + first;
      int64_t i = 0;
      for (; i + kStep <= count; i += kStep) {
        vec_op(Vec::loadu(from[0] + i), Vec::loadu(from[1] + i)).store(out + i);
      }
      for (; i < count; ++i) out[i] = body(from[0][i], from[1][i]);
    }
  });
  iter.cast_outputs();
}

// Products of complex numbers whose parts alternate.
template <typename T>
Vectorized<T> complex_product(const Vectorized<T>& a, const Vectorized<T>& b) {
#if AT_VEC_CONVERTS_BY_HIGHWAY
  namespace hw = hwy::HWY_NAMESPACE;
  const typename Vectorized<T>::D d;
  const auto crossed = hw::Mul(hw::DupOdd(a.values), hw::Reverse2(d, b.values));
  const auto real = hw::DupEven(a.values);
  return hw::OddEven(hw::MulAdd(real, b.values, crossed), hw::MulSub(real, b.values, crossed));
#else
  T x[Vectorized<T>::size()];
  T y[Vectorized<T>::size()];
  a.store(x);
  b.store(y);
  for (int k = 0; k + 1 < Vectorized<T>::size(); k += 2) {
    const T real = x[k] * y[k] - x[k + 1] * y[k + 1];
    x[k + 1] = x[k] * y[k + 1] + x[k + 1] * y[k];
    x[k] = real;
  }
  return Vectorized<T>::loadu(x);
#endif
}

// Quotients of complex numbers whose parts alternate, by Smith's algorithm, as c10::complex has it.
template <typename T>
Vectorized<T> complex_quotient(const Vectorized<T>& a, const Vectorized<T>& b) {
#if AT_VEC_CONVERTS_BY_HIGHWAY
  namespace hw = hwy::HWY_NAMESPACE;
  const typename Vectorized<T>::D d;
  const auto real = hw::DupEven(b.values);
  const auto imag = hw::DupOdd(b.values);
  const auto by_real = hw::Ge(hw::Abs(real), hw::Abs(imag));
  const auto large = hw::IfThenElse(by_real, real, imag);
  const auto small = hw::IfThenElse(by_real, imag, real);
  if (hw::AllFalse(d, hw::Eq(large, hw::Zero(d)))) {
    const auto ratio = hw::Div(small, large);
    const auto scale = hw::Div(hw::Set(d, T(1)), hw::MulAdd(small, ratio, large));
    const auto crossed = hw::Reverse2(d, a.values);
    const auto x = hw::IfThenElse(by_real, a.values, crossed);
    const auto y = hw::IfThenElse(by_real, crossed, a.values);
    const auto odd = hw::IfThenElse(by_real, hw::NegMulAdd(y, ratio, x), hw::MulSub(y, ratio, x));
    return hw::Mul(hw::OddEven(odd, hw::MulAdd(y, ratio, x)), scale);
  }
#endif
  T x[Vectorized<T>::size()];
  T y[Vectorized<T>::size()];
  a.store(x);
  b.store(y);
  for (int k = 0; k + 1 < Vectorized<T>::size(); k += 2) {
    const c10::complex<T> quotient =
        c10::complex<T>(x[k], x[k + 1]) / c10::complex<T>(y[k], y[k + 1]);
    x[k] = quotient.real();
    x[k + 1] = quotient.imag();
  }
  return Vectorized<T>::loadu(x);
}

void add_kernel(TensorIteratorBase& iter, const Scalar& alpha_scalar) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kBool) {
    const bool alpha = alpha_scalar.to<bool>();
    cpu_kernel(iter, [=](bool a, bool b) -> bool { return a | (alpha & b); });
  } else if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "add_cpu", [&] {
      const scalar_t alpha = alpha_scalar.to<scalar_t>();
      // An infinite part times the other part of alpha, 0, is NaN, as in PyTorch.
      using Vec = Vectorized<typename scalar_t::value_type>;
      scalar_t copies[Vec::size()];
      std::fill_n(copies, Vec::size(), alpha);
      const Vec alphas = Vec::loadu(copies);
      complex_kernel<scalar_t>(
          iter, [=](scalar_t a, scalar_t b) -> scalar_t { return a + alpha * b; },
          [=](const Vec& a, const Vec& b) { return a + complex_product(alphas, b); });
    });
  } else if (c10::isFloatingType(dtype)) {
    const double alpha = alpha_scalar.to<double>();
    binary_float_kernel(iter, "add_cpu", binary::AddScaled<double>{alpha}, [=](auto a, auto b) {
      return vec::fmadd(b, decltype(a)(static_cast<typename decltype(a)::value_type>(alpha)), a);
    });
  } else {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "add_cpu", [&] {
      const binary::AddScaled<scalar_t> op{alpha_scalar.to<scalar_t>()};
      cpu_kernel(iter, [op](scalar_t a, scalar_t b) -> scalar_t { return op(a, b); });
    });
  }
}

// Half and BFloat16 times, or by, one number, which is not rounded to their type.
template <Cost cost = Cost::kLow, typename ScalarOp, typename VecOp>
void scaled_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isReducedFloatingType(dtype) && iter.is_scalar(2)) {
    const Vectorized<float> b(static_cast<float>(iter.original_scalar_value<double>(2)));
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      reduced_float_kernel<scalar_t>(iter, std::make_index_sequence<1>(),
                                     [=](const Vectorized<float>& a) { return vec_op(a, b); });
    });
    return;
  }
  binary_float_kernel<cost>(iter, name, op, vec_op);
}

void mul_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kBool) {
    cpu_kernel(iter, [](bool a, bool b) -> bool { return a & b; });
  } else if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "mul_cpu", [&] {
      complex_kernel<scalar_t>(
          iter, [](scalar_t a, scalar_t b) -> scalar_t { return a * b; },
          [](auto a, auto b) { return complex_product(a, b); });
    });
  } else if (c10::isFloatingType(dtype)) {
    scaled_float_kernel(iter, "mul_cpu", binary::Product(), binary::Product());
  } else {
    AT_DISPATCH_INTEGRAL_TYPES_V2(dtype, "mul_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return binary::Product()(a, b); });
    });
  }
}

void div_true_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "div_cpu", [&] {
      complex_kernel<scalar_t>(
          iter, [](scalar_t a, scalar_t b) -> scalar_t { return a / b; },
          [](auto a, auto b) { return complex_quotient(a, b); });
    });
    return;
  }
  const auto op = [](auto a, auto b) { return a / b; };
  scaled_float_kernel(iter, "div_cpu", op, op);
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
        if (is_minus_one(b)) return wrapping_neg(a);
        return binary::TruncatedQuotient()(a, check_nonzero(b));
      });
    });
    return;
  }
  scaled_float_kernel(iter, "div_trunc_cpu", binary::TruncatedQuotient(),
                      binary::TruncatedQuotient());
}

// binary::Fmod for vectors. What is left of a quotient that has few digits is exact with one
// rounding, where the quotient may have been rounded up. Other numbers are left to the standard
// library.
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
  for (int i = 0; i < Vec::size(); ++i) x[i] = binary::Fmod()(x[i], y[i]);
  return Vec::loadu(x);
}

void fmod_kernel(TensorIteratorBase& iter) {
  if (c10::isIntegralType(iter.common_dtype(), /*includeBool=*/false)) {
    AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "fmod_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        if (is_minus_one(b)) return 0;  // The quotient may overflow.
        return binary::Fmod()(a, check_nonzero(b));
      });
    });
    return;
  }
  binary_float_kernel<Cost::kHigh>(iter, "fmod_cpu", binary::Fmod(),
                                   [](auto a, auto b) { return fmod_of(a, b); });
}

// Division.h has these for scalars; the overloads for vectors follow.
using at::native::div_floor_floating;
using at::native::div_mod;

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

template <typename T>
Vectorized<T> div_mod(const Vectorized<T>& a, const Vectorized<T>& b) {
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
        return div_floor_integer(a, check_nonzero(b));
      });
    });
    return;
  }
  const auto op = [](auto a, auto b) { return div_floor_floating(a, b); };
  scaled_float_kernel<Cost::kHigh>(iter, "div_floor_cpu", op, op);
}

void remainder_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isIntegralType(dtype, /*includeBool=*/false)) {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "remainder_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
        if (is_minus_one(b)) return 0;
        return div_mod(a, check_nonzero(b));
      });
    });
    return;
  }
  const auto op = [](auto a, auto b) { return div_mod(a, b); };
  binary_float_kernel<Cost::kHigh>(iter, "remainder_cpu", op, op);
}

void maximum_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    binary_float_kernel<Cost::kHigh>(iter, "maximum_cpu", binary::Maximum(),
                                     [](auto a, auto b) { return vec::maximum(a, b); });
    return;
  }
  if (dtype == kBool) {
    cpu_kernel(iter, [](bool a, bool b) -> bool { return a | b; });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "maximum_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return binary::Maximum()(a, b); });
  });
}

void minimum_kernel(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    binary_float_kernel<Cost::kHigh>(iter, "minimum_cpu", binary::Minimum(),
                                     [](auto a, auto b) { return vec::minimum(a, b); });
    return;
  }
  if (dtype == kBool) {
    cpu_kernel(iter, [](bool a, bool b) -> bool { return a & b; });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "minimum_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return binary::Minimum()(a, b); });
  });
}

void mse_kernel(TensorIteratorBase& iter) {
  binary_float_kernel(iter, "mse_cpu", binary::SquaredDifference(), binary::SquaredDifference());
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
  binary_float_kernel(iter, "sigmoid_backward_cpu", binary::SigmoidBackward(),
                      binary::SigmoidBackward());
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
  binary_float_kernel(iter, "tanh_backward_cpu", binary::TanhBackward(), binary::TanhBackward());
}

// ---- functions beyond arithmetic

template <typename T>
using Vec = Vectorized<T>;

void atan2_kernel(TensorIteratorBase& iter) {
  binary_float_kernel<Cost::kHigh>(
      iter, "atan2_cpu", [](auto a, auto b) { return std::atan2(a, b); },
      [](auto a, auto b) { return atan2_of(a, b); });
}

void hypot_kernel(TensorIteratorBase& iter) {
  binary_float_kernel<Cost::kHigh>(
      iter, "hypot_cpu", [](auto a, auto b) { return std::hypot(a, b); },
      [](auto a, auto b) { return hypot_of(a, b); });
}

void copysign_kernel(TensorIteratorBase& iter) {
  if (iter.common_dtype() == kHalf || iter.common_dtype() == kBFloat16) {
    cpu_kernel(iter, [](uint16_t a, uint16_t b) -> uint16_t {
      return static_cast<uint16_t>((a & 0x7fff) | (b & 0x8000));
    });
    return;
  }
  binary_float_kernel(
      iter, "copysign_cpu", [](auto a, auto b) { return std::copysign(a, b); },
      [](auto a, auto b) { return a.abs() | sign_bits(b); });
}

// The neighbour, among numbers with the exponent and digits of a 16-bit type, towards `b`.
template <typename T>
T next_bits(T a, T b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (static_cast<float>(a) == 0) return T(b < a ? 0x8001 : 0x0001, T::from_bits());
  const bool away = (a < b) == (a > T(0));
  return T(static_cast<uint16_t>(away ? a.x + 1 : a.x - 1), T::from_bits());
}

// The neighbour of `a` towards `b`, by the bits, in whose order numbers of one sign lie. Without
// branches, so that the compiler may make vectors.
template <typename T>
T next_of(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  constexpr Bits kSign = Bits(1) << (8 * sizeof(T) - 1);
  const Bits bits = std::bit_cast<Bits>(a);
  const Bits smallest = (std::bit_cast<Bits>(b) & kSign) | Bits(1);
  const Bits moved = bits + (((a < b) == (a > T(0))) ? Bits(1) : ~Bits(0));
  const Bits next = a == T(0) ? smallest : moved;
  const T found = a == b ? b : std::bit_cast<T>(next);
  return a == a && b == b ? found : a + b;
}

void nextafter_kernel(TensorIteratorBase& iter) {
  if (iter.common_dtype() == kHalf || iter.common_dtype() == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(iter.common_dtype(), "nextafter_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return next_bits(a, b); });
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(iter.common_dtype(), "nextafter_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t { return next_of(a, b); });
  });
}

// binary::LogAddExp has the formula for scalars.
template <bool kBase2, typename T>
Vectorized<T> logaddexp_of(const Vectorized<T>& a, const Vectorized<T>& b) {
  const Vectorized<T> high = vec::maximum(a, b);
  if (!all_finite(a) || !all_finite(b)) {
    return Vectorized<T>::map2(a, b, [](T p, T q) { return binary::LogAddExp<kBase2>()(p, q); });
  }
  const Vectorized<T> difference = (a - b).abs().neg();
  if constexpr (kBase2) {
    return high + difference.exp2().log1p() * Vectorized<T>(std::numbers::log2e_v<T>);
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
  binary_float_kernel<Cost::kHigh>(iter, "logaddexp_cpu", binary::LogAddExp<false>(),
                                   [](auto a, auto b) { return logaddexp_of<false>(a, b); });
}

void logaddexp2_kernel(TensorIteratorBase& iter) {
  binary_float_kernel<Cost::kHigh>(iter, "logaddexp2_cpu", binary::LogAddExp<true>(),
                                   [](auto a, auto b) { return logaddexp_of<true>(a, b); });
}

void xlogy_kernel(TensorIteratorBase& iter) {
  binary_float_kernel<Cost::kHigh>(iter, "xlogy_cpu", binary::XLogY(), binary::XLogY());
}

void xlog1py_kernel(TensorIteratorBase& iter) {
  binary_float_kernel<Cost::kHigh>(iter, "xlog1py_cpu", binary::XLog1PY(), binary::XLog1PY());
}

// The number that is not NaN, when one is.
void fmax_kernel(TensorIteratorBase& iter) {
  if (!c10::isFloatingType(iter.common_dtype())) {
    maximum_stub(iter.device_type(), iter);
    return;
  }
  binary_float_kernel<Cost::kHigh>(
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
  binary_float_kernel<Cost::kHigh>(
      iter, "fmin_cpu", [](auto a, auto b) { return std::fmin(a, b); },
      [](auto a, auto b) {
        const auto smaller = decltype(a)::blendv(a, b, b < a);
        return decltype(a)::blendv(smaller, b, a.isnan());
      });
}

void logit_backward_kernel(TensorIteratorBase& iter, double eps) {
  const bool clamped = eps >= 0;
  const binary::LogitBackward<double> op{clamped ? eps : 0, clamped};
  binary_float_kernel<Cost::kHigh>(iter, "logit_backward_cpu", op, op);
}

void round_decimals_kernel(TensorIteratorBase& iter, int64_t decimals) {
  const bool before_point = decimals < 0;
  const double scale = std::pow(10.0, static_cast<double>(before_point ? -decimals : decimals));
  const unary::RoundDecimals<double> op{scale, before_point};
  unary_float_kernel<Cost::kHigh>(iter, "round_cpu", op, op);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(add_stub, &CPU_CAPABILITY::add_kernel)
REGISTER_DISPATCH(atan2_stub, &CPU_CAPABILITY::atan2_kernel)
REGISTER_DISPATCH(copysign_stub, &CPU_CAPABILITY::copysign_kernel)
REGISTER_DISPATCH(div_floor_stub, &CPU_CAPABILITY::div_floor_kernel)
REGISTER_DISPATCH(div_true_stub, &CPU_CAPABILITY::div_true_kernel)
REGISTER_DISPATCH(div_trunc_stub, &CPU_CAPABILITY::div_trunc_kernel)
REGISTER_DISPATCH(fmax_stub, &CPU_CAPABILITY::fmax_kernel)
REGISTER_DISPATCH(fmin_stub, &CPU_CAPABILITY::fmin_kernel)
REGISTER_DISPATCH(fmod_stub, &CPU_CAPABILITY::fmod_kernel)
REGISTER_DISPATCH(hypot_stub, &CPU_CAPABILITY::hypot_kernel)
REGISTER_DISPATCH(logaddexp2_stub, &CPU_CAPABILITY::logaddexp2_kernel)
REGISTER_DISPATCH(logaddexp_stub, &CPU_CAPABILITY::logaddexp_kernel)
REGISTER_DISPATCH(logit_backward_stub, &CPU_CAPABILITY::logit_backward_kernel)
REGISTER_DISPATCH(maximum_stub, &CPU_CAPABILITY::maximum_kernel)
REGISTER_DISPATCH(minimum_stub, &CPU_CAPABILITY::minimum_kernel)
REGISTER_DISPATCH(mse_stub, &CPU_CAPABILITY::mse_kernel)
REGISTER_DISPATCH(mul_stub, &CPU_CAPABILITY::mul_kernel)
REGISTER_DISPATCH(nextafter_stub, &CPU_CAPABILITY::nextafter_kernel)
REGISTER_DISPATCH(remainder_stub, &CPU_CAPABILITY::remainder_kernel)
REGISTER_DISPATCH(round_decimals_stub, &CPU_CAPABILITY::round_decimals_kernel)
REGISTER_DISPATCH(sigmoid_backward_stub, &CPU_CAPABILITY::sigmoid_backward_kernel)
REGISTER_DISPATCH(special_xlog1py_stub, &CPU_CAPABILITY::xlog1py_kernel)
REGISTER_DISPATCH(tanh_backward_stub, &CPU_CAPABILITY::tanh_backward_kernel)
REGISTER_DISPATCH(xlogy_stub, &CPU_CAPABILITY::xlogy_kernel)

}  // namespace at::native
