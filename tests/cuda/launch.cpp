// Registers the kernels with the CUDA runtime, which says what it lacks where there is no GPU.
#include <cuda_runtime_api.h>

#include <cstdio>

#include "tests/cuda/kernels.h"

int main() {
  std::printf("%s\n", cudaGetErrorName(static_cast<cudaError_t>(torch_tests::launch(nullptr))));
}
