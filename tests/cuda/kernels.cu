// What a CUDA source can hold that ties its host half to its device half.
#include "tests/cuda/kernels.h"

#include <cub/device/device_reduce.cuh>

#include "tests/cuda/scale.cuh"

namespace torch_tests {
namespace {

__constant__ float kOffset = 1;

// Internal linkage: both halves must agree on its name.
template <typename T>
__global__ void Scale(T* values, T factor) {
  values[threadIdx.x] = scaled(values[threadIdx.x], factor) + static_cast<T>(kOffset);
}

}  // namespace

int launch(float* values) {
  Scale<float><<<1, 32>>>(values, 2);
  return static_cast<int>(cudaGetLastError());
}

size_t reduction_bytes(const float* values, float* sum, int count) {
  size_t bytes = 0;
  at_cuda_detail::cub::DeviceReduce::Sum(nullptr, bytes, values, sum, count);
  return bytes;
}

}  // namespace torch_tests
