#pragma once

#include <c10/macros/Macros.h>
#include <cuda_runtime_api.h>

namespace c10::cuda {

/// Throws AcceleratorError for the error of a call of the CUDA runtime; the message holds the call,
/// what the runtime says, and, where it is known, what to do.
[[noreturn]] C10_CUDA_API void throw_cuda_error(cudaError_t error, const char* call,
                                                const char* function, const char* file, int line);
/// Warns of the error instead, for destructors.
C10_CUDA_API void warn_cuda_error(cudaError_t error, const char* call) noexcept;

}  // namespace c10::cuda

// Every library has a runtime of its own, which keeps the error until it is asked there.

/// Runs a call of the CUDA runtime and throws if it fails.
#define C10_CUDA_CHECK(EXPR)                                                               \
  do {                                                                                     \
    const cudaError_t c10_cuda_error_ = (EXPR);                                            \
    if (C10_UNLIKELY(c10_cuda_error_ != cudaSuccess)) {                                    \
      static_cast<void>(cudaGetLastError());                                               \
      ::c10::cuda::throw_cuda_error(c10_cuda_error_, #EXPR, __func__, __FILE__, __LINE__); \
    }                                                                                      \
  } while (0)

/// Runs a call of the CUDA runtime and warns if it fails.
#define C10_CUDA_CHECK_WARN(EXPR)                           \
  do {                                                      \
    const cudaError_t c10_cuda_error_ = (EXPR);             \
    if (C10_UNLIKELY(c10_cuda_error_ != cudaSuccess)) {     \
      static_cast<void>(cudaGetLastError());                \
      ::c10::cuda::warn_cuda_error(c10_cuda_error_, #EXPR); \
    }                                                       \
  } while (0)

/// A call whose error the code around it handles; it stays the runtime's last error.
#define C10_CUDA_ERROR_HANDLED(EXPR) EXPR

/// Runs a call of the CUDA runtime; an error is forgotten.
#define C10_CUDA_IGNORE_ERROR(EXPR)                                   \
  do {                                                                \
    if ((EXPR) != cudaSuccess) static_cast<void>(cudaGetLastError()); \
  } while (0)

/// Forgets the runtime's last error.
#define C10_CUDA_CLEAR_ERROR() static_cast<void>(cudaGetLastError())

/// After a launch: throws if the kernel could not be launched. Errors of its run come later.
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())

/// Launches a kernel whose last parameters are TORCH_DSA_KERNEL_ARGS:
/// c10/cuda/CUDADeviceAssertion.h.
#define TORCH_DSA_KERNEL_LAUNCH(kernel, blocks, threads, shared_mem, stream, ...)       \
  do {                                                                                  \
    kernel<<<blocks, threads, shared_mem, stream>>>(__VA_ARGS__, nullptr, uint32_t(0)); \
    C10_CUDA_KERNEL_LAUNCH_CHECK();                                                     \
  } while (0)
