#pragma once

// The formulas of elementwise functions of three arguments, shared by the CPU and CUDA kernels. N
// is the type of the parameter. V is the type of the elements: a scalar, or a vector of them.

#include <ATen/native/Formula.h>
#include <ATen/native/Wrapping.h>

#include <type_traits>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {
namespace pointwise {

// addcmul. Integers wrap around.
template <typename N>
struct AddScaledProduct {
  N value;
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b, V c) const {
    if constexpr (std::is_integral_v<V>) {
      return wrapping_add(a, wrapping_mul(wrapping_mul(static_cast<V>(value), b), c));
    } else {
      return a + constant<V>(value) * b * c;
    }
  }
};

// clamp with tensors as limits. A NaN among the three is the result; of NaNs the first. Where `low`
// is above `high`, the result is `high`.
struct Clamp {
  template <typename T>
  C10_HOST_DEVICE T operator()(T x, T low, T high) const {
    if (x != x) return x;
    if (low != low) return low;
    if (high != high) return high;
    return clamped(x, low, high);
  }
};

// addcdiv
template <typename N>
struct AddScaledQuotient {
  N value;
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b, V c) const {
    return a + constant<V>(value) * b / c;
  }
};

// The gradient of mse_loss.
template <typename N>
struct ScaledDifference {
  N value;
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b, V c) const {
    return constant<V>(value) * (a - b) * c;
  }
};

}  // namespace pointwise
}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
