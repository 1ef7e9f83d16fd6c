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

#include <cmath>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

// In float, exp(b log |a|) in double, if a is neither 0, subnormal nor large, and b log |a| is not
// large. Negative a needs an integer b.
template <typename T>
Vectorized<T> power(const Vectorized<T>& a, const Vectorized<T>& b) {
#if AT_VEC_CONVERTS_BY_HIGHWAY
  if constexpr (std::is_same_v<T, float>) {
    namespace hw = hwy::HWY_NAMESPACE;
    const hw::ScalableTag<float> d;
    const hw::Half<decltype(d)> half;
    const hw::ScalableTag<double> wide;
    const auto exponent = [&](auto base, auto power) {
      return hw::Mul(hw::PromoteTo(wide, power), hw::Log(wide, hw::PromoteTo(wide, base)));
    };
    using limits = std::numeric_limits<float>;
    const auto base = hw::Abs(a.values);
    const auto ordinary =
        hw::And(hw::Ge(base, hw::Set(d, limits::min())), hw::Le(base, hw::Set(d, limits::max())));
    const auto low = exponent(hw::LowerHalf(half, base), hw::LowerHalf(half, b.values));
    const auto high = exponent(hw::UpperHalf(half, base), hw::UpperHalf(half, b.values));
    const auto most = hw::Max(hw::Abs(low), hw::Abs(high));
    if (hw::AllTrue(d, ordinary) && hw::AllTrue(wide, hw::Lt(most, hw::Set(wide, 87.0)))) {
      const auto power = hw::Combine(d, hw::DemoteTo(half, hw::Exp(wide, high)),
                                     hw::DemoteTo(half, hw::Exp(wide, low)));
      const auto half_b = hw::Mul(b.values, hw::Set(d, 0.5f));
      const auto whole = hw::Eq(hw::Round(b.values), b.values);
      const auto even = hw::Eq(hw::Round(half_b), half_b);
      const auto nan = hw::Set(d, limits::quiet_NaN());
      const auto of_negative =
          hw::IfThenElse(whole, hw::IfThenElse(even, power, hw::Neg(power)), nan);
      return hw::IfThenElse(hw::Lt(a.values, hw::Zero(d)), of_negative, power);
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
    pow_float_scalar(iter, exp_scalar.to<double>());
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
