// lgamma, digamma and polygamma, in vectors of doubles for every type of element. Section numbers
// are those of the Digital Library of Mathematical Functions (dlmf.nist.gov).

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/cpu/BufferedVectors.h>
#include <ATen/native/cpu/Formulas.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using V = vec::Vectorized<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = std::numbers::pi;

// Whether an element is below `end`; a NaN is not. Loops end by this, so that it is exact, which
// none_negative is not.
bool any_below(const V& x, double end) {
#if AT_VEC_ON_HIGHWAY
  namespace hw = at::vec::hw;
  const V::D d;
  return !hw::AllFalse(d, hw::Lt(x.values, hw::Set(d, end)));
#else
  double elements[V::size()];
  x.store(elements);
  return std::any_of(elements, elements + V::size(), [end](double v) { return v < end; });
#endif
}

// The integers up to 0, where these functions have poles.
V is_pole(const V& x) { return (x <= V(0.0)) & (x == x.floor()); }

// lgamma(2 + e) / e for |e| of at most 1/2, by interpolation with 50 digits.
constexpr double kNearTwo[] = {
    2.7880013392491846e-07,  -5.812501250599261e-07, 9.199898075671394e-07,
    -1.9741884532905586e-06, 4.3847319318293745e-06, -9.456338120610123e-06,
    2.0505584372896933e-05,  -4.492371708374659e-05, 9.945767440096764e-05,
    -0.00022315497868931946, 0.0005096695153484373,  -0.0011927539009204018,
    0.002890510331036772,    -0.007385551028937974,  0.020580808427780335,
    -0.0673523010531956,     0.32246703342411326,    0.42278433509846713};

// 5.11.1: x log x - x - log(x) / 2 + log(2 pi) / 2 + these powers of 1 / x^2, over x.
constexpr double kStirling[] = {43867.0 / 244188, -3617.0 / 122400, 1.0 / 156,
                                -691.0 / 360360,  1.0 / 1188,       -1.0 / 1680,
                                1.0 / 1260,       -1.0 / 360,       1.0 / 12};
constexpr double kStirlingFrom = 8;

// Of positive numbers.
V lgamma_positive(const V& x) {
  return piecewise(
      x, kStirlingFrom,
      [&] {
        // Gamma(x) = Gamma(y) times or over a product, with y near 2.
        V y = select(V(x > V(kStirlingFrom)), V(2.0), x);
        V above(1.0);
        while (any_below(V(-y), -2.5)) {
          const V large = y > V(2.5);
          y = select(large, V(y - V(1.0)), y);
          above = select(large, V(above * y), above);
        }
        // Differences that are exact keep the digits near the zeros 1 and 2.
        const V is_small = x < V(1.5);
        const V is_tiny = x < V(0.5);
        const V e = select(is_tiny, x, select(is_small, V(x - V(1.0)), V(y - V(2.0))));
        const V below = select(is_tiny, V(x * (x + V(1.0))), x);
        const V product = select(is_small, below, above);
        const V less_one = product - V(1.0);
        const V logarithm = piecewise(
            less_one.abs(), 0.25, [&] { return less_one.log1p(); }, [&] { return product.log(); });
        return fmadd(e, horner(kNearTwo, e), select(is_small, V(-logarithm), logarithm));
      },
      [&] {
        const V r = V(1.0) / x;
        const V value = (x - V(0.5)) * x.log() - x +
                        fmadd(r, horner(kStirling, V(r * r)), V(0.91893853320467274178));
        return select(V(x == V(kInfinity)), x, value);
      });
}

V lgamma(const V& x) {
  if (none_negative(x)) return select(V(x == V(0.0)), V(kInfinity), lgamma_positive(x));
  const V size = x.abs();
  const V positive = lgamma_positive(size);
  // 5.5.3: Gamma(x) Gamma(-x) = -pi / (x sin(pi x)); the angle is reduced first.
  const V angle = V(kPi) * (size - size.round());
  const V reflected = (V(kPi) / (size * angle.sin().abs())).log() - positive;
  const V value = select(V(x < V(0.0)), reflected, positive);
  return select(V(is_pole(x) | (size == V(kInfinity))), V(kInfinity), value);
}

