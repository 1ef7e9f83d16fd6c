#pragma once

// Checks of calls of NVIDIA's libraries: each throws an error that names the call.

#include <c10/cuda/CUDAException.h>
#include <c10/util/Exception.h>

#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#define TORCH_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)

#define TORCH_CUDA_LIBRARY_CHECK_(library, success, EXPR)                           \
  do {                                                                              \
    const auto torch_cuda_status_ = (EXPR);                                         \
    TORCH_CHECK(torch_cuda_status_ == (success), library " error: status ",         \
                static_cast<int>(torch_cuda_status_), " when calling `" #EXPR "`"); \
  } while (0)

#define TORCH_CUDABLAS_CHECK(EXPR) TORCH_CUDA_LIBRARY_CHECK_("cuBLAS", CUBLAS_STATUS_SUCCESS, EXPR)
#define TORCH_CUSPARSE_CHECK(EXPR) \
  TORCH_CUDA_LIBRARY_CHECK_("cuSPARSE", CUSPARSE_STATUS_SUCCESS, EXPR)
#define TORCH_CUSOLVER_CHECK(EXPR) \
  TORCH_CUDA_LIBRARY_CHECK_("cuSOLVER", CUSOLVER_STATUS_SUCCESS, EXPR)
#define AT_CUDNN_CHECK(EXPR) TORCH_CUDA_LIBRARY_CHECK_("cuDNN", CUDNN_STATUS_SUCCESS, EXPR)
#define AT_CUDA_DRIVER_CHECK(EXPR) TORCH_CUDA_LIBRARY_CHECK_("CUDA driver", CUDA_SUCCESS, EXPR)
#define AT_CUDA_NVRTC_CHECK(EXPR) TORCH_CUDA_LIBRARY_CHECK_("NVRTC", NVRTC_SUCCESS, EXPR)
