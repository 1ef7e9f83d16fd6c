#pragma once

// Grids for kernels that go over the elements of tensors.

#include <ATen/ceil_div.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/macros/Macros.h>
#include <cuda_runtime_api.h>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>

#include <algorithm>
#include <cstdint>

namespace at::cuda {

constexpr int AT_APPLY_THREADS_PER_BLOCK = 512;
constexpr int AT_APPLY_BLOCKS_PER_SM = 4;

/// Threads of a block.
inline dim3 getApplyBlock(int max_threads_per_block = AT_APPLY_THREADS_PER_BLOCK) {
  return dim3(static_cast<unsigned int>(max_threads_per_block));
}

/// The blocks that cover `totalElements`, as many as a GPU takes. False for a GPU that is not
/// there.
template <int step = 1>
inline bool getApplyGrid(uint64_t totalElements, dim3& grid, c10::DeviceIndex curDevice,
                         int max_threads_per_block = AT_APPLY_THREADS_PER_BLOCK) {
  if (curDevice == -1) return false;
  const uint64_t per_block = static_cast<uint64_t>(max_threads_per_block) * step;
  const auto limit = static_cast<uint64_t>(getDeviceProperties(curDevice)->maxGridSize[0]);
  const uint64_t blocks = std::min((totalElements + per_block - 1) / per_block, limit);
  grid = dim3(static_cast<unsigned int>(blocks));
  return true;
}

template <typename T>
C10_HOST_DEVICE inline T ATenCeilDiv(T a, T b) {
  return at::ceil_div(a, b);
}

}  // namespace at::cuda
