#pragma once

// The formulas of elementwise functions of three arguments, shared by the CPU and CUDA kernels. N
// is the type of the parameter. V is the type of the elements: a scalar, or a vector of them.

#include <ATen/native/Formula.h>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {
namespace pointwise {

// addcmul
template <typename N>
struct AddScaledProduct {
  N value;
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b, V c) const {
    return a + constant<V>(value) * b * c;
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
