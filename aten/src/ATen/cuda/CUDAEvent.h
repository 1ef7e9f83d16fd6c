#pragma once

#include <c10/core/Device.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#include <optional>
#include <utility>

namespace at::cuda {

// A place in a stream, which others can wait for. The event is made on the device of the stream
// that it is recorded in first. Move-only.
class CUDAEvent {
 public:
  // Flags of cudaEventCreateWithFlags.
  explicit CUDAEvent(unsigned int flags = cudaEventDisableTiming) : flags_(flags) {}
  CUDAEvent(const CUDAEvent&) = delete;
  CUDAEvent& operator=(const CUDAEvent&) = delete;
  CUDAEvent(CUDAEvent&& other) noexcept
      : flags_(other.flags_),
        device_(std::exchange(other.device_, std::nullopt)),
        event_(std::exchange(other.event_, nullptr)) {}
  CUDAEvent& operator=(CUDAEvent&& other) noexcept {
    std::swap(flags_, other.flags_);
    std::swap(device_, other.device_);
    std::swap(event_, other.event_);
    return *this;
  }
  // What it marks may still be running: the runtime frees it afterwards.
  ~CUDAEvent() {
    if (event_ != nullptr) C10_CUDA_CHECK_WARN(cudaEventDestroy(event_));
  }

  bool isCreated() const { return event_ != nullptr; }
  std::optional<c10::Device> device() const { return device_; }
  cudaEvent_t event() const { return event_; }

  // Whether what came before it is done; true for one that was never recorded.
  bool query() const {
    if (event_ == nullptr) return true;
    const cudaError_t error = cudaEventQuery(event_);
    if (error == cudaErrorNotReady) {
      static_cast<void>(cudaGetLastError());
      return false;
    }
    C10_CUDA_CHECK(error);
    return true;
  }

  void record() { record(c10::cuda::getCurrentCUDAStream()); }
  void record(const c10::cuda::CUDAStream& stream) {
    const c10::cuda::CUDAGuard guard(stream.device());
    if (event_ == nullptr) {
      device_ = stream.device();
      C10_CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags_));
    }
    TORCH_CHECK(device_ == stream.device(), "Event device ", *device_,
                " does not match recording stream's device ", stream.device(), ".");
    C10_CUDA_CHECK(cudaEventRecord(event_, stream));
  }
  // Makes `stream` wait for it.
  void block(const c10::cuda::CUDAStream& stream) const {
    if (event_ == nullptr) return;
    const c10::cuda::CUDAGuard guard(stream.device());
    C10_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0));
  }
  // Waits for it.
  void synchronize() const {
    if (event_ != nullptr) C10_CUDA_CHECK(cudaEventSynchronize(event_));
  }
  // Milliseconds until `other`; both were made with timing.
  float elapsed_time(const CUDAEvent& other) const {
    TORCH_CHECK(
        (flags_ & cudaEventDisableTiming) == 0 && (other.flags_ & cudaEventDisableTiming) == 0,
        "Both events must be created with argument 'enable_timing=True'.");
    TORCH_CHECK(isCreated() && other.isCreated(),
                "Both events must be recorded before calculating elapsed time.");
    const c10::cuda::CUDAGuard guard(*device_);
    float milliseconds = 0;
    C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, other.event_));
    return milliseconds;
  }

 private:
  unsigned int flags_;
  std::optional<c10::Device> device_;
  cudaEvent_t event_ = nullptr;
};

}  // namespace at::cuda
