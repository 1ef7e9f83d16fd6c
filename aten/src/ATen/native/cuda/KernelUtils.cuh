#pragma once

// Additions into a tensor that other threads add to.

#include <ATen/cuda/Atomic.cuh>

namespace at::native {

/// tensor[index] += value. `numel` is the tensor's; `fast_atomics` is whether half-precision pairs
/// may be added at once, which this version does not do.
template <class scalar_t, class index_t>
__device__ __forceinline__ void fastAtomicAdd(scalar_t* tensor, index_t index, index_t /*numel*/,
                                              scalar_t value, bool /*fast_atomics*/) {
  gpuAtomicAddNoReturn(tensor + index, value);
}

}  // namespace at::native
