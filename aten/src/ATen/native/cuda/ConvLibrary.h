#pragma once

// The library that computes convolutions on CUDA.

#include <c10/macros/Export.h>

#include <cstdint>

namespace at::native {

// Its version, such as 92000 for cuDNN 9.20.0; 0 in a build without one.
TORCH_CUDA_CPP_API int64_t conv_library_version();

}  // namespace at::native
