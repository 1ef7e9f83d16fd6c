#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/macros/Export.h>
#include <cuda_runtime_api.h>

#include <cstdint>

namespace at::cuda {

// Work that was put on a stream once, and is launched as one from then on, with the same addresses:
// new inputs are copied into the tensors that the capture read, and results are in those that it
// wrote. Random numbers differ from replay to replay.
class TORCH_CUDA_CPP_API CUDAGraph {
 public:
  CUDAGraph() = default;
  CUDAGraph(const CUDAGraph&) = delete;
  CUDAGraph& operator=(const CUDAGraph&) = delete;
  ~CUDAGraph();

  // Captures what is put on the current stream, which must not be the default one, instead of
  // running it.
  void capture_begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal);
  void capture_end();
  // Puts the work on the current stream. Throws before a capture has ended.
  void replay();
  // Gives the graph and its memory back; waits for the GPU.
  void reset();

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  c10::DeviceIndex device_ = -1;
  bool capturing_ = false;
  bool has_pool_ = false;
  int64_t pool_ = 0;
  // The stream that is captured.
  int64_t stream_ = 0;
  Generator generator_;
  // Where a replay finds the seed and the offset, and how many numbers it takes.
  TensorBase random_state_;
  uint64_t random_blocks_ = 0;
};

// Whether the current stream is being captured.
TORCH_CUDA_CPP_API bool isCurrentStreamCapturing();

}  // namespace at::cuda
