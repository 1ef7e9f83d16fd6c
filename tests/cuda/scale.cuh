#pragma once

namespace torch_tests {

template <typename T>
__device__ T scaled(T value, T factor) {
  return value * factor;
}

}  // namespace torch_tests
// c
