#pragma once

// Checks of the devices of arguments.

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

namespace at::cuda {

/// Whether all tensors are on one GPU.
inline bool check_device(ArrayRef<Tensor> ts) {
  if (ts.empty()) return true;
  const Device device = ts.front().device();
  for (const Tensor& t : ts) {
    if (!t.is_cuda() || t.device() != device) return false;
  }
  return true;
}

}  // namespace at::cuda