// As lgamma, with the digits of a float: 5.5.1 leads from x to x + 16, where Stirling's formula
// holds, for negative numbers too. The factors are taken in pairs, of which each is t plus a
// constant.
V lgamma_of_float(const V& x) {
  constexpr double kShift = 16;
  if (any_below(x, kStirlingFrom - kShift)) return lgamma(x);
  const V shifted = x < V(kStirlingFrom);
  const V y = select(shifted, V(x + V(kShift)), x);
  const V r = V(1.0) / y;
  const V value =
      (y - V(0.5)) * y.log() - y + fmadd(r, horner(kStirling, V(r * r)), V(0.91893853320467274178));
  const V t = x * (x + V(kShift - 1));
  V product = t;
  for (int k = 1; k < 8; ++k) product = product * (t + V(k * (kShift - 1 - k)));
  const V pole = is_pole(x);
  const V factor = select(V(shifted & (product != V(0.0))), product.abs(), V(1.0));
  return select(V(pole | (x == V(kInfinity))), V(kInfinity), V(value - factor.log()));
}

// 5.11.2: log x - 1 / (2 x) - these powers of 1 / x^2, over x^2.
constexpr double kDigamma[] = {-3617.0 / 8160, 1.0 / 12,  -691.0 / 32760, 1.0 / 132,
                               -1.0 / 240,     1.0 / 252, -1.0 / 120,     1.0 / 12};
constexpr double kDigammaFrom = 10;

V digamma_positive(V x) {
  // The sum of 1 / (x + k) as one fraction: a division takes longer than these products.
  V above(0.0);
  V below(1.0);
  while (any_below(x, kDigammaFrom)) {
    const V small = x < V(kDigammaFrom);
    above = select(small, fmadd(above, x, below), above);
    below = select(small, V(below * x), below);
    x = select(small, V(x + V(1.0)), x);
  }
  const V r = V(1.0) / x;
  const V square = r * r;
  return x.log() - r * V(0.5) - square * horner(kDigamma, square) - above / below;
}

// At the poles 0 and -0 it is infinite, at the others not a number.
V digamma(const V& x) {
  if (none_negative(x) && !any_below(x, std::numeric_limits<double>::min())) {
    return digamma_positive(x);
  }
  // 5.5.4: psi(1 - x) - psi(x) = pi / tan(pi x); the angle is reduced first.
  const V negative = x < V(0.0);
  const V angle = V(kPi) * (x - x.round());
  const V positive = digamma_positive(select(negative, V(V(1.0) - x), x));
  const V value = select(negative, V(positive - V(kPi) * angle.cos() / angle.sin()), positive);
  const V at_zero = V(-1.0) / x;
  return select(V(x == V(0.0)), at_zero, select(is_pole(x), V(kNaN), value));
}

// x^n for n of at least 1.
V power(V x, int64_t n) {
  V result(1.0);
  for (; n > 0; n >>= 1) {
    if (n % 2 != 0) result = result * x;
    x = x * x;
  }
  return result;
}

// B(2 j) / (2 j)!, of Euler and Maclaurin's formula.
constexpr double kEulerMaclaurin[] = {1.0 / 12,
                                      -1.0 / 720,
                                      1.0 / 30240,
                                      -1.0 / 1209600,
                                      1.0 / 47900160,
                                      -691.0 / 1307674368000,
                                      1.0 / 74724249600,
                                      -3617.0 / 10670622842880000,
                                      43867.0 / 5109094217170944000,
                                      -174611.0 / 802857662698291200000.0};

