#pragma once

// What Hopper's copy engine knows of a tensor in global memory.

#include <cuda.h>

#include <array>
#include <cstdint>

namespace at::native {

// A tensor (batch, head, position, feature) of sixteen-bit elements, and the boxes in which it is
// copied. A dimension that is broadcast has one element there, and its step is 0.
struct TensorMap {
  CUtensorMap map;
  int head_step;
  int batch_step;
};

// Describes a tensor of `sizes`, of which the last dimension is contiguous and the others have
// `strides` in elements, for boxes of `rows` positions and `columns` features: 64, whose 128 bytes
// have their pieces of sixteen exchanged. False where the driver has no such function, or refuses:
// an address or a stride that is no multiple of sixteen bytes, an empty tensor.
bool describe_tensor(TensorMap* result, const void* data, const std::array<int64_t, 4>& sizes,
                     const std::array<int64_t, 3>& strides, int rows, int columns);

// Whether this library's code for the current GPU is the one for sm_90a, of a kernel that has
// variables in shared memory there and is empty elsewhere.
bool has_code_for_sm90a(const void* kernel);

}  // namespace at::native
