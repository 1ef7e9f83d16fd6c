#pragma once

// Checks in device code, by PyTorch's names:
//
//   __global__ void kernel(const float* in, TORCH_DSA_KERNEL_ARGS) {
//     CUDA_KERNEL_ASSERT2(in[0] == 0);
//   }
//   TORCH_DSA_KERNEL_LAUNCH(kernel, 1, 1, 0, stream, in);

#include <c10/cuda/CUDADeviceAssertionHost.h>
#include <c10/macros/Macros.h>

#define CUDA_KERNEL_ASSERT2(condition) CUDA_KERNEL_ASSERT(condition)
