// Loops of powers.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Pow.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_math.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

#if AT_VEC_ON_HIGHWAY
namespace hw = hwy::HWY_NAMESPACE;

// a^b of |a|^b: negative a needs an integer b.
template <typename D, typename V>
V with_sign(D d, const V& a, const V& b, const V& power) {
  using T = hw::TFromD<D>;
  const auto half_b = hw::Mul(b, hw::Set(d, T(0.5)));
  const auto whole = hw::Eq(hw::Round(b), b);
  const auto even = hw::Eq(hw::Round(half_b), half_b);
  const auto nan = hw::Set(d, std::numeric_limits<T>::quiet_NaN());
  const auto of_negative = hw::IfThenElse(whole, hw::IfThenElse(even, power, hw::Neg(power)), nan);
  return hw::IfThenElse(hw::Lt(a, hw::Zero(d)), of_negative, power);
}

// Whether each element is neither 0, subnormal, infinite nor NaN.
template <typename D, typename V>
bool all_ordinary(D d, const V& magnitude) {
  using limits = std::numeric_limits<hw::TFromD<D>>;
  return hw::AllTrue(d, hw::And(hw::Ge(magnitude, hw::Set(d, limits::min())),
                                hw::Le(magnitude, hw::Set(d, limits::max()))));
}

// The elements where a is 0, which is not negative, and b neither negative nor NaN: the power is 0,
// or 1 where b is 0.
template <typename D, typename V>
hw::Mask<D> powers_of_zero(D d, const V& a, const V& b) {
  const hw::RebindToSigned<D> integer;
  const auto zero = hw::RebindMask(d, hw::Eq(hw::BitCast(integer, a), hw::Zero(integer)));
  return hw::And(zero, hw::Ge(b, hw::Zero(d)));
}
template <typename D, typename V>
V power_of_zero(D d, const V& b) {
  return hw::IfThenElseZero(hw::Eq(b, hw::Zero(d)), hw::Set(d, hw::TFromD<D>(1)));
}

#if HWY_NATIVE_FMA
// Numbers as sums of two, the second of which is within the rounding error of the first (Dekker, "A
// floating-point technique for extending the available precision", Numerische Mathematik 18, 1971).
template <typename V>
struct Pair {
  V high;
  V low;
};

template <typename V>
Pair<V> product(const V& a, const V& b) {
  const V high = hw::Mul(a, b);
  return {high, hw::MulSub(a, b, high)};
}

template <typename V>
Pair<V> product(const Pair<V>& a, const Pair<V>& b) {
  Pair<V> result = product(a.high, b.high);
  result.low = hw::MulAdd(a.high, b.low, hw::MulAdd(a.low, b.high, result.low));
  return result;
}

// log2(a) = e + log2(m), with m in [sqrt(1/2), sqrt(2)) and log(m) = 2 atanh((m - 1) / (m + 1)).
template <typename D, typename V = hw::Vec<D>>
Pair<V> log2_of(D d, const V& a) {
  const hw::RebindToSigned<D> integer;
  const auto k = [&](double x) { return hw::Set(d, x); };
  const auto bits = hw::BitCast(integer, a);
  const auto root_half = hw::Set(integer, std::bit_cast<int64_t>(std::numbers::sqrt2 / 2));
  const auto e = hw::ShiftRight<52>(hw::Sub(bits, root_half));
  const V m = hw::BitCast(d, hw::Sub(bits, hw::ShiftLeft<52>(e)));
  const V above = hw::Sub(m, k(1));
  const V below = hw::Add(m, k(1));
  const V one = hw::Sub(below, m);
  const V lost = hw::Add(hw::Sub(m, hw::Sub(below, one)), hw::Sub(k(1), one));
  const V inverse = hw::Div(k(1), below);
  Pair<V> s;
  s.high = hw::Mul(above, inverse);
  s.low = hw::Mul(inverse, hw::NegMulAdd(s.high, lost, hw::NegMulAdd(s.high, below, above)));
  // atanh(s) / s = 1 + z / 3 + z^2 (1 / 5 + z / 7 + ...), with z = s^2.
  Pair<V> z = product(s.high, s.high);
  z.low = hw::MulAdd(hw::Add(s.high, s.high), s.low, z.low);
  V rest = k(1.0 / 27);
  for (int n = 25; n >= 5; n -= 2) rest = hw::MulAdd(rest, z.high, k(1.0 / n));
  const Pair<V> third = product(z, Pair<V>{k(0x1.5555555555555p-2), k(0x1.5555555555555p-56)});
  Pair<V> f{hw::Add(k(1), third.high), V()};
  f.low = hw::Add(hw::Sub(third.high, hw::Sub(f.high, k(1))),
                  hw::MulAdd(hw::Mul(z.high, z.high), rest, third.low));
  const Pair<V> two_by_log_2{k(0x1.71547652b82fep+1), k(0x1.777d0ffda0d24p-55)};
  const Pair<V> l = product(product(s, two_by_log_2), f);
  // e is 0, or larger than l.
  const V whole = hw::ConvertTo(d, e);
  const V high = hw::Add(whole, l.high);
  const V low = hw::Sub(l.high, hw::Sub(high, whole));
  return {high, hw::Add(hw::IfThenElse(hw::Eq(whole, k(0)), k(0), low), l.low)};
}
#endif
#endif

