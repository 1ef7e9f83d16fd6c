#pragma once

// The formulas of elementwise functions of one argument, shared by the CPU and CUDA kernels. N is
// the type of the parameters. V is the type of the elements: float, double, or a vector of them.

#include <ATen/native/Formula.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {
namespace unary {

// The nearest integer; of two, the even one.
template <typename V>
C10_HOST_DEVICE V rounded(V x) {
  if constexpr (std::is_arithmetic_v<V>) {
    return std::nearbyint(x);
  } else {
    return x.round();
  }
}

// log(x / (1 - x)); with `clamps`, x is brought into [eps, 1 - eps] first. NaN gives NaN.
template <typename N>
struct Logit {
  N eps;
  bool clamps;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V one = constant<V>(1);
    const V low = constant<V>(eps);
    if (clamps) x = clamped(x, low, V(one - low));
    return log_of(V(x / (one - x)));
  }
};

// Numbers in the place of NaN and the infinities.
template <typename N>
struct NanToNum {
  N nan, low, high;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V infinity = constant<V>(std::numeric_limits<double>::infinity());
    const V finite =
        select(x == V(-infinity), constant<V>(low), V(select(x == infinity, constant<V>(high), x)));
    // A vector's != is false for NaN.
    return select(x == x, finite, constant<V>(nan));
  }
};

// To a number of decimal places; `scale` is 10 to the power of their number, of its opposite with
// `before_point`.
template <typename N>
struct RoundDecimals {
  N scale;
  bool before_point;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V factor = constant<V>(scale);
    return before_point ? V(rounded(V(x / factor)) * factor) : V(rounded(V(x * factor)) / factor);
  }
};

}  // namespace unary
}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
