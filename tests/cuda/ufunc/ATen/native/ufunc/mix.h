#pragma once

// The loops of the operator in native_functions.yaml.

#include <c10/macros/Macros.h>

namespace at::native::ufunc {

template <typename T>
C10_HOST_DEVICE T mix(T self, T other, T alpha) {
  return self + alpha * other;
}

template <typename T>
C10_HOST_DEVICE T mix_bool(T self, T other, T alpha) {
  return self || (alpha && other);
}

}  // namespace at::native::ufunc