// In float, exp(b log |a|) in double, if a is neither subnormal, infinite nor NaN, and b log |a| is
// not large; in double the same with more digits of the logarithm.
template <typename T>
Vectorized<T> power(const Vectorized<T>& a, const Vectorized<T>& b) {
#if AT_VEC_CONVERTS_BY_HIGHWAY
  if constexpr (std::is_same_v<T, float>) {
    const hw::ScalableTag<float> d;
    const hw::Half<decltype(d)> half;
    const hw::ScalableTag<double> wide;
    const auto exponent = [&](auto base, auto power) {
      return hw::Mul(hw::PromoteTo(wide, power), hw::Log(wide, hw::PromoteTo(wide, base)));
    };
    const auto zero = powers_of_zero(d, a.values, b.values);
    const auto base = hw::IfThenElse(zero, hw::Set(d, 1.0F), hw::Abs(a.values));
    const auto low = exponent(hw::LowerHalf(half, base), hw::LowerHalf(half, b.values));
    const auto high = exponent(hw::UpperHalf(half, base), hw::UpperHalf(half, b.values));
    const auto most = hw::Max(hw::Abs(low), hw::Abs(high));
    if (all_ordinary(d, base) && hw::AllTrue(wide, hw::Lt(most, hw::Set(wide, 87.0)))) {
      const auto power = hw::Combine(d, hw::DemoteTo(half, hw::Exp(wide, high)),
                                     hw::DemoteTo(half, hw::Exp(wide, low)));
      return hw::IfThenElse(zero, power_of_zero(d, b.values),
                            with_sign(d, a.values, b.values, power));
    }
  }
#endif
#if AT_VEC_ON_HIGHWAY && HWY_NATIVE_FMA
  if constexpr (std::is_same_v<T, double>) {
    const typename Vectorized<double>::D d;
    const hw::RebindToSigned<decltype(d)> integer;
    const auto zero = powers_of_zero(d, a.values, b.values);
    const auto base = hw::IfThenElse(zero, hw::Set(d, 1.0), hw::Abs(a.values));
    const auto l = log2_of(d, base);
    auto t = product(b.values, l.high);
    t.low = hw::MulAdd(b.values, l.low, t.low);
    constexpr double kMost = 1020;  // 2^t is no subnormal.
    if (all_ordinary(d, base) && hw::AllTrue(d, hw::Lt(hw::Abs(t.high), hw::Set(d, kMost)))) {
      const auto n = hw::Round(t.high);
      const auto r = hw::Add(hw::Sub(t.high, n), t.low);
      const auto biased = hw::Add(hw::ConvertTo(integer, n), hw::Set(integer, int64_t(1023)));
      const auto scale = hw::BitCast(d, hw::ShiftLeft<52>(biased));
      const auto power = hw::Mul(hw::Exp(d, hw::Mul(r, hw::Set(d, std::numbers::ln2))), scale);
      return hw::IfThenElse(zero, power_of_zero(d, b.values),
                            with_sign(d, a.values, b.values, power));
    }
  }
#endif
  return a.pow(b);
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
    binary_float_kernel<Cost::kHigh>(
        iter, "pow", [](auto a, auto b) { return std::pow(a, b); },
        [](auto a, auto b) { return power(a, b); });
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

template <typename T>
T root(T a) {
  return std::sqrt(a);
}
template <typename T>
Vectorized<T> root(Vectorized<T> a) {
  return a.sqrt();
}

// Exponents that stand for a product, a root or a reciprocal.
void pow_float_scalar(TensorIteratorBase& iter, double exp) {
  const auto run = [&](auto op) { unary_float_kernel(iter, "pow", op, op); };
  if (exp == 2) {
    run([](auto a) { return a * a; });
  } else if (exp == 3) {
    run([](auto a) { return a * a * a; });
  } else if (exp == 0.5) {
    run([](auto a) { return root(a); });
  } else if (exp == -1) {
    run([](auto a) { return decltype(a)(1) / a; });
  } else {
    unary_float_kernel<Cost::kHigh>(
        iter, "pow", [=](auto a) { return std::pow(a, static_cast<decltype(a)>(exp)); },
        [=](auto a) {
          return power(a, decltype(a)(static_cast<typename decltype(a)::value_type>(exp)));
        });
  }
}

void pow_tensor_scalar_kernel(TensorIteratorBase& iter, const Scalar& exp_scalar) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    // An exponent that 16 bits do not hold is an error, as in PyTorch.
    if (dtype == kHalf) exp_scalar.to<c10::Half>();
    if (dtype == kBFloat16) exp_scalar.to<c10::BFloat16>();
    pow_float_scalar(iter, exp_scalar.to<double>());
  } else if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "pow", [&] {
      const auto exp = exp_scalar.to<scalar_t>();
      if (exp == scalar_t(2)) {
        cpu_kernel(iter, [](scalar_t a) -> scalar_t { return a * a; });
      } else {
        cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return complex_power(a, exp); });
      }
    });
  } else {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "pow", [&] {
      const scalar_t exp = exp_scalar.to<scalar_t>();
      if (exp == 2) {
        cpu_kernel(iter, [](scalar_t a) -> scalar_t { return wrapping_mul(a, a); });
      } else {
        cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return powi<scalar_t>(a, exp); });
      }
    });
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(pow_tensor_tensor_stub, &CPU_CAPABILITY::pow_tensor_tensor_kernel)
REGISTER_DISPATCH(pow_tensor_scalar_stub, &CPU_CAPABILITY::pow_tensor_scalar_kernel)

}  // namespace at::native
