#pragma once

// The parameters that a kernel with CUDA_KERNEL_ASSERT2 has: c10/cuda/CUDADeviceAssertion.h.

#include <c10/cuda/CUDAException.h>
#include <c10/macros/Macros.h>

#include <cstdint>

namespace c10::cuda {
/// Where PyTorch collects the texts of failed assertions. Here a failed one stops the kernel at
/// once, and the runtime prints its text: the pointer is null.
struct DeviceAssertionsData;
}  // namespace c10::cuda

#define TORCH_DSA_KERNEL_ARGS                                                \
  [[maybe_unused]] ::c10::cuda::DeviceAssertionsData *const assertions_data, \
      [[maybe_unused]] uint32_t assertion_caller_id
#define TORCH_DSA_KERNEL_ARGS_PASS assertions_data, assertion_caller_id
