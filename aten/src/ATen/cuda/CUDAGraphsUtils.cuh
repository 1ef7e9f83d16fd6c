#pragma once

// Whether the current stream is being captured into a graph.

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>
#include <ATen/cuda/PhiloxUtils.cuh>

#include <string>

namespace at::cuda {

inline bool currentStreamIsCapturing() {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  C10_CUDA_CHECK(cudaStreamIsCapturing(c10::cuda::getCurrentCUDAStream().stream(), &status));
  return status != cudaStreamCaptureStatusNone;
}

/// Error if it is; `attempt` says what cannot be captured.
inline void assertNotCapturing(const std::string& attempt) {
  TORCH_CHECK(
      !currentStreamIsCapturing(), attempt,
      " during CUDA graph capture. If you need this call to be captured, please file an issue.");
}

}  // namespace at::cuda