// The sum of (x + k)^-s over k (25.11.9) for positive x: its first terms up to x + k = s + 8, and
// Euler and Maclaurin's formula for the others. Factorials are infinite from s = 171 on, so that
// the digits of greater orders do not matter.
V hurwitz_zeta_positive(V x, int64_t s) {
  const double end = static_cast<double>(std::min<int64_t>(s + 8, 256));
  V sum(0.0);
  while (any_below(x, end)) {
    const V small = x < V(end);
    sum = select(small, V(sum + power(V(V(1.0) / x), s)), sum);
    x = select(small, V(x + V(1.0)), x);
  }
  const V r = V(1.0) / x;
  const V square = r * r;
  double product = static_cast<double>(s);
  V factor = square;
  V series = fmadd(r, V(0.5), V(1.0 / static_cast<double>(s - 1)));
  for (const double coefficient : kEulerMaclaurin) {
    series = fmadd(V(coefficient * product), factor, series);
    ++s;
    product *= static_cast<double>(s) * static_cast<double>(s + 1);
    ++s;
    factor = factor * square;
  }
  return sum + power(r, s - 1 - 2 * static_cast<int64_t>(std::size(kEulerMaclaurin))) * series;
}

V hurwitz_zeta(const V& x, int64_t s) {
  if (none_negative(x)) return hurwitz_zeta_positive(x, s);
  // The terms below 0 are those of a sum upwards from the distance to the next integer, up to -x.
  const V negative = x < V(0.0);
  const V fraction = x - x.floor();
  const V ends = hurwitz_zeta_positive(select(negative, V(V(1.0) - fraction), V(1.0)), s) -
                 hurwitz_zeta_positive(select(negative, V(V(1.0) - x), V(1.0)), s);
  const V sum = hurwitz_zeta_positive(select(negative, fraction, x), s);
  return select(negative, s % 2 == 0 ? V(sum + ends) : V(sum - ends), sum);
}

// 5.15.1
V polygamma(int64_t n, const V& x) {
  const double sign = n % 2 != 0 ? 1 : -1;
  const V pole = is_pole(x);
  const V inside = select(pole, V(1.0), x);
  if (n == 1) {
    // 5.15.6: the values at x and 1 - x add up to (pi / sin(pi x))^2; the angle is reduced first.
    const V negative = inside < V(0.0);
    const V positive = hurwitz_zeta_positive(select(negative, V(V(1.0) - inside), inside), 2);
    if (none_negative(x)) return select(pole, V(kInfinity), positive);
    const V ratio = V(kPi) / (V(kPi) * (inside - inside.round())).sin();
    const V value = select(negative, V(ratio * ratio - positive), positive);
    return select(pole, V(kInfinity), value);
  }
  const V value = hurwitz_zeta(inside, n + 1);
  return select(pole, V(kInfinity), value) * V(sign * std::tgamma(static_cast<double>(n) + 1));
}

void polygamma_kernel(TensorIteratorBase& iter, int64_t n) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "polygamma", [&] {
    buffered_vectors<double, scalar_t>(
        iter, [n](const V& x) { return n == 0 ? digamma(x) : polygamma(n, x); });
  });
}

void lgamma_kernel(TensorIteratorBase& iter) {
  DISPATCH_ALL_FLOATING(iter.common_dtype(), "lgamma_cpu", [&] {
    buffered_vectors<double, scalar_t>(iter, [](const V& x) {
      return std::is_same_v<scalar_t, double> ? lgamma(x) : lgamma_of_float(x);
    });
  });
}

REGISTER_DISPATCH(lgamma_stub, &lgamma_kernel)
ALL_FLOATING_DOUBLE_VECTORS_KERNEL(digamma_stub, "digamma_cpu", digamma)
REGISTER_DISPATCH(polygamma_stub, &polygamma_kernel)

}  // namespace
}  // namespace CPU_CAPABILITY
}  // namespace at::native
