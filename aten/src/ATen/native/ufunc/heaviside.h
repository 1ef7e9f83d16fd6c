#pragma once

#include <c10/macros/Macros.h>

namespace at::native::ufunc {

// The step function, which is `values` at 0. It is 0 of NaN.
template <typename T>
C10_HOST_DEVICE T heaviside(T self, T values) {
  return self == T(0) ? values : static_cast<T>(self > T(0));
}

}  // namespace at::native::ufunc
