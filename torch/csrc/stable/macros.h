#pragma once

#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/shim_utils.h>

#include <stdexcept>
#include <string>

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
/// Throws std::runtime_error, with the library's message, if a function of the C interface returns
/// an error.
#define STABLE_TORCH_ERROR_CODE_CHECK(call)                                                        \
  if ((call) != TORCH_SUCCESS) {                                                                   \
    throw std::runtime_error(::torch::headeronly::detail::joined(                                  \
        torch_exception_get_what_without_backtrace(), " (originally from " #call " at ", __FILE__, \
        ", line ", __LINE__, ")"));                                                                \
  }
#else
// The functions that say the message came with PyTorch 2.13.
#define STABLE_TORCH_ERROR_CODE_CHECK(call) TORCH_ERROR_CODE_CHECK(call)
#endif

#ifdef USE_CUDA
/// Throws std::runtime_error if a call of the CUDA runtime fails, with C10_CUDA_CHECK's message.
/// Whoever uses it includes cuda_runtime.h.
#define STD_CUDA_CHECK(EXPR)                                                             \
  do {                                                                                   \
    const cudaError_t std_cuda_error_ = (EXPR);                                          \
    char* std_cuda_message_ = nullptr;                                                   \
    torch_c10_cuda_check_msg(static_cast<int32_t>(std_cuda_error_), __FILE__, __func__,  \
                             static_cast<uint32_t>(__LINE__), true, &std_cuda_message_); \
    if (std_cuda_message_ != nullptr) {                                                  \
      /* The runtime of this library keeps the error until somebody asks. */             \
      static_cast<void>(cudaGetLastError());                                             \
      const std::string std_cuda_text_(std_cuda_message_);                               \
      torch_c10_cuda_free_error_msg(std_cuda_message_);                                  \
      throw std::runtime_error(std_cuda_text_);                                          \
    }                                                                                    \
  } while (0)

/// After a launch: throws if the kernel could not be launched.
#define STD_CUDA_KERNEL_LAUNCH_CHECK() STD_CUDA_CHECK(cudaGetLastError())
#endif
