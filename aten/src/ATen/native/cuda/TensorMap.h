#pragma once

// The description of a tensor in global memory for Hopper's copy engine (TMA).

#include <cuda.h>

#include <array>
#include <cstdint>

namespace at::native {

// A tensor (batch, head, position, feature) of 16-bit elements, copied in boxes. A broadcast
// dimension has size 1 here and step 0.
struct TensorMap {
  CUtensorMap map;
  int head_step;
  int batch_step;
};

// Describes a tensor with `sizes` and `strides` (in elements; the last dimension is contiguous) for
// boxes of `rows` positions and `columns` features, with the 128-byte swizzle: `columns` is 64.
// Returns false if the driver lacks the function or refuses the tensor: an address or a stride that
// is not a multiple of 16 bytes, or an empty tensor.
bool describe_tensor(TensorMap* result, const void* data, const std::array<int64_t, 4>& sizes,
                     const std::array<int64_t, 3>& strides, int rows, int columns);

// Whether the current GPU runs the sm_90a code of `kernel`. Only that code has static shared
// memory; for other architectures the kernel is empty.
bool has_code_for_sm90a(const void* kernel);

}  // namespace at::native
